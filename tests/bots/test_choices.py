"""What the bots do in positions where it shows (docs/bots.md)."""

from __future__ import annotations

from contextlib import suppress

import pytest

from simcli.bots.decide import decide
from simcli.bots.lineup import Lineup
from simcli.engine.game import Game
from simcli.engine.layout import MAX_PLAYERS
from simcli.errors import InputError
from simcli.rules.load import load_variant
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import seat
from tests.bots.positions import after, position, turn_of

LONG_STOCK = "AC AD KC KD QC QD JC JD 10C 10D AH"


# ---------------------------------------------------------------------------------- lowest


def test_lowest_leads_all_non_trumps_of_its_lowest_rank():
    game = position("6C 6D 6H 9S KS", "7C 8C 9C 10C JC QC")
    assert turn_of("lowest", game) == ["attack 6C", "attack 6D", "stop"]


def test_lowest_passes_over_a_lower_trump_when_it_leads():
    assert turn_of("lowest", position("6H 9S KS", "7C 8C 9C")) == ["attack 9S"]


def test_lowest_leads_no_more_cards_than_there_is_room_for():
    assert turn_of("lowest", position("6C 6D 6S 9S", "7C 8C")) == ["attack 6C", "attack 6D"]


def test_lowest_leads_its_lowest_trump_alone_when_it_has_nothing_else():
    assert turn_of("lowest", position("9H QH", "7C 8C")) == ["attack 9H"]


def test_lowest_leads_one_card_where_the_lead_is_one_card():
    assert turn_of("lowest", position("6C 6D 9S", "7C 8C 9C", variant="duel")) == ["attack 6C"]


def test_lowest_transfers_with_its_lowest_non_trump_though_it_could_cover():
    game = after(position("8S KS QS", "8H 8D 8C 9S", "6C 7C 9C"), "attack 8S")
    assert turn_of("lowest", game) == ["transfer 8C", "stop"]


def test_lowest_never_transfers_with_a_trump():
    game = after(position("8S KS QS", "8H 9S", "6C 7C 9C"), "attack 8S")
    assert turn_of("lowest", game) == ["cover 8S 9S"]


def test_lowest_never_shows_the_pass_card():
    game = after(position("8S KS QS", "8H 9S", "6C 7C 9C", variant="pass-card"), "attack 8S")
    assert turn_of("lowest", game) == ["cover 8S 9S"]


def test_lowest_covers_non_trumps_first_from_the_lowest_and_trumps_after_them():
    hands = "9H 9S 9D KC", "10D JD JS AS 6H 10H", "AC AD"
    game = after(position(*hands), "attack 9H", "attack 9S", "attack 9D")
    assert turn_of("lowest", game) == ["cover 9D 10D"]
    game = after(game, "cover 9D 10D")
    assert turn_of("lowest", game) == ["cover 9S JS"]
    game = after(game, "cover 9S JS")
    assert turn_of("lowest", game) == ["cover 9H 10H"]


def test_lowest_gives_a_trump_to_a_non_trump_before_it_looks_at_trump_attacks():
    # the nine of trumps goes to the club, so nothing is left for the six of trumps: not covered, picked up
    game = after(position("6H 6C 8D", "9H 7D KD", "AC AD AS"), "attack 6H", "attack 6C")
    assert turn_of("lowest", game) == ["pick_up"]


def test_lowest_covers_with_a_trump_only_what_its_suit_cannot_cover():
    game = after(position("10S 8C", "6H AS 7D", "AC AD"), "attack 10S")
    assert turn_of("lowest", game) == ["cover 10S AS"]


def test_lowest_picks_up_when_one_attack_of_several_cannot_be_covered():
    game = after(position("9S 9D KC", "10S 6C 7C", "AC AD"), "attack 9S", "attack 9D")
    assert turn_of("lowest", game) == ["pick_up"]


def test_lowest_throws_in_nothing_above_the_jack_while_there_is_stock():
    hands = "9S JC QC 9H", "JS QS 8D 8C", "7D 7C"
    game = after(position(*hands, stock="6C 6D 6S 6H"), "attack 9S", "stop", "cover 9S JS")
    assert turn_of("lowest", game) == ["throw JC", "stop"]
    game = after(position(*hands, stock="6C 6D 6S 6H"), "attack 9S", "stop", "cover 9S QS")
    assert turn_of("lowest", game) == ["pass"]


def test_lowest_throws_in_trumps_after_all_others_once_the_stock_is_gone():
    game = after(position("9S JC 9D 9H AC", "JS 8D 8C 7C 7S", "7D 6C"), "attack 9S", "stop", "cover 9S JS")
    assert turn_of("lowest", game) == ["throw 9D", "throw JC", "throw 9H"]


def test_lowest_throws_in_as_many_as_there_is_room_for():
    game = after(position("9S JC 9D 9H AC", "JS 8D 8C", "7D 6C"), "attack 9S", "stop", "cover 9S JS")
    assert turn_of("lowest", game) == ["throw 9D", "throw JC"]


def test_lowest_keeps_the_lowest_trump_where_it_might_exchange_it():
    game = position("6H 9S", "7C 8C", variant="trump-six-exchange", stock="10C 10D AH")
    assert turn_of("lowest", game) == ["keep"]


# ---------------------------------------------------------------------------------- thrifty


def test_thrifty_covers_with_the_low_card_and_keeps_the_trump():
    game = after(position("9S 7C 8C KD", "JS 6H AC AD", "7D 8D", stock=LONG_STOCK), "attack 9S")
    assert turn_of("thrifty", game) == ["cover 9S JS"]


def test_thrifty_plans_the_whole_defence_before_the_first_cover():
    # the jack alone would cover the nine, but nothing covers the ace of trumps
    game = after(position("9S 9D KC", "JS 6C 7C", "8C 8D"), "attack 9S", "attack 9D")
    assert turn_of("thrifty", game) == ["pick_up"]


def test_thrifty_covers_with_a_rank_on_the_table_rather_than_invite_throw_ins_with_a_new_one():
    game = position("7C 7S 10D KC QC", "JC JS 10S 8D 8H", "10C 10H KD")
    game = after(game, "attack 7C", "stop", "cover 7C JC", "throw 7S")
    assert turn_of("thrifty", game) == ["cover 7S JS"]


def test_thrifty_picks_up_a_low_pair_early_rather_than_spend_two_high_trumps():
    hands = "6S 6D KC QC JC 10C", "KH AH 7C 8C 9C 10D", "7D 8D 9D JD QD KD"
    game = after(position(*hands, stock="AC AD KS QS JS 10S 9S 8S 7H"), "attack 6S", "attack 6D")
    assert turn_of("thrifty", game) == ["pick_up"]


def test_thrifty_covers_the_same_pair_with_its_last_cards():
    game = after(position("6S 6D KC", "KH AH", "7D 8D 9D"), "attack 6S", "attack 6D")
    assert turn_of("thrifty", game) == ["cover 6D KH"]


def test_thrifty_transfers_rather_than_spend_a_trump():
    game = after(position("8S KS QS", "8D 6H AC", "6C 7C 9C"), "attack 8S")
    assert turn_of("thrifty", game)[0] == "transfer 8D"


def test_thrifty_shows_the_pass_card_and_keeps_it():
    game = after(position("8S KS QS", "8H 9S AC", "6C 7C 9C", variant="pass-card"), "attack 8S")
    assert turn_of("thrifty", game) == ["show 8H"]


def test_thrifty_throws_in_late_what_it_spares_early():
    hands = "9S AD 7C 10C JC QC", "AS 8S 8D 8C KC KD", "6D 7D 9D 10D JD QD"
    early = position(*hands, stock="KS QS JS 10S 6S 7S 9C 7H")
    late = position(*hands)
    assert turn_of("thrifty", after(early, "attack 9S", "cover 9S AS")) == ["pass"]
    assert turn_of("thrifty", after(late, "attack 9S", "cover 9S AS")) == ["throw AD"]


def test_thrifty_gives_a_king_to_a_seat_that_picks_up_only_once_the_stock_is_gone():
    hands = "KS 7C 8C", "8S 8D 9C", "KD 7D 10D"
    early = position(*hands, stock="QS JS 10S 6S 7S 9D 7H")
    assert turn_of("thrifty", after(early, "attack KS", "pick_up")) == ["pass"]
    assert turn_of("thrifty", after(position(*hands), "attack KS", "pick_up")) == ["throw KD"]


def test_thrifty_leads_a_low_pair_before_a_lower_single_card():
    game = position(
        "6C 7S 7D KS KD AH", "8C 9C 10C JC QC KC", "8D 9D 10D JD QD AD", stock="AS QS JS 10S 9S 8S 7C 7H"
    )
    assert turn_of("thrifty", game) == ["attack 7D", "attack 7S"]


def test_thrifty_leads_its_last_cards_together_trump_included():
    assert turn_of("thrifty", position("9S 9H", "10C JC QC", "6C 6D")) == ["attack 9S", "attack 9H"]


def test_thrifty_leads_what_the_last_opponent_cannot_beat_and_its_weak_card_last():
    assert turn_of("thrifty", position("6C AH", "7C KH")) == ["attack AH"]


def test_thrifty_exchanges_the_lowest_trump():
    game = position("6H 9S", "7C 8C", variant="trump-six-exchange", stock="10C 10D AH")
    assert turn_of("thrifty", game) == ["exchange"]


def test_thrifty_goes_on_with_a_lead_that_is_played_card_by_card():
    game = after(position("7S 7D 7H KS", "8C 9C 10C JC", "8D 9D", stock=LONG_STOCK), "attack 7S")
    assert turn_of("thrifty", game) == ["attack 7D", "stop"]
    assert turn_of("thrifty", after(game, "attack 7D")) == ["stop"]


# ---------------------------------------------------------------------------------- habits of thrifty


def test_a_thrifty_that_never_transfers_covers_instead():
    game = after(position("8S KS QS", "8D 9S 6H AC", "6C 7C 9C"), "attack 8S")
    assert turn_of("thrifty", game)[0] == "transfer 8D"
    assert turn_of("thrifty:transfer=never", game) == ["cover 8S 9S"]


def test_a_thrifty_that_always_transfers_does_so_with_a_trump():
    game = after(position("8S KS QS", "8H 9S AC", "6C 7C 9C"), "attack 8S")
    assert turn_of("thrifty", game) == ["cover 8S 9S"]
    assert turn_of("thrifty:transfer=always", game)[0] == "transfer 8H"


def test_a_thrifty_that_never_shows_covers_instead():
    game = after(position("8S KS QS", "8H 9S AC", "6C 7C 9C", variant="pass-card"), "attack 8S")
    assert turn_of("thrifty:show=never", game) == ["cover 8S 9S"]


def test_a_thrifty_that_always_shows_does_so_before_it_transfers():
    game = after(position("8S KS QS", "8H 8D AC", "6C 7C 9C", variant="pass-card"), "attack 8S")
    assert turn_of("thrifty:show=always:transfer=always", game) == ["show 8H"]


def test_a_thrifty_that_always_throws_in_spares_nothing_and_one_that_never_does_passes():
    hands = "9S AD 7C 10C JC QC", "AS 8S 8D 8C KC KD", "6D 7D 9D 10D JD QD"
    game = after(position(*hands, stock="KS QS JS 10S 6S 7S 9C 7H"), "attack 9S", "cover 9S AS")
    assert turn_of("thrifty", game) == ["pass"]
    assert turn_of("thrifty:throw=always", game)[0] == "throw AD"
    late = after(position(*hands), "attack 9S", "cover 9S AS")
    assert turn_of("thrifty:throw=never", late) == ["pass"]


def test_the_habit_of_throwing_in_holds_after_a_declaration_to_pick_up_too():
    hands = "KS 7C 8C", "8S 8D 9C", "KD 7D 10D"
    stock = "QS JS 10S 6S 7S 9D 7H"
    game = after(position(*hands, stock=stock), "attack KS", "pick_up")
    assert turn_of("thrifty:throw=always", game)[0] == "throw KD"
    assert turn_of("thrifty:throw=never", after(position(*hands), "attack KS", "pick_up")) == ["pass"]


# ---------------------------------------------------------------------------------- legality


@pytest.mark.parametrize("bot", ["random", "lowest", "thrifty", "thrifty:throw=always", "counting"])
@pytest.mark.parametrize("name", shipped_names())
def test_every_move_is_legal_action_by_action(name: str, bot: str):
    for players in range(2, MAX_PLAYERS + 1):
        with suppress(InputError):
            variant = seat(load_variant(name), players)
            slots = Lineup((bot,) * players).slots
            for deal in range(2):
                game = Game.deal(variant, players, 3, deal, bots=slots)
                while not game.over:
                    game.play_move(int(decide(game.state)))  # refuses an illegal action
