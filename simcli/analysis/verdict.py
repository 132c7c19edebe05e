"""The verdict: whether a rule changes who loses by more than anybody would notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from simcli.analysis.rates import Estimate
from simcli.analysis.sizes import DealsNeeded, deals_to_decide

#: half a point of all deals
MARGIN = 0.005

Word = Literal["same rules", "changes", "too small to matter", "no change beyond the margin", "undecided"]

OPEN_BUT_DIFFERS = "differs; whether by more than the margin is open"
NEVER_CAME_INTO_PLAY = "never came into play"


@dataclass(frozen=True, slots=True)
class CellDifference:
    """Hold one cell's difference between a variant and the baseline.

    Attributes
    ----------
    cell : str
        A position, ``"drawn"`` or ``"stalled"``.
    difference, low, high : float
        d and the bounds of its simultaneous interval, shares of all deals, not rounded.
    variance : float
        Of one deal's difference, for the deals still needed.
    critical : float
        Critical value of the interval.
    """

    cell: str
    difference: float
    low: float
    high: float
    variance: float
    critical: float

    def beyond(self, margin: float) -> float:
        """Return by how much the whole interval lies outside ±margin; 0 or less if some of it does not."""
        return max(self.low - margin, -margin - self.high)

    def is_inside(self, margin: float) -> bool:
        """Say whether the whole interval lies within ±margin."""
        return -margin < self.low and self.high < margin

    def excludes_zero(self) -> bool:
        """Say whether the cell is shown to differ at all."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Hold the verdict on a variant.

    Attributes
    ----------
    verdict : Word
        In a word.
    cell : str or None
        For *changes* the cell farthest beyond the margin; if it is undecided the one with the largest
        difference of those that are open; else the one with the largest difference, of those shown to differ
        if there are any. None for the same rules.
    differs : bool
        Whether some interval excludes 0.
    never_came_into_play : bool
        Whether no deal was affected.
    needed : DealsNeeded or None
        Deals that would decide; None unless undecided.
    """

    verdict: Word
    cell: str | None
    differs: bool
    never_came_into_play: bool
    needed: DealsNeeded | None = None

    @property
    def text(self) -> str:
        """The verdict with what has to be added to it."""
        if self.verdict == "undecided" and self.differs:
            return f"undecided: {OPEN_BUT_DIFFERS}"
        if self.verdict == "no change beyond the margin" and self.never_came_into_play:
            return f"{self.verdict}: {NEVER_CAME_INTO_PLAY}"
        return self.verdict


def judge(
    cells: Sequence[CellDifference],
    n: int,
    margin: float = MARGIN,
    *,
    same_rules: bool = False,
    affected: int | None = None,
) -> Verdict:
    """Return the verdict on a variant; the first rule that holds.

    0. The rules are the same: *same rules*.
    1. Some interval lies wholly beyond the margin: *changes*.
    2. All lie within: *too small to matter* if some excludes 0, else *no change beyond the margin*.
    3. *Undecided*.

    If all intervals of a table cover, no verdict in it is wrong: a false *changes* needs an interval that
    misses, and so does a false *too small* or *no change*.

    Parameters
    ----------
    cells : sequence of CellDifference
        All cells, with intervals at level 1 − α/(variants × cells).
    n : int
        Deals that both played.
    margin : float
        As a share of all deals, 0.005 being half a point.
    same_rules : bool
        Whether both have the same canonical hash.
    affected : int, optional
        Deals that went otherwise than under the baseline, if that is known.
    """
    if same_rules:
        return Verdict("same rules", None, False, affected == 0)
    unaffected = affected == 0
    differs = any(cell.excludes_zero() for cell in cells)
    farthest = max(cells, key=lambda cell: cell.beyond(margin))
    if farthest.beyond(margin) > 0:
        return Verdict("changes", farthest.cell, differs, unaffected)
    open_cells = [cell for cell in cells if not cell.is_inside(margin)]
    if not open_cells:
        shown = max(cells, key=lambda cell: (cell.excludes_zero(), abs(cell.difference))).cell
        word: Word = "too small to matter" if differs else "no change beyond the margin"
        return Verdict(word, shown, differs, unaffected)
    largest = max(open_cells, key=lambda cell: abs(cell.difference)).cell
    return Verdict("undecided", largest, differs, unaffected, _needed(open_cells, margin, n))


def _needed(open_cells: Sequence[CellDifference], margin: float, n: int) -> DealsNeeded:
    """Return the deals that the most demanding open cell needs."""
    needs = [deals_to_decide(cell.difference, cell.variance, cell.critical, margin, n) for cell in open_cells]
    known = [need.deals for need in needs if need.deals is not None]
    if len(known) == len(needs):
        return DealsNeeded(max(known))
    return DealsNeeded(None, any(need.is_too_early for need in needs))


def difference_word(change: Estimate | None, margin: float | None) -> Word | None:
    """Return the verdict on a single difference by a margin of its own, None where nothing is known.

    A margin of 0 – a share of what the baseline never has – is left by any change that is shown; nothing
    lies within it.

    >>> from simcli.analysis.rates import Interval
    >>> difference_word(Estimate(0.03, Interval(0.01, 0.05, 0.95, "t", "alone")), 0.02)
    'undecided'
    """
    if change is None or change.interval is None or margin is None:
        return None
    bounds = change.interval
    if bounds.low > margin or bounds.high < -margin:
        return "changes"
    if -margin < bounds.low and bounds.high < margin:
        return "too small to matter" if bounds.excludes(0.0) else "no change beyond the margin"
    return "undecided" if margin > 0 else None
