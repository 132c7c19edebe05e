"""Experiments carried out: what is missing is played, once; what is asked is compared."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from simcli.errors import InputError
from simcli.experiments import conduct as conducting
from simcli.experiments.conduct import conduct_experiment
from simcli.experiments.experiment import Experiment
from simcli.experiments.load import load_experiment
from simcli.experiments.planning import ExperimentPlan, plan_experiment
from simcli.experiments.result import Result
from simcli.runs.orders import Order
from simcli.runs.pool import Pool
from simcli.runs.report import Silent

SMALL = """name: small
question: Why?
variants: [classic, podkidnoy, regular]
players: [2, 3]
bots: [lowest]
deals: 300
"""


@pytest.fixture
def small(tmp_path: Path) -> Experiment:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL)
    return load_experiment(path)


def carried_out(experiment: Experiment, results: Path) -> Result:
    with Pool(1) as pool:
        return conduct_experiment(plan_experiment(experiment, results), pool, Silent())


def parts(results: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in results.rglob("*.parquet")}


def test_every_cell_is_played_and_compared(small: Experiment, tmp_path: Path) -> None:
    result = carried_out(small, tmp_path)
    assert len(result.runs) == 6
    losing, winning = result.comparisons
    assert (losing.view.outcome, winning.view.outcome) == ("loss", "first_out")
    judged = [(table.runs.players, row.variant) for table in losing.tables for row in table.verdicts]
    assert judged == [(2, "podkidnoy"), (3, "podkidnoy")]
    assert [table.runs.players for table in winning.tables] == [2, 3]


def test_a_finished_experiment_plays_nothing(small: Experiment, tmp_path: Path) -> None:
    first = carried_out(small, tmp_path)
    before = parts(tmp_path)
    assert plan_experiment(small, tmp_path).missing == 0
    again = carried_out(small, tmp_path)
    assert parts(tmp_path) == before
    assert again.to_dict() == first.to_dict()


def test_a_stopped_experiment_goes_on(
    small: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play: Callable[..., Iterator[object]] = conducting.play_missing

    def stopped(orders: Sequence[Order], *rest: object) -> Iterator[object]:
        yield from play(orders[:2], *rest)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(conducting, "play_missing", stopped)
        with pytest.raises(KeyboardInterrupt):
            carried_out(small, tmp_path)
    before = parts(tmp_path)
    assert len(before) == 2
    assert plan_experiment(small, tmp_path).missing == 4 * 300
    result = carried_out(small, tmp_path)
    assert parts(tmp_path).items() > before.items()
    assert len(result.runs) == 6


def test_more_deals_go_on_from_those_that_are_there(small: Experiment, tmp_path: Path) -> None:
    carried_out(small, tmp_path)
    plan = plan_experiment(small.with_deals(500), tmp_path)
    assert (plan.deals, plan.missing) == (6 * 500, 6 * 200)


def test_a_longer_run_is_used_up_to_a_number_it_was_declared_with(small: Experiment, tmp_path: Path) -> None:
    for deals in (300, 500):
        carried_out(small.with_deals(deals), tmp_path)
    for asked, used in ((100, 300), (300, 300), (301, 500), (500, 500)):
        plan = plan_experiment(small.with_deals(asked), tmp_path)
        assert {planned.deals for planned in plan.cells} == {used}
        assert plan.missing == 0
    assert {run.deals for run in carried_out(small.with_deals(100), tmp_path).runs} == {300}


def test_experiments_share_their_runs(small: Experiment, tmp_path: Path) -> None:
    carried_out(small, tmp_path)
    path = tmp_path / "other.yaml"
    path.write_text(SMALL.replace("regular", "duel").replace("small", "other"))
    plan = plan_experiment(load_experiment(path), tmp_path)
    assert {planned.cell.name for planned in plan.cells if planned.missing} == {"duel"}


def test_a_folder_of_other_rules_is_refused_before_anything_is_played(
    small: Experiment, tmp_path: Path
) -> None:
    carried_out(small, tmp_path)
    path = tmp_path / "other.yaml"
    path.write_text(SMALL.replace("podkidnoy", "{name: podkidnoy, deck: 52}"))
    with pytest.raises(InputError, match="expected a run of the same plan, got another"):
        plan_experiment(load_experiment(path), tmp_path)


def test_a_half_width_stops_the_runs(small: Experiment, tmp_path: Path) -> None:
    path = tmp_path / "narrow.yaml"
    path.write_text(SMALL.replace("deals: 300", "until_half_width: 1pp").replace("[2, 3]", "[2]"))
    result = carried_out(load_experiment(path), tmp_path / "results")
    assert {run.deals for run in result.runs} == {20_000}
    assert plan_experiment(load_experiment(path), tmp_path / "results").missing == 0


def test_the_values_of_the_varied_options_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(
        "name: x\nquestion: Why?\nvariants: [podkidnoy]\nvary: {transfer.mode: [early, late]}\n"
        "players: [2]\nbots: [lowest]\ndeals: 200\n"
    )
    result = carried_out(load_experiment(path), tmp_path)
    assert result.factors == {
        "classic": {"transfer.mode": "early"},
        "classic_transfer-late": {"transfer.mode": "late"},
    }
    assert result.reference == {"transfer.mode": "early"}
    (table,) = result.comparisons[0].tables
    assert result.factors.keys() < {row.variant for row in table.variants}


def test_the_time_is_for_what_is_missing(small: Experiment, tmp_path: Path) -> None:
    def seconds(plan: ExperimentPlan) -> float:
        return plan.seconds(1, Silent())

    assert seconds(plan_experiment(small.with_deals(3_000_000), tmp_path)) > 1
    carried_out(small, tmp_path)
    assert seconds(plan_experiment(small, tmp_path)) == 0


def test_rotations_are_runs_each_and_a_table_together(tmp_path: Path) -> None:
    path = tmp_path / "moved.yaml"
    path.write_text(SMALL.replace("[2, 3]", "[2]").replace("[lowest]", '["counting,lowest"]\nrotate: true'))
    experiment = load_experiment(path)
    result = carried_out(experiment, tmp_path)
    assert len(result.runs) == 6
    losing, winning = result.comparisons
    (table,) = losing.tables
    assert (table.runs.lineup, table.rotations) == ("counting,lowest rotated", 2)
    assert [row.variant for row in table.skill] == ["classic", "podkidnoy"]
    assert [row.n for row in winning.tables[0].skill] == [600, 600]
    assert result.to_dict()["rotate"] is True
    assert [row["variant"] for row in result.to_dict()["comparisons"][0]["skill"]] == ["classic", "podkidnoy"]
