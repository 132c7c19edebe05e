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
    report.note("late-transfer 1: −1.02 (−1.48 to −0.56) at 140,000")
    assert stream.getvalue() == ""
    report.begin("classic-p4-lowest-s1", 1000, 0)
    report.end()
    assert "−1.02 (−1.48 to −0.56) at 140,000" in stream.getvalue()


def test_what_is_found_is_a_plain_line_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(reporting.time, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    report = PlainReport(stream)
    for second in range(1, 13):
        clock[0] = float(second)
        report.note(f"at {second} s")
    assert stream.getvalue().splitlines() == ["at 5 s", "at 10 s"]
