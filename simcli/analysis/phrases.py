"""What players call it: cells, tables and differences in words."""

from __future__ import annotations

import math
from decimal import Decimal

from simcli.analysis.found import DifferenceRow, EffectRow, Table
from simcli.analysis.lineup_words import players_words
from simcli.analysis.rates import Interval
from simcli.analysis.rows import View
from simcli.analysis.sizes import HARDLY, TOO_EARLY, significant
from simcli.analysis.verdict import Verdict, Word

DRAWN, STALLED, SHARED, NO_LOSER = "drawn", "stalled", "shared", "no_loser"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
MINUS = "−"
SHORT_TITLE = 30
MOST_DECIMALS = 3
"""Decimals of points at most."""
ALL_STALLED = "Every deal stalled: how long deals are, and what happens in them, is not known."
MARKS = {
    "changes": "●",
    "too small to matter": "○",
    "no change beyond the margin": "○",
    "undecided": "◐",
    "same rules": "=",
}
"""The mark of each verdict."""
MEASURE_NAMES = {
    "cards_played": "cards played",
    "late_transfers": "late transfers",
    "throw_ins": "throw-ins",
    "pickups": "pick-ups",
    "cards_picked_up": "cards picked up",
    "largest_hand": "largest hand",
}
"""Measures that are not called as their columns are."""


def cell_names(positions: int, view: View, *, no_loser: bool) -> tuple[str, ...]:
    """Return the cells of an outcome in the order of the counts.

    >>> cell_names(2, View(), no_loser=False)
    ('0', '1', 'drawn', 'stalled')
    """
    extra = (SHARED,) if view.outcome == "first_out" else (NO_LOSER,) if no_loser else ()
    return (*map(str, range(positions)), DRAWN, STALLED, *extra)


def player(cell: str, view: View, teams: bool) -> str:
    """Return who a position is.

    >>> player("0", View(), teams=False), player("3", View("dealer"), teams=False)
    ('the opener', 'the third seat after the dealer')
    """
    position = int(cell)
    if view.frame == "seat":
        return f"team {position}" if teams else f"seat {position}"
    if teams:
        owners = (
            ("opener", "first defender") if view.frame == "opener" else ("dealer", "dealer's left neighbour")
        )
        return f"the {owners[position]}'s team" if position < 2 else "the third team"
    if view.frame == "opener":
        names = ("the opener", "the first defender")
        return names[position] if position < 2 else f"the {ORDINALS[position]} player"
    names = ("the dealer", "the dealer's left neighbour")
    return names[position] if position < 2 else f"the {ORDINALS[position - 1]} seat after the dealer"


def heading(cell: str, view: View, teams: bool) -> str:
    """Return a cell as the head of a narrow column.

    >>> [heading(cell, View(), False) for cell in ("0", "1", "2", "drawn")]
    ['opener', 'defender', '3rd', 'drawn']
    """
    if not cell.isdigit():
        return cell.replace("_", " ")
    position = int(cell)
    if view.frame == "seat":
        return f"team {position}" if teams else f"seat {position}"
    if teams:
        return (f"{view.frame}'s", "other" if position == 1 else "third", "third")[position]
    first = ("opener", "defender") if view.frame == "opener" else ("dealer", "left")
    return first[position] if position < 2 else ("3rd", "4th", "5th", "6th")[position - 2]


def short_heading(cell: str, view: View, teams: bool) -> str:
    """Return a cell as the head of a row in a broad table.

    >>> short_heading("1", View(), teams=False), short_heading("drawn", View(), teams=False)
    ('1 defender', 'drawn')
    """
    name = heading(cell, view, teams)
    return f"{cell} {name}" if cell.isdigit() and view.frame != "seat" else name


def long_heading(cell: str, view: View, teams: bool) -> str:
    """Return a cell as the head of a row.

    >>> long_heading("1", View(), teams=False), long_heading("drawn", View(), teams=False)
    ('1  first defender', 'drawn')
    """
    if not cell.isdigit():
        return cell.replace("_", " ")
    if view.frame == "seat":
        return player(cell, view, teams)
    return f"{cell}  {player(cell, view, teams).removeprefix('the ')}"


def table_words(players: int, lineup: str) -> str:
    """Return who sits at the table.

    >>> table_words(4, "thrifty"), table_words(2, "thrifty,lowest")
    ('four thrifty players', 'two players (thrifty, lowest)')
    >>> table_words(2, "thrifty,lowest rotated")
    'two players (thrifty, lowest; rotated)'
    """
    return f"{NUMBERS[players]} {players_words(lineup)}"


def played_words(deals: int, rotations: int) -> str:
    """Return a number of deals; of a rotated line-up as packs.

    >>> played_words(300_000, 1), played_words(400_000, 4)
    ('300,000 deals', '100,000 packs in 4 rotations')
    """
    if rotations == 1:
        return deals_words(deals)
    packs = deals // rotations
    return f"{packs:,} {'pack' if packs == 1 else 'packs'} in {rotations} rotations"


def deals_compared(table: Table) -> str:
    """Say how many deals verdicts rest on: those that a variant has in common with the baseline."""
    base, *others = table.variants
    common = sorted({min(base.deals, row.deals) for row in others}) or [base.deals]
    most = played_words(common[-1], table.rotations)
    if len(common) > 1:
        return f"{common[0] // table.rotations:,} to {most} in common"
    if not others:
        return most
    return most + (" each" if base.deals == common[0] else " in common")


def deals_words(n: int) -> str:
    """Return a number of deals.

    >>> deals_words(1), deals_words(300_000)
    ('1 deal', '300,000 deals')
    """
    return f"{n:,} {'deal' if n == 1 else 'deals'}"


def display_name(label: str, title: str = "") -> str:
    """Return a variant's name as the start of a sentence; a short title stands before it.

    >>> display_name("late-transfer"), display_name("podkidnoy", "Throw-in Durak")
    ('Late transfer', 'Throw-in Durak (podkidnoy)')
    >>> display_name("classic_transfer-late_pass-card", "classic with transfer.mode late and …")
    'Classic, transfer late, pass card'
    """
    base, is_made, _ = title.partition(" with ")
    if is_made and label.startswith(f"{base}_"):
        label, title = label.replace("_", ", "), ""
    if title and len(title) <= SHORT_TITLE and "," not in title:
        return title if title.lower() == label.lower() else f"{title} ({label})"
    name, space, rest = label.partition(" (")
    text = name.replace("-", " ").replace("_", " ").strip() or name
    return f"{text[:1].upper()}{text[1:]}{space}{rest}"


def short_name(name: str, base: str) -> str:
    """Return a variant's name without that of the variant it was made from.

    >>> short_name("classic_transfer-late_pass-card", "classic"), short_name("podkidnoy", "classic")
    ('transfer-late, pass-card', 'podkidnoy')
    """
    rest = name.removeprefix(f"{base}_")
    return name if rest == name else rest.replace("_", ", ")


# ------------------------------------------------------------------------------------ numbers


def decimals_for(interval: Interval | None) -> int:
    """Return the decimals that points need for an interval's bounds to be told apart: 1 to 3."""
    if interval is None:
        return 1
    half = (interval.high - interval.low) * 50
    if half >= 0.05:
        return 1
    return 2 if half >= 0.005 else MOST_DECIMALS


def change_decimals(interval: Interval | None) -> int:
    """Return the decimals that a change needs, so that bounds off 0 are not written as 0 either.

    >>> change_decimals(Interval(-0.003, -0.0004, 0.95, "Tango", "alone"))
    2
    """
    digits = decimals_for(interval)
    if interval is None or not interval.excludes(0.0):
        return digits
    nearer = min(abs(interval.low), abs(interval.high))
    while digits < MOST_DECIMALS and round(nearer * 100, digits) == 0:
        digits += 1
    return digits


def points(difference: float, decimals: int = 1, sign: bool = True) -> str:
    """Return a difference of shares in points.

    >>> points(-0.0071), points(0.00004), points(0.0123, 2)
    ('−0.7', '0.0', '+1.23')
    """
    text = f"{abs(difference) * 100:.{decimals}f}"
    if not sign or float(text) == 0:
        return text
    return f"{MINUS if difference < 0 else '+'}{text}"


def percent(share: float, decimals: int = 1) -> str:
    """Return a share as a percentage.

    >>> percent(0.1891)
    '18.9 %'
    """
    return f"{share * 100:.{decimals}f} %"


def small_percent(share: float) -> str:
    """Return a share with as many digits as it deserves; 100 % is all, 0 % nothing.

    >>> [small_percent(share) for share in (0.31, 0.0012, 0.9999, 1e-9, 0.0)]
    ['31 %', '0.12 %', '99.9 %', 'less than 0.001 %', '0 %']
    """
    value = share * 100
    if value in (0, 100):
        return f"{value:.0f} %"
    if value < 0.001:
        return "less than 0.001 %"
    if 9.95 <= value < 99.5:
        return f"{value:.0f} %"
    if value >= 0.95:
        return f"{min(value, 99.9):.1f} %"
    return f"{value:.{1 - math.floor(math.log10(value))}f} %"


def bounds_words(interval: Interval | None, decimals: int, sign: bool = True) -> str:
    """Return bounds in points: rates without a sign as ``18.7–19.1``, changes as ``−0.8 to −0.6``."""
    if interval is None:
        return "–"
    low, high = (points(bound, decimals, sign) for bound in (interval.low, interval.high))
    return f"{low} to {high}" if sign else f"{low}–{high}"


def signed(value: float, decimals: int = 2) -> str:
    """Return a change with its sign.

    >>> signed(-0.711), signed(0.001)
    ('−0.71', '0.00')
    """
    text = f"{abs(value):.{decimals}f}"
    if float(text) == 0:
        return text
    return f"{MINUS if value < 0 else '+'}{text}"


def p_words(p: float | None) -> str:
    """Return a p-value for the column of a table.

    >>> p_words(0.03), p_words(1e-9), p_words(None)
    ('0.0300', '<0.0001', '–')
    """
    if p is None:
        return "–"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def spelled(value: object) -> str:
    """Return the value of an option as a variant file has it.

    >>> spelled(True), spelled("early"), spelled(6)
    ('true', 'early', '6')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def margin_words(margin: float) -> str:
    """Return a margin in points without needless zeros.

    >>> margin_words(0.005), margin_words(0.01), margin_words(1e-9)
    ('0.5', '1', '0.0000001')
    """
    return f"{Decimal(f'{margin * 100:.10g}'):f}"


# ------------------------------------------------------------------------------------ sentences


def verdict_sentence(
    head: str, verdict: Verdict, row: DifferenceRow | None, effect: EffectRow | None,
    view: View, margin: float, baseline: str, teams: bool, rotations: int = 1,
) -> str:  # fmt: skip
    """Return the verdict on a variant in words that a player understands.

    Parameters
    ----------
    head : str
        Variant and table, e.g. ``"Late transfer, four thrifty players"``.
    verdict : Verdict
        The verdict.
    row : DifferenceRow or None
        The difference of the cell that the verdict names; None for the same rules.
    effect : EffectRow or None
        What the rule did.
    view, margin, baseline, teams
        As in the comparison; whether positions are teams.
    rotations : int
        Rotations in which each pack was played.
    """
    if row is None:
        return f"{head}: the same rules as {baseline}."
    is_same_play = effect is not None and effect.affected is not None and effect.affected.value == 0
    change = (
        f"every deal goes as under {baseline} {_change(row)}" if is_same_play else _finding(row, view, teams)
    )
    finding = f"{head}: {change}: {_judgement(verdict.verdict, row, margin, verdict.differs)}."
    parts = [finding, *_course(effect, view), *_size(verdict, row, effect, rotations)]
    return " ".join(parts)


def asked_sentence(row: DifferenceRow, word: Word, view: View, margin: float, teams: bool) -> str:
    """Return what a rule does to one position, judged by itself, in words that a player understands."""
    finding = _finding(row, view, teams)
    return f"{finding[:1].upper()}{finding[1:]}: {_judgement(word, row, margin)}."


def _finding(row: DifferenceRow, view: View, teams: bool) -> str:
    digits = change_decimals(row.interval)
    now, before = percent(row.rate, digits), percent(row.baseline_rate, digits)
    change = _change(row)
    if row.cell == DRAWN:
        return f"{now} of deals are drawn instead of {before} {change}"
    if row.cell == STALLED:
        return f"{now} of deals are stalled instead of {before} {change}"
    if row.cell == SHARED:
        return f"first place is shared in {now} of deals instead of {before} {change}"
    if row.cell == NO_LOSER:
        return f"{now} of deals name no loser instead of {before} {change}"
    who = player(row.cell, view, teams)
    if view.outcome == "first_out":
        return f"{who} is out first in {now} of deals instead of {before} {change}"
    return f"{who} loses {now} of deals instead of {before} {change}"


def _change(row: DifferenceRow) -> str:
    digits = change_decimals(row.interval)
    low, high = (points(bound, digits) for bound in (row.interval.low, row.interval.high))
    return f"({points(row.difference, digits)} points, {low} to {high})"


def _judgement(word: Word, row: DifferenceRow, margin: float, is_shown_elsewhere: bool = False) -> str:
    """Return a verdict in words, said of one difference; whether others are shown to be other than 0."""
    by = f"the margin of {margin_words(margin)}"
    if word == "changes":
        return f"changes more than {by}"
    if word == "too small to matter":
        return f"too small to matter, less than {by}"
    if word == "no change beyond the margin":
        return f"no change beyond {by}"
    if row.interval.excludes(0.0):
        return f"undecided – it differs; whether by more than {by} is open"
    elsewhere = "; smaller changes are shown" if is_shown_elsewhere else ""
    return f"undecided – whether it changes more than {by} is open{elsewhere}"


def _course(effect: EffectRow | None, view: View) -> list[str]:
    """Say how often the rule came into play and how often somebody else lost."""
    if effect is None:
        return []
    if effect.came_into_play is None or effect.came_into_play.value is None:
        return ["How often it came into play is told by runs of one seed only."]
    if effect.affected is not None and effect.affected.value == 0:
        if effect.came_into_play.value == 0:
            return ["It never came into play."]
        share = small_percent(effect.came_into_play.value)
        return [f"It came into play in {share} of deals, but no deal went otherwise."]
    text = f"It came into play in {small_percent(effect.came_into_play.value)} of deals"
    if effect.churn is not None and effect.churn.value is not None:
        what = "is first" if view.outcome == "first_out" else "loses"
        churn = effect.churn.value
        text += (
            f"; in {_of_a_hundred(churn)} somebody else {what}"
            if churn
            else f"; in none somebody else {what}"
        )
    return [f"{text}."]


def _of_a_hundred(share: float) -> str:
    """Return a share as a count of deals.

    >>> _of_a_hundred(0.12), _of_a_hundred(0.0031)
    ('12 of 100', '3 of 1,000')
    """
    for base in (100, 1_000, 10_000, 100_000):
        if share * base >= 0.95:
            return f"{share * base:.0f} of {base:,}"
    return "fewer than 1 of 100,000"


def _size(verdict: Verdict, row: DifferenceRow, effect: EffectRow | None, rotations: int) -> list[str]:
    if verdict.verdict == "undecided":
        return [_deals_needed(verdict, row.n, rotations)]
    if effect is None or effect.games_to_notice is None:
        return []
    games = significant(effect.games_to_notice)
    return [f"You would need about {games:,} {'game' if games == 1 else 'games'} to notice."]


def _deals_needed(verdict: Verdict, n: int, rotations: int) -> str:
    if verdict.needed is None or verdict.needed.deals is None:
        if verdict.needed is not None and verdict.needed.is_too_early:
            return f"These are {TOO_EARLY}."
        return f"One of the changes is {HARDLY}."
    if verdict.needed.deals <= n:
        return "A few more deals should decide."
    if rotations > 1:
        return f"About {packs_needed(verdict.needed.deals, rotations):,} packs should decide."
    return f"About {verdict.needed.deals:,} deals should decide."


def packs_needed(deals: int, rotations: int) -> int:
    """Return how many packs give so many deals, to two significant digits.

    >>> packs_needed(1_300_000, 4), packs_needed(1_200_000, 1)
    (320000, 1200000)
    """
    return significant(-(-deals // rotations))
