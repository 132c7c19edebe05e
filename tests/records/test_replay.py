"""Any deal of a run is reached again, alone or in its session."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simcli.bots.batch import N_COLUMNS, O_TRACE_HIGH, O_TRACE_LOW, Rows, play_batch, write_row
from simcli.errors import InputError
from simcli.records.record import game_of
from simcli.records.replay import other_engine, plan_of_folder, replay
from simcli.rules.load import load_variant
from simcli.rules.variant import seat
from simcli.runs.folder import RunFolder
from simcli.runs.identity import engine_identity
from simcli.runs.plan import Plan, Stretch
from simcli.runs.play import table_of
from tests.records.test_record import follow, run_of


@pytest.mark.parametrize("session", [1, 5])
def test_deal_alone_is_the_deal_within_its_range(session: int) -> None:
    run = run_of(seat(load_variant("classic"), 3), "random", session)
    together = list(replay(run, range(3, 14)))
    alone = [record for deal in range(3, 14) for record in replay(run, range(deal, deal + 1))]
    assert alone == together
    assert [record["deal"] for record in together] == list(range(3, 14))


@pytest.mark.parametrize("session", [1, 7])
@pytest.mark.parametrize("bots", ["lowest", "random", "random,lowest,lowest,random"])
def test_replayed_deal_has_the_trace_of_the_run(bots: str, session: int) -> None:
    run = run_of(load_variant("simultaneous"), bots, session)
    rows: Rows = np.zeros((N_COLUMNS, 14), dtype=np.uint16)
    play_batch(table_of(run), run.seed, 0, session, rows)
    for record in replay(run, range(14)):
        row: Rows = np.zeros((N_COLUMNS, 1), dtype=np.uint16)
        write_row(follow(record).state, row, 0)
        for column in (O_TRACE_LOW, O_TRACE_HIGH):
            assert row[column, 0] == rows[column, record["deal"]]


def test_game_of_a_record_is_dealt_and_not_yet_played() -> None:
    (record,) = replay(run_of(load_variant("classic"), "lowest"), range(1))
    game = game_of(record)
    assert game.events == []
    assert game.leader == record["opener"]
    assert game.dealer == record["dealer"]


def test_plan_of_a_folder_is_the_one_written_there(tmp_path: Path) -> None:
    run = run_of(load_variant("duel"), "lowest,random", 3)
    plan = Plan(run, (Stretch(30, 30),), engine_identity())
    RunFolder(tmp_path).write_plan(plan)
    found = plan_of_folder(tmp_path)
    assert found == plan
    assert other_engine(found) is None


def test_run_of_another_engine_is_warned_of() -> None:
    run = run_of(load_variant("duel"), "lowest")
    other = {**engine_identity(), "version": "0.0", "signature": "0ddba115"}
    assert "0.0 (signature 0ddba115)" in (other_engine(Plan(run, (Stretch(1, 1),), other)) or "")
    older = {"version": "0.0", "sources": engine_identity()["sources"]}
    assert "0.0 (signature unknown)" in (other_engine(Plan(run, (Stretch(1, 1),), older)) or "")


def test_folder_without_a_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"got one without plan\.yaml"):
        plan_of_folder(tmp_path)
    with pytest.raises(InputError, match="expected the folder of a run"):
        plan_of_folder(tmp_path / "nowhere")
