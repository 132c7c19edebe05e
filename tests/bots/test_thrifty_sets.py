"""The sets of weights of `thrifty`: which one is played, and by whom it is chosen."""

from pathlib import Path

import numpy as np
import pytest

from simcli.analysis.compare import compare
from simcli.bots.batch import N_COLUMNS, Rows, play_batch
from simcli.bots.decide import decide
from simcli.bots.lineup import Lineup, parse_lineup
from simcli.bots.thrifty_sets import OWN, SETS, TUNED, WORDS, set_name, weights_of_set
from simcli.bots.thrifty_tuned import make_thrifty
from simcli.bots.thrifty_weights import N_STAGES, N_WEIGHTS, STAGE_NAMES, WEIGHTS
from simcli.engine.apply import apply_move
from simcli.engine.game import Game
from simcli.engine.layout import ACTOR, PH_OVER, PHASE
from simcli.errors import InputError
from simcli.rules.canonical import rules_hash
from simcli.rules.load import load_variant
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import Variant, seat
from simcli.runs.plan import Match
from simcli.runs.play import table_of
from tests.analysis.finished_runs import Dealt, run_of

NAMES = [tuned.name for tuned in TUNED]


def rows_of(variant: Variant, bots: str, deals: int = 200) -> Rows:
    """Return the outcomes of some deals."""
    rows: Rows = np.zeros((N_COLUMNS, deals), dtype=np.uint16)
    match = Match(variant, parse_lineup(bots, variant.players), 3, 1)
    play_batch(table_of(match), 3, 0, 1, rows)
    return rows


def test_the_first_set_holds_the_usual_weights() -> None:
    assert WORDS[0] == "default"
    assert weights_of_set(0) == WEIGHTS
    assert SETS.shape == (N_STAGES * (1 + len(TUNED)), N_WEIGHTS)
    assert len(STAGE_NAMES) == N_STAGES


def test_every_set_is_for_the_rules_of_the_variant_that_it_is_called_by() -> None:
    for tuned in TUNED:
        assert set_name(OWN, load_variant(tuned.name)) == tuned.name


@pytest.mark.parametrize("name", [name for name in shipped_names() if name not in NAMES])
def test_where_no_weights_were_tuned_own_means_the_usual_ones(name: str) -> None:
    variant = load_variant(name)
    tuned_rules = {rules_hash(load_variant(each)) for each in NAMES}
    assert rules_hash(variant) not in tuned_rules
    assert set_name(OWN, variant) == "default"


def test_own_goes_by_the_rules_whatever_they_are_called() -> None:
    ours = load_variant("podkidnoy").model_copy(update={"name": "classic", "players": 3})
    assert set_name(OWN, ours) == "podkidnoy"
    assert set_name(OWN, load_variant("full-pack").model_copy(update={"name": "podkidnoy"})) == "default"


@pytest.mark.parametrize("name", NAMES)
def test_own_plays_as_the_set_of_the_variant(name: str) -> None:
    variant = seat(load_variant(name), 3).model_copy(update={"name": "ours"})
    assert (rows_of(variant, "thrifty:weights=own") == rows_of(variant, f"thrifty:weights={name}")).all()


def test_seats_play_by_weights_of_their_own() -> None:
    variant = seat(load_variant("podkidnoy"), 3)
    mixed = rows_of(variant, "thrifty:weights=own,thrifty,thrifty")
    assert (mixed != rows_of(variant, "thrifty")).any()
    assert (mixed != rows_of(variant, "thrifty:weights=own")).any()


def test_an_unknown_set_is_refused_with_all_that_there_are() -> None:
    with pytest.raises(InputError) as caught:
        parse_lineup("thrifty:weights=podkidny", 4)
    allowed = "default, classic, podkidnoy, late-transfer, pass-card or own"
    assert str(caught.value) == (
        f"--bots: thrifty: weights: expected {allowed}, got podkidny – did you mean podkidnoy?"
    )


def test_a_line_up_tells_by_which_weights_it_plays() -> None:
    lineup = Lineup(("thrifty:weights=own", "thrifty", "lowest", "thrifty:transfer=never:weights=classic"))
    assert lineup.weights(load_variant("no-draws")) == {
        "thrifty:weights=own": "default",
        "thrifty:transfer=never:weights=classic": "classic",
    }
    assert lineup.weights(load_variant("pass-card"))["thrifty:weights=own"] == "pass-card"


def test_a_comparison_says_where_no_weights_were_tuned(tmp_path: Path) -> None:
    lineup = parse_lineup("thrifty:weights=own", 2)
    runs = [
        run_of(
            tmp_path,
            Match(seat(load_variant(name), 2), lineup, 1, 1),
            [Dealt(deal % 2) for deal in range(40)],
        )
        for name in ("classic", "no-draws")
    ]
    (note,) = [note for note in compare(runs).notes if "weights" in note]
    assert note.startswith("thrifty:weights=own plays no-draws by its usual weights")


def test_a_bot_made_of_weights_plays_as_thrifty_does() -> None:
    choose = make_thrifty(TUNED[1].weights)
    for deal in range(20):
        bots = Lineup(("thrifty:weights=podkidnoy",) * 3).slots
        state = Game.deal(seat(load_variant("podkidnoy"), 3), 3, 1, deal, bots=bots).state
        while state[PHASE] != PH_OVER:
            move = decide(state)
            assert choose(state) == move, (deal, state[ACTOR])
            apply_move(state, move)
