"""All charts of one comparison, for tests that hold of each of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from matplotlib.figure import Figure

from simcli.analysis.comparison import Comparison
from simcli.report.charts import contrasts, forest, heat, in_play, length, profile, robustness, skill, streaks
from tests.report.charts.found import contrast, curve, made_up, made_up_table, skilled, streak


@dataclass(frozen=True)
class Chart:
    """A chart with what is said of it."""

    name: str
    figure: Figure
    caption: str
    alt_text: str


def charts_of(comparison: Comparison) -> Iterator[Chart]:
    """Yield the charts that a comparison alone is enough for."""
    table = comparison.tables[0]
    players = table.runs.players
    for name, module in (("forest", forest), ("heat", heat), ("in_play", in_play)):
        plot = getattr(module, f"plot_{name}")
        yield Chart(
            name,
            plot(comparison, table),
            module.caption(comparison, table),
            module.alt_text(comparison, table),
        )
    yield Chart(
        "profile",
        profile.plot_profile(comparison, comparison.tables),
        profile.caption(comparison, comparison.tables),
        profile.alt_text(comparison, comparison.tables),
    )
    yield Chart(
        "robustness",
        robustness.plot_robustness(comparison, players),
        robustness.caption(comparison, players),
        robustness.alt_text(comparison, players),
    )


NAMES = ("forest", "heat", "in_play", "profile", "robustness", "length", "contrasts", "streaks", "skill")


@cache
def chart_of(name: str) -> Chart:
    """Return one of the charts of 23 variants, drawn once for all tests."""
    return _large()[name]


@cache
def _large() -> dict[str, Chart]:
    return {chart.name: chart for chart in all_charts()}


def all_charts(names: tuple[str, ...] | None = None) -> Iterator[Chart]:
    """Yield every chart, of made-up numbers."""
    chosen = {} if names is None else {"names": names}
    table = made_up_table(**chosen)
    weak = made_up_table(lineup="random", seed=2, **chosen)
    comparison = made_up(table, weak)
    yield from charts_of(comparison)
    used = [row.variant for row in table.variants[1:]]
    curves = [curve(name, 0.3 / (index + 1) * (-1) ** index, 0.02) for index, name in enumerate(used)]
    effects = [
        contrast(name, "late", 0.02 / (index + 1) * (-1) ** index, order=1 + index % 2)
        for index, name in enumerate(used)
    ]
    rows = [streak(name, 0.01 / (index + 1) * (-1) ** index) for index, name in enumerate(used)]
    for name, module, data in (
        ("length", length, curves),
        ("contrasts", contrasts, effects),
        ("streaks", streaks, rows),
    ):
        plot = getattr(module, f"plot_{name}")
        yield Chart(
            name,
            plot(comparison, table, data),
            module.caption(comparison, table, data),
            module.alt_text(comparison, table, data),
        )
    shares = [
        skilled(name, 0.4 + 0.1 / (index + 1) * (-1) ** index, 0.1 / (index + 1) * (-1) ** index)
        for index, name in enumerate(used[:-1])
    ]
    shares = [skilled("classic", 0.4, None), *shares, skilled(used[-1], 0.1, None)]
    able = replace(table, skill=tuple(shares))
    yield Chart(
        "skill",
        skill.plot_skill(comparison, able),
        skill.caption(comparison, able),
        skill.alt_text(comparison, able),
    )
