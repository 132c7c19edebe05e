import time

import pytest

from simcli.engine.jit import JIT_ENABLED
from simcli.errors import RunError
from simcli.runs.bench import scaling
from simcli.runs.bench.scaling import Stopwatch, measure_scaling
from simcli.runs.bench.steps import Quiet


def test_the_stopwatch_leaves_out_what_came_before_the_first_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([20.0, 25.0])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    watch = Stopwatch()
    watch.begin("run", 1000, 0)
    watch.show(0)
    watch.show(100)
    watch.show(600)
    watch.end()
    assert watch.deals_per_s == (1000 - 100) / 5


def test_a_run_that_is_over_at_once_cannot_be_timed() -> None:
    watch = Stopwatch()
    watch.begin("run", 1000, 0)
    watch.show(1000)
    watch.end()
    with pytest.raises(RunError, match="too short"):
        _ = watch.deals_per_s


def test_workers_are_measured_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = []

    def speed(workers: int) -> float:
        turns.append(workers)
        return 100.0 * workers

    monkeypatch.setattr(scaling, "_speed", speed)
    alone, two = measure_scaling([1, 2], Quiet())
    assert turns == [1, 2] * scaling.ROUNDS
    assert (alone.workers, alone.deals_per_s, alone.factor) == (1, 100, 1)
    assert (two.workers, two.deals_per_s, two.factor) == (2, 200, 2)


@pytest.mark.skipif(not JIT_ENABLED, reason="takes minutes without compiling")
def test_a_run_can_be_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "DEALS", 60_000)
    monkeypatch.setattr(scaling, "ROUNDS", 1)
    (alone,) = measure_scaling([1], Quiet())
    assert alone.deals_per_s > 0
    assert alone.factor == 1
