"""The oracle keeps the promises of docs/rules.md under every combination of options.

Everything here is checked from outside: from hands, table and events, not from the oracle's own bookkeeping.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import Deal, IllegalAction, beats, next_dealer, pack_of
from tests.oracle_variants import SHIPPED, random_rules, resolve, table_sizes
from tests.perft import divide, perft

VARIANTS = Path(__file__).parent.parent / "variants"
N_RANDOM_DEALS = 1_000


def shuffled_deal(rules: dict[str, Any], players: int, rng: random.Random) -> Deal:
    """Deal a shuffled pack, as the first deal of a session."""
    pack = pack_of(rules["deck"])
    rng.shuffle(pack)
    return Deal(rules, players, pack, rng.randrange(players), random_opener=rng.randrange(players))


def choose(deal: Deal, rng: random.Random) -> tuple[int, str]:
    """Choose a seat and an action at random, picking up less often so that deals move on."""
    seat = rng.choice(sorted(deal.askable()))
    actions = sorted(deal.legal(seat))
    if len(actions) > 1 and "pick_up" in actions and rng.random() < 0.5:
        actions.remove("pick_up")
    return seat, rng.choice(actions)


def play_out(deal: Deal, rng: random.Random) -> Iterator[Deal]:
    """Play a deal at random to its end; yield it before each action and when it is over."""
    while not deal.over:
        yield deal
        deal.play(*choose(deal, rng))
    yield deal


def random_deals(n_deals: int, seed: int) -> Iterator[tuple[Deal, random.Random]]:
    """Deal `n_deals` deals, each with rules, table and pack of its own."""
    for index in range(n_deals):
        rng = random.Random(seed * 1_000_000 + index)
        rules = random_rules(rng)
        yield shuffled_deal(rules, rules["players"], rng), rng


def check_cards_are_in_one_place(deal: Deal) -> None:
    """Each card of the pack is in one hand, on the table, in the stock or discarded."""
    places = [*deal.hands, deal.table_cards(), deal.stock, deal.discarded]
    assert Counter(card for place in places for card in place) == Counter(pack_of(deal.rules["deck"]))


def check_somebody_has_a_choice(deal: Deal) -> None:
    """Only seats with a choice are asked, except a leader and a defender (docs/formats.md, Actions)."""
    assert deal.askable() or deal.over
    for seat in deal.askable():
        legal = deal.legal(seat)
        assert seat in deal.active
        assert legal
        assert legal not in ({"pass"}, {"stop"}, {"keep"})
    if deal.rules["throw_in"]["order"] == "clockwise" and not deal.over:
        assert len(deal.askable()) == 1
    for seat in range(deal.players):
        if seat not in deal.askable():
            assert deal.legal(seat) == set()


def check_table(deal: Deal) -> None:
    """Covers beat, the defender can face what is uncovered, and the attacks keep within the limit."""
    for attack, cover in deal.table:
        assert cover is None or beats(cover, attack, deal.trump)
    if not deal.over and deal.leader is None:
        assert len(deal.uncovered()) <= len(deal.hands[deal.defender])
        assert len(deal.table) <= deal.rules["attack"]["limit"]
        assert deal.defender != deal.attacker
        assert deal.team(deal.defender) != deal.team(deal.attacker)


def check_result(deal: Deal) -> None:
    """The result, the loser and the places tell one story (docs/rules.md 6, docs/formats.md columns)."""
    end = deal.rules["end"]
    empty = [seat for seat in range(deal.players) if not deal.hands[seat]]
    holders = [seat for seat in range(deal.players) if deal.hands[seat]]
    placed = Counter(place for place in deal.places if place is not None)
    places = sorted(placed)
    for place, following in pairwise(places):
        assert following == place + placed[place]
    assert not places or places[0] == 1
    assert all(deal.places[seat] is not None for seat in empty) or deal.stock
    if deal.result == "stalled":
        assert deal.loser is None
        assert all(deal.places[seat] is None for seat in holders)
    elif end["objective"] == "first_out_wins":
        assert (deal.result == "won") == (placed[1] == 1)
        assert deal.result in ("won", "drawn")
        assert all(deal.places[seat] is None for seat in holders)
        assert deal.loser == (holders[0] if deal.result == "won" and len(holders) == 1 else None)
    elif deal.result == "drawn":
        assert end["tie"] == "shared"
        assert not holders
        assert deal.loser is None
    else:
        assert deal.result == "lost"
        assert deal.loser is not None
        assert len({deal.team(seat) for seat in holders}) == (1 if holders else 0)
        if holders:
            assert deal.loser in holders
        else:
            assert end["tie"] == "defender_last"
        if deal.rules["teams"] == "none":
            assert deal.places[deal.loser] == deal.players
        for seat in holders:
            assert deal.places[seat] == len(empty) + 1


def check_counters(deal: Deal) -> None:
    """Count again, from the events of the record, what the deal has counted."""
    done = [event["do"].split() for event in deal.events if "do" in event]
    verbs = Counter(action[0] for action in done)
    closed = [event for event in deal.events if "bout" in event]
    taken = [event for event in closed if event["bout"] == "taken"]
    laid = [event["do"].split()[-1] for event in deal.events if "do" in event]
    laid = [card for card, action in zip(laid, done, strict=True) if len(action) > 1 and action[0] != "show"]
    assert deal.decisions == len(done)
    assert deal.bouts == len(closed)
    assert deal.pickups == len(taken) == verbs["pick_up"]
    assert deal.cards_picked_up == sum(len(event["cards"]) for event in taken)
    assert deal.cards_played == len(laid) == sum(len(event["cards"]) for event in closed)
    assert deal.throw_ins == verbs["throw"]
    assert deal.covers == verbs["cover"]
    assert deal.shows == verbs["show"]
    assert deal.shows <= deal.transfers <= verbs["transfer"] + verbs["show"]
    assert deal.late_transfers <= deal.transfers
    drawn = [card for event in deal.events for card in event.get("draw", ())]
    left = [event for event in deal.events if "leaves" in event]
    if verbs["exchange"] == 0:
        assert drawn + deal.stock == deal.dealt_stock
    assert {event["seat"]: event["leaves"] for event in left} == {
        seat: place for seat, place in enumerate(deal.places) if place is not None and seat not in deal.active
    }


def check_length(deal: Deal) -> None:
    """At most half the pack's bouts are beaten, and the stall rule bounds the taken ones between them."""
    n_beaten_at_most = deal.rules["deck"] // 2
    assert deal.bouts <= (n_beaten_at_most + 1) * deal.rules["end"]["stall_bouts"]
    assert 0 < deal.largest_hand <= deal.rules["deck"] - 1
    closed = [event["bout"] for event in deal.events if "bout" in event]
    stall_bouts = deal.rules["end"]["stall_bouts"]
    stalls = [
        end for end in range(len(closed)) if closed[: end + 1][-stall_bouts:] == ["taken"] * stall_bouts
    ]
    if deal.result == "stalled":
        assert stalls == [len(closed) - 1]
    else:
        assert stalls in ([], [len(closed) - 1])


def test_random_rules_keep_every_promise() -> None:
    results: Counter[str | None] = Counter()
    for deal, rng in random_deals(N_RANDOM_DEALS, seed=1):
        for moment in play_out(deal, rng):
            check_cards_are_in_one_place(moment)
            check_somebody_has_a_choice(moment)
            check_table(moment)
        check_result(deal)
        check_counters(deal)
        check_length(deal)
        results[deal.result] += 1
    assert set(results) == {"lost", "drawn", "won", "stalled"}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_variant_is_played_to_its_end(name: str) -> None:
    rules = resolve(name)
    for players in table_sizes(rules):
        for seed in range(5):
            rng = random.Random(seed)
            deal = shuffled_deal(rules, players, rng)
            for moment in play_out(deal, rng):
                check_table(moment)
            check_cards_are_in_one_place(deal)
            check_result(deal)
            check_counters(deal)


def test_an_illegal_action_leaves_the_deal_unchanged() -> None:
    for deal, rng in random_deals(60, seed=2):
        for moment in play_out(deal, rng):
            before = (moment.askable(), list(moment.events), [set(hand) for hand in moment.hands])
            for seat in range(moment.players):
                for action in ("attack XX", "pick_up", "pass", "stop", "keep", "exchange", "fold"):
                    if action not in moment.legal(seat):
                        with pytest.raises(IllegalAction):
                            moment.play(seat, action)
            assert before == (moment.askable(), moment.events, moment.hands)


def test_a_clone_is_played_by_itself() -> None:
    for deal, rng in random_deals(60, seed=3):
        for moment in play_out(deal, rng):
            if rng.random() < 0.05 and not moment.over:
                twin, choices = moment.clone(), rng.random()
                alike = vars(moment.clone())
                for _ in play_out(twin, random.Random(choices)):
                    pass
                assert vars(moment) == alike
                third = moment.clone()
                for _ in play_out(third, random.Random(choices)):
                    pass
                assert vars(third) == vars(twin)


@pytest.mark.parametrize("path", sorted(VARIANTS.glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_file_holds_what_the_rules_print(path: Path) -> None:
    assert resolve(str(path)) == resolve(path.stem)


def test_every_shipped_variant_has_a_file() -> None:
    assert {path.stem for path in VARIANTS.glob("*.yaml")} == set(SHIPPED)


def test_seats_play_in_turn_clockwise_from_the_dealers_left() -> None:
    for deck, players in ((36, 2), (36, 3), (36, 5), (52, 6), (24, 3)):
        pack = pack_of(deck)
        deal = Deal(resolve({"deck": deck}), players, pack, dealer=1)
        for k in range(6 * players):
            assert deal.dealt[(2 + k) % players][k // players] == pack[k]
        assert deal.trump_card == pack[6 * players]
        assert deal.stock == [*pack[6 * players + 1 :], deal.trump_card]


@pytest.mark.parametrize("deck, players", [(36, 6), (24, 4)])
def test_the_dealers_last_card_is_trump_when_the_hands_use_the_pack(deck: int, players: int) -> None:
    pack = pack_of(deck)
    random.Random(4).shuffle(pack)
    deal = Deal(resolve({"deck": deck, "trump_exchange": "lowest"}), players, pack, dealer=2)
    assert deal.trump_card == pack[-1]
    assert pack[-1] in deal.hands[2]
    assert deal.stock == []
    assert deal.phase == "lead"  # without a stock there is nothing to exchange


def deal_with_trumps(players: int, holders: dict[int, str], dealer: int, **options: Any) -> Deal:
    """Deal 36 cards, hearts trumps: the named trumps to the named seats and no other trump to anybody."""
    pack: list[str | None] = [None] * 36
    pack[6 * players] = next(c for c in pack_of(36) if c[-1] == "H" and c not in holders.values())
    for seat, card in holders.items():
        pack[(seat - dealer - 1) % players] = card
    plain = [c for c in pack_of(36) if c[-1] != "H"]
    trumps = [c for c in pack_of(36) if c[-1] == "H" and c not in pack]
    rest = iter(plain + trumps)
    whole = [card if card is not None else next(rest) for card in pack]
    deal = dict(options)
    return Deal(resolve(deal.pop("variant", "classic")), players, whole, dealer, **deal)


def test_the_holder_of_the_lowest_trump_opens() -> None:
    for opener in range(3):
        other = (opener + 1) % 3
        deal = deal_with_trumps(3, {opener: "7H", other: "8H"}, dealer=2)
        assert deal.opener == opener
        assert deal.askable() == {opener}
        assert deal.legal(opener) == {f"attack {card}" for card in deal.hands[opener]}


def test_without_a_trump_in_any_hand_the_dealers_left_neighbour_opens() -> None:
    for dealer in range(3):
        assert deal_with_trumps(3, {}, dealer=dealer).opener == (dealer + 1) % 3


def test_without_a_trump_in_any_hand_a_random_seat_may_open() -> None:
    variant = {"opening": {"no_trump": "random"}}
    for opener in range(3):
        assert deal_with_trumps(3, {}, dealer=0, variant=variant, random_opener=opener).opener == opener
    assert deal_with_trumps(3, {1: "9H"}, dealer=0, variant=variant, random_opener=2).opener == 1


def test_a_random_or_left_opener_does_not_depend_on_the_hands() -> None:
    random_first = {"opening": {"first": "random"}}
    assert deal_with_trumps(3, {1: "9H"}, dealer=0, variant=random_first, random_opener=2).opener == 2
    left_first = {"opening": {"first": "dealer_left"}}
    assert deal_with_trumps(3, {0: "9H"}, dealer=1, variant=left_first).opener == 2


@pytest.mark.parametrize(
    "later, loser, opener",
    [
        ("dealer_left", 3, 0),
        ("dealer_left", None, 0),
        ("attack_loser", 3, 2),
        ("attack_loser", 0, 3),
        ("attack_loser", None, 0),
        ("lowest_trump", 3, 1),
    ],
)
def test_later_deals_are_opened_as_the_table_agreed(later: str, loser: int | None, opener: int) -> None:
    previous = {"dealer": 1, "loser": loser, "places": [1, 2, 3, 4], "result": "lost" if loser else "drawn"}
    variant = {"opening": {"first": "random", "later": later}}
    deal = deal_with_trumps(4, {1: "7H"}, dealer=3, variant=variant, first_deal=False, previous=previous)
    assert deal.opener == opener


@pytest.mark.parametrize(
    "objective, record, dealer",
    [
        ("last_loses", {"loser": 0, "result": "lost", "places": [4, 1, 2, 3]}, 0),
        ("last_loses", {"loser": None, "result": "drawn", "places": [3, 1, 2, 3]}, 2),
        ("last_loses", {"loser": None, "result": "stalled", "places": [None, 1, None, None]}, 2),
        ("first_out_wins", {"loser": None, "result": "won", "places": [None, 1, None, None]}, 2),
        ("first_out_wins", {"loser": None, "result": "won", "places": [None, None, None, 1]}, 0),
        ("first_out_wins", {"loser": None, "result": "drawn", "places": [1, None, None, 1]}, 2),
        ("first_out_wins", {"loser": None, "result": "stalled", "places": [None] * 4}, 2),
    ],
)
def test_the_next_dealer_follows_from_the_result(objective: str, record: dict[str, Any], dealer: int) -> None:
    rules = resolve({"end": {"objective": objective}})
    assert next_dealer(rules, 4, {"dealer": 2, **record}) == dealer


def test_under_first_out_wins_the_recorded_loser_does_not_deal_next() -> None:
    record = {"dealer": 0, "loser": 2, "places": [1, 2, None], "result": "won"}
    assert next_dealer(resolve("regular"), 3, record) == 1


def test_limit_is_unset_again_when_the_attack_comes_back() -> None:
    hands = [["9C", "JS", "10S", "JH"], ["JC", "JD", "AH", "KH"]]
    rules = resolve({"transfer": {"mode": "late"}, "throw_in": {"window": "when_beaten"}})
    deal = Deal.position(rules, hands, [], "H", 0, False, False)
    for step in ("0 attack 9C", "1 cover 9C JC", "0 throw JS", "0 stop", "1 transfer JD"):
        assert deal.limit == (4 if deal.events and deal.table[0][1] and deal.defender == 1 else None)
        deal.play(int(step[0]), step[2:])
    assert (deal.attacker, deal.defender, deal.limit) == (1, 0, None)
    deal.play(0, "cover JS JH")
    assert deal.limit == 1 + 2  # one covered pair and the two cards before the jack left the hand


def test_late_and_shown_transfers_are_counted_among_all() -> None:
    rules = resolve({"transfer": {"mode": "late"}, "pass_card": {"enabled": True}})
    hands = [["6C", "8H", "AH", "9C"], ["8C", "8D", "KH"], ["6H", "AC", "QC"], ["6D", "JC", "QD"]]
    deal = Deal.position(rules, hands, [], "D", 2, False, False)
    steps = (
        ("2 attack 6H", (0, 0, 0)),
        ("3 show 6D", (1, 0, 1)),  # nothing is covered yet
        ("0 transfer 6C", (2, 0, 1)),
        ("1 cover 6C 8C", (2, 0, 1)),
        ("0 throw 8H", (2, 0, 1)),
        ("1 cover 6H KH", (2, 0, 1)),
        ("1 show 8D", (3, 1, 2)),
    )
    for step, counts in steps:
        deal.play(int(step[0]), step[2:])
        assert (deal.transfers, deal.late_transfers, deal.shows) == counts


def test_a_taken_table_with_stock_left_keeps_the_order_of_events() -> None:
    deal = Deal.position(
        resolve("classic"),
        [["7C", "JC"], ["8H", "KH"], ["7H", "QD"]],
        ["8S", "9S", "10S", "6D", "AS", "AC", "KC", "KS"],
        "S",
        0,
        False,
        False,
    )
    for step in ("0 attack 7C", "1 pick_up", "2 throw 7H"):
        deal.play(int(step[0]), step[2:])
    assert deal.events[3:] == [
        {"bout": "taken", "defender": 1, "cards": ["7C", "7H"]},
        {"seat": 0, "draw": ["8S", "9S", "10S", "6D", "AS"]},
        {"seat": 2, "draw": ["AC", "KC", "KS"]},
    ]
    assert deal.legal(2) == {f"attack {card}" for card in ("QD", "AC", "KC", "KS")}


def test_leaving_seats_are_recorded_in_seat_order_with_their_places() -> None:
    rules = resolve("no-draws")
    deal = Deal.position(rules, [["8H"], ["KD", "AD"], ["7H"]], [], "S", 2, False, False)
    deal.play(2, "attack 7H")
    deal.play(0, "cover 7H 8H")
    assert deal.events[-2:] == [{"seat": 0, "leaves": 2}, {"seat": 2, "leaves": 1}]
    assert (deal.result, deal.loser, deal.places) == ("lost", 1, [2, 3, 1])


def test_partners_of_the_losing_team_share_the_next_free_place() -> None:
    deal = Deal.position(
        resolve("partners"), [["JD"], ["AC", "AH"], ["JC"], ["QH", "KD", "8H"]], [], "S", 2, False, False
    )
    for step in ("2 attack JC", "3 pick_up", "0 throw JD"):
        deal.play(int(step[0]), step[2:])
    assert (deal.loser, deal.places) == (3, [1, 3, 1, 3])


def test_a_decided_position_is_refused() -> None:
    classic = resolve("classic")
    with pytest.raises(ValueError, match="decided"):
        Deal.position(classic, [["6C"], []], [], "H", 0, False, False)
    with pytest.raises(ValueError, match="decided"):
        Deal.position(resolve("partners"), [["6C"], [], ["7C"], []], [], "H", 0, False, False)
    with pytest.raises(ValueError, match="decided"):
        Deal.position(resolve("regular"), [["6C"], [], ["7C"]], [], "H", 0, False, False)
    with pytest.raises(ValueError, match="no cards"):
        Deal.position(classic, [[], ["6C"], ["7C"]], [], "H", 0, False, False)


def count_by_replaying(start: Deal, line: list[tuple[int, str]], depth: int) -> int:
    """Count sequences without cloning on the way: play each line again from the start."""
    if depth == 0:
        return 1
    deal = start.clone()
    for seat, action in line:
        deal.play(seat, action)
    moves = [(seat, action) for seat in deal.askable() for action in deal.legal(seat)]
    return sum(count_by_replaying(start, [*line, move], depth - 1) for move in moves)


@pytest.mark.parametrize("name", ["classic", "simultaneous", "late-transfer", "pass-card", "partners"])
def test_perft_counts_every_line_of_play(name: str) -> None:
    rules = resolve(name)
    deal = shuffled_deal(rules, 4, random.Random(6))
    for depth in range(5):
        assert perft(deal, depth) == count_by_replaying(deal, [], depth)
    assert sum(divide(deal, 4).values()) == perft(deal, 4)


def test_perft_of_an_ending_counted_by_hand() -> None:
    """Hearts are trumps; seat 0 holds 7C 8C and leads, seat 1 holds 9C 6D.

    Two leads; each is covered with 9C or picked up. Nobody has a matching card, so the next lead is the third
    action: 6D after a cover, the other club after a pick-up. Fourth, seat 0 must pick up the 6D (one line for
    each first lead); seat 1 covers 8C with 9C or picks up (two), covers 7C with 8C or 9C or picks up (three).
    Then a hand is empty and the deal is over.
    """
    deal = Deal.position(resolve("classic"), [["7C", "8C"], ["9C", "6D"]], [], "H", 0, False, False)
    assert [perft(deal, depth) for depth in range(1, 6)] == [2, 2 * 2, 2 * 2, 1 + 1 + 2 + 3, 0]
