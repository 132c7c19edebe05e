import io

import pytest

from simcli.runs import report as reporting
from simcli.runs.report import PLAIN_LINE_S, BarReport, PlainReport, report_for


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_and_a_pipe_plain_lines() -> None:
    assert isinstance(report_for(Terminal()), BarReport)
    assert isinstance(report_for(io.StringIO()), PlainReport)


def test_plain_lines_come_every_few_seconds_and_tell_speed_and_time_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr(reporting.time, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    report = PlainReport(stream)
    report.begin("classic-p4-lowest-s1", 1000, 100)
    for second in range(1, 13):
        clock[0] = float(second)
        report.show(100 + 50 * second)
    report.end()
    assert int(12 // PLAIN_LINE_S) == 2
    assert stream.getvalue().splitlines() == [
        "classic-p4-lowest-s1: 350 of 1,000 deals, 50 deals/s, 13 s left",
        "classic-p4-lowest-s1: 600 of 1,000 deals, 50 deals/s, 8 s left",
    ]


def test_the_bar_shows_what_is_done_and_clears_away() -> None:
    stream = Terminal()
    report = BarReport(stream)
    report.begin("classic-p4-lowest-s1", 1000, 250)
    report.show(500)
    report.say("a worker died")
    report.end()
    drawn = stream.getvalue()
    assert " 25%" in drawn
    assert "a worker died\n" in drawn
    assert drawn.endswith("\r")


def test_what_is_found_stands_at_the_end_of_the_next_bar() -> None:
    stream = Terminal()
    report = BarReport(stream)
    report.note("late-transfer", "opener −1.02 ± 0.46", 140_000)
    assert stream.getvalue() == ""
    report.begin("2 runs", 1000, 0)
    report.show(500)
    report._bar.refresh()
    assert "late-transfer, opener −1.02 ± 0.46" in stream.getvalue()
    report.end()


@pytest.mark.parametrize("columns", [60, 80, 100, 140])
@pytest.mark.parametrize("name", ["late-transfer", "a-house-rule-whose-name-is-too-long-for-any-line"])
def test_one_line_holds_what_is_found_whatever_the_terminal(columns: int, name: str) -> None:
    stream = Terminal()
    report = BarReport(stream)
    report.begin("12 runs", 30_000_000, 0)
    report._bar.dynamic_ncols = lambda file: (columns, 24)
    report.name(name)
    report.note(name, "defender −10.02 ± 0.46", 1_400_000)
    report.show(12_345_678)
    line = str(report._bar)
    report.end()
    assert len(line) <= columns
    assert name[:4] in line
    assert "defender −10.02 ± 0.46" in line
    assert ("at 1,400,000" in line) == (columns == 140 and name == "late-transfer")
    assert " 41%" in line


def test_several_runs_share_a_bar_that_names_the_one_in_play() -> None:
    stream = Terminal()
    report = BarReport(stream)
    report.begin("12 runs", 30_000_000, 0)
    report._bar.dynamic_ncols = lambda file: (80, 24)
    report.name("late-transfer")
    report.show(12_345_678)
    line = str(report._bar)
    report.end()
    assert line.startswith("12 runs, late-transf")
    assert "12.3M/30.0M" in line
    assert len(line) <= 80


def test_what_is_found_is_a_plain_line_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(reporting.time, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    report = PlainReport(stream)
    for second in range(1, 13):
        clock[0] = float(second)
        report.note("late-transfer", "opener −1.02 ± 0.46", 20_000 * second)
    assert stream.getvalue().splitlines() == [
        "late-transfer, opener −1.02 ± 0.46 at 100,000 deals",
        "late-transfer, opener −1.02 ± 0.46 at 200,000 deals",
    ]
