"""From an experiment to what is played: its variants, who is compared with whom, and every cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from simcli.analysis.leftout import LeftOut, gathered, lacking
from simcli.analysis.tables import FAVOURITE
from simcli.bots.lineup import Lineup, parse_lineup
from simcli.errors import InputError, problems_of, refusal
from simcli.experiments.experiment import Experiment
from simcli.experiments.varied import Changes, varied
from simcli.rules.canonical import differences, rules_hash
from simcli.rules.idle import idle_reason
from simcli.rules.options import Value
from simcli.rules.variant import Variant, option_value
from simcli.rules.wording import choice, did_you_mean, printable


@dataclass(frozen=True)
class Treatment:
    """Hold a variant of an experiment, at no table yet.

    Attributes
    ----------
    variant : Variant
        The variant.
    factors : Mapping[str, Value]
        The value of each option that the experiment varies; empty for a variant that is only listed.
    """

    variant: Variant
    factors: Mapping[str, Value]

    @property
    def name(self) -> str:
        """Return the variant's name."""
        return self.variant.name


@dataclass(frozen=True)
class Cell:
    """Hold what one run plays: a variant seated at a table, and the line-up."""

    variant: Variant
    lineup: Lineup

    @property
    def name(self) -> str:
        """Return the variant's name."""
        return self.variant.name

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return self.variant.players

    @property
    def key(self) -> tuple[str, int, str]:
        """Return what tells the cell from the others: variant, table size, line-up."""
        return self.name, self.players, self.lineup.text


@dataclass(frozen=True)
class Group:
    """Hold cells that are compared with one baseline, all counted alike.

    Attributes
    ----------
    baseline : str
        Name of the variant.
    cells : tuple of Cell
        Those of the baseline and of the variants compared with it.
    """

    baseline: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Design:
    """Hold everything that an experiment plays.

    Attributes
    ----------
    treatments : tuple of Treatment
        The variants, in the order of the file.
    reference : Mapping[str, Value]
        The value of each varied option that the others are contrasted with: that of the base.
    groups : tuple of Group
        What is compared with what.
    cells : tuple of Cell
        Each cell once.
    left_out : tuple of LeftOut
        What is not played, and why.
    """

    treatments: tuple[Treatment, ...]
    reference: Mapping[str, Value]
    groups: tuple[Group, ...]
    cells: tuple[Cell, ...]
    left_out: tuple[LeftOut, ...]


def design_of(experiment: Experiment) -> Design:
    """Return what an experiment plays.

    Raises
    ------
    InputError
        Two variants have one name, there is no such baseline, or nothing can be played.
    """
    drafts = _Drafts(experiment)
    comparisons = list(_comparisons(experiment, drafts))
    seating = _Seating(experiment)
    groups = [group for each in comparisons for group in seating.groups(*each)]
    cells = {cell.key: cell for group in groups for cell in group.cells}
    left_out = (*drafts.left_out, *seating.left_out())
    if not cells:
        why = "; ".join(map(str, left_out)) or "no variants"
        raise refusal(experiment.name, f"expected something that can be played, got nothing ({why})")
    return Design(
        tuple(drafts.treatments()), drafts.reference, tuple(groups), tuple(cells.values()), left_out
    )


Comparing = tuple[Variant, Sequence[Variant]]  # a baseline, and what is compared with it


def _comparisons(experiment: Experiment, drafts: _Drafts) -> Iterator[Comparing]:
    """Yield what is compared with what, adding every variant to the drafts."""
    for first, second in experiment.pairs:
        yield drafts.add(first), [drafts.add(second)]
    if experiment.pairs:
        return
    for variant in experiment.variants:
        drafts.add(variant)
    base = experiment.base
    taken_back: list[Comparing] = []
    if base is not None:
        drafts.add(base, drafts.reference)
        for changes in _changes(experiment, base):
            drafts.add_factorial(base, changes)
        taken_back = [_taken_back(drafts, drafts.add(target), base) for target in experiment.bridge]
    main = [treatment.variant for treatment in drafts.treatments() if treatment.name not in drafts.aside]
    baseline = _baseline(experiment, main)
    yield baseline, [variant for variant in main if variant is not baseline]
    yield from (each for each in taken_back if each[1])


def _taken_back(drafts: _Drafts, target: Variant, base: Variant) -> Comparing:
    """Return a variant with its own: each has one option as in `base`."""
    keys = [key for key, _, _ in differences(target, base)]
    for key in keys:
        drafts.add_single(base, key, option_value(target, key))
    back = [drafts.add_single(target, key, option_value(base, key), is_aside=True) for key in keys]
    return target, [variant for variant in back if variant is not None]


def _changes(experiment: Experiment, base: Variant) -> Iterator[Changes]:
    """Yield what each varied variant has other than `base`, which may be nothing."""
    vary = experiment.vary
    if experiment.design == "crossed":
        if vary:
            yield from (dict(zip(vary, values, strict=True)) for values in product(*vary.values()))
        return
    for key, values in vary.items():
        yield from ({key: value} for value in values if value != option_value(base, key))


def n_varied(experiment: Experiment) -> int:
    """Return how many variants `vary` asks for, without making them."""
    sizes = [len(values) for values in experiment.vary.values()]
    if experiment.design == "one_at_a_time":
        return sum(sizes)
    n = 1 if sizes else 0
    for size in sizes:
        n *= size
    return n


def _baseline(experiment: Experiment, variants: Sequence[Variant]) -> Variant:
    names = [variant.name for variant in variants]
    wanted = experiment.baseline
    if wanted is None:
        usual = experiment.base.name if experiment.base is not None else FAVOURITE
        wanted = usual if usual in names else names[0]
    if wanted not in names:
        message = f"expected {choice(names)}, got {printable(wanted)}{did_you_mean(wanted, names)}"
        raise refusal(experiment.name, message, key="baseline")
    return variants[names.index(wanted)]


@dataclass
class _Drafts:
    """Collect the variants of an experiment, each set of rules once."""

    experiment: Experiment
    reference: dict[str, Value] = field(init=False)
    left_out: list[LeftOut] = field(default_factory=list)
    aside: set[str] = field(default_factory=set)
    _variants: dict[str, Variant] = field(default_factory=dict)
    _factors: dict[str, Mapping[str, Value]] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        base, keys = self.experiment.base, self.experiment.vary
        self.reference = {} if base is None else {key: option_value(base, key) for key in keys}

    def treatments(self) -> Iterator[Treatment]:
        """Yield what was collected."""
        for name, variant in self._variants.items():
            yield Treatment(variant, self._factors.get(name, {}))

    def add(
        self, variant: Variant, factors: Mapping[str, Value] | None = None, *, is_aside: bool = False
    ) -> Variant:
        """Return the variant with these rules that is played: this one, or one that came before.

        One set aside is compared with a baseline of its own only, unless it is wanted elsewhere as well.
        """
        rules = rules_hash(variant)
        known = self._names.get(rules)
        if known is None:
            self._refuse_namesake(variant)
            known = self._names[rules] = variant.name
            self._variants[known] = variant
            if is_aside:
                self.aside.add(known)
        elif known != variant.name:
            self._leave_out(variant.name, f"the same rules as {known}")
        if factors:
            self._factors.setdefault(known, factors)
        if not is_aside:
            self.aside.discard(known)
        return self._variants[known]

    def add_factorial(self, base: Variant, changes: Changes) -> None:
        """Add a variant of the factorial design, unless its one option has nothing to decide."""
        variant = varied(base, changes)
        if self.experiment.design == "one_at_a_time" and self._is_idle(variant, *changes):
            return
        self.add(variant, {key: option_value(variant, key) for key in self.reference})

    def add_single(self, base: Variant, key: str, value: Value, *, is_aside: bool = False) -> Variant | None:
        """Return the variant that differs from `base` in one option, None if that has nothing to decide."""
        variant = varied(base, {key: value})
        return None if self._is_idle(variant, key) else self.add(variant, is_aside=is_aside)

    def _is_idle(self, variant: Variant, key: str) -> bool:
        """Leave a variant out if the option in which it differs has nothing to decide."""
        reason = idle_reason(variant, key, self.experiment.session)
        if reason is not None:
            self._leave_out(variant.name, f"{key} {reason}")
        return reason is not None

    def _leave_out(self, name: str, reason: str) -> None:
        gone = LeftOut(name, (), reason)
        if gone not in self.left_out:
            self.left_out.append(gone)

    def _refuse_namesake(self, variant: Variant) -> None:
        if variant.name in self._variants:
            changed = differences(variant, self._variants[variant.name])
            what = "; ".join(f"{key} {other} in one, {value} in the other" for key, value, other in changed)
            raise refusal(
                self.experiment.name,
                f"expected one variant called {variant.name}, got two with different rules ({what}) – "
                "rename one of them",
            )


@dataclass
class _Seating:
    """Seat variants at the tables of an experiment, remembering what cannot be seated."""

    experiment: Experiment
    _refused: list[tuple[str, int, str]] = field(default_factory=list)
    _seated: set[tuple[str, int]] = field(default_factory=set)

    def groups(self, baseline: Variant, variants: Sequence[Variant]) -> Iterator[Group]:
        """Yield a group for each way of counting: who loses, and who is out first."""
        if not variants:
            yield from self._group(baseline, [])
            return
        ways: dict[bool, list[Variant]] = {}
        for variant in variants:
            is_won = _is_won(baseline) or _is_won(variant)
            ways.setdefault(is_won and self.experiment.outcome is None, []).append(variant)
        for _, members in sorted(ways.items()):
            yield from self._group(baseline, members)

    def _group(self, baseline: Variant, members: Sequence[Variant]) -> Iterator[Group]:
        cells: list[Cell] = []
        for size in self._sizes([*members] or [baseline]):
            at_home = [each for each in members if self.experiment.players or each.players == size]
            first = list(self._cells(baseline, size))
            if not first:
                for each in at_home:
                    self._refuse(each, size, f"its baseline {baseline.name} cannot be played there")
                continue
            others = [cell for each in at_home for cell in self._cells(each, size)]
            if others or not members:
                cells += [*first, *others]
        if cells:
            yield Group(baseline.name, tuple(cells))

    def _sizes(self, variants: Iterable[Variant]) -> Sequence[int]:
        return self.experiment.players or sorted({variant.players for variant in variants})

    def _cells(self, variant: Variant, players: int) -> Iterator[Cell]:
        seated = variant.model_copy(update={"players": players})
        needs = lacking(seated)
        if needs is not None:
            self._refuse(variant, players, needs)
            return
        for text in self.experiment.bots:
            n_bots = text.count(",") + 1
            if n_bots not in (1, players):
                self._refuse(variant, players, f"the line-up {text} has {n_bots} bots")
                continue
            try:
                lineup = parse_lineup(text, players)
            except InputError as error:
                fault = problems_of(error)[0].message
                self._refuse(variant, players, f"{fault} in the line-up {text}")
                continue
            self._seated.add((variant.name, players))
            for each in lineup.rotations() if self.experiment.rotate else [lineup]:
                yield Cell(seated, each)

    def _refuse(self, variant: Variant, players: int, reason: str) -> None:
        self._refused.append((variant.name, players, reason))

    def left_out(self) -> Iterator[LeftOut]:
        """Yield what cannot be seated, and where."""
        for gone in gathered(self._refused):
            is_nowhere = not any(seated == gone.variant for seated, _ in self._seated)
            is_whole = is_nowhere and len(gone.players) == len(self.experiment.players or gone.players)
            yield replace(gone, players=()) if is_whole else gone


def _is_won(variant: Variant) -> bool:
    return variant.end.objective == "first_out_wins"
