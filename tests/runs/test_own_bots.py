"""Runs of own bots: in several processes, gone on with after a fault, compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from simcli.errors import RunError
from simcli.runs.conduct import conduct
from simcli.runs.executors import Place, opened_pool
from simcli.runs.orders import Order
from simcli.runs.report import Silent
from tests.runs.conftest import Play, match_of, rows_in

BOTS = """
from pathlib import Path

import numba
from simcli.bots.lowest import choose_lowest
from simcli.engine.actions import packed
from simcli.engine.layout import ACTOR

def plain(view, legal):
    return view.rng.choice(legal)

def mended(view, legal):
    if view.n_stock == 0 and not (Path(__file__).parent / "mended").exists():
        raise ValueError("not yet")
    return legal[0]

@numba.njit
def quick(state):
    return packed(choose_lowest(state, state[ACTOR]))
"""

pytestmark = pytest.mark.usefixtures("small_parts")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("always_processes")
@pytest.mark.parametrize("bots, deals", [("my.py:plain,lowest", 200), ("my.py:quick,lowest", 2000)])
def test_own_bots_play_the_same_in_several_processes(bots: str, deals: int, play: Play) -> None:
    match = match_of(bots=bots, players=2)
    alone = play(match, deals)
    together = play(match, deals, workers=2, results="together")
    assert together.digest == alone.digest
    assert together.summary == alone.summary


def test_own_bots_play_the_same_in_threads(play: Play, folder: Path) -> None:
    match = match_of(bots="my.py:plain,my.py:quick", players=2)
    alone = play(match, 200)
    with opened_pool(Place("threads"), 2, Silent()) as pool:
        together = conduct(Order(match, 200, folder / "threads"), pool, Silent())
    assert together.digest == alone.digest


def test_a_compiled_copy_of_a_shipped_bot_plays_its_rows(play: Play, folder: Path) -> None:
    play(match_of(bots="my.py:quick"), 500, results="own")
    play(match_of(bots="lowest"), 500, results="shipped")
    own, shipped = (rows_in(next((folder / name).iterdir())) for name in ("own", "shipped"))
    assert own.equals(shipped)


def test_a_run_goes_on_after_the_fault_of_a_bot_is_mended_elsewhere(play: Play, folder: Path) -> None:
    match = match_of(bots="my.py:mended,lowest", players=2)
    with pytest.raises(RunError, match=r"deal \d+, seat 0 \(my\.py:mended\): raised ValueError: not yet"):
        play(match, 300)
    (folder / "mended").touch()
    gone_on = play(match, 300)
    assert gone_on.digest == play(match, 300, results="anew").digest


def test_a_longer_run_of_own_bots_begins_with_the_shorter_one(play: Play, folder: Path) -> None:
    match = match_of(bots="my.py:plain,lowest", players=2)
    play(match, 100)
    extended = play(match, 150)
    assert extended.digest == play(match, 150, results="anew").digest
