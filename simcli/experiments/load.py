"""Load experiments from files: every key checked, all problems at once, the variants loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simcli.analysis.means import LEAST_SESSIONS
from simcli.analysis.tables import FAVOURITE
from simcli.bots.lineup import parse_lineup
from simcli.errors import InputError, Problem, input_error, problems_of
from simcli.experiments.design import design_of, n_varied
from simcli.experiments.experiment import DEFAULT_DEALS, Experiment
from simcli.experiments.varied import VARIED_KEYS
from simcli.rules.check import faults, option_fault
from simcli.rules.document import Document, KeyPath
from simcli.rules.load import load_variant, load_variant_mapping
from simcli.rules.numbers import whole_number
from simcli.rules.options import RuleOption, Value, allowed_values
from simcli.rules.points import share_of_points
from simcli.rules.shelf import EXPERIMENTS
from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS, RULE_OPTIONS, Variant
from simcli.rules.wording import choice, did_you_mean, printable, shown
from simcli.rules.yamlfile import load_yaml
from simcli.runs.plan import MAX_DEALS
from simcli.runs.stopping import LARGEST_THRESHOLD, LOOK, deals_for_any_half_width

EVERY = "every"
"""The word that stands for all values of an option."""
MAX_VARIANTS = 1000
LONGEST_LIST = 200
DECKS = allowed_values(Variant.model_fields["deck"]) or ()

LISTS = ("variants", "pairs", "bridge", "players", "bots")
NUMBERS = ("deals", "max_deals", "until_half_width", "margin")
OWN_KEYS = (*LISTS, *NUMBERS, "base", "baseline", "vary")
"""Keys that are checked here; the others are words and numbers as in a variant file."""


def load_experiment(ref: str | Path) -> Experiment:
    """Load the experiment a path or name stands for.

    Parameters
    ----------
    ref : str or Path
        A path (it ends in .yaml or .yml, or has a slash) or the name of a shipped experiment.

    Raises
    ------
    InputError
        With every problem of the file and of the variants that it names.
    """
    path = EXPERIMENTS.locate(ref)
    return _Reading(load_yaml(path), path.parent).experiment()


@dataclass
class _Reading:
    """Read a file, collecting what is wrong with it."""

    document: Document
    folder: Path
    problems: list[Problem] = field(init=False)
    _loaded: dict[str, Variant | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.problems = list(self.document.problems)

    def experiment(self) -> Experiment:
        """Return the experiment, or raise all problems."""
        found = faults(self.document, OWN_KEYS, Experiment)
        bad = {path[0] for path, _ in found}
        self.problems += [problem for _, problem in found]
        self._require_keys()
        data = {key: value for key, value in self.document.data.items() if key not in bad}
        for key in (key for key in OWN_KEYS if key in data):
            data[key] = self._own(key, data[key])
        self._refuse_what_does_not_belong(data)
        self._raise_problems()
        self._complete(data)
        self._check_sizes(data)
        self._raise_problems()
        experiment = Experiment.model_validate(data)
        self._check_design(experiment)
        return experiment

    # ------------------------------------------------------------------------------------ problems

    def fault(self, path: KeyPath, message: str) -> None:
        """Note what is wrong with a key; what the file already said of it is enough."""
        problem = self.document.problem(path, message)
        if not any((known.line, known.key) == (problem.line, problem.key) for known in self.problems):
            self.problems.append(problem)

    def _raise_problems(self) -> None:
        if self.problems:
            files = list(dict.fromkeys([self.document.where, *(problem.where for problem in self.problems)]))
            raise input_error(
                sorted(self.problems, key=lambda problem: (files.index(problem.where), problem.line or 0))
            )

    def _require_keys(self) -> None:
        for key, what in (("name", "a name (letters, digits, - and _)"), ("question", "a question")):
            if (key,) not in self.document.marks:
                self.problems.append(Problem(self.document.where, None, key, f"expected {what}, got none"))
        if self.document.data.get("question") == "":
            self.fault(("question",), "expected a question, got nothing")
        if not any((key,) in self.document.marks for key in ("variants", "pairs", "vary", "bridge")):
            message = "expected variants, pairs, vary or bridge, so that there is something to play, got none"
            self.problems.append(Problem(self.document.where, None, None, message))

    # ------------------------------------------------------------------------------------ values

    def _own(self, key: str, value: Any) -> Any:
        """Return the value of a key of ours as the model takes it."""
        path = (key,)
        readers: Mapping[str, Callable[[KeyPath, Any], Any]] = {
            "variants": self._variant,
            "bridge": self._variant,
            "pairs": self._pair,
            "players": self._size,
            "bots": self._lineup,
        }
        if key in readers:
            return self._list(path, value, readers[key])
        if key in ("deals", "max_deals"):
            return self._number(path, value)
        if key in ("until_half_width", "margin"):
            return self._points(path, value)
        if key == "base":
            return self._variant(path, value)
        return self._vary(value) if key == "vary" else self._word(path, value)

    def _list(self, path: KeyPath, value: Any, read: Callable[[KeyPath, Any], Any]) -> tuple[Any, ...]:
        if not isinstance(value, list):
            way_out = "" if isinstance(value, dict) or value is None else f" – write [{shown(value)}]"
            self.fault(path, f"expected a list, got {shown(value)}{way_out}")
            return ()
        if not 0 < len(value) <= LONGEST_LIST:
            n = f"{len(value)} items" if value else "an empty list"
            self.fault(path, f"expected a list of 1 to {LONGEST_LIST}, got {n}")
            return ()
        for index, item in enumerate(value):
            first = value.index(item)
            if first < index and type(value[first]) is type(item):
                self.fault((*path, index), f"expected each once, got {shown(item)} again")
        return tuple(read((*path, index), item) for index, item in enumerate(value))

    def _variant(self, path: KeyPath, value: Any) -> Variant | None:
        """Return the variant that a name, a path or a block of keys stands for."""
        if isinstance(value, dict):
            return self._loading(
                path, lambda: load_variant_mapping(self.document.at(*path), self.folder, name_required=True)
            )
        if not isinstance(value, str) or not value:
            self.fault(path, f"expected a variant (a name, a path, or a block of keys), got {shown(value)}")
            return None
        if value not in self._loaded:
            self._loaded[value] = self._loading(path, lambda: load_variant(value, self.folder))
        return self._loaded[value]

    def _loading(self, path: KeyPath, load: Callable[[], Variant]) -> Variant | None:
        """Return what is loaded; a fault of a whole file is one of the line that names it."""
        try:
            return load()
        except InputError as error:
            for problem in problems_of(error):
                if problem.line is None and problem.where != self.document.where:
                    self.fault(path, f"{problem.where}: {problem.message}")
                else:
                    self.problems.append(problem)
            return None

    def _pair(self, path: KeyPath, value: Any) -> tuple[Variant | None, ...]:
        if not isinstance(value, list) or len(value) != 2:
            got = f"a list of {len(value)}" if isinstance(value, list) else shown(value)
            self.fault(path, f"expected two variants, [baseline, variant], got {got}")
            return ()
        if value[0] == value[1]:
            self.fault(path, f"expected two different variants, got {shown(value[0])} twice")
        return tuple(self._variant((*path, index), each) for index, each in enumerate(value))

    def _size(self, path: KeyPath, value: Any) -> int:
        if type(value) is not int or not MIN_PLAYERS <= value <= MAX_PLAYERS:
            self.fault(path, f"expected {MIN_PLAYERS} to {MAX_PLAYERS}, got {shown(value)}")
        return value  # type: ignore[no-any-return]

    def _lineup(self, path: KeyPath, value: Any) -> str:
        if not isinstance(value, str):
            message = f"expected a line-up such as thrifty or thrifty,lowest,lowest, got {shown(value)}"
            self.fault(path, message)
            return ""
        try:
            parse_lineup(value, value.count(",") + 1)
        except InputError as error:
            for problem in problems_of(error):
                self.fault(path, f"{problem.key}: {problem.message}" if problem.key else problem.message)
        return value

    def _number(self, path: KeyPath, value: Any) -> int:
        low = LOOK if path == ("max_deals",) else 1
        try:
            return whole_number(self._written(value), "", low, MAX_DEALS)
        except InputError as error:
            self.fault(path, problems_of(error)[0].message)
            return DEFAULT_DEALS

    def _points(self, path: KeyPath, value: Any) -> float:
        most = LARGEST_THRESHOLD if path == ("until_half_width",) else 1.0
        try:
            return share_of_points(self._written(value), "", most)
        except InputError as error:
            self.fault(path, problems_of(error)[0].message)
            return LARGEST_THRESHOLD

    def _written(self, value: Any) -> str:
        """Return a number or a text as it was written; anything else is no number."""
        return value if isinstance(value, str) else shown(value)

    def _word(self, path: KeyPath, value: Any) -> str | None:
        if not isinstance(value, str) or not value:
            self.fault(path, f"expected the name of a variant, got {shown(value)}")
            return None
        return value

    # ------------------------------------------------------------------------------------ vary

    def _vary(self, value: Any) -> dict[str, tuple[Value, ...]]:
        if not isinstance(value, dict) or not value:
            got = "an empty block" if value == {} else shown(value)
            self.fault(("vary",), f"expected options with lists of values, got {got}")
            return {}
        varied: dict[str, tuple[Value, ...]] = {}
        for key, values in value.items():
            if key in VARIED_KEYS:
                varied[key] = self._levels(key, values)
            else:
                message = f"expected an option such as transfer.mode, got {printable(key)}"
                self.fault(("vary", key), message + _meant(key))
        return varied

    def _levels(self, key: str, values: Any) -> tuple[Value, ...]:
        """Return the values of an option."""
        path = ("vary", key)
        option = next((each for each in RULE_OPTIONS if each.key == key), None)
        allowed = DECKS if option is None else option.values
        if values == EVERY:
            if allowed is None:
                self.fault(path, f"expected a list of values, got {EVERY} – {_bounds(option)}, name some")
            return allowed or ()
        return self._list(path, values, lambda here, value: self._level(here, key, value))

    def _level(self, path: KeyPath, key: str, value: Any) -> Value:
        message = option_fault(key, value)
        if message is not None:
            self.fault(path, message)
        return value  # type: ignore[no-any-return]

    # ------------------------------------------------------------------------------------ together

    def _refuse_what_does_not_belong(self, data: Mapping[str, Any]) -> None:
        """Note keys that would be read and then change nothing."""
        for key, needed in (("design", ("vary",)), ("base", ("vary", "bridge"))):
            if key in data and not any(each in data for each in needed):
                self.fault((key,), f"expected {choice(needed)} with it, got neither" if len(needed) > 1
                           else f"expected {needed[0]} with it, got none")  # fmt: skip
        if "pairs" in data:
            for key in ("variants", "baseline", "base", "vary", "bridge"):
                if key in data:
                    self.fault((key,), "expected none beside pairs, which say what is compared with what")
        if "until_half_width" in data and "deals" in data:
            self.fault(("deals",), "expected none with until_half_width – max_deals says how many at most")
        if "max_deals" in data and "until_half_width" not in data:
            self.fault(("max_deals",), "expected until_half_width with it, got none")
        if data.get("rotate") is True:
            self._refuse_lineups_that_do_not_rotate(data)
        if "until_half_width" in data and data.get("session", 1) > 1:
            self.fault(("session",), "expected single deals with until_half_width – give deals instead")

    def _refuse_lineups_that_do_not_rotate(self, data: Mapping[str, Any]) -> None:
        """Note line-ups of one bot, whose rotations are all the same, and what would stop rotations apart."""
        if "bots" not in data:
            self.fault(("rotate",), "expected bots with it, of different ones at a table, got none")
        for index, lineup in enumerate(data.get("bots", ())):
            bots = [bot.strip() for bot in lineup.split(",")]
            if len(set(bots)) == 1:
                self.fault(("bots", index), f"expected different bots at a table with rotate, got {bots[0]}")
        if "until_half_width" in data:
            self.fault(
                ("until_half_width",),
                "expected none with rotate, for all rotations have the same deals – give deals instead",
            )

    def _complete(self, data: dict[str, Any]) -> None:
        """Fill in what follows from the rest."""
        if ("vary" in data or "bridge" in data) and "base" not in data:
            data["base"] = load_variant(FAVOURITE)
        if "until_half_width" in data and "max_deals" not in data:
            data["max_deals"] = deals_for_any_half_width(data["until_half_width"], MAX_DEALS)
        if "session" in data and "deals" not in data:
            data["deals"] = -(-DEFAULT_DEALS // data["session"]) * data["session"]

    def _check_sizes(self, data: Mapping[str, Any]) -> None:
        """Note numbers that do not fit each other."""
        most, session = data.get("max_deals"), data.get("session", 1)
        deals = data.get("deals", DEFAULT_DEALS)
        if most is not None and most % LOOK:
            message = f"expected a multiple of {LOOK:,}, at which runs are looked at, got {most:,}"
            self.fault(("max_deals",), f"{message} – {most // LOOK * LOOK:,} is one")
        if session > 1 and (deals % session or deals < LEAST_SESSIONS * session):
            near = max(deals // session, LEAST_SESSIONS) * session
            message = (
                f"expected {LEAST_SESSIONS} or more whole sessions of {session} deals, got {deals:,} deals"
            )
            self.fault(("deals",), f"{message} – {near:,} is such a number")

    def _check_design(self, experiment: Experiment) -> None:
        """Raise what can only be said of the whole."""
        n = n_varied(experiment)
        if n > MAX_VARIANTS:
            self.fault(("vary",), f"expected at most {MAX_VARIANTS:,} variants, got {n:,}")
            self._raise_problems()
        try:
            design_of(experiment)
        except InputError as error:
            for problem in problems_of(error):
                self.fault((problem.key,) if problem.key else (), problem.message)
            self._raise_problems()


def _meant(key: str) -> str:
    """Return which option an unknown key most likely means."""
    block = [option for option in VARIED_KEYS if option.startswith(f"{key}.") or option.endswith(f".{key}")]
    return f" – write {choice(block)}" if block else did_you_mean(key, VARIED_KEYS)


def _bounds(option: RuleOption | None) -> str:
    return f"{option.low} to {option.high} are too many" if option is not None else ""
