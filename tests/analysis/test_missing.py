"""What a comparison has played, given what is there."""

import logging
from pathlib import Path

import pytest

from simcli.analysis import missing
from simcli.analysis.missing import Commission, commission
from tests.runs.conftest import Play, match_of, notes, play, small_parts

__all__ = ["notes", "play", "small_parts"]

pytestmark = pytest.mark.usefixtures("small_parts")


def asked(results: Path, deals: int) -> Commission:
    return commission(
        ["classic", "late-transfer"], lineups=["lowest"], baseline=None, players=[], by_players=False,
        deals=deals, seed=1, session=1, results=results,
    )  # fmt: skip


def test_a_longer_run_that_is_there_is_used_and_that_is_said(
    play: Play, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for deals in (400, 800):
        play(match_of(), deals)
    monkeypatch.setattr(missing._LOGGER, "propagate", False)
    missing._LOGGER.addHandler(caplog.handler)
    caplog.set_level(logging.INFO, missing._LOGGER.name)
    for deals, used in ((100, 400), (400, 400), (500, 800), (900, 900)):
        caplog.clear()
        orders = asked(tmp_path / "results", deals).orders
        assert [order.deals for order in orders] == [used, deals]
        said = [f"classic-p4-lowest-s1: has {used} deals, and all of them count"] if used > deals else []
        assert caplog.messages == said
    missing._LOGGER.removeHandler(caplog.handler)
