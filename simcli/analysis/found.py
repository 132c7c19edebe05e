"""What a comparison found, as typed rows: each number with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Literal

from simcli.analysis.finished import FinishedRun
from simcli.analysis.rates import Estimate, Interval
from simcli.analysis.tables import TableRuns

Pairing = Literal["deal by deal", "session by session", "pack by pack", "independent runs"]
BOUNDS = ("low", "high", "level", "kind", "family")
"""What is told of an interval."""


@dataclass(frozen=True)
class AnyRow:
    """Hold something that was found."""

    def as_mapping(self) -> dict[str, Any]:
        """Return the row as plain data; an interval becomes low, high, level, kind and family.

        The one called ``interval`` belongs to the row itself and is written beside its number; an `Estimate`
        becomes an object with its value.
        """
        data: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "interval":
                data.update(interval_mapping(value))
            elif isinstance(value, Estimate):
                data[each.name] = {"value": plain(value.value), **interval_mapping(value.interval)}
            else:
                data[each.name] = plain(value)
        return data


@dataclass(frozen=True)
class Row(AnyRow):
    """Say which variant of which table a row is about.

    Attributes
    ----------
    variant : str
        Its name, as in the list of variants.
    players : int
        Table size.
    lineup : str
        Who played.
    """

    variant: str
    players: int
    lineup: str


@dataclass(frozen=True)
class VariantRow(Row):
    """Describe a run that was compared.

    Attributes
    ----------
    baseline : bool
        Whether the others are compared with it.
    title, summary : str
        What the variant file says.
    rules : str
        Hash of the rules.
    differs : tuple of (key, value, baseline's value)
        Where its rules are other than the baseline's.
    in_play : tuple of (key, share)
        Per option that is not as in ``classic``, the share of deals in which it decided anything.
    deals, session, seed : int
        What was played.
    declared : tuple of int
        Every number of deals the run was declared with.
    digest, folder : str
        Digest of the rows, and where they lie; of rotations all folders, with commas.
    rotations : int
        In how many rotations of the line-up each pack was played; the deals are those of all.
    """

    baseline: bool
    title: str
    summary: str
    rules: str
    differs: tuple[tuple[str, Any, Any], ...]
    in_play: tuple[tuple[str, float], ...]
    deals: int
    session: int
    seed: int
    declared: tuple[int, ...]
    digest: str
    folder: str
    rotations: int = 1


@dataclass(frozen=True)
class PositionRow(Row):
    """Hold the rate of one cell.

    Attributes
    ----------
    cell : str
        A position, ``drawn``, ``stalled``, ``shared`` or ``no_loser``.
    n, count : int
        Deals, and those that ended in the cell.
    rate : float or None
        Share of all deals.
    interval : Interval or None
        Holds jointly with those of the variant's other cells.
    """

    cell: str
    n: int
    count: int
    rate: float | None
    interval: Interval | None


@dataclass(frozen=True)
class ShareRow(Row):
    """Hold a position's share of the deals that somebody lost (or was first out of alone).

    Attributes
    ----------
    cell : str
        The position.
    n, count : int
        Deals lost, and by this position.
    fair : float
        The share at a fair table, 1/N.
    share : float or None
        The share.
    interval : Interval or None
        Holds jointly with those of the other positions.
    difference : Estimate or None
        Against the baseline; None for the baseline itself.
    """

    cell: str
    n: int
    count: int
    fair: float
    share: float | None
    interval: Interval | None
    difference: Estimate | None


@dataclass(frozen=True)
class StageRow(Row):
    """Hold a rate among the first, or among the later, deals of sessions.

    Attributes
    ----------
    deals : {"first", "later"}
        Which deals.
    cell, n, count, rate, interval
        As for `PositionRow`.
    """

    deals: Literal["first", "later"]
    cell: str
    n: int
    count: int
    rate: float | None
    interval: Interval | None


@dataclass(frozen=True)
class DifferenceRow(Row):
    """Hold the difference of one cell's rate against the baseline.

    Attributes
    ----------
    cell : str
        The cell.
    n : int
        Deals that both played; with independent runs those of the variant.
    count, baseline_count : int
        Deals in the cell, among those.
    rate, baseline_rate : float
        The rates.
    difference : float
        The variant's rate less the baseline's.
    interval : Interval
        Holds jointly with those of all cells of all variants of the table.
    p, p_adjusted : float or None
        Of no difference; the latter by Holm over the whole table. None after an early stop.
    """

    cell: str
    n: int
    count: int
    baseline_count: int
    rate: float
    baseline_rate: float
    difference: float
    interval: Interval
    p: float | None
    p_adjusted: float | None


@dataclass(frozen=True)
class VerdictRow(Row):
    """Hold the verdict on a variant.

    Attributes
    ----------
    verdict : str
        In a word.
    cell : str or None
        The cell that it is about; None for the same rules.
    sentence : str
        For people.
    text : str
        The word with what has to be added to it.
    differs : bool
        Whether any cell is shown to differ.
    deals_needed : int or None
        Deals that would decide, if it is undecided and more deals may; of a rotated line-up those of one
        rotation.
    """

    verdict: str
    cell: str | None
    sentence: str
    text: str
    differs: bool
    deals_needed: int | None


@dataclass(frozen=True)
class EffectRow(Row):
    """Hold what a rule did, whatever came of it in sum.

    Attributes
    ----------
    pairing : {"deal by deal", "session by session", "pack by pack", "independent runs"}
        What was compared with what.
    n : int
        Deals that both played.
    cell : str or None
        The cell that the numbers below speak of: the verdict's, else that of the largest difference.
    difference : float
        Its difference.
    came_into_play : Estimate or None
        Share of deals in which an option that differs decided something, or that went otherwise; with
        independent runs known only if one option differs.
    affected : Estimate or None
        Share of deals that were played or ended otherwise.
    churn : Estimate or None
        Share of deals that another player loses: both end with a loser, not the same seat.
    result_changed : Estimate or None
        Share of deals that end otherwise at all.
    among_affected : Estimate or None
        The difference among the affected deals only.
    variance_ratio : float or None
        How many times as many independent deals the same precision would take; None if the outcome never
        differed.
    homogeneity_p : float or None
        Of no difference in any cell (Stuart–Maxwell); None where it does not apply.
    games_to_notice, games_low, games_high : int or None
        Games under each rule a person must play to notice the difference; None where none is shown.
    fairness_before, fairness_after : float or None
        w² of the baseline and of the variant.
    fairness_change : Estimate or None
        Above 0 the table is less fair than with the baseline.
    """

    pairing: Pairing
    n: int
    cell: str | None
    difference: float
    came_into_play: Estimate | None
    affected: Estimate | None
    churn: Estimate | None
    result_changed: Estimate | None
    among_affected: Estimate | None
    variance_ratio: float | None
    homogeneity_p: float | None
    games_to_notice: int | None
    games_low: int | None
    games_high: int | None
    fairness_before: float | None
    fairness_after: float | None
    fairness_change: Estimate | None


@dataclass(frozen=True)
class FairnessRow(Row):
    """Hold the test of equal positions.

    Attributes
    ----------
    n : int
        Deals that somebody lost.
    statistic, df, p : float, int, float
        Pearson's χ².
    w : Estimate
        Effect size without what chance alone adds: 0 for a fair table.
    """

    n: int
    statistic: float
    df: int
    p: float
    w: Estimate


@dataclass(frozen=True)
class MeasureRow(Row):
    """Hold what is counted in a deal, stalled deals left out.

    Attributes
    ----------
    measure : str
        Name of the column.
    n : int
        Deals that did not stall.
    mean : float or None
        Mean per deal.
    interval : Interval or None
        Holds jointly with those of the variant's other measures.
    median, p90 : Estimate
        Median and 90th percentile.
    difference : Estimate or None
        Of the mean, against the baseline, over deals stalled in neither; None for the baseline.
    median_difference, p90_difference : Estimate or None
        Of the median and of the 90th percentile; their intervals are from both ends, so rather wide.
    margin : float or None
        2 % of the baseline's mean.
    verdict : str or None
        By that margin ``changes``, ``too small to matter``, ``no change beyond the margin`` or ``undecided``;
        None for the baseline, and where the baseline never has any and no change is shown.
    """

    measure: str
    n: int
    mean: float | None
    interval: Interval | None
    median: Estimate
    p90: Estimate
    difference: Estimate | None
    median_difference: Estimate | None
    p90_difference: Estimate | None
    margin: float | None
    verdict: str | None


@dataclass(frozen=True)
class AskedRow(Row):
    """Hold what a rule does to a position that was asked about.

    Attributes
    ----------
    cell : str
        The position, or what else a deal can end as.
    difference : float
        Its difference.
    interval : Interval
        Its interval, as in the differences.
    verdict : str
        On this difference alone, in a word.
    sentence : str
        For people.
    """

    cell: str
    difference: float
    interval: Interval
    verdict: str
    sentence: str


@dataclass(frozen=True)
class AdjustedRow(Row):
    """Hold a cell's rate and difference at equal hands.

    Attributes
    ----------
    cell : str
        The cell.
    rate : float or None
        Adjusted rate.
    interval : Interval or None
        Its interval.
    difference : Estimate or None
        Adjusted difference against the baseline.
    """

    cell: str
    rate: float | None
    interval: Interval | None
    difference: Estimate | None


@dataclass(frozen=True)
class SkillRow(Row):
    """Hold how much less often a bot fails than the others at a table where all move round.

    To fail is to lose; where the first out is counted, not to be first out alone.

    Attributes
    ----------
    bot, others : str
        The bot at the fewest seats, and the others, with commas.
    n, packs : int
        Deals of all rotations, and the packs they were dealt from.
    rate, others_rate : Estimate
        Share of all deals in which a seat of the bot, and one of the others, fails.
    advantage : Estimate
        The latter less the former.
    share : float or None
        Skill share: the advantage as a share of `others_rate`. 0 if the bot fails as often as the others, 1
        if it never does; None where nobody ever fails.
    interval : Interval or None
        Of the share; holds jointly with those of the table's other runs.
    difference : Estimate or None
        Of the share, against the baseline; None for the baseline itself and for what is not compared with it.
        Holds jointly with those of all variants of the table.
    margin : float
        Smallest difference of shares that anybody would notice.
    verdict : str or None
        On the difference, by that margin.
    """

    bot: str
    others: str
    n: int
    packs: int
    rate: Estimate
    others_rate: Estimate
    advantage: Estimate
    share: float | None
    interval: Interval | None
    difference: Estimate | None
    margin: float
    verdict: str | None


@dataclass(frozen=True)
class FindingRow(AnyRow):
    """Say in how many line-ups a finding holds.

    Attributes
    ----------
    variant : str
        The variant.
    players : int
        Table size.
    cell : str
        The cell.
    direction : {"more", "less"}
        Which way it goes where it is shown first.
    shown, not_shown, opposite : int
        Numbers of line-ups: same direction and the interval excludes 0; not shown; shown the other way.
    lineups : int
        All line-ups.
    """

    variant: str
    players: int
    cell: str
    direction: Literal["more", "less"]
    shown: int
    not_shown: int
    opposite: int
    lineups: int


@dataclass(frozen=True)
class Rank(Row):
    """Hold a variant's place by its largest difference.

    Attributes
    ----------
    rank : int
        1 for the largest.
    cell : str
        The cell of the largest difference.
    difference : float
        The difference.
    interval : Interval
        Its interval, as in the differences.
    verdict : str
        In a word.
    """

    rank: int
    cell: str
    difference: float
    interval: Interval
    verdict: str


@dataclass(frozen=True)
class Example(Row):
    """Name a deal in which another player loses than under the baseline.

    Attributes
    ----------
    deal : int
        Its index in both runs.
    baseline_seat, seat : int
        Who loses (or is out first): a seat, or with teams a team.
    bouts : int
        Bouts of the deal under the variant.
    replay, baseline_replay : str
        The commands that show the deal.
    versus : str or None
        The command that shows both side by side, if the variant is a shipped one.
    """

    deal: int
    baseline_seat: int
    seat: int
    bouts: int
    replay: str
    baseline_replay: str
    versus: str | None


@dataclass(frozen=True)
class Table:
    """Hold one table of the comparison: variants at one table size with one line-up.

    Attributes
    ----------
    runs : TableRuns
        What was compared, the baseline first.
    alpha : float
        Chance of any interval of a family missing: 5 % for all looks, this much for this one.
    look : int
        The most sizes that any of the runs was declared with.
    is_sequential : bool
        Whether the runs were looked at while they were played: then only the differences have intervals.
    n_variants, n_cells : int
        Variants compared with the baseline, and cells of each: their product is the family.
    variants, positions, … : tuple of rows
        What was found.
    """

    runs: TableRuns
    alpha: float
    look: int
    is_sequential: bool
    n_variants: int
    n_cells: int
    variants: tuple[VariantRow, ...]
    positions: tuple[PositionRow, ...]
    lost_shares: tuple[ShareRow, ...]
    stages: tuple[StageRow, ...]
    differences: tuple[DifferenceRow, ...]
    verdicts: tuple[VerdictRow, ...]
    effects: tuple[EffectRow, ...]
    fairness: tuple[FairnessRow, ...]
    measures: tuple[MeasureRow, ...]
    adjusted: tuple[AdjustedRow, ...]
    ranking: tuple[Rank, ...]
    examples: tuple[Example, ...] = ()
    asked: tuple[AskedRow, ...] = ()
    skill: tuple[SkillRow, ...] = ()

    def run_of(self, variant: str) -> FinishedRun:
        """Return the run of a variant."""
        return next(entry.run for entry in self.runs.entries if entry.label == variant)

    @property
    def rotations(self) -> int:
        """Return in how many rotations of the line-up each pack was played."""
        return self.variants[0].rotations

    @property
    def base_positions(self) -> int:
        """Return the number of the baseline's positions."""
        return self.runs.baseline.run.positions

    def has_teams(self, variant: str) -> bool:
        """Return whether a variant's positions are teams."""
        return self.run_of(variant).variant.teams != "none"


def interval_mapping(interval: Interval | None) -> dict[str, Any]:
    """Return an interval as plain data, null for what is not known."""
    if interval is None:
        return dict.fromkeys(BOUNDS)
    return {bound: plain(getattr(interval, bound)) for bound in BOUNDS}


def plain(value: Any) -> Any:
    """Return a value as JSON has it: no nan, no infinity, lists instead of tuples."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return value
