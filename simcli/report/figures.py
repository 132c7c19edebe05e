"""The charts of a report, each with the sentence that says what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcli.analysis.comparison import Comparison
from simcli.analysis.curves import CurveRow
from simcli.analysis.found import Table
from simcli.report.charts import (
    contrasts,
    forest,
    heat,
    in_play,
    length,
    profile,
    robustness,
    skill,
    streaks,
)
from simcli.report.charts.svg import to_svg
from simcli.report.model import Chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Kind:
    """Say how a kind of chart is drawn, and what it says in words."""

    name: str
    title: str | Callable[..., str]
    plot: Callable[..., Figure]
    caption: Callable[..., str]
    alt: Callable[..., str]

    def draw(self, about: str, *data: Any) -> Chart:
        """Return the chart of some data; `about` tells it from others of its kind."""
        caption, alt = self.caption(*data), self.alt(*data)
        title = self.title if isinstance(self.title, str) else self.title(*data)
        figure = self.plot(*data)
        return Chart(f"{about}-{self.name}", title, caption, alt, to_svg(figure, title, alt), figure)


def _profile_title(comparison: Comparison, *_: object) -> str:
    return profile.title_of(comparison)


def _streaks_title(comparison: Comparison, *_: object) -> str:
    return streaks.title_of(comparison)


HEAT = Kind("gains", heat.TITLE, heat.plot_heat, heat.caption, heat.alt_text)
FOREST = Kind("changes", forest.TITLE, forest.plot_forest, forest.caption, forest.alt_text)

IN_PLAY = Kind("in-play", in_play.TITLE, in_play.plot_in_play, in_play.caption, in_play.alt_text)
PROFILE = Kind("profile", _profile_title, profile.plot_profile, profile.caption, profile.alt_text)
LENGTH = Kind("length", length.TITLE, length.plot_length, length.caption, length.alt_text)
ROBUSTNESS = Kind(
    "robustness", robustness.TITLE, robustness.plot_robustness, robustness.caption, robustness.alt_text
)

SKILL = Kind("skill", skill.TITLE, skill.plot_skill, skill.caption, skill.alt_text)
CONTRASTS = Kind(
    "contrasts", contrasts.TITLE, contrasts.plot_contrasts, contrasts.caption, contrasts.alt_text
)
STREAKS = Kind("streaks", _streaks_title, streaks.plot_streaks, streaks.caption, streaks.alt_text)


def table_charts(
    comparison: Comparison,
    table: Table,
    curves: Sequence[CurveRow],
    key: str,
    *,
    with_profile: bool,
    is_brief: bool = False,
) -> Iterator[Chart]:
    """Yield the charts of one table: who gains and who pays first.

    Parameters
    ----------
    comparison, table
        What was found.
    curves : sequence of CurveRow
        How long its deals last.
    key : str
        Begins their anchors.
    with_profile : bool
        Whether the profile of losses belongs to this table alone.
    is_brief : bool
        Whether it is enough to show what changes.
    """
    if table.ranking:
        yield HEAT.draw(key, comparison, table)
        yield FOREST.draw(key, comparison, table)
    if is_brief:
        return
    if with_profile:
        yield PROFILE.draw(key, comparison, [table])
    if sum(effect.affected is not None and bool(effect.affected.value) for effect in table.effects) > 1:
        yield IN_PLAY.draw(key, comparison, table)
    if curves:
        yield LENGTH.draw(key, comparison, table, curves)
