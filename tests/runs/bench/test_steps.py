import io

from simcli.runs.bench.steps import BarSteps, PlainSteps


def test_a_log_gets_a_line_a_section() -> None:
    stream = io.StringIO()
    steps = PlainSteps(stream)
    assert list(steps.walk("the engine", [1, 2, 3], str)) == [1, 2, 3]
    assert list(steps.walk("nothing", [], str)) == []
    assert stream.getvalue() == "measuring the engine …\n"


def test_a_terminal_sees_what_is_measured_now() -> None:
    stream = io.StringIO()
    assert list(BarSteps(stream).walk("the engine", ["duel"], str)) == ["duel"]
    assert "the engine, duel" in stream.getvalue()
