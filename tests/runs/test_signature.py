"""The table of the behaviour signature is what the engine plays, and it changes only on purpose."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from simcli.bots.registry import BOTS
from simcli.engine.jit import JIT_ENABLED
from simcli.errors import InputError
from simcli.rules.shipped import shipped_names
from simcli.runs import identity
from simcli.runs import signature as signing
from simcli.runs.identity import SIGNATURE_FILE, engine_signature, signature_of
from simcli.runs.signature import (
    DIGITS,
    QUICK_DEALS,
    Digests,
    Seating,
    differences,
    main,
    play_seating,
    read_table,
    seatings,
    strangers,
    table_text,
)
from tests.oracle_variants import resolve, table_sizes
from tests.runs.conftest import Play, match_of

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
SHARE = 1 if JIT_ENABLED else 4  # plain Python plays every fourth line: other bots and sizes of each variant
PLAIN_SHARE = 17
TEXT = SIGNATURE_FILE.read_text(encoding="utf-8")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the table that may be spoilt."""
    path = tmp_path / "signature.txt"
    path.write_text(TEXT)
    for module in ("signature", "identity"):
        monkeypatch.setattr(f"simcli.runs.{module}.SIGNATURE_FILE", path)
    return path


def test_the_engine_plays_as_the_table_says() -> None:
    lines = islice(seatings(), 0, None, SHARE)
    assert list(differences(read_table(), lines, quick=not JIT_ENABLED)) == []


@pytest.mark.skipif(not JIT_ENABLED, reason="this is how the test above plays")
def test_the_engine_plays_the_same_without_the_compiler() -> None:
    command = [sys.executable, "-m", "simcli.runs.signature", "--quick", "--every", str(PLAIN_SHARE)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    n_lines = len(range(0, len(read_table()), PLAIN_SHARE))
    assert done.stdout == f"engine signature {engine_signature()}: none of {n_lines} lines differ\n"


@pytest.mark.slow
@pytest.mark.skipif(JIT_ENABLED, reason="with the compiler all deals of all lines are played anyway")
def test_every_line_is_played_the_same_without_the_compiler() -> None:
    assert list(differences(read_table(), seatings(), quick=True)) == []


def test_every_variant_bot_and_table_size_has_its_line() -> None:
    sizes = {name: table_sizes(resolve(name)) for name in shipped_names()}
    expected = {Seating(name, bot, size) for name in sizes for size in sizes[name] for bot in BOTS}
    assert set(read_table()) == expected
    assert list(strangers(read_table())) == []


def test_every_line_differs_from_the_others_of_its_variant() -> None:
    """Equal digests would mean that a bot or the table size has no part in them."""
    seen: dict[tuple[str, str], Seating] = {}
    alike = set()
    for seating, digests in read_table().items():
        assert digests.whole is not None
        twin = seen.setdefault((seating.variant, digests.whole), seating)
        if twin != seating:
            alike.add((seating.variant, seating.players, twin.bot, seating.bot))
    assert alike == set()


def test_the_file_looks_as_the_update_writes_it() -> None:
    assert table_text(read_table()) == TEXT


def test_the_changelog_names_the_signature_under_unreleased() -> None:
    unreleased = CHANGELOG.read_text(encoding="utf-8").split("## [Unreleased]")[1].split("\n## ")[0]
    named = re.findall(r"engine signature ([0-9a-f]{8})\b", " ".join(unreleased.split()))
    assert named == [engine_signature()]


def test_a_line_begins_as_the_digest_of_the_run_does(play: Play) -> None:
    seating = Seating("duel", "lowest", 2)
    expected = read_table()[seating]
    assert expected.whole == play(match_of("duel"), expected.deals).digest[:DIGITS]
    assert expected.first == play(match_of("duel"), QUICK_DEALS, results="few").digest[:DIGITS]


def test_quick_play_leaves_the_other_deals_out() -> None:
    seating = Seating("duel", "lowest", 2)
    whole, quick = play_seating(seating), play_seating(seating, quick=True)
    assert quick == Digests(whole.deals, None, whole.first)


def test_a_bot_that_takes_its_time_plays_fewer_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = BOTS["lowest"]
    entry = type(slow)(slow.name, slow.code, slow.description, signature_deals=QUICK_DEALS)
    monkeypatch.setitem(BOTS, "lowest", entry)
    digests = play_seating(Seating("duel", "lowest", 2))
    assert digests.deals == QUICK_DEALS
    assert digests.whole == digests.first == read_table()[Seating("duel", "lowest", 2)].first


def spoilt(column: int, value: str) -> str:
    """Return the table with another value in a column of its first line."""
    lines = TEXT.splitlines()
    at = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    cells = lines[at].split()
    cells[column] = value
    return "\n".join([*lines[:at], "  ".join(cells), *lines[at + 1 :]]) + "\n"


@pytest.mark.parametrize(
    "column, value, message",
    [
        (5, "0" * 16, "first deals: expected 0000000000000000, got"),
        (4, "0" * 16, "1000 deals: expected 0000000000000000, got"),
        (3, "999", "expected 999 deals, got 1000"),
        (2, "7", "7 players, random: no such variant, bot or table size"),
        (1, "lucky", "lucky: no such variant, bot or table size"),
    ],
)
def test_a_line_that_differs_is_named(
    column: int, value: str, message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(spoilt(column, value))
    assert main(["--every", "1000"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("classic, ")
    assert message in out


def test_quick_does_not_look_at_the_other_deals(file: Path) -> None:
    file.write_text(spoilt(4, "0" * 16))
    assert main(["--quick", "--every", "1000"]) == 0


def test_a_line_that_cannot_be_read_is_no_traceback(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("classic  random  two\n")
    with pytest.raises(InputError, match=r"signature\.txt: expected variant, bot, players"):
        read_table()
    assert main(["--quick"]) == 2
    assert "got 'classic  random  two'" in capsys.readouterr().err


def test_update_writes_what_is_played_and_names_both_signatures(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [Seating("duel", "lowest", 2)]
    monkeypatch.setattr(signing, "seatings", lambda: iter(lines))
    before = engine_signature()
    assert main(["--update"]) == 0
    assert read_table() == {seating: play_seating(seating) for seating in lines}
    after = engine_signature()
    assert after != before
    assert f"engine signature {after}, was {before}" in capsys.readouterr().out
    assert main(["--update"]) == 0
    assert capsys.readouterr().out == f"engine signature {after}, unchanged\n"


@pytest.mark.parametrize(
    "arguments", [("--update", "--quick"), ("--update", "--every", "2"), ("--every", "0")]
)
def test_wrong_options_change_nothing(arguments: tuple[str, ...], file: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert file.read_text() == TEXT


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(identity).failed == 0


def test_comments_and_spaces_leave_the_signature_alone() -> None:
    other = "# a remark\n" + TEXT.replace("  ", "   ")
    assert signature_of(other) == engine_signature()
    assert signature_of(spoilt(5, "0" * 16)) != engine_signature()
