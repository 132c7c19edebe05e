"""Read and write `plan.yaml` and `run.yaml`, the two files about a run that people can read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from simcli.bots.lineup import parse_lineup
from simcli.errors import InputError, Problem, input_error, problems_of, refusal
from simcli.rules.document import Document
from simcli.rules.load import variant_from_mapping
from simcli.rules.scalars import NUMBER
from simcli.rules.textfile import text_of
from simcli.rules.wording import choice, printable_path, shown
from simcli.rules.yamlfile import load_yaml, parse_yaml
from simcli.runs.jointmatch import FORMAT as JOINT_FORMAT
from simcli.runs.jointmatch import JointMatch
from simcli.runs.plan import FORMAT, MAX_DEALS, MAX_SEED, MAX_SESSION, Match, Plan, Stretch
from simcli.runs.stopping import KINDS, LARGEST_THRESHOLD, THRESHOLD_KEYS, StoppingRule
from simcli.runs.store.location import Location
from simcli.runs.store.store import store_at

#: beyond 18 digits a number of a YAML file is read as text
LONG_NUMBER = re.compile(r"[1-9][0-9]{18}")
NO_ROWS = "this folder holds counts without rows, which only simcli compare, report, runs and verify read"
FRAMES = ("opener", "dealer", "seat")
OUTCOMES = ("loss", "first_out")
#: what follows from the variant, and stands there for people to read
FOLLOWING = ("rules", "players")


class _Dumper(yaml.SafeDumper):
    """Quote also what only the project's own reader takes for a number: a hash such as 12345e67."""


_Dumper.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(f"({NUMBER.pattern})$"), list("-+0123456789")
)


def yaml_text(mapping: dict[str, Any]) -> str:
    """Return a mapping as YAML, keys in their order."""
    text: str = yaml.dump(mapping, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text


def load_document(path: Location) -> Document:
    """Load the YAML file of a run, wherever it lies; errors as for `load_yaml`."""
    if isinstance(path, Path):
        return load_yaml(path)
    where = printable_path(path)
    try:
        content = store_at(path.parent).read(path.name)
    except FileNotFoundError:
        raise refusal(where, "expected a file, there is none of this name") from None
    return parse_yaml(text_of(content, where), where)


def load_plan(path: Location) -> Plan:
    """Load the plan of a run from its `plan.yaml` or `run.yaml`.

    Raises
    ------
    InputError
        The file cannot be read or does not hold a plan.
    """
    return _read(path, _Reader)


def load_joint_plan(path: Location) -> Plan:
    """Load the plan of variants that are counted together; errors as for `load_plan`."""
    return _read(path, _JointReader)


def _read(path: Location, kind: type[_Reader]) -> Plan:
    document = load_document(path)
    reader = kind(document)
    plan = reader.plan()
    if plan is None or reader.problems:
        raise input_error([*document.problems, *reader.problems])
    return plan


class _Reader:
    """Take the keys of a plan out of a document, noting what is wrong with them."""

    format = FORMAT

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = []

    def plan(self) -> Plan | None:
        """Return the plan, or None after having noted why there is none."""
        data = self.document.data
        if data.get("format") != self.format:
            found = data.get("format")
            hint = f" – {NO_ROWS}" if found == JOINT_FORMAT else ""
            self._fault("format", f"expected {self.format}, got {shown(found)}{hint}")
            return None
        match = self._match()
        if match is not None:
            self._compare(match.identity())
        deals = self._numbers("deals", 1, MAX_DEALS)
        sizes = self._numbers("part_deals", 1, MAX_DEALS)
        engine = data.get("engine")
        if not isinstance(engine, dict):
            self._fault("engine", f"expected version, signature and sources, got {shown(engine)}")
        if len(deals) != len(sizes) or sorted(set(deals)) != deals:
            self._fault("deals", "expected rising numbers, and as many in part_deals")
        rules = self._stopping(deals)
        if match is None or self.problems:
            return None
        stretches = tuple(
            Stretch(n, size, *rules.get(n, (None, None))) for n, size in zip(deals, sizes, strict=True)
        )
        return Plan(match, stretches, {str(key): str(value) for key, value in (engine or {}).items()})

    def _compare(self, identity: dict[str, Any]) -> None:
        """Note what the document says beside its variants and does not follow from them."""
        for key in FOLLOWING:
            told = self.document.data.get(key)
            if told != identity[key]:
                self._fault(key, f"expected {shown(identity[key])}, as the variant says, got {shown(told)}")

    def _match(self) -> Match | None:
        data = self.document.data
        seed = self._number("seed", data.get("seed"), 0, MAX_SEED)
        session = self._number("session", data.get("session"), 1, MAX_SESSION)
        try:
            variant = variant_from_mapping(data.get("variant"), self.document.where)
            lineup = parse_lineup(
                str(data.get("lineup")), variant.players, self.document.where, self._own_bots()
            )
        except InputError as error:
            self.problems.extend(problems_of(error))
            return None
        return Match(variant, lineup, seed, session)

    def _own_bots(self) -> dict[str, str]:
        """Return the own bots of the line-up with the hashes of their files."""
        told = self.document.data.get("own_bots", {})
        is_right = isinstance(told, dict) and all(
            isinstance(name, str) and isinstance(sha256, str) for name, sha256 in told.items()
        )
        if not is_right:
            self._fault("own_bots", f"expected bots with the SHA-256 of their files, got {shown(told)}")
            return {}
        return dict(told)

    def _stopping(self, deals: list[int]) -> dict[int, tuple[StoppingRule, bool | None]]:
        """Return, by declared number, the rules for stopping and whether they ended it."""
        told = self.document.data.get("stopping", [])
        if not isinstance(told, list):
            self._fault("stopping", f"expected a list of rules, got {shown(told)}")
            return {}
        found = {}
        for each in told:
            rule = _rule_of(each)
            if rule is None or each.get("deals") not in deals:
                self._fault("stopping", "expected rules with deals, rule, threshold, max_deals and stopped")
                return {}
            found[each["deals"]] = rule
        if any(stopped is None for n, (_, stopped) in found.items() if n != deals[-1]):
            self._fault("stopping", "expected only the last rule to be open")
        return found

    def _numbers(self, key: str, low: int, high: int) -> list[int]:
        values = self.document.data.get(key)
        if not isinstance(values, list) or not values:
            self._fault(key, f"expected a list of numbers, got {shown(values)}")
            return []
        return [self._number(key, value, low, high) for value in values]

    def _number(self, key: str, value: Any, low: int, high: int) -> int:
        if isinstance(value, str) and LONG_NUMBER.fullmatch(value):
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self._fault(key, f"expected a whole number from {low} to {high}, got {shown(value)}")
        return low

    def _fault(self, key: str, message: str) -> None:
        self.problems.append(self.document.problem((key,), message))


class _JointReader(_Reader):
    """Take the keys of a plan of several variants out of a document."""

    format = JOINT_FORMAT

    def _match(self) -> Match | None:
        data = self.document.data
        seed = self._number("seed", data.get("seed"), 0, MAX_SEED)
        session = self._number("session", data.get("session"), 1, MAX_SESSION)
        frame, outcome = self._word("frame", FRAMES), self._word("outcome", OUTCOMES)
        told = data.get("variants")
        if not isinstance(told, list) or not told:
            self._fault("variants", f"expected a list of variants, the baseline first, got {shown(told)}")
            return None
        try:
            base, *others = (variant_from_mapping(each, self.document.where) for each in told)
            lineup = parse_lineup(str(data.get("lineup")), base.players, self.document.where)
        except InputError as error:
            self.problems.extend(problems_of(error))
            return None
        return JointMatch(base, lineup, seed, session, tuple(others), frame, outcome)

    def _word(self, key: str, words: Sequence[str]) -> str:
        value = self.document.data.get(key)
        if value not in words:
            self._fault(key, f"expected {choice(words)}, got {shown(value)}")
        return str(value)


def _rule_of(told: Any) -> tuple[StoppingRule, bool | None] | None:
    """Return a rule for stopping as the file tells it, None if that is not one."""
    if not isinstance(told, dict):
        return None
    kind, most, stopped = (told.get(key) for key in ("rule", "max_deals", "stopped"))
    if kind not in KINDS or not isinstance(most, int) or not (stopped is None or isinstance(stopped, bool)):
        return None
    threshold = told.get(THRESHOLD_KEYS[kind])
    if not isinstance(threshold, int | float) or not 0 < threshold <= LARGEST_THRESHOLD:
        return None
    return StoppingRule(kind, float(threshold), most), stopped
