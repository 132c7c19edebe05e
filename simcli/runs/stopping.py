"""Rules by which a run stops before its most deals, looked at in the order of the deals."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any, Literal

from simcli.runs.summary import Z_95, Summary, wilson

LOOK = 20_000
"""Deals from one look to the next; a part of a run that may stop early holds as many."""

Kind = Literal["half-width", "decided"]
KINDS: tuple[Kind, ...] = ("half-width", "decided")
THRESHOLD_KEYS: dict[Kind, str] = {"half-width": "half_width", "decided": "margin"}
LARGEST_THRESHOLD = 0.5


@dataclass(frozen=True)
class StoppingRule:
    """Say when a run stops.

    Attributes
    ----------
    kind : {"half-width", "decided"}
        When every interval of the run's table is narrow enough; when every variant of a comparison has a
        verdict.
    threshold : float
        The half-width, or the margin of the verdicts, as a share of all deals.
    max_deals : int
        Deals after which it stops in any case; a multiple of `LOOK`.
    """

    kind: Kind
    threshold: float
    max_deals: int

    @property
    def option(self) -> str:
        """Return the option of the command line that stands for it."""
        return f"--until-{self.kind}"

    @property
    def always_holds_in_time(self) -> bool:
        """Return whether the rule holds at its most deals, whatever happens in them."""
        return self.kind == "half-width" and self.max_deals >= deals_for_any_half_width(self.threshold)

    def as_mapping(self) -> dict[str, Any]:
        """Return the rule as plain data."""
        return {
            "rule": self.kind,
            THRESHOLD_KEYS[self.kind]: self.threshold,
            "max_deals": self.max_deals,
        }


def deals_for_any_half_width(half_width: float, most: int | None = None) -> int:
    """Return the look by which the 95 % interval of any rate is as narrow; at most `most`.

    >>> deals_for_any_half_width(0.001), deals_for_any_half_width(0.001, 50_000)
    (980000, 40000)
    """
    look = max(1, ceil(Z_95**2 / (4 * half_width**2) / LOOK)) * LOOK
    return look if most is None else min(most // LOOK * LOOK, look)


def widest_half_width(summary: Summary) -> float:
    """Return half the width of the widest 95 % interval (Wilson) in the table of a run."""
    widths = []
    for count in (*summary.decided, summary.drawn, summary.stalled):
        low, high = wilson(count, summary.deals)
        widths.append((high - low) / 2)
    return max(widths)


def next_look(deals: int) -> int:
    """Return the first look at `deals` deals or more.

    >>> next_look(0), next_look(20_000), next_look(20_001)
    (20000, 20000, 40000)
    """
    return max(LOOK, -(-deals // LOOK) * LOOK)
