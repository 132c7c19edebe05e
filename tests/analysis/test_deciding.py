from collections.abc import Sequence
from pathlib import Path

import pytest

from simcli.analysis.compare import compare
from simcli.analysis.deciding import Deciding
from simcli.analysis.phrases import heading, points
from simcli.analysis.rows import View
from simcli.runs.orders import Order
from simcli.runs.plan import Match
from simcli.runs.pool import Pool
from simcli.runs.report import Silent
from simcli.runs.staged import StagedRun, conduct_until
from simcli.runs.stopping import LOOK, StoppingRule
from tests.runs.conftest import match_of

MARGIN = 0.02


class Noted(Silent):
    """A report that keeps what was found."""

    def __init__(self) -> None:
        self.noted: list[str] = []

    def note(self, name: str, finding: str, look: int) -> None:
        self.noted.append(f"{name}, {finding} at {look:,} deals")


def played(results: Path, report: Noted, view: View, *matches: Match, most: int = 10) -> list[Path]:
    rule = StoppingRule("decided", MARGIN, most * LOOK)
    with Pool(1) as pool:
        orders = [Order(match, None, results, rule) for match in matches]
        outcomes = conduct_until(orders, rule, Deciding(None, MARGIN, view, report), pool, report)
    return [outcome.folder for outcome in outcomes]


MATCHES = match_of("classic"), match_of("late-transfer"), match_of("podkidnoy")


def test_every_look_tells_the_largest_difference_with_its_sequence(tmp_path: Path) -> None:
    report = Noted()
    folders = played(tmp_path, report, View(), *MATCHES)
    comparison = compare(folders, margin=MARGIN)
    assert all(row.verdict != "undecided" for row in comparison.tables[0].verdicts)
    deals = comparison.tables[0].variants[0].deals
    assert [note.rsplit(" at ")[1] for note in report.noted] == [
        f"{look:,} deals" for look in range(LOOK, deals + 1, LOOK)
    ]
    first = comparison.tables[0].ranking[0]
    cell = heading(first.cell, View(), teams=False)
    half_width = points((first.interval.high - first.interval.low) / 2, 2, sign=False)
    largest = f"{first.variant}, {cell} {points(first.difference, 2)} ± {half_width} at "
    assert report.noted[-1].startswith(largest)


def test_all_variants_are_waited_for(tmp_path: Path) -> None:
    one, all_three = Noted(), Noted()
    played(tmp_path / "one", one, View(), MATCHES[0], MATCHES[2])
    played(tmp_path / "all", all_three, View(), *MATCHES)
    assert len(all_three.noted) >= len(one.noted)
    stopped = compare(tmp_path.joinpath("all").iterdir(), margin=MARGIN).tables[0]
    assert stopped.differences[0].interval.family == "2 variants × 6 cells"


@pytest.mark.parametrize("view", [View("dealer"), View(outcome="first_out")], ids=["dealer", "first out"])
def test_it_judges_what_the_comparison_counts(tmp_path: Path, view: View) -> None:
    report = Noted()
    folders = played(tmp_path, report, view, *MATCHES[:2], most=5)
    table = compare(folders, None, MARGIN, view.frame, view.outcome).tables[0]
    (verdict,) = table.verdicts
    assert (verdict.verdict != "undecided") is bool(table.run_of("late-transfer").plan.stretches[-1].stopped)


def test_parts_of_an_ordinary_run_are_counted_as_they_are(tmp_path: Path) -> None:
    seen: list[int] = []

    class Watching(Deciding):
        def __call__(self, runs: Sequence[StagedRun], look: int) -> bool:
            seen.append(look)
            return super().__call__(runs, look)

    rule = StoppingRule("decided", MARGIN, 10 * LOOK)
    with Pool(1) as pool:
        conduct_until(
            [Order(MATCHES[0], None, tmp_path, rule)],
            rule,
            lambda runs, look: look == 3 * LOOK,
            pool,
            Silent(),
        )
        orders = [Order(match, None, tmp_path, rule) for match in MATCHES[:2]]
        conduct_until(orders, rule, Watching(None, MARGIN, View(), Silent()), pool, Silent())
    assert seen[0] == 3 * LOOK
