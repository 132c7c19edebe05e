"""A terminal without card suits shows letters."""

from __future__ import annotations

import os
import subprocess
import sys

from simcli.cli.encoding import plain


def test_suits_become_letters() -> None:
    assert plain("6♣ 7♦ 8♥ 9♠ – …é") == "6C 7D 8H 9S - ...?"


def test_replay_reads_well_in_ascii() -> None:
    command = ["replay", "--variant", "classic", "--bots", "lowest", "--deal", "3"]
    done = subprocess.run(
        [sys.executable, "-m", "simcli", *command],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "?" not in done.stdout
    assert "Trumps are clubs" in done.stdout
