"""Own bots: how they are found, what they see, what they must not do (docs/bots.md)."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from simcli.bots.batch import MISSING, N_COLUMNS, O_DECISIONS, O_LOSER, Rows, play_batch
from simcli.bots.lineup import Lineup, parse_lineup
from simcli.bots.own.decide import Misplay
from simcli.bots.own_kernel import is_legal_move
from simcli.deal import Deal
from simcli.engine.game import Game
from simcli.engine.jit import JIT_ENABLED
from simcli.engine.layout import PH_OVER, PHASE, VERB_SHIFT, WHOLE_TURN
from simcli.engine.notation import parse_action
from simcli.errors import InputError
from simcli.records.replay import replay
from simcli.rules.load import load_variant
from simcli.rules.variant import seat
from simcli.runs.plan import Match
from simcli.runs.play import table_of

BOTS = """
import numba
from simcli.bots.lowest import choose_lowest
from simcli.engine.actions import packed
from simcli.engine.layout import ACTOR

class Some: pass
number = 3

def choose(view, legal, k=0, name="x"):
    return legal[min(k, len(legal) - 1)]

def chance(view, legal):
    return view.rng.choice(legal)

def raises(view, legal):
    raise KeyError("lost")

def illegal(view, legal):
    return "throw 2C"

def nothing(view, legal):
    pass

def leaves(view, legal):
    raise SystemExit(0)

def endless(view, legal):
    while True:
        pass

def assigns(view, legal):
    view.hand = ()

def tampers(view, legal):
    object.__setattr__(view, "hand", ())
    return legal[0]

def alone(view):
    return 1

@numba.njit
def quick(state, depth=2):
    return packed(choose_lowest(state, state[ACTOR]))

@numba.njit
def share(state):
    return 1.5

@numba.njit
def wrong(state):
    return 15 << 58

@numba.njit
def divides(state):
    return 1 // (state[0] - state[0])

@numba.njit
def writes(state):
    state[0] += 1
    return packed(choose_lowest(state, state[ACTOR]))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a file of bots."""
    (tmp_path / "my.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIMCLI_BOT_SECONDS", "0.3")
    return tmp_path


def match_of(bots: str, players: int = 3, variant: str = "classic") -> Match:
    seated = seat(load_variant(variant), players)
    return Match(seated, parse_lineup(bots, players), 5, 1)


def rows_of(match: Match, n: int) -> Rows:
    rows: Rows = np.empty((N_COLUMNS, n), dtype=np.uint16)
    play_batch(table_of(match), match.seed, 0, match.session, rows)
    return rows


def test_a_bot_has_one_name_however_its_file_is_given(folder: Path) -> None:
    texts = ["my.py:choose", "./my.py:choose", f"{folder}/my.py:choose:k=0", "my.py:choose:name=x"]
    lineups = {parse_lineup(text, 2) for text in texts}
    assert len(lineups) == 1
    assert lineups.pop().text == "my.py:choose"
    assert parse_lineup("my.py:choose:name=y:k=2", 2).text == "my.py:choose:k=2:name=y"


def test_a_bot_elsewhere_is_named_by_its_whole_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    lineup = parse_lineup("../my.py:choose", 2)
    assert lineup.text == f"{folder.resolve()}/my.py:choose"
    assert "/" not in lineup.label


@pytest.mark.parametrize(
    "text, message",
    [
        ("none.py:choose", "there is no none.py in "),
        ("my.py", "expected a function (FILE:FUNCTION)"),
        ("my.py:chose", "did you mean choose?"),
        ("my.py:Some", "got a class"),
        ("my.py:number", "got a value (int)"),
        ("my.py:alone", "expected a function choose(view, legal, …), got alone(view)"),
        ("my.py:choose:j=1", "expected k=… or name=…, got j=1"),
        ("my.py:choose:k=x", "k: expected a whole number, got x"),
        ("my.py:choose:k=1:k=2", "got a second one"),
        ("my.py:chance:k=1", "expected no parameters"),
        ("broken.py:choose", "broken.py:2: expected a file that can be loaded, got SyntaxError"),
        ("lacking.py:choose", "lacking.py:1: expected a file that can be loaded, got ModuleNotFoundError"),
        ("leaving.py:choose", "leaving.py:1: expected a file that can be loaded, got SystemExit"),
        pytest.param(
            "my.py:share",
            "expected a function that answers with a move (int64), got float64",
            marks=pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled"),
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(folder: Path, text: str, message: str) -> None:
    (folder / "broken.py").write_text("\ndef choose(view, legal)\n")
    (folder / "lacking.py").write_text("import no_such_module\n")
    (folder / "leaving.py").write_text("raise SystemExit\n")
    with pytest.raises(InputError) as caught:
        parse_lineup(text, 2)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_changed_file_is_another_bot(folder: Path) -> None:
    before = match_of("my.py:choose")
    (folder / "my.py").write_text(BOTS.replace("legal[min(k, len(legal) - 1)]", "legal[-1]"))
    after = match_of("my.py:choose")
    assert before.identity() != after.identity()
    assert any("the file of my.py:choose has SHA-256" in each for each in after.differences(before))
    assert not np.array_equal(rows_of(after, 5), rows_of(match_of("lowest"), 5))
    with pytest.raises(InputError, match="expected the file as it was when the run began"):
        _ = Lineup(("my.py:choose",), (("my.py:choose", "0" * 64),)).seats


def test_an_installed_package_brings_bots_by_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = folder / "site" / "their_bots-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: their-bots\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[simcli.bots]\nprudent = their_bots:choose\n")
    (folder / "site" / "their_bots.py").write_text("def choose(view, legal, k=0):\n    return legal[-1]\n")
    monkeypatch.syspath_prepend(str(folder / "site"))
    lineup = parse_lineup("prudent:k=3", 2)
    assert lineup.text == "prudent:k=3"
    assert [name for name, _ in lineup.own] == ["prudent"]
    deal = Deal("classic", players=2)
    legal = deal.legal()
    assert deal.bot_move("prudent")[0]["do"] == legal[-1]


def test_replay_plays_what_a_batch_played() -> None:
    match = match_of("my.py:chance,my.py:choose:k=1,lowest")
    rows = rows_of(match, 6)
    for deal, record in enumerate(replay(match, range(6))):
        assert rows[O_DECISIONS, deal] == sum("do" in event for event in record["events"])
        assert rows[O_LOSER, deal] == (MISSING if record["loser"] is None else record["loser"])


def test_rows_do_not_depend_on_where_a_batch_begins() -> None:
    match = match_of("my.py:chance")
    rows = rows_of(match, 4)
    later: Rows = np.empty((N_COLUMNS, 2), dtype=np.uint16)
    play_batch(table_of(match), match.seed, 2, 1, later)
    assert np.array_equal(rows[:, 2:], later)


def test_the_view_is_the_observation_with_rules_and_chance(folder: Path) -> None:
    (folder / "keep.py").write_text(
        "seen = []\ndef choose(view, legal):\n    seen.append(view)\n    return legal[0]\n"
    )
    deal = Deal("late-transfer", players=3)
    observation = deal.observation()
    bot = parse_lineup("keep.py:choose", 1).seats[0]
    deal.bot_move("keep.py:choose")
    view = bot.source.function.__globals__["seen"][-1]  # type: ignore[union-attr]
    assert {name: getattr(view, name) for name in vars(observation)} == vars(observation)
    assert view.rules["transfer.mode"] == "late"
    assert view.deck == 36
    assert view.partners == (view.seat,)
    assert view.rng is view.rng


@pytest.mark.skipif(not JIT_ENABLED, reason="the kernel is not played without compiled code")
def test_a_compiled_bot_plays_in_the_kernel_as_it_does_alone() -> None:
    own = match_of("my.py:quick:depth=5,lowest,my.py:quick", variant="pass-card")
    assert np.array_equal(rows_of(own, 300), rows_of(match_of("lowest", variant="pass-card"), 300))
    mixed = match_of("my.py:quick,my.py:quick,my.py:choose", variant="pass-card")
    assert np.array_equal(
        rows_of(mixed, 5), rows_of(match_of("lowest,lowest,my.py:choose", variant="pass-card"), 5)
    )


@pytest.mark.parametrize(
    "bot, reason",
    [
        ("raises", "raised KeyError: 'lost' at my.py:17"),
        ("illegal", "answered throw 2C, which is not legal – expected one of: attack "),
        ("nothing", "answered None, which is not legal"),
        ("leaves", "raised SystemExit: 0 at my.py:26"),
        ("endless", "took longer than 0.3 seconds at my.py:"),
        ("assigns", "tried to change its view at my.py:33"),
        ("tampers", "changed its view"),
        ("wrong", "answered the number "),
        ("divides", "raised ZeroDivisionError"),
        ("writes", "changed the state it was shown"),
    ],
)
def test_what_a_bot_must_not_do_is_named(bot: str, reason: str) -> None:
    deal = Deal("classic", players=2)
    before = deal.game.state.copy()
    with pytest.raises(Misplay) as caught:
        deal.bot_move(f"my.py:{bot}")
    assert reason in str(caught.value)
    assert np.array_equal(deal.game.state, before)


@pytest.mark.skipif(not JIT_ENABLED, reason="the kernel is not played without compiled code")
@pytest.mark.parametrize("bot", ["wrong", "divides", "writes"])
def test_the_kernel_stops_at_what_a_bot_must_not_do(bot: str) -> None:
    with pytest.raises(Misplay) as caught:
        rows_of(match_of(f"lowest,lowest,my.py:{bot}"), 5)
    assert str(caught.value).startswith(f"deal 0, seat 2 (my.py:{bot}): ")
    assert ("ZeroDivisionError" in str(caught.value)) == (bot == "divides")


def test_moves_are_legal_exactly_if_they_are_listed() -> None:
    rng = random.Random(1)
    seen: set[int] = set()
    for name in ("classic", "late-transfer", "pass-card", "trump-six-exchange", "simultaneous"):
        lineup = parse_lineup("random", 3)
        for deal in range(4 if JIT_ENABLED else 1):
            game = Game.deal(load_variant(name), 3, 1, deal, bots=lineup.slots)
            while game.state[PHASE] != PH_OVER:
                legal = game.legal()
                seen |= {parse_action(text) for text in ("pass", "stop", "pick_up", "keep")} | set(legal)
                for move in (*legal, *rng.sample(sorted(seen), min(20, len(seen)))):
                    assert is_legal_move(game.state, game.state.copy(), move) == (move in legal)
                game.play(rng.choice(legal))
    for move in (-1, WHOLE_TURN, 15 << VERB_SHIFT, 1 << 63 - 1):
        assert not is_legal_move(Game.deal(load_variant("classic"), 3, 1, 0).state, game.state.copy(), move)
