import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import pytest
import yaml

from simcli.errors import InputError
from simcli.runs import staged
from simcli.runs.conduct import conduct
from simcli.runs.orders import Order
from simcli.runs.outcome import Outcome
from simcli.runs.plan import Match, Part
from simcli.runs.planfile import load_plan
from simcli.runs.pool import Pool
from simcli.runs.staged import StagedRun, Watch, conduct_until, is_narrow
from simcli.runs.stopping import LOOK, StoppingRule, deals_for_any_half_width, widest_half_width
from tests.runs.conftest import Notes, Play, match_of, rows_in

WIDTH = 0.0025
RULE = StoppingRule("half-width", WIDTH, deals_for_any_half_width(WIDTH))
DECIDED = StoppingRule("decided", 0.005, 10 * LOOK)


class Until:
    """A watch that holds from one look on, and keeps at which it was asked."""

    def __init__(self, look: int) -> None:
        self.look = look
        self.asked: list[int] = []

    def __call__(self, runs: Sequence[StagedRun], look: int) -> bool:
        assert all(run.done >= look for run in runs)
        self.asked.append(look)
        return look >= self.look


Stop = Callable[..., list[Outcome]]


@pytest.fixture
def until(tmp_path: Path, notes: Notes) -> Stop:
    """Return a function that plays matches until a rule holds, in a results folder of the test."""

    def played(
        *matches: Match,
        rule: StoppingRule = DECIDED,
        watch: Watch,
        workers: int = 1,
        results: str = "results",
    ) -> list[Outcome]:
        with Pool(workers) as pool:
            orders = [Order(match, None, tmp_path / results, rule) for match in matches]
            return conduct_until(orders, rule, watch, pool, notes)

    return played


def told(outcome: Outcome) -> dict[str, object]:
    told: dict[str, object] = yaml.safe_load((outcome.folder / "run.yaml").read_text())
    return told


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_looks_are_taken_in_order_until_the_first_that_holds(until: Stop) -> None:
    watch = Until(3 * LOOK)
    (outcome,) = until(match_of(), watch=watch, workers=2)
    assert watch.asked == [LOOK, 2 * LOOK, 3 * LOOK]
    assert outcome.deals == 3 * LOOK


def test_the_rule_and_where_it_stopped_are_in_both_files(until: Stop) -> None:
    (outcome,) = until(match_of(), watch=Until(3 * LOOK))
    expected = {"deals": 60_000, "rule": "decided", "margin": 0.005, "max_deals": 200_000, "stopped": True}
    assert told(outcome)["stopping"] == [expected]
    assert told(outcome)["deals"] == [60_000]
    plan = load_plan(outcome.folder / "plan.yaml")
    assert plan.as_mapping() == outcome.plan.as_mapping()
    assert load_plan(outcome.folder / "run.yaml").as_mapping() == plan.as_mapping()


def test_what_was_played_beyond_is_thrown_away(until: Stop, play: Play) -> None:
    (outcome,) = until(match_of(), watch=Until(2 * LOOK), workers=2)
    assert outcome.played > outcome.deals
    assert [name for name in names(outcome.folder) if name.endswith("parquet")] == [
        "part-00000.parquet",
        "part-00001.parquet",
    ]
    alone = play(match_of(), 2 * LOOK, results="alone")
    assert (outcome.digest, outcome.summary) == (alone.digest, alone.summary)
    assert rows_in(outcome.folder).equals(rows_in(alone.folder))


def test_at_most_so_many_deals_are_played(until: Stop) -> None:
    rule = StoppingRule("decided", 0.005, 2 * LOOK)
    (outcome,) = until(match_of(), rule=rule, watch=Until(3 * LOOK))
    assert outcome.deals == 2 * LOOK
    assert outcome.plan.stretches[-1].stopped is False


@pytest.mark.usefixtures("always_processes")
def test_workers_and_stages_have_no_part_in_where_it_stops(
    until: Stop, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = until(match_of(), rule=RULE, watch=is_narrow(WIDTH))
    monkeypatch.setattr(staged, "LOOKS_PER_WORKER", 5)
    (two,) = until(match_of(), rule=RULE, watch=is_narrow(WIDTH), workers=2, results="two")
    assert LOOK < one.deals < RULE.max_deals
    assert (one.deals, one.digest, one.plan.stretches) == (two.deals, two.digest, two.plan.stretches)


def test_it_stops_at_the_first_look_at_which_the_table_is_narrow(until: Stop, play: Play) -> None:
    (outcome,) = until(match_of(), rule=RULE, watch=is_narrow(WIDTH))
    assert widest_half_width(outcome.summary) <= WIDTH
    earlier = play(match_of(), outcome.deals - LOOK, results="earlier")
    assert widest_half_width(earlier.summary) > WIDTH


def test_a_stopped_run_is_stopped_there_again_without_playing(until: Stop) -> None:
    (first,) = until(match_of(), rule=RULE, watch=is_narrow(WIDTH))
    before = {path: path.read_bytes() for path in first.folder.iterdir()}
    (again,) = until(match_of(), rule=RULE, watch=is_narrow(WIDTH))
    assert again.played == 0
    assert {path: path.read_bytes() for path in first.folder.iterdir()} == before


class Killed(Exception):
    """The command ends here."""


def test_an_interrupted_run_goes_on_to_the_same_stop(until: Stop, tmp_path: Path) -> None:
    def killed(runs: Sequence[StagedRun], look: int) -> bool:
        if look == 4 * LOOK:
            raise Killed
        return False

    with pytest.raises(Killed):
        until(match_of(), rule=RULE, watch=killed)
    folder = tmp_path / "results" / match_of().folder_name
    assert not (folder / "run.yaml").exists()
    (folder / "part-00001.parquet").write_bytes(b"cut")
    (resumed,) = until(match_of(), rule=RULE, watch=is_narrow(WIDTH))
    (whole,) = until(match_of(), rule=RULE, watch=is_narrow(WIDTH), results="whole")
    assert (resumed.deals, resumed.digest) == (whole.deals, whole.digest)
    assert names(resumed.folder) == names(whole.folder)


def test_a_command_killed_between_two_runs_ends_the_other_at_the_same_look(until: Stop) -> None:
    matches = match_of(), match_of("late-transfer")
    first, second = until(*matches, watch=Until(2 * LOOK))
    shutil.rmtree(second.folder)
    watch = Until(2 * LOOK)
    again = until(*matches, watch=watch)
    assert watch.asked == [2 * LOOK]
    assert [outcome.digest for outcome in again] == [first.digest, second.digest]
    assert again[0].played == 0


def test_a_run_that_is_there_is_not_cut(until: Stop, play: Play) -> None:
    longer = play(match_of(), 50_000)
    watch = Until(LOOK)
    outcomes = until(match_of(), match_of("late-transfer"), watch=watch)
    assert watch.asked == [60_000]
    assert [outcome.deals for outcome in outcomes] == [60_000, 60_000]
    assert outcomes[0].plan.declared == (50_000, 60_000)
    assert (longer.folder / "part-00000.parquet").exists()
    assert list(outcomes[0].plan.parts())[-1] == Part(len(list(longer.plan.parts())), 50_000, 60_000)


def test_a_stopped_run_may_be_made_longer(until: Stop, play: Play) -> None:
    until(match_of(), watch=Until(2 * LOOK))
    longer = play(match_of(), 100_000)
    assert longer.plan.declared == (40_000, 100_000)
    assert longer.plan.looks_before_sequence(longer.deals) == 0
    assert longer.digest == play(match_of(), 100_000, results="alone").digest
    assert told(longer)["stopping"] == [
        {"deals": 40_000, "rule": "decided", "margin": 0.005, "max_deals": 200_000, "stopped": True}
    ]


def test_only_what_was_played_by_a_verdict_needs_a_sequence(until: Stop, play: Play) -> None:
    play(match_of(), LOOK)
    (outcome,) = until(match_of(), watch=Until(2 * LOOK))
    assert outcome.plan.looks_before_sequence(LOOK) is None
    assert outcome.plan.looks_before_sequence(2 * LOOK) == 1
    (narrow,) = until(match_of(seed=2), rule=RULE, watch=is_narrow(WIDTH))
    assert narrow.plan.looks_before_sequence(narrow.deals) is None


@pytest.fixture
def begun(until: Stop, tmp_path: Path) -> Path:
    """Return the folder of a run that a verdict is waited for."""

    def killed(runs: Sequence[StagedRun], look: int) -> bool:
        raise Killed

    with pytest.raises(Killed):
        until(match_of(), watch=killed)
    return tmp_path / "results"


@pytest.mark.parametrize("deals", [None, 50_000, 1_000_000])
def test_a_run_that_is_not_stopped_yet_wants_its_own_command(
    begun: Path, notes: Notes, deals: int | None
) -> None:
    with Pool(1) as pool, pytest.raises(InputError, match=r"expected --until-decided as this run was begun"):
        conduct(Order(match_of(), deals, begun), pool, notes)


def test_a_run_that_is_not_stopped_yet_is_not_stopped_by_another_rule(begun: Path, until: Stop) -> None:
    with pytest.raises(InputError, match=r"got --until-half-width – finish that first"):
        until(match_of(), rule=RULE, watch=is_narrow(WIDTH))


def test_all_its_deals_may_be_played_instead(begun: Path, notes: Notes) -> None:
    with Pool(1) as pool:
        outcome = conduct(Order(match_of(), DECIDED.max_deals, begun), pool, notes)
    assert outcome.plan.stretches[-1].stopped is False
    assert pl.read_parquet(outcome.folder / "*.parquet").height == DECIDED.max_deals


def test_a_run_longer_than_the_most_deals_is_refused(until: Stop, play: Play) -> None:
    play(match_of(), 11 * LOOK)
    with pytest.raises(InputError, match=r"--max-deals: expected 220,000 or more, as .* got 200,000"):
        until(match_of(), watch=Until(LOOK))


def test_sessions_are_refused(until: Stop) -> None:
    with pytest.raises(InputError, match="--session: expected single deals with --until-decided"):
        until(match_of(session=10), watch=Until(LOOK))
