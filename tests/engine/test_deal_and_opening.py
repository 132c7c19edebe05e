"""The pack is dealt and the opener found by docs/rules.md 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from simcli.engine.game import Game
from simcli.engine.layout import FIRST_BOUT, SHUFFLE
from simcli.engine.notation import CARD_WORDS, action_text, cards_in
from simcli.rules.load import variant_from_mapping
from simcli.rules.variant import Variant
from tests.engine.chance import is_uniform
from tests.oracle import HEIGHT, SUIT, pack_of

SEED = 2
TABLES = [(deck, n) for deck in (24, 36, 52) for n in range(2, 7) if 6 * n <= deck]
N_DEALS = 40


def variant_of(deck: int = 36, players: int = 4, **options: Any) -> Variant:
    """Return a variant that differs from the defaults in some options."""
    return variant_from_mapping({"name": "test", "deck": deck, "players": players, **options})


def deals(variant: Variant, n_deals: int = N_DEALS) -> Iterator[Game]:
    """Yield first deals of a session, nothing played yet."""
    for deal in range(n_deals):
        yield Game.deal(variant, variant.players, SEED, deal)


def pack_from_the_top(game: Game) -> list[str]:
    """Return the shuffled pack of a deal."""
    n_cards = sum(hand.bit_count() for hand in game.hands) + game.n_stock
    return [CARD_WORDS[card] for card in game.state[SHUFFLE : SHUFFLE + n_cards].tolist()]


def words(cards: int) -> set[str]:
    """Return a set of cards as words."""
    return {CARD_WORDS[card] for card in cards_in(cards)}


def lowest_trump_of(hand: int, suit: str) -> int | None:
    """Return the height of the lowest trump of a hand."""
    return min((HEIGHT[card] for card in words(hand) if SUIT[card] == suit), default=None)


def seat_with_the_lowest_trump(game: Game) -> int | None:
    """Return the seat that holds the lowest trump found in any hand."""
    suit = "CDHS"[game.trump_suit]
    heights = [lowest_trump_of(hand, suit) for hand in game.hands]
    held = [height for height in heights if height is not None]
    return heights.index(min(held)) if held else None


# ------------------------------------------------------------------------------------ the deal


@pytest.mark.parametrize("deck, players", TABLES)
def test_the_whole_pack_is_in_hands_and_stock(deck: int, players: int) -> None:
    for game in deals(variant_of(deck, players)):
        cards = [card for hand in game.hands for card in words(hand)]
        cards += [CARD_WORDS[card] for card in game.stock]
        assert sorted(cards) == sorted(pack_of(deck))


@pytest.mark.parametrize("deck, lowest", [(24, "9"), (36, "6"), (52, "2")])
def test_a_pack_begins_with_its_lowest_rank(deck: int, lowest: str) -> None:
    game = next(deals(variant_of(deck, 2)))
    ranks = {card[:-1] for card in pack_from_the_top(game)}
    assert lowest in ranks
    assert len(ranks) == deck // 4


@pytest.mark.parametrize("deck, players", TABLES)
def test_card_k_goes_to_the_seat_k_places_after_the_dealers_left(deck: int, players: int) -> None:
    for game in deals(variant_of(deck, players)):
        pack = pack_from_the_top(game)
        assert game.dealer is not None
        hands: list[set[str]] = [set() for _ in range(players)]
        for k in range(6 * players):
            hands[(game.dealer + 1 + k) % players].add(pack[k])
        assert [words(hand) for hand in game.hands] == hands


@pytest.mark.parametrize("deck, players", TABLES)
def test_a_full_hand_is_six_cards(deck: int, players: int) -> None:
    for game in deals(variant_of(deck, players), 5):
        assert [hand.bit_count() for hand in game.hands] == [6] * players


@pytest.mark.parametrize("deck, players", [table for table in TABLES if 6 * table[1] < table[0]])
def test_the_card_after_the_hands_names_the_trumps_and_is_drawn_last(deck: int, players: int) -> None:
    for game in deals(variant_of(deck, players)):
        _, exposed, *rest = pack_from_the_top(game)[6 * players - 1 :]
        assert game.trump_card == CARD_WORDS.index(exposed)
        assert "CDHS"[game.trump_suit] == exposed[-1]
        assert [CARD_WORDS[card] for card in game.stock] == [*rest, exposed]


@pytest.mark.parametrize("deck, players", [(36, 6), (24, 4)])
def test_without_stock_the_dealers_last_card_names_the_trumps_and_stays_in_the_hand(
    deck: int, players: int
) -> None:
    for game in deals(variant_of(deck, players)):
        last = pack_from_the_top(game)[-1]
        assert game.dealer is not None
        assert game.trump_card == CARD_WORDS.index(last)
        assert "CDHS"[game.trump_suit] == last[-1]
        assert last in words(game.hands[game.dealer])
        assert game.n_stock == 0


@pytest.mark.parametrize("deck", [24, 36, 52])
def test_every_card_may_come_to_every_place_of_the_pack(deck: int) -> None:
    n_deals = 60 * deck
    packs = [pack_from_the_top(game) for game in deals(variant_of(deck, 2), n_deals)]
    for place in (0, 1, 11, 12, deck // 2, deck - 2, deck - 1):
        assert is_uniform([pack[place] for pack in packs], pack_of(deck))


def test_neighbouring_cards_of_the_pack_are_independent() -> None:
    packs = [pack_from_the_top(game) for game in deals(variant_of(52, 2), 4000)]
    same = sum(pack[6][-1] == pack[7][-1] for pack in packs) / len(packs)
    # 12 of the 51 other cards have the suit; six standard errors
    assert abs(same - 12 / 51) < 6 * (12 / 51 * 39 / 51 / len(packs)) ** 0.5


# --------------------------------------------------------------------------------- the opening


@pytest.mark.parametrize("players", range(2, 7))
def test_the_first_dealer_is_drawn_evenly_from_all_seats(players: int) -> None:
    drawn = [game.dealer for game in deals(variant_of(36, players), 2000)]
    assert is_uniform(drawn, range(players))


@pytest.mark.parametrize("deck, players", TABLES)
def test_the_lowest_trump_of_all_hands_opens(deck: int, players: int) -> None:
    n_found = 0
    for game in deals(variant_of(deck, players)):
        seat = seat_with_the_lowest_trump(game)
        if seat is not None:
            assert game.opener == game.leader == game.to_act == seat
            n_found += 1
    assert n_found > N_DEALS // 2


@pytest.mark.parametrize("first", ["lowest_trump", "dealer_left", "random"])
def test_the_opener_may_open_with_any_card(first: str) -> None:
    for game in deals(variant_of(opening={"first": first})):
        actions = {action_text(action) for action in game.legal()}
        assert actions == {f"attack {card}" for card in words(game.hands[game.opener])}
        assert game.state[FIRST_BOUT] == 1


def deals_without_a_trump_in_any_hand(no_trump: str) -> list[tuple[int | None, int]]:
    """Return dealer and opener of deals for two, of 52 cards, in which nobody holds a trump."""
    games = deals(variant_of(52, 2, opening={"no_trump": no_trump}), 8000)
    found = [(game.dealer, game.opener) for game in games if seat_with_the_lowest_trump(game) is None]
    assert len(found) > 100
    return found


def test_without_a_trump_the_dealers_left_neighbour_opens() -> None:
    found = deals_without_a_trump_in_any_hand("dealer_left")
    assert set(found) == {(0, 1), (1, 0)}


#: deals for three, of 52 cards and this seed, in which nobody holds a trump: about one in 300
WITHOUT_A_TRUMP = (126, 575, 1065, 1467, 1612)


def test_the_left_neighbour_not_the_right_one_opens_where_no_hand_has_trumps() -> None:
    variant = variant_of(52, 3)
    dealers = set()
    for deal in WITHOUT_A_TRUMP:
        game = Game.deal(variant, 3, SEED, deal)
        assert game.dealer is not None
        assert seat_with_the_lowest_trump(game) is None
        assert game.opener == (game.dealer + 1) % 3
        dealers.add(game.dealer)
    assert dealers == {0, 1, 2}


def test_without_a_trump_a_random_seat_opens_whoever_deals() -> None:
    found = deals_without_a_trump_in_any_hand("random")
    assert is_uniform(found, list(product(range(2), range(2))))


@pytest.mark.parametrize("players", range(2, 7))
def test_dealer_left_opens_whatever_the_hands(players: int) -> None:
    variant = variant_of(36, players, opening={"first": "dealer_left"})
    others = 0
    for game in deals(variant):
        assert game.dealer is not None
        assert game.opener == (game.dealer + 1) % players
        others += seat_with_the_lowest_trump(game) != game.opener
    assert others > 0


@pytest.mark.parametrize("players", range(2, 7))
def test_a_random_seat_opens_evenly_whoever_deals(players: int) -> None:
    variant = variant_of(36, players, opening={"first": "random"})
    drawn = [(game.dealer, game.opener) for game in deals(variant, 2500)]
    assert is_uniform(drawn, list(product(range(players), range(players))))


def test_a_random_opener_has_no_link_to_the_hands() -> None:
    variant = variant_of(36, 4, opening={"first": "random"})
    places = []
    for game in deals(variant, 2500):
        holder = seat_with_the_lowest_trump(game)
        if holder is not None:
            places.append((game.opener - holder) % 4)
    assert is_uniform(places, range(4))
