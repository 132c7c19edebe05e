"""What is drawn is what the rows say: every interval, every verdict, every order."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from simcli.analysis.found import DifferenceRow, Table, VerdictRow
from simcli.analysis.pair_rows import ranking
from simcli.analysis.rates import Interval
from simcli.report.charts import contrasts, forest, heat, in_play, length, profile, robustness, skill, streaks
from simcli.report.charts.bars import GAP, limit_of, roomy_ticks, tick_text
from simcli.report.charts.labels import text_width
from simcli.report.charts.marks import draw_mark
from simcli.report.charts.style import INK, LESS, MORE, PAPER, SMALL
from tests.report.charts.found import NAMES, contrast, curve, made_up, made_up_table, skilled, streak

TABLE = made_up_table()
COMPARISON = made_up(TABLE)


def lines(figure: Figure, label: str) -> list[Line2D]:
    """Return the lines of a kind, from top to bottom as they were drawn."""
    return [line for axes in figure.axes for line in axes.lines if line.get_label() == label]


def bounds(figure: Figure, label: str = "interval") -> list[tuple[float, float]]:
    return [(float(line.get_xdata()[0]), float(line.get_xdata()[1])) for line in lines(figure, label)]  # type: ignore[index]


def in_points(interval: Interval) -> tuple[float, float]:
    return pytest.approx((100 * interval.low, 100 * interval.high))  # type: ignore[no-any-return]


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text)]


# ------------------------------------------------------------------------------------ forest


def test_every_bar_of_the_forest_is_its_rows_interval() -> None:
    figure = forest.plot_forest(COMPARISON, TABLE)
    assert bounds(figure) == [in_points(rank.interval) for rank in TABLE.ranking]


def test_the_forest_is_sorted_by_the_largest_change() -> None:
    figure = forest.plot_forest(COMPARISON, TABLE)
    heights = {text.get_text(): text.get_position()[1] for text in figure.texts}
    names = sorted((name for name in NAMES if name in heights), key=lambda name: -heights[name])
    assert names == [rank.variant for rank in TABLE.ranking if rank.variant in heights]
    assert len(names) > 15


def test_every_verdict_has_its_own_mark() -> None:
    axes, looks = Figure().add_subplot(), {}
    for verdict in ("changes", "undecided", "too small to matter", "same rules"):
        draw_mark(axes, 0.0, 0.0, verdict)
        line = axes.lines[-1]
        faces = line.get_markerfacecolor(), line.get_markerfacecoloralt()
        looks[verdict] = (str(line.get_marker()), line.get_fillstyle(), *faces)
    assert looks["changes"][2] == INK
    assert looks["too small to matter"][2] == PAPER
    assert (looks["undecided"][1], looks["undecided"][2:]) == ("left", (INK, PAPER))
    assert looks["same rules"][0] != looks["changes"][0]


def test_marks_and_words_of_the_forest_are_the_verdicts() -> None:
    figure = forest.plot_forest(COMPARISON, TABLE)
    verdicts = [rank.verdict for rank in TABLE.ranking]
    drawn = [line.get_label() for line in figure.axes[0].lines if line.get_label() in set(verdicts)]
    limit = figure.axes[0].get_xlim()[1]
    assert drawn == [rank.verdict for rank in TABLE.ranking if abs(100 * rank.difference) <= limit]
    said = words(figure)
    for verdict in set(verdicts):
        assert said.count(verdict.removesuffix(" beyond the margin")) == verdicts.count(verdict)


def test_a_row_far_beyond_the_others_is_an_arrow_and_its_number() -> None:
    table = made_up_table(("a", "b", "c", "d"), scale=0.002)
    bar = Interval(-0.45, -0.35, 0.95, "Tango", "alone")
    far = DifferenceRow("far", 4, "thrifty", "0", 1000, 0, 0, 0, 0, -0.4, bar, None, None)
    table = with_rows(table, far)
    figure = forest.plot_forest(made_up(table), table)
    (arrow,) = lines(figure, "beyond")
    assert arrow.get_marker() == "<"
    assert "−40.0 (−45.0 to −35.0)" in words(figure)
    assert figure.axes[0].get_xlim()[0] > -10


def with_rows(table: Table, row: DifferenceRow) -> Table:
    verdict = VerdictRow(row.variant, 4, "thrifty", "changes", row.cell, "", "changes", True, None)
    rows, verdicts = (*table.differences, row), (*table.verdicts, verdict)
    entry = replace(table.runs.entries[0], label=row.variant)
    runs = replace(table.runs, entries=(*table.runs.entries, entry))
    return replace(
        table, runs=runs, differences=rows, verdicts=verdicts, ranking=tuple(ranking(rows, verdicts))
    )


def test_the_scale_ends_at_four_times_the_middle_row() -> None:
    assert limit_of([1.0, 1.0, 1.0, 30.0], 0.5) == pytest.approx(4.2)
    assert limit_of([1.0, 1.0, 1.0, 3.0], 0.5) == pytest.approx(3.15)


@pytest.mark.parametrize("limit", [0.2, 1.0, 4.2, 11.0, 95.0])
def test_tick_labels_have_room_between_them_and_at_the_ends(limit: float) -> None:
    for width in (60.0, 120.0, 300.0):
        ticks = roomy_ticks(-limit, limit, width)
        ends = [(tick * width / limit / 2, text_width(tick_text(tick), SMALL) / 2) for tick in ticks]
        assert len(ticks) > 1
        assert 0.0 in ticks or ticks == [-ticks[1], ticks[1]]
        assert all(x + half < u - other for (x, half), (u, other) in itertools.pairwise(ends))
        assert all(abs(x) + half <= width / 2 + GAP / 2 for x, half in ends)


# ------------------------------------------------------------------------------------ heat table


def test_the_heat_table_prints_and_marks_every_cell() -> None:
    figure = heat.plot_heat(COMPARISON, TABLE)
    axes = figure.axes[0]
    said = [text.get_text() for text in axes.texts]
    assert len(said) == len(TABLE.differences)
    margin = COMPARISON.margin
    open_cells = [
        row
        for row in TABLE.differences
        if not (row.interval.low > margin or row.interval.high < -margin)
        and not (-margin < row.interval.low and row.interval.high < margin)
    ]
    shown = [row for row in TABLE.differences if row.interval.excludes(0.0)]
    labels = [each.get_label() for each in (*axes.patches, *axes.lines)]
    assert labels.count("open") == len(open_cells)
    assert labels.count("shown") == len(shown)
    assert len(open_cells) > 5
    assert len(shown) > 5


def test_colours_of_the_heat_table_are_full_at_three_margins() -> None:
    from matplotlib.colors import to_hex

    figure = Figure()
    axes = figure.add_subplot()
    for margins in (1.5, 3.0, 30.0, -3.0):
        heat.draw_swatch(axes, (0, 0, 1, 1), margins, False, False)
    half, full, clipped, less = axes.patches
    assert (half.get_alpha(), full.get_alpha(), clipped.get_alpha()) == (0.25, 0.5, 0.5)
    assert [to_hex(patch.get_facecolor()) for patch in (full, less)] == [MORE, LESS]


# ------------------------------------------------------------------------------------ the others


def test_all_panels_of_the_profile_have_one_scale_about_their_fair_share() -> None:
    tables = [made_up_table(players=players) for players in (2, 3, 6)]
    figure = profile.plot_profile(made_up(*tables), tables)
    spans = [axes.get_xlim() for axes in figure.axes]
    assert np.ptp([high - low for low, high in spans]) < 1e-9
    assert [sum(span) / 2 for span in spans] == pytest.approx([50, 100 / 3, 100 / 6])


def test_bars_of_the_profile_are_the_shares_intervals() -> None:
    figure = profile.plot_profile(COMPARISON, [TABLE], ["duel", "partners"])
    rows = {(row.variant, row.cell): row.interval for row in TABLE.lost_shares}
    expected = [
        in_points(interval)
        for cell in "0123"
        for name in ("duel", "partners")
        for interval in (rows["classic", cell], rows[name, cell])
        if interval is not None
    ]
    assert bounds(figure) == expected


def test_points_that_came_into_play_lie_at_share_and_change() -> None:
    figure = in_play.plot_in_play(COMPARISON, TABLE)
    drawn = {
        (round(float(line.get_xdata()[0]), 9), round(float(line.get_ydata()[0]), 9))  # type: ignore[index]
        for line in figure.axes[0].lines
        if line.get_label() in {row.verdict for row in TABLE.verdicts}
    }
    expected = {
        (round(row.affected.value or 0, 9), round(100 * (row.among_affected.value or 0), 9))
        for row in TABLE.effects
        if row.affected is not None and row.among_affected is not None
    }
    assert drawn == expected
    low, high = figure.axes[0].get_ylim()
    assert all(low <= change <= high for _, change in drawn)


@pytest.mark.parametrize("low", [0.07, 1e-4, 3e-7, 7e-10])
def test_shares_on_the_axis_have_room_between_them(low: float) -> None:
    ticks = in_play.share_ticks(low, 250.0)
    assert ticks[0] == 1.0
    unit = 250.0 / np.log10(in_play.MOST_SHARE / low)
    for more, less in itertools.pairwise(ticks):
        widths = [text_width(f"{100 * tick:.10g} %", SMALL) for tick in (more, less)]
        assert sum(widths) / 2 < np.log10(more / less) * unit


def test_a_long_name_of_a_rule_in_play_stands_whole_in_two_lines() -> None:
    table = made_up_table(seed=3)
    old = max(in_play.points_of(table), key=lambda point: point.share).name
    name = "classic_transfer-late_cards-one_no-first-bout_pass-card"
    effects = tuple(replace(row, variant=name) if row.variant == old else row for row in table.effects)
    verdicts = tuple(replace(row, variant=name) if row.variant == old else row for row in table.verdicts)
    table = replace(table, effects=effects, verdicts=verdicts)
    said = words(in_play.plot_in_play(made_up(table), table))
    assert any(text.startswith("transfer-late, cards-one") for text in said)
    assert not any("…" in text for text in said)


def test_the_band_of_a_length_holds_the_rows_bounds() -> None:
    row = curve(shift=-0.1, half=0.01)
    figure = length.plot_length(COMPARISON, TABLE, [row])
    panel = figure.axes[-1]
    (band,) = (patch for patch in panel.patches if patch.get_label() == "band")
    path = band.get_path()
    seen = 0.11 * float(np.ptp(panel.get_ylim())) / length.PANEL
    for value, low, high in zip(row.values, row.low, row.high, strict=True):
        x = value + 0.5
        assert path.contains_point((x, 100 * low + seen))
        assert path.contains_point((x, 100 * high - seen))
        assert not path.contains_point((x, 100 * low - seen))
        assert not path.contains_point((x, 100 * high + seen))


def test_lengths_that_do_not_differ_are_named_with_their_widest_band() -> None:
    figure = length.plot_length(COMPARISON, TABLE, [curve("same", 0.0, 0.008)])
    assert "No difference is shown, all bands within ±0.8 points: same." in words(figure)


def test_line_ups_stand_from_weak_to_strong() -> None:
    tables = [
        made_up_table(lineup=lineup, seed=k) for k, lineup in enumerate(("thrifty", "random", "lowest"))
    ]
    comparison = made_up(*tables)
    sorted_tables = robustness.tables_by_strength(comparison, 4)
    assert [table.runs.lineup for table in sorted_tables] == ["random", "lowest", "thrifty"]
    figure = robustness.plot_robustness(comparison, 4)
    findings = robustness.findings_of(comparison, 4)
    for axes, lineup in zip(figure.axes, ("random", "lowest", "thrifty"), strict=True):
        drawn = [line for line in axes.lines if line.get_label() == "interval"]
        expected = [in_points(finding.rows[lineup].interval) for finding in findings]
        assert [tuple(line.get_xdata()) for line in drawn] == expected  # type: ignore[arg-type]
    assert len({axes.get_xlim() for axes in figure.axes}) == 1
    assert set(findings[0].counts) <= set(words(figure))


def test_narrow_columns_of_line_ups_have_a_scale_and_name_what_lies_beyond_it() -> None:
    lineups = ("lowest", "thrifty", "counting", "montecarlo:32")
    tables = [made_up_table(lineup=lineup, seed=k) for k, lineup in enumerate(lineups)]
    finding = robustness.findings_of(made_up(*tables), 4)[0]
    row = next(
        row for row in tables[3].differences if (row.variant, row.cell) == (finding.variant, finding.cell)
    )
    interval = replace(row.interval, low=-0.913, high=-0.907)
    tables[3] = with_rows(tables[3], replace(row, difference=-0.91, interval=interval))
    figure = robustness.plot_robustness(made_up(*tables), 4)
    for axes in figure.axes:
        assert len(axes.get_xticks()) > 1
        assert all(label.get_text() for label in axes.get_xticklabels())
    said = words(figure)
    assert "−91.0" in said
    assert not any("…" in text for text in said)
    assert {"montecarlo", "with 32", "playouts"} <= set(said)


def test_contrasts_are_ranked_and_show_the_range_of_simple_effects() -> None:
    rows = [
        contrast("draw.order", "defender_last", 0.001, verdict="inside"),
        contrast("transfer.mode", "late", -0.03),
        contrast("transfer.mode", "late", 0.01, cell="1"),
        contrast("lead.single", True, 0.006, verdict="undecided", n_simple=1),
    ]
    figure = contrasts.plot_contrasts(COMPARISON, TABLE, rows)
    ranked = [rows[1], rows[3], rows[0]]
    assert bounds(figure) == [in_points(row.interval) for row in ranked]
    assert bounds(figure, "range") == [
        pytest.approx((100 * row.simple_low, 100 * row.simple_high)) for row in (rows[1], rows[0])
    ]
    said = words(figure)
    assert {"changes", "undecided", "within the margin", "transfer.mode late", "lead.single true"} <= set(
        said
    )


def test_streaks_without_an_interval_say_that_nothing_is_shown() -> None:
    rows = [streak("a", 0.01), streak("b", -0.02, None), streak("c", None)]
    figure = streaks.plot_streaks(COMPARISON, TABLE, rows)
    assert bounds(figure) == [pytest.approx((0.8, 1.2))]
    said = words(figure)
    assert "more often" in said
    assert "not shown" in said
    assert "No deal to judge by: c." in said


def test_the_skill_chart_shows_changes_by_rank_and_names_what_is_not_compared() -> None:
    rows = (
        skilled("classic", 0.4, None), skilled("low", 0.3, -0.1), skilled("high", 0.5, 0.1),
        skilled("alike", 0.4, 0.0), skilled("partners", 0.1, None),
    )  # fmt: skip
    figure = skill.plot_skill(COMPARISON, replace(TABLE, skill=rows))
    assert bounds(figure) == [pytest.approx(each) for each in ((9.6, 10.4), (-0.4, 0.4), (-10.4, -9.6))]
    said = words(figure)
    assert {"50.0 % less", "changes", "+10.0 (+9.6 to +10.4)", "no change"} <= set(said)
    assert "Not compared: partners." in said
