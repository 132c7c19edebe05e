"""How often a seat fails by its weights, against play that is counted by hand."""

import numpy as np

from simcli.bots.batch import MISSING, N_COLUMNS, O_LOSER, O_PLACE, O_RESULT, Rows, play_batch
from simcli.bots.lineup import parse_lineup
from simcli.bots.thrifty_sets import SETS
from simcli.bots.thrifty_weights import N_STAGES, WEIGHTS, table_of
from simcli.engine.layout import DRAWN, LOST, STALLED, WON
from simcli.rules.load import load_variant
from simcli.rules.variant import seat
from simcli.runs.plan import Match
from simcli.runs.play import table_of as seated_table
from simcli.tuning.measure import Packs, fails_among, failures, gain

PACKS = Packs(5, 40, 300)


def losers(name: str, bots: str, players: int) -> np.ndarray:
    rows: Rows = np.zeros((N_COLUMNS, PACKS.n), dtype=np.uint16)
    variant = seat(load_variant(name), players)
    match = Match(variant, parse_lineup(bots, players), PACKS.seed, 1)
    play_batch(seated_table(match), PACKS.seed, PACKS.first, 1, rows)
    return rows[O_LOSER]


def test_one_seat_in_turn_fails_as_in_the_runs_of_its_rotations() -> None:
    variant = seat(load_variant("podkidnoy"), 3)
    w = np.concatenate([SETS[2 * N_STAGES : 3 * N_STAGES], SETS[:N_STAGES]])
    ours, usual = "thrifty:weights=podkidnoy", "thrifty"
    total = np.zeros(PACKS.n)
    for place in range(3):
        bots = ",".join(ours if other == place else usual for other in range(3))
        total += losers("podkidnoy", bots, 3) == place
    assert (fails_among(variant, w, 0, 1, PACKS) == total / 3).all()
    usual_losers = losers("podkidnoy", usual, 3)
    assert (fails_among(variant, w, 1, 1, PACKS) == (usual_losers != MISSING) / 3).all()


def test_a_partner_fails_with_its_team_and_a_racer_that_is_not_first() -> None:
    rows: Rows = np.zeros((N_COLUMNS, 4), dtype=np.uint16)
    rows[O_LOSER] = 1, 2, MISSING, MISSING
    rows[O_RESULT] = LOST, LOST, DRAWN, STALLED
    partners = failures(load_variant("partners"), rows)
    assert partners.T.astype(int).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0], [0] * 4, [0] * 4]
    rows[O_RESULT] = WON, WON, DRAWN, STALLED
    rows[O_PLACE + 1] = 1, 2, 1, 0
    racers = failures(seat(load_variant("regular"), 2), rows)
    assert racers[1].tolist() == [False, True, True, True]


def test_weights_gain_nothing_against_themselves() -> None:
    w = np.concatenate([table_of(WEIGHTS)] * 2)
    found = gain(seat(load_variant("classic"), 2), w, 0, 1, 1, 500)
    assert (found.among_usual.value, found.among_tuned.value) == (0, 0)
    assert not found.is_shown


def test_spoilt_weights_lose_both_ways() -> None:
    spoilt = WEIGHTS._replace(turn=(-500,) * 9, throw=(0,) * 9)
    w = np.concatenate([table_of(spoilt), table_of(WEIGHTS)])
    found = gain(seat(load_variant("classic"), 3), w, 1, 0, 1, 1000)
    assert found.is_shown
    worse = gain(seat(load_variant("classic"), 3), w, 0, 1, 1, 1000)
    assert not worse.is_shown
    assert worse.among_usual.interval is not None
    assert worse.among_usual.interval.low > 0.1
