"""How the numbers of a report were measured, in short words and with sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from simcli.analysis.comparison import LISTS, Comparison
from simcli.analysis.found import Row, Table
from simcli.analysis.method import merged_lines
from simcli.analysis.rates import Estimate, Interval
from simcli.analysis.skill import SKILL_MARGIN
from simcli.report.model import Note

DESIGN = Note(
    "The same packs for all",
    "Deal number i of a seed is the same pack with the same dealer under every variant and line-up. The "
    "pack, each player and the engine’s own draws have random streams of their own, so another rule or "
    "player never changes what is dealt; variants are differenced deal by deal.",
    "Morris, White & Crowther (2019), Using simulation studies to evaluate statistical methods, Statistics "
    "in Medicine 38, 2074–2102",
)
VERDICT = Note(
    "The verdict",
    "“Changes”: the interval of some cell lies wholly beyond the margin. “Too small to matter” and “no "
    "change beyond the margin”: the intervals of all cells lie within it; in the first case some excludes "
    "0. Else “undecided”. All intervals of a table hold together, so the chance of any wrong verdict in it "
    "is at most 5 %. Nothing is adjusted across tables.",
    "",
)
KINDS = {
    "Wilson": Note(
        "Rates",
        "Score intervals of all cells of a variant at once: the shares p with (p̂ − p)² = z²p(1 − p)/n, "
        "where z is shared out among the cells.",
        "Wilson (1927), JASA 22, 209–212; Goodman (1965), Technometrics 7, 247–254",
    ),
    "Clopper-Pearson": Note(
        "Rare outcomes",
        "Where fewer than 20 deals have an outcome, or have it not, its interval is the exact one.",
        "Clopper & Pearson (1934), Biometrika 26, 404–413",
    ),
    "Tango": Note(
        "Changes over the same deals",
        "Score intervals for the difference of two shares of the same deals; only deals in which one "
        "variant has the outcome and the other has not say anything. They keep a width while a rule has "
        "hardly come into play, where mean ± standard error would have none. p is from McNemar’s test.",
        "Tango (1998), Statistics in Medicine 17, 891–908; McNemar (1947), Psychometrika 12, 153–157",
    ),
    "Newcombe": Note(
        "Changes between independent runs",
        "Runs of different seeds share no packs; the interval of their difference is made from both Wilson "
        "intervals.",
        "Newcombe (1998), Statistics in Medicine 17, 873–890, method 10",
    ),
    "t of packs over rotations": Note(
        "Rotated line-ups",
        "Every rotation of the line-up plays the same packs, so the pack is the unit (where deals come in "
        "sessions, the session of packs): totals of packs over all rotations, and Student’s t.",
        "",
    ),
    "t of session totals": Note(
        "Sessions",
        "Deals of a session depend on each other, so the session is the unit: totals of sessions, and "
        "Student’s t.",
        "",
    ),
    "asymptotic confidence sequence": Note(
        "Looking while playing",
        "The runs were stopped by what had been found. The sequence of intervals holds at all looks "
        "together.",
        "Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (2024), Annals of Statistics 52, 2613–2640",
    ),
    "t": Note(
        "Means",
        "Bouts, transfers, pick-ups and so on: means of per-deal differences with Student’s t, stalled "
        "deals left out, each with a margin of its own, 2 % of the baseline’s mean.",
        "",
    ),
    "Welch t": Note(
        "Means of independent runs", "Student’s t for two samples of unequal variance.",
        "Welch (1947), Biometrika 34, 28–35",
    ),
    "order statistics": Note(
        "Median and 90th percentile",
        "Their bounds are order statistics, which hold at least at their level.",
        "Conover (1999), Practical Nonparametric Statistics, 3rd ed., section 3.2",
    ),
    "non-central chi-square": Note(
        "Are positions equal?",
        "w² = (χ² − df)/n over the deals that somebody lost: what chance alone adds is taken off, so w is "
        "0 at a fair table.",
        "Steiger (2004), Psychological Methods 9, 164–182",
    ),
    "influence function": Note(
        "Fairer or less fair, and shares of lost deals",
        "Their changes have the interval of a mean of influences, one per deal.",
        "Hampel (1974), JASA 69, 383–393",
    ),
    "regression adjustment": Note(
        "At equal trumps",
        "Rates are set to what they would be if every position held as many trumps as the others.",
        "Freedman (2008), Advances in Applied Mathematics 40, 180–193",
    ),
}  # fmt: skip
"""What is said of each kind of interval, where it is shown."""
HOMOGENEITY = Note(
    "No change in any cell",
    "One test of the whole distribution over the same deals; cells in which no deal differs drop out.",
    "Stuart (1955), Biometrika 42, 412–416; Maxwell (1970), British Journal of Psychiatry 116, 651–655",
)
HOLM = Note(
    "p (Holm)",
    "Adjusted for all cells of all variants of a table. It asks whether there is any difference at all; the "
    "verdict asks whether it is more than the margin, and the two may disagree.",
    "Holm (1979), Scandinavian Journal of Statistics 6, 65–70",
)
SKILL = Note(
    "Skill share",
    "How much less often a bot fails than the others: 1 − s/o, with s the share of deals in which a seat "
    "of its fails, and o that of the others, over all rotations. 0: as often as they; 1: never. Intervals "
    "by the influence of each pack. A change of less than "
    f"{SKILL_MARGIN * 100:g} points does not matter.",
    "Hampel (1974), JASA 69, 383–393, for the intervals; the measure is simcli’s own",
)
NOTICE = Note(
    "Would you notice?",
    "Games a person must play under each rule until the usual test of two shares finds a difference of "
    "that size in four cases of five: 2p(1 − p)(z₀.₉₇₅ + z₀.₈₀)²/δ².",
    "Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, 3rd ed., chapter 4",
)


def method_notes(comparisons: Sequence[Comparison]) -> Iterator[Note]:
    """Yield how everything that is shown was measured; what does not occur is not explained."""
    tables = [(each, table) for each in comparisons for table in each.tables]
    yield DESIGN
    families = {table.differences[0].interval.family for _, table in tables if table.differences}
    family = "for all cells of all variants of a table" if len(families) > 1 else ""
    yield Note("These tables", " ".join(merged_lines(tables, family)), "")
    rows = [row for _, table in tables for row in _rows(table)]
    if any(table.verdicts for _, table in tables):
        yield VERDICT
    kinds = {interval.kind for row in rows for interval in _intervals(row)}
    yield from (note for kind, note in KINDS.items() if any(kind in each for each in _parts(kinds, kind)))
    if any(table.skill for _, table in tables):
        yield SKILL
    if any(row.homogeneity_p is not None for _, table in tables for row in table.effects):
        yield HOMOGENEITY
    if any(row.p_adjusted is not None for _, table in tables for row in table.differences):
        yield HOLM
    if any(row.games_to_notice is not None for _, table in tables for row in table.effects):
        yield NOTICE


def _parts(kinds: Iterable[str], wanted: str) -> Iterator[str]:
    """Yield the kinds that a note speaks of: those of its name, or that begin so."""
    return (kind for kind in kinds if kind == wanted or kind.startswith(f"{wanted} of both"))


def _rows(table: Table) -> Iterator[Row]:
    for name in LISTS:
        yield from getattr(table, name)


def _intervals(row: Row) -> Iterator[Interval]:
    for value in vars(row).values():
        found = value.interval if isinstance(value, Estimate) else value
        if isinstance(found, Interval):
            yield found
