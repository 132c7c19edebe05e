"""Charts of runs that tell little: they still say so, without a warning."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from simcli.analysis.compare import compare
from simcli.analysis.comparison import Comparison
from simcli.analysis.curves import bout_curves
from simcli.analysis.phrases import ALL_STALLED
from simcli.analysis.streaks import streaks as streak_rows
from simcli.report.charts import contrasts, length, skill, streaks
from simcli.report.charts.style import to_png
from simcli.report.charts.svg import to_svg
from simcli.report.numbers import move_tables
from tests.analysis.finished_runs import Dealt, run_of
from tests.analysis.test_compare import match, other
from tests.report.charts.charts import Chart, charts_of
from tests.report.charts.found import contrast, curve, made_up, made_up_table, skilled


def checked(comparison: Comparison, tmp_path: Path) -> dict[str, Chart]:
    """Return the charts of a comparison, once each could be written."""
    charts = {chart.name: chart for chart in charts_of(comparison)}
    table = comparison.tables[0]
    curves = bout_curves(table)
    charts["length"] = Chart(
        "length",
        length.plot_length(comparison, table, curves),
        length.caption(comparison, table, curves),
        length.alt_text(comparison, table, curves),
    )
    for chart in charts.values():
        assert to_svg(chart.figure, chart.name, chart.alt_text).startswith("<svg")
        assert chart.caption.endswith(".")
        assert "nan" not in chart.caption + chart.alt_text
    to_png(charts["length"].figure, tmp_path / "length.png")
    return charts


def deals(*losers: int | str) -> list[Dealt]:
    return [
        Dealt(loser, trace=loser if isinstance(loser, int) else 9, bouts=5 + index % 7)
        for index, loser in enumerate(losers)
    ]


def texts_of(chart: Chart) -> list[str]:
    return [text.get_text() for text in chart.figure.texts]


def pair(tmp_path: Path, before: Sequence[Dealt], after: Sequence[Dealt], **options: object) -> Comparison:
    paths = [run_of(tmp_path, match(), before), run_of(tmp_path, other(), after)]
    return compare(paths, **options)  # type: ignore[arg-type]


def test_one_variant_alone(tmp_path: Path) -> None:
    comparison = compare([run_of(tmp_path, match(), deals(0, 1, 0, "drawn"))])
    charts = checked(comparison, tmp_path)
    assert charts["forest"].caption == "Nothing is compared with classic here."
    assert "the opener loses 66.7 %" in charts["profile"].caption


@pytest.mark.parametrize("ending", ["drawn", "stalled"])
def test_deals_that_nobody_loses(tmp_path: Path, ending: str) -> None:
    comparison = pair(tmp_path, deals(*[ending] * 30), deals(*[ending] * 30))
    charts = checked(comparison, tmp_path)
    assert charts["profile"].caption == "Under classic nobody lost."
    assert charts["in_play"].caption == "No deal goes otherwise than under classic."
    assert not charts["profile"].figure.axes
    assert "Nobody lost: there are no shares to show." in texts_of(charts["profile"])
    if ending == "stalled":
        assert charts["length"].caption.startswith("Under classic all deals stalled")
        assert not charts["length"].figure.axes
        assert any(text.startswith("No deal came to its end") for text in texts_of(charts["length"]))


def test_tables_of_deals_that_all_stalled_say_so(tmp_path: Path) -> None:
    stalled = deals(*["stalled"] * 30)
    (table,) = pair(tmp_path, stalled, stalled).tables
    (lengths,) = move_tables(table, "here")
    assert lengths.note == ALL_STALLED
    assert {cell.text for row in lengths.rows for cell in row[1:4]} == {"–"}
    *_, ended = move_tables(pair(tmp_path / "other", deals(0, 1), deals(1, 1)).tables[0], "here")
    assert ended.note == ""


def test_a_variant_whose_deals_all_stall_has_no_share_and_no_interval_of_one(tmp_path: Path) -> None:
    charts = checked(pair(tmp_path, deals(0, 1) * 20, deals(*["stalled"] * 40)), tmp_path)
    (axes,) = charts["profile"].figure.axes
    assert sum(line.get_label() == "interval" for line in axes.lines) == 2  # of classic, one a position


def test_one_variant_alone_has_no_scale_for_changes(tmp_path: Path) -> None:
    charts = checked(compare([run_of(tmp_path, match(), deals(0, 1, 0, "drawn"))]), tmp_path)
    assert not charts["forest"].figure.axes
    assert "Nothing is compared with classic here." in texts_of(charts["forest"])


def test_sessions_of_several_lengths_are_all_named(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(session=2), deals(0, 1, 1, 1) * 10),
        run_of(tmp_path, match("twin", session=4), deals(0, 1, 1, 1) * 10),
        run_of(tmp_path, match("stuck", session=4), deals(*["stalled"] * 40)),
    ]
    comparison = compare(paths)
    table = comparison.tables[0]
    figure = streaks.plot_streaks(comparison, table, streak_rows(table, view=comparison.view))
    texts = [text.get_text() for text in figure.texts]
    assert any("sessions of 2 and 4 deals, 0 to 30 deals that follow a loss" in text for text in texts)
    assert {"classic (sessions of 2)", "twin (sessions of 4)"} <= set(texts)
    assert "No deal to judge by: stuck." in texts
    stuck = streaks.plot_streaks(comparison, table, streak_rows(table, view=comparison.view)[2:])
    assert not stuck.axes
    assert any("No deal followed one that somebody lost" in text.get_text() for text in stuck.texts)


def test_a_single_deal(tmp_path: Path) -> None:
    charts = checked(pair(tmp_path, deals(0), deals(1)), tmp_path)
    assert "not shown to change" in charts["forest"].caption
    assert charts["robustness"].caption.startswith("Only one line-up played")


def test_no_deal_affected(tmp_path: Path) -> None:
    charts = checked(pair(tmp_path, deals(0, 1) * 20, deals(0, 1) * 20), tmp_path)
    texts = [text.get_text() for text in charts["in_play"].figure.texts]
    assert "No deal affected: other." in texts


def test_a_margin_larger_than_everything(tmp_path: Path) -> None:
    comparison = pair(tmp_path, deals(0, 1) * 200, deals(1, 1) * 200, margin=0.9)
    charts = checked(comparison, tmp_path)
    low, high = charts["forest"].figure.axes[0].get_xlim()
    assert low < -90
    assert high > 90


def test_who_is_out_first(tmp_path: Path) -> None:
    before = [Dealt(0, trace=k % 2, places=(2, 1)) for k in range(40)]
    after = [Dealt(1, trace=k % 3, places=(1, 2) if k % 3 else (1, 1)) for k in range(40)]
    charts = checked(pair(tmp_path, before, after, outcome="first_out"), tmp_path)
    assert "is out first in 100.0 %" in charts["profile"].caption
    assert "drawn" not in [text.get_text() for text in charts["heat"].figure.texts]


def test_independent_runs(tmp_path: Path) -> None:
    paths = [run_of(tmp_path, match(), deals(0, 1) * 30), run_of(tmp_path, other(seed=2), deals(1, 1) * 30)]
    charts = checked(compare(paths), tmp_path)
    texts = [text.get_text() for text in charts["in_play"].figure.texts]
    assert "Not compared deal by deal: other." in texts


def test_teams_beside_single_players(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(players=4), deals(0, 1, 2, 3) * 10),
        run_of(tmp_path, match("partners", players=4, teams=2), deals(0, 1, 1, 0) * 10),
    ]
    charts = checked(compare(paths), tmp_path)
    assert "Not compared with classic: partners." in [
        text.get_text() for text in charts["forest"].figure.texts
    ]


def test_after_an_early_stop_only_the_sequence_is_drawn(tmp_path: Path) -> None:
    table = made_up_table()
    effects = tuple(
        replace(row, among_affected=replace(row.among_affected, interval=None))
        for row in table.effects
        if row.among_affected is not None
    )
    shares = tuple(replace(row, interval=None, difference=None) for row in table.lost_shares)
    table = replace(table, is_sequential=True, effects=effects, lost_shares=shares)
    for chart in charts_of(made_up(table)):
        drawn = [line for axes in chart.figure.axes for line in axes.lines if line.get_label() == "interval"]
        assert bool(drawn) == (chart.name in ("forest", "robustness"))


def test_nothing_in_the_rows_at_all() -> None:
    table = made_up_table(("a",))
    comparison = made_up(table)
    for module, plot in (
        (length, length.plot_length),
        (contrasts, contrasts.plot_contrasts),
        (streaks, streaks.plot_streaks),
    ):
        assert to_svg(plot(comparison, table, []), "empty", "").startswith("<svg")
        assert module.caption(comparison, table, []).endswith(".")
        assert module.alt_text(comparison, table, []).lower().endswith("nothing.")


def test_a_curve_without_values_is_a_table_whose_deals_all_last_alike() -> None:
    row = replace(curve(), values=(), baseline=(), cdf=(), difference=(), low=(), high=())
    table = made_up_table(("long",))
    figure = length.plot_length(made_up(table), table, [row])
    assert "No difference is shown: long." in [text.get_text() for text in figure.texts]


def test_names_of_every_length_and_a_list_of_every_kind_of_value() -> None:
    table = made_up_table(("a", "very-" * 30 + "long"))
    comparison = made_up(table)
    rows = [contrast("x" * 60, value, 0.01) for value in (None, True, 3, "a" * 60, ("a", "b"))]
    assert to_svg(contrasts.plot_contrasts(comparison, table, rows), "t", "d")
    assert list(charts_of(comparison))


def test_where_nobody_ever_loses_there_is_no_skill_to_show() -> None:
    table = replace(made_up_table(("a",)), skill=(skilled("classic", None, None), skilled("a", None, None)))
    comparison = made_up(table)
    assert to_svg(skill.plot_skill(comparison, table), "empty", "").startswith("<svg")
    assert skill.caption(comparison, table) == "Nobody ever loses here."
    assert skill.alt_text(comparison, table).endswith("Nothing.")
