"""Play Durak by the letter of docs/rules.md: a second, slow and obvious implementation of the rules.

The oracle shares nothing with the engine: cards are words such as ``"10H"``, hands are sets of words, and
each rule stands beside the section that states it. Tests play it against the engine, deal for deal.
"""

from __future__ import annotations

import copy
from typing import Any

Rules = dict[str, Any]  # a resolved variant file (docs/rules.md 7), every key present
Event = dict[str, Any]  # an event of a game record (docs/formats.md)

HAND_SIZE = 6  # docs/rules.md 1
SUITS = "CDHS"  # docs/rules.md 1
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
LOWEST_RANK = {24: "9", 36: "6", 52: "2"}  # docs/rules.md 1

RANK = {rank + suit: rank for rank in RANKS for suit in SUITS}
SUIT = {rank + suit: suit for rank in RANKS for suit in SUITS}
HEIGHT = {rank + suit: height for height, rank in enumerate(RANKS) for suit in SUITS}


class IllegalAction(Exception):
    """An action that the rules do not allow at this moment."""


def pack_of(deck: int) -> list[str]:
    """Name the cards of a pack of 24, 36 or 52, from the lowest rank up (docs/rules.md 1)."""
    return [rank + suit for rank in RANKS[RANKS.index(LOWEST_RANK[deck]) :] for suit in SUITS]


def beats(card: str, attack: str, trump: str) -> bool:
    """Say whether `card` beats `attack` when `trump` is the trump suit (docs/rules.md 1)."""
    if SUIT[card] == SUIT[attack]:
        return HEIGHT[card] > HEIGHT[attack]
    return SUIT[card] == trump


def next_dealer(rules: Rules, players: int, record: dict[str, Any]) -> int:
    """Name the dealer of the deal that follows `record` in a session (docs/rules.md 2, "Later deals")."""
    dealer: int = record["dealer"]
    if rules["end"]["objective"] == "first_out_wins":
        if record["result"] == "won":
            winner: int = record["places"].index(1)
            return (winner + 1) % players
        return dealer
    loser: int | None = record["loser"]
    return dealer if loser is None else loser


class Deal:
    """One deal, driven action by action.

    Parameters
    ----------
    rules : dict
        A resolved variant file (docs/rules.md 7).
    players : int
        Number of seats, 2 to 6.
    pack : list of str
        The shuffled pack, read from the top.
    dealer : int
        The seat that deals.
    first_deal : bool
        Whether the deal opens a session.
    previous : dict or None
        ``dealer``, ``loser``, ``places`` and ``result`` of the session's deal before.
    random_opener : int or None
        The seat that was drawn, needed only where the rules call for a random opener.
    """

    dealer: int | None
    opener: int
    trump: str  # the trump suit
    trump_card: str | None  # the exposed card as dealt
    dealt: list[list[str]]  # the hands as dealt
    dealt_stock: list[str]

    def __init__(
        self,
        rules: Rules,
        players: int,
        pack: list[str],
        dealer: int,
        *,
        first_deal: bool = True,
        previous: dict[str, Any] | None = None,
        random_opener: int | None = None,
    ) -> None:
        assert sorted(pack) == sorted(pack_of(rules["deck"])), "the pack must be a whole one"
        assert 2 <= players <= rules["max_players"]
        assert players * HAND_SIZE <= len(pack)
        # docs/rules.md 1: card k goes to seat (dealer + 1 + k) mod N until every seat has its hand.
        hands: list[list[str]] = [[] for _ in range(players)]
        for k in range(players * HAND_SIZE):
            hands[(dealer + 1 + k) % players].append(pack[k])
        rest = pack[players * HAND_SIZE :]
        if rest:
            # docs/rules.md 1: the next card is exposed, lies under the stock and is drawn last.
            trump_card = rest[0]
            stock = [*rest[1:], trump_card]
        else:
            # docs/rules.md 1: the dealer's last card is exposed and goes back into the dealer's hand.
            trump_card = hands[dealer][-1]
            stock = []
        self._set_up(rules, [set(hand) for hand in hands], stock, SUIT[trump_card])
        self.dealer = dealer
        self.trump_card = trump_card
        self.dealt = hands
        self.dealt_stock = list(stock)
        self.opener = self._find_opener(first_deal, previous, random_opener)
        self._begin_bout(self.opener)

    @classmethod
    def position(
        cls,
        rules: Rules,
        hands: list[list[str]],
        stock: list[str],
        trump: str,
        leader: int,
        first_bout: bool,
        beaten_before: bool,
    ) -> Deal:
        """Set up a position of a scenario file (docs/formats.md, referee), `leader` about to lead.

        With an empty stock an empty hand has already left; the places of such seats are unknown.
        """
        deal = cls.__new__(cls)
        deal._set_up(rules, [set(hand) for hand in hands], list(stock), trump)
        deal.dealer = None
        deal.trump_card = stock[-1] if stock else None
        deal.dealt = [list(hand) for hand in hands]
        deal.dealt_stock = list(stock)
        deal.opener = leader
        deal.first_bout = first_bout
        deal.beaten_before = beaten_before
        if not stock:
            deal.active = {seat for seat in deal.active if deal.hands[seat]}
        if stock and SUIT[stock[-1]] != trump:
            raise ValueError("the last card of the stock must be a trump")
        if len({deal.team(seat) for seat in deal.active}) < 2:
            raise ValueError("the position is already decided")
        if rules["end"]["objective"] == "first_out_wins" and len(deal.active) < deal.players:
            raise ValueError("the position is already decided: a seat is out")
        if not deal.hands[leader]:
            raise ValueError("the leader has no cards")
        deal._begin_bout(leader)
        return deal

    def _set_up(self, rules: Rules, hands: list[set[str]], stock: list[str], trump: str) -> None:
        self.rules = rules
        self.players = len(hands)
        self.hands = hands
        self.stock = stock
        self.trump = trump
        self.discarded: list[str] = []
        self.active = set(range(self.players))
        self.places: list[int | None] = [None] * self.players
        self.over = False
        self.result: str | None = None
        self.loser: int | None = None
        self.events: list[Event] = []

        self.first_bout = True  # is this the first bout of the deal?
        self.beaten_before = False  # has a defence succeeded in this deal?
        self.taken_in_a_row = 0
        self.last_bout: str | None = None  # how the last bout closed

        self.bouts = 0
        self.decisions = 0
        self.cards_played = 0
        self.transfers = 0
        self.late_transfers = 0
        self.shows = 0
        self.throw_ins = 0
        self.covers = 0
        self.pickups = 0
        self.cards_picked_up = 0
        self.largest_hand = 0

    def clone(self) -> Deal:
        """Copy the deal, so that the copy can be played on by itself."""
        twin = copy.copy(self)
        twin.hands = [set(hand) for hand in self.hands]
        for name in ("stock", "discarded", "table", "joined", "events", "places"):
            setattr(twin, name, list(getattr(self, name)))
        for name in ("active", "passed", "stopped", "asked_in_last_round", "_askable"):
            setattr(twin, name, set(getattr(self, name)))
        twin.shows_of = dict(self.shows_of)
        return twin

    # -- seats -----------------------------------------------------------------------------------------------

    def team(self, seat: int) -> int:
        """Name the team of a seat; without teams every seat is a team of its own.

        docs/rules.md 6, Partnership: two teams alternate, three teams are of opposite seats.
        """
        teams = self.rules["teams"]
        return seat if teams == "none" else seat % int(teams)

    def clockwise(self, start: int) -> list[int]:
        """List the active seats clockwise, beginning with `start` itself if it is active."""
        circle = [(start + step) % self.players for step in range(self.players)]
        return [seat for seat in circle if seat in self.active]

    def next_opponent(self, seat: int) -> int:
        """Find the next active opponent after a seat, who defends against it.

        docs/rules.md 3: D is the next active seat after A; 6, Partnership: the next active *opponent*.
        """
        return next(other for other in self.clockwise(seat + 1) if self.team(other) != self.team(seat))

    def _opponents_of_defender(self) -> list[int]:
        """List the active seats that do not play with the defender, clockwise from the attacker."""
        return [seat for seat in self.clockwise(self.attacker) if self.team(seat) != self.team(self.defender)]

    # -- the opening (docs/rules.md 2) -----------------------------------------------------------------------

    def _find_opener(self, first_deal: bool, previous: dict[str, Any] | None, drawn: int | None) -> int:
        assert self.dealer is not None
        opening = self.rules["opening"]
        dealers_left = (self.dealer + 1) % self.players
        if first_deal:
            how = opening["first"]
        else:
            assert previous is not None, "a later deal of a session needs the deal before"
            how = opening["later"]
            if how == "attack_loser":
                # The loser's right neighbour opens; nobody lost: the dealer's left neighbour.
                loser: int | None = previous["loser"]
                return dealers_left if loser is None else (loser - 1) % self.players
        if how == "lowest_trump":
            trumps = [
                (HEIGHT[c], seat) for seat in self.active for c in self.hands[seat] if SUIT[c] == self.trump
            ]
            if trumps:
                return min(trumps)[1]
            how = opening["no_trump"]
        if how == "random":
            assert drawn in self.active, "the rules call for a random opener"
            return drawn
        assert how == "dealer_left"
        return dealers_left

    # -- the beginning of a bout -----------------------------------------------------------------------------

    def _begin_bout(self, leader: int) -> None:
        self.leader: int | None = leader
        self.original_attacker = leader
        self.attacker = leader
        self.defender = self.next_opponent(leader)
        self.table: list[tuple[str, str | None]] = []
        self.joined: list[int] = []  # seats in the order of their first attack card
        self.limit: int | None = None  # L, once the defence has begun
        self.passed: set[int] = set()
        self.stopped: set[int] = set()
        self.shows_of: dict[int, int] = {}
        self.asked_in_last_round: set[int] = set()
        holder = self._holder_of_lowest_trump()
        if self.rules["trump_exchange"] == "lowest" and self.stock and holder is not None:
            # docs/rules.md 5: before each lead, while the stock is not empty, the holder is asked once.
            self._ask("exchange", {holder})
        else:
            self._ask("lead", {leader})

    def _holder_of_lowest_trump(self) -> int | None:
        lowest = LOWEST_RANK[self.rules["deck"]] + self.trump
        return next((seat for seat in self.active if lowest in self.hands[seat]), None)

    def _ask(self, phase: str, seats: set[int]) -> None:
        self.phase = phase
        self._askable = seats

    # -- the table -------------------------------------------------------------------------------------------

    def uncovered(self) -> list[str]:
        """List the attack cards that nothing covers yet."""
        return [attack for attack, cover in self.table if cover is None]

    def n_covered(self) -> int:
        """Count the covered attack cards."""
        return sum(1 for _, cover in self.table if cover is not None)

    def table_cards(self) -> list[str]:
        """List all cards on the table, attacks and covers."""
        return [card for pair in self.table for card in pair if card is not None]

    def bout_limit(self) -> int:
        """Give B, the most attack cards this bout may have (docs/rules.md 3)."""
        attack = self.rules["attack"]
        if attack["first_scope"] == "first_bout":
            first = self.first_bout
        else:  # until_first_discard
            first = not self.beaten_before
        limit: int = attack["first_limit"] if first else attack["limit"]
        return limit

    def _has_room(self) -> bool:
        """Say whether one more attack card may be added by a lead or a throw-in (docs/rules.md 3.2)."""
        if self.limit is not None:
            return len(self.table) + 1 <= self.limit
        room = min(self.bout_limit(), self.n_covered() + len(self.hands[self.defender]))
        return len(self.table) + 1 <= room

    def _begin_defence(self) -> None:
        """docs/rules.md 3.2: fix L at the first cover or the declaration, before a card leaves the hand."""
        if self.limit is None:
            self.limit = min(self.bout_limit(), self.n_covered() + len(self.hands[self.defender]))

    # -- legal cards -----------------------------------------------------------------------------------------

    def _further_lead_cards(self) -> list[str]:
        """docs/rules.md 3.1: with `several`, more cards of the lead's rank, each needing room."""
        if self.rules["attack"]["lead"] != "several" or not self._has_room():
            return []
        return [card for card in self.hands[self.attacker] if RANK[card] == RANK[self.table[0][0]]]

    def _throw_in_cards(self, seat: int) -> list[str]:
        """docs/rules.md 3.4: a card of the rank of any card on the table, as far as there is room."""
        if not self._has_room():
            return []
        ranks = {RANK[card] for card in self.table_cards()}
        return [card for card in self.hands[seat] if RANK[card] in ranks]

    def _eligible_throwers(self) -> list[int]:
        """docs/rules.md 3.4, `who`: the seats that may throw in, clockwise from the attacker."""
        who = self.rules["throw_in"]["who"]
        opponents = self._opponents_of_defender()
        if who == "none":
            return []
        if who == "attacker":
            return [self.attacker]
        if who == "neighbours":
            # With teams the nearest active *opponents*. A seat with an empty hand still is a neighbour.
            after_defender = [seat for seat in self.clockwise(self.defender) if seat in opponents]
            return [seat for seat in opponents if seat in (after_defender[0], after_defender[-1])]
        return opponents

    def _rank_to_move(self) -> str | None:
        """docs/rules.md 4.1, 4.2, 4.4: the rank of an attack that D may transfer or show on, else None."""
        mode = self.rules["transfer"]["mode"]
        if mode == "none":
            return None
        if mode == "early" and self.n_covered() > 0:
            return None
        if self.first_bout and not self.rules["transfer"]["first_bout"]:
            return None
        ranks = {RANK[attack] for attack in self.uncovered()}
        return ranks.pop() if len(ranks) == 1 else None

    def _receiver_has_room(self, receiver: int) -> bool:
        """docs/rules.md 4.3: attacks + 1 <= B, and uncovered + 1 <= the cards now in R's hand."""
        fits_the_hand = len(self.uncovered()) + 1 <= len(self.hands[receiver])
        return len(self.table) + 1 <= self.bout_limit() and fits_the_hand

    def _transfer_cards(self) -> list[str]:
        rank = self._rank_to_move()
        if rank is None or not self._receiver_has_room(self.next_opponent(self.defender)):
            return []
        return [card for card in self.hands[self.defender] if RANK[card] == rank]

    def _further_transfer_cards(self) -> list[str]:
        """docs/rules.md 4: with `several` the new attacker adds more of the rank while 4.3 still holds."""
        if self.rules["transfer"]["cards"] != "several" or not self._receiver_has_room(self.defender):
            return []
        rank = RANK[self.uncovered()[0]]
        return [card for card in self.hands[self.attacker] if RANK[card] == rank]

    def _show_card(self) -> str | None:
        """docs/rules.md 4, Pass card: the trump of the attacks' rank that D may show, else None."""
        pass_card = self.rules["pass_card"]
        rank = self._rank_to_move()
        if not pass_card["enabled"] or rank is None or rank + self.trump not in self.hands[self.defender]:
            return None
        if self.shows_of.get(self.defender, 0) >= pass_card["per_bout"]:
            return None
        receiver = self.next_opponent(self.defender)
        if len(self.table) <= self.bout_limit() and len(self.uncovered()) <= len(self.hands[receiver]):
            return rank + self.trump
        return None

    def _responses(self) -> set[str]:
        """docs/rules.md 3.3: what D may do while any attack is uncovered."""
        hand = self.hands[self.defender]
        actions = {
            f"cover {attack} {card}"
            for attack in self.uncovered()
            for card in hand
            if beats(card, attack, self.trump)
        }
        actions.update(f"transfer {card}" for card in self._transfer_cards())
        shown = self._show_card()
        if shown is not None:
            actions.add(f"show {shown}")
        actions.add("pick_up")
        return actions

    # -- asking and answering --------------------------------------------------------------------------------

    def askable(self) -> set[int]:
        """Name the seats one of which acts next; several only where seats race (docs/rules.md 3.4)."""
        return set(self._askable)

    def legal(self, seat: int) -> set[str]:
        """Name every legal action of a seat at this moment, in the grammar of docs/formats.md."""
        if seat not in self._askable:
            return set()
        if self.phase == "exchange":
            return {"exchange", "keep"}
        if self.phase == "lead":
            return {f"attack {card}" for card in self.hands[seat]}
        if self.phase == "further lead":
            return {f"attack {card}" for card in self._further_lead_cards()} | {"stop"}
        if self.phase == "further transfer":
            return {f"transfer {card}" for card in self._further_transfer_cards()} | {"stop"}
        if self.phase == "response":
            return self._responses()
        throws = {f"throw {card}" for card in self._throw_in_cards(seat)}
        if self.phase in ("window", "last round"):
            return throws | {"pass"}
        assert self.phase in ("further throw-in", "further throw-in of the last round")
        return throws | {"stop"}

    def play(self, seat: int, action: str) -> None:
        """Play an action and go on to the next seat that has a choice.

        Raises
        ------
        IllegalAction
            If the seat is not asked or the action is not legal; the deal is then unchanged.
        """
        if self.over:
            raise IllegalAction(f"{seat} {action}: the deal is over")
        if seat not in self._askable:
            raise IllegalAction(f"{seat} {action}: seat {sorted(self._askable)} is to act ({self.phase})")
        legal = self.legal(seat)
        if action not in legal:
            raise IllegalAction(f"{seat} {action}: not legal ({self.phase}), only {', '.join(sorted(legal))}")
        self.events.append({"seat": seat, "do": action})
        self.decisions += 1
        verb, *cards = action.split()
        if verb in ("exchange", "keep"):
            self._play_exchange(seat, verb)
        elif verb == "attack":
            self._play_attack(seat, cards[0])
        elif verb == "transfer":
            self._play_transfer(seat, cards[0])
        elif verb == "show":
            self._play_show(seat)
        elif verb == "cover":
            self._play_cover(seat, cards[0], cards[1])
        elif verb == "pick_up":
            self._play_pick_up()
        elif verb == "throw":
            self._play_throw(seat, cards[0])
        elif verb == "pass":
            self._play_pass(seat)
        else:
            assert verb == "stop"
            self._play_stop(seat)

    # -- the actions -----------------------------------------------------------------------------------------

    def _play_exchange(self, seat: int, verb: str) -> None:
        if verb == "exchange":
            # docs/rules.md 5: the lowest trump goes under the stock, the exposed trump into the hand.
            lowest = LOWEST_RANK[self.rules["deck"]] + self.trump
            self.hands[seat].remove(lowest)
            self.hands[seat].add(self.stock[-1])
            self.stock[-1] = lowest
        self._ask("lead", {self.attacker})

    def _lay_attack(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.table.append((card, None))
        self.cards_played += 1
        if seat not in self.joined:
            self.joined.append(seat)

    def _play_attack(self, seat: int, card: str) -> None:
        self.leader = None
        self._lay_attack(seat, card)
        if self._further_lead_cards():
            self._ask("further lead", {seat})
        else:
            self._go_on()

    def _move_attack(self) -> None:
        """docs/rules.md 4: D becomes the attacker, R the defender; R's limit is fixed when R begins."""
        self.transfers += 1
        if self.n_covered() > 0:
            self.late_transfers += 1
        self.attacker, self.defender = self.defender, self.next_opponent(self.defender)
        self.limit = None
        self.passed.clear()  # docs/rules.md 3.4: a pass stands until the attack is transferred or shown on
        self.stopped.clear()

    def _play_transfer(self, seat: int, card: str) -> None:
        if self.phase == "response":
            self._move_attack()
        self._lay_attack(seat, card)
        if self._further_transfer_cards():
            self._ask("further transfer", {seat})
        else:
            self._go_on()

    def _play_show(self, seat: int) -> None:
        self.shows += 1
        self.shows_of[seat] = self.shows_of.get(seat, 0) + 1
        self._move_attack()
        self._go_on()  # nothing is added to the table by the show, and nobody adds a card with it

    def _play_cover(self, seat: int, attack: str, card: str) -> None:
        self._begin_defence()
        if RANK[card] not in {RANK[other] for other in self.table_cards()}:
            self.passed.clear()  # docs/rules.md 3.4: a pass stands until a new rank appears on the table
        self.stopped.clear()  # docs/rules.md 3.4: a stop counts as a pass only until D's next response
        self.hands[seat].remove(card)
        self.table[self.table.index((attack, None))] = (attack, card)
        self.cards_played += 1
        self.covers += 1
        self._go_on()

    def _play_pick_up(self) -> None:
        self._begin_defence()
        self.passed.clear()  # docs/rules.md 3.4: a pass stands until D declares a pick-up, a stop as well
        self.stopped.clear()
        if self.rules["throw_in"]["on_pickup"]:
            self._go_on_with_last_round()
        else:
            self._close("taken")

    def _play_throw(self, seat: int, card: str) -> None:
        self._lay_attack(seat, card)
        self.throw_ins += 1
        last_round = self.phase in ("last round", "further throw-in of the last round")
        if last_round:
            self.asked_in_last_round.add(seat)
        if self._throw_in_cards(seat):
            self._ask("further throw-in of the last round" if last_round else "further throw-in", {seat})
        elif last_round:
            self._go_on_with_last_round()
        else:
            # docs/rules.md 3.4: after a seat has added, D responds before anybody else is asked.
            self._ask("response", {self.defender})

    def _play_pass(self, seat: int) -> None:
        if self.phase == "last round":
            self.asked_in_last_round.add(seat)
            self._go_on_with_last_round()
        else:
            self.passed.add(seat)
            self._go_on()

    def _play_stop(self, seat: int) -> None:
        if self.phase == "further throw-in of the last round":
            self._go_on_with_last_round()
        elif self.phase == "further throw-in":
            self._ask("response", {self.defender})
        else:
            # docs/rules.md 3.4: the stop after a lead or a transfer counts as a pass until D's next response.
            self.stopped.add(seat)
            self._go_on()

    # -- who is asked next -----------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Open the throw-in window if there is one now, else let D respond, else close the bout."""
        if self._is_window_now():
            silent = self.passed | self.stopped
            throwers = [
                seat
                for seat in self._eligible_throwers()
                if seat not in silent and self._throw_in_cards(seat)
            ]
            if throwers:
                self._ask("window", self._first_or_all(throwers))
                return
        if self.uncovered():
            self._ask("response", {self.defender})
        else:
            self._close("beaten")  # docs/rules.md 3.5

    def _is_window_now(self) -> bool:
        """docs/rules.md 3.4, `window`."""
        if not self.uncovered():
            return True  # in every setting
        window = self.rules["throw_in"]["window"]
        return window == "from_lead" or (window == "after_cover" and self.n_covered() > 0)

    def _first_or_all(self, throwers: list[int]) -> set[int]:
        """docs/rules.md 3.4, `order`: clockwise from A, or racing, when any of them may be first."""
        return set(throwers) if self.rules["throw_in"]["order"] == "simultaneous" else {throwers[0]}

    def _go_on_with_last_round(self) -> None:
        """docs/rules.md 3.4, `on_pickup`: every eligible seat is asked once."""
        throwers = [
            seat
            for seat in self._eligible_throwers()
            if seat not in self.asked_in_last_round and self._throw_in_cards(seat)
        ]
        if throwers:
            self._ask("last round", self._first_or_all(throwers))
        else:
            self._close("taken")

    # -- the end of a bout -----------------------------------------------------------------------------------

    def _close(self, how: str) -> None:
        """docs/rules.md 3.5, then drawing (5), leaving and the result (6), then the next lead."""
        cards = self.table_cards()
        self.bouts += 1
        self.last_bout = how
        self.events.append({"bout": how, "defender": self.defender, "cards": cards})
        if how == "taken":
            self.hands[self.defender].update(cards)
            self.pickups += 1
            self.cards_picked_up += len(cards)
            self.taken_in_a_row += 1
        else:
            self.discarded.extend(cards)
            self.beaten_before = True
            self.taken_in_a_row = 0
        self.table = []
        self.first_bout = False

        self._draw()
        self.largest_hand = max(self.largest_hand, *(len(hand) for hand in self.hands))
        self._leave()
        self._settle()
        if not self.over and self.taken_in_a_row >= self.rules["end"]["stall_bouts"]:
            self._end("stalled", None)
        if not self.over:
            # D attacks next after a defence, D's left neighbour after a pick-up; the lead passes clockwise
            # over seats that have left (docs/rules.md 3.5).
            start = self.defender if how == "beaten" else self.defender + 1
            self._begin_bout(self.clockwise(start)[0])

    def drawing_order(self) -> list[int]:
        """List the active seats in drawing order (docs/rules.md 5)."""
        first = self.rules["draw"]["first"]
        if first == "original_attacker":
            order = self.clockwise(self.original_attacker)
        elif first == "final_attacker":
            order = self.clockwise(self.attacker)
        else:  # join_order
            rest = [seat for seat in self.clockwise(self.original_attacker) if seat not in self.joined]
            order = self.joined + rest
        place = self.rules["draw"]["defender"]
        led = self.defender == self.original_attacker
        if place == "last" or (place == "last_unless_original" and not led):
            order = [seat for seat in order if seat != self.defender] + [self.defender]
        return order

    def _draw(self) -> None:
        """docs/rules.md 5: each seat in turn takes its whole shortage at once."""
        for seat in self.drawing_order():
            shortage = max(0, HAND_SIZE - len(self.hands[seat]))
            drawn, self.stock = self.stock[:shortage], self.stock[shortage:]
            if drawn:
                self.hands[seat].update(drawn)
                self.events.append({"seat": seat, "draw": drawn})

    def _next_free_place(self) -> int:
        return self.players - len(self.active) + 1

    def _leave(self) -> None:
        """docs/rules.md 6: with the stock empty after drawing, seats with no cards leave."""
        if self.stock:
            return
        leaving = [seat for seat in sorted(self.active) if not self.hands[seat]]
        place = self._next_free_place()
        for seat in leaving:
            self.places[seat] = place  # `shared`
        if self.rules["end"]["tie"] == "defender_last" and self.defender in leaving:
            self.places[self.defender] = place + len(leaving) - 1  # after the others
        for seat in leaving:
            self.active.remove(seat)
            self.events.append({"seat": seat, "leaves": self.places[seat]})

    def _settle(self) -> None:
        """docs/rules.md 6: end the deal if this bout decided it."""
        if self.rules["end"]["objective"] == "first_out_wins":
            if len(self.active) < self.players:
                won = self.places.count(1) == 1
                holders = list(self.active)
                self._end("won" if won else "drawn", holders[0] if won and len(holders) == 1 else None)
            return
        teams = {self.team(seat) for seat in self.active}
        if len(teams) > 1:
            return
        if teams:
            # Partnership: the loser is the team's first active seat clockwise from the defender, itself
            # included; its active seats share the next free place. Without teams that is the one seat left,
            # with place N.
            place = self._next_free_place()
            for seat in self.active:
                self.places[seat] = place
            self._end("lost", self.clockwise(self.defender)[0])
        elif self.rules["end"]["tie"] == "shared":
            self._end("drawn", None)
        else:
            self._end("lost", self.defender)  # `defender_last`

    def _end(self, result: str, loser: int | None) -> None:
        self.over = True
        self.result = result
        self.loser = loser
        self.leader = None
        self._ask("over", set())

    # -- what a record keeps ---------------------------------------------------------------------------------

    def trumps_dealt(self) -> list[int]:
        """Count the trumps dealt to each seat, before any exchange."""
        return [sum(SUIT[card] == self.trump for card in hand) for hand in self.dealt]

    def summary(self) -> dict[str, Any]:
        """Give what the session's next deal needs as ``previous`` (docs/formats.md)."""
        return {
            "dealer": self.dealer,
            "loser": self.loser,
            "places": list(self.places),
            "result": self.result,
        }
