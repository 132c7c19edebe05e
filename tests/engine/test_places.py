"""Places, which scenarios do not show (docs/rules.md 6)."""

from __future__ import annotations

import pytest

from tests.engine.positions import play, position

FIRST_OUT = {"objective": "first_out_wins"}
DEFENDER_LAST = {"tie": "defender_last"}


def test_seats_that_leave_together_share_the_next_free_place() -> None:
    game = play(position("7C", "9C", "AC AD"), "attack 7C", "cover 7C 9C")
    assert game.places == [1, 1, 3]
    assert (game.result, game.loser) == ("lost", 2)


def test_the_next_free_place_counts_the_seats_that_left_before() -> None:
    game = play(position("7C", "9C JD", "AC 7H", "8H AH", "KS KD", leader=0), "attack 7C", "cover 7C 9C")
    play(game, "pass")  # seat 2 keeps its seven
    assert game.places == [1, None, None, None, None]
    play(game, "attack JD", "pick_up", "attack 8H", "cover 8H KS", "attack KD", "pick_up")
    assert game.places[:2] == [1, 2]
    assert game.left == (0, 1, 4)
    assert game.places[4] == 3


def test_under_defender_last_the_final_defender_takes_the_place_after_the_others() -> None:
    game = play(position("7C", "9C", "AC AD", end=DEFENDER_LAST), "attack 7C", "cover 7C 9C")
    assert game.places == [1, 2, 3]


def three_leave_together(tie: str) -> list[int | None]:
    """Return the places when the attacker, the defender and a seat that threw in leave after one bout."""
    hands = ("7C", "9C 9D", "7D", "AC AD", "KC KD")
    game = position(*hands, end={"tie": tie}, throw_in={"window": "from_lead"})
    return play(game, "attack 7C", "throw 7D", "cover 7C 9C", "cover 7D 9D").places


def test_three_that_leave_together_share_a_place_or_two_share_before_the_defender() -> None:
    assert three_leave_together("shared") == [1, 1, 1, None, None]
    assert three_leave_together("defender_last") == [1, 3, 1, None, None]


def test_a_defender_that_stays_changes_nothing_under_defender_last() -> None:
    game = position("7C", "9H 10D", "7D", "AC AD", end=DEFENDER_LAST)
    play(game, "attack 7C", "pick_up", "throw 7D")
    assert game.places == [1, None, 1, None]


def test_the_seat_that_remains_takes_the_last_place() -> None:
    game = play(position("9C", "10C 6D"), "attack 9C", "pick_up")
    assert (game.result, game.loser, game.places) == ("lost", 1, [1, 2])
    late = play(position("9C", "", "", "10C 6D", ""), "attack 9C", "pick_up")
    assert (late.loser, late.places[3]) == (3, 5)


def test_nobody_remains_and_everybody_shares_or_the_defender_is_last() -> None:
    drawn = play(position("7C", "9C"), "attack 7C", "cover 7C 9C")
    assert (drawn.result, drawn.loser, drawn.places) == ("drawn", None, [1, 1])
    lost = play(position("7C", "9C", end=DEFENDER_LAST), "attack 7C", "cover 7C 9C")
    assert (lost.result, lost.loser, lost.places) == ("lost", 1, [1, 2])


def test_under_first_out_wins_seats_that_hold_cards_have_no_place() -> None:
    game = play(position("7C", "10D KD", "AC AD", end=FIRST_OUT), "attack 7C", "pick_up")
    assert (game.result, game.loser, game.places) == ("won", None, [1, None, None])


def test_under_first_out_wins_the_recorded_loser_has_no_place() -> None:
    game = play(position("KC", "6D 7D", "QC", leader=2, end=FIRST_OUT | DEFENDER_LAST), "attack QC")
    play(game, "cover QC KC")
    assert (game.result, game.loser, game.places) == ("won", 1, [2, None, 1])


def test_under_first_out_wins_shared_first_places_are_a_drawn_deal() -> None:
    game = play(position("JC", "KC", "AC AD", end=FIRST_OUT), "attack JC", "cover JC KC")
    assert (game.result, game.loser, game.places) == ("drawn", None, [1, 1, None])


def test_in_a_stalled_deal_seats_that_hold_cards_have_no_place() -> None:
    game = play(position("6C", "QH 9H", "7C KH", end={"stall_bouts": 1}), "attack 6C", "pick_up")
    assert (game.result, game.loser, game.places) == ("stalled", None, [1, None, None])


def test_a_deal_is_stalled_by_the_hundredth_bout_taken_in_a_row() -> None:
    plain = {"attack": {"lead": "one"}, "transfer": {"mode": "none"}, "throw_in": {"who": "none"}}
    game = position("6C KD", "QH 9H", "7C KH", **plain)
    for bout in range(1, 101):
        game.play(game.legal()[0])
        play(game, "pick_up")
        assert game.over == (bout == 100)
    assert (game.result, game.loser, game.places) == ("stalled", None, [None, None, None])


@pytest.mark.parametrize("tie", ["shared", "defender_last"])
def test_active_seats_of_the_losing_team_share_the_next_free_place(tie: str) -> None:
    game = position("JD", "AC AH", "JC", "QH KD 8H", leader=2, teams=2, end={"tie": tie})
    play(game, "attack JC", "pick_up", "throw JD")
    assert (game.result, game.loser, game.places) == ("lost", 3, [1, 3, 1, 3])


def test_a_team_member_that_left_before_keeps_its_place() -> None:
    game = position("7C 8C", "9C", "10D JD", "AC AD KD", teams=2)
    play(game, "attack 7C", "cover 7C 9C")
    assert game.places == [None, 1, None, None]
