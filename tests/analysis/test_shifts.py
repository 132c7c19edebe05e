"""How far a line-up moves a finding, against differences of differences by hand."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from simcli.analysis.compare import compare
from simcli.analysis.shifts import shifts
from tests.analysis.finished_runs import Dealt, run_of
from tests.analysis.test_robustness import LATE, LESS, MORE, NONE, comparison, match


def test_a_shift_is_the_difference_of_differences_deal_by_deal(tmp_path: Path) -> None:
    found = comparison(tmp_path, MORE, NONE, LESS, **LATE)
    none, less = shifts(found)
    assert [(row.lineup, row.first, row.players) for row in (none, less)] == [
        ("lowest", "thrifty", 2),
        ("random", "thrifty", 2),
    ]
    losers = np.array([MORE, NONE, LESS]) == int(none.cell)
    first = losers[0].astype(int) - losers[1]
    for row, other in ((none, losers[1]), (less, losers[2])):
        moved = other.astype(int) - losers[1] - first
        assert row.before == first.mean()
        assert row.after == (other.astype(int) - losers[1]).mean()
        assert row.shift.value == pytest.approx(moved.mean(), abs=1e-12)
        interval = row.shift.interval
        assert interval is not None
        # Student's t at 1 − 2.5 %/2 of 400 deals, two more that differ by one counted
        error = np.sqrt((((moved - moved.mean()) ** 2).sum() + 2) / 399 / 400)
        assert interval.high - moved.mean() == pytest.approx(2.5093 * error, rel=1e-3)


def test_one_line_up_moves_nothing(tmp_path: Path) -> None:
    assert shifts(comparison(tmp_path, MORE, **LATE)) == ()


def test_runs_of_other_packs_have_no_shift(tmp_path: Path) -> None:
    paths = []
    for lineup, seed, after in (("thrifty", 1, MORE), ("lowest", 2, NONE)):
        for name, rules, losers in (("classic", {}, NONE), ("other", LATE, after)):
            paths.append(_run(tmp_path, name, lineup, seed, rules, losers))
    assert shifts(compare(paths)) == ()


def _run(
    folder: Path, name: str, lineup: str, seed: int, rules: dict[str, object], losers: Sequence[int]
) -> Path:
    from dataclasses import replace

    return run_of(folder, replace(match(name, lineup, **rules), seed=seed), [Dealt(seat) for seat in losers])
