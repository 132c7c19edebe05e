"""A scenario file: a position, the steps played from it, and what must come of them (docs/formats.md)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path
from typing import Any

from simcli.engine.game import Game
from simcli.engine.layout import PARTNERS
from simcli.engine.notation import CARD_WORDS, NotationError, cards_in, mask_of, parse_card
from simcli.engine.table import new_table, pack_of
from simcli.errors import InputError, Problem, input_error, problems_of
from simcli.records.steps import Step, not_in_pack, read_steps
from simcli.rules.check import SPELLED_BOOLEANS
from simcli.rules.document import Document, KeyPath
from simcli.rules.load import load_variant, load_variant_mapping
from simcli.rules.shipped import is_path, locate_shipped, shipped_names
from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS, Variant, seat
from simcli.rules.wording import choice, did_you_mean, printable_path, shown
from simcli.rules.yamlfile import load_yaml

KEYS = ("name", "variant", "trump", "stock", "hands", "leader", "first_bout", "beaten_before", "steps")
REQUIRED = ("trump", "hands", "steps")
SUITS = ("C", "D", "H", "S")
UNSEEN = "?"
"""How people write a card that they cannot see."""
Cards = list[int | None]
"""Some cards in order, None for one that could not be read."""


@dataclass(frozen=True)
class Scenario:
    """A position and its steps, complete and checked."""

    where: str
    name: str
    variant: Variant
    trump_suit: int
    hands: tuple[int, ...]
    stock: tuple[int, ...]
    leader: int
    first_bout: bool
    beaten_before: bool
    steps: tuple[Step, ...]

    def game(self, seed: int = 0) -> Game:
        """Return the position, about to be played from."""
        return Game.position(
            self.variant,
            self.hands,
            self.stock,
            self.trump_suit,
            self.leader,
            self.first_bout,
            self.beaten_before,
            seed=seed,
        )


def load_scenario(path: Path, where: str | None = None) -> Scenario:
    """Load and check a scenario file.

    Raises
    ------
    InputError
        With every problem of the file.
    """
    return read_scenario(load_yaml(path, where), path.parent)


def read_scenario(document: Document, folder: Path) -> Scenario:
    """Check a scenario that has been read; paths in it start from a folder.

    Raises
    ------
    InputError
        With every problem of the scenario.
    """
    return _Reader(document, folder).scenario()


class _Reader:
    """Read the keys of one scenario, collecting everything that is wrong with them."""

    def __init__(self, document: Document, folder: Path) -> None:
        self.document = document
        self.folder = folder
        self.data: dict[str, Any] = document.data
        self.problems: list[Problem] = list(document.problems)
        self.unusable = {path[0] for path in document.left_out() if len(path) == 1}

    def complain(self, message: str, *path: str | int) -> None:
        """Note a problem at a key."""
        self.problems.append(self.document.problem(path, message))

    def scenario(self) -> Scenario:
        """Return the scenario, or raise all problems."""
        self._keys()
        name = self._name()
        trump_suit = self._trump()
        hands = self._hands()
        players = None if hands is None else len(hands)
        variant = self._variant(players)
        stock = self._stock()
        self._each_once(hands, stock, None if variant is None else variant.deck)
        if stock and trump_suit is not None and stock[-1] is not None and stock[-1] % 4 != trump_suit:
            message = (
                f"expected a last card of the trump suit {SUITS[trump_suit]}, got {CARD_WORDS[stock[-1]]}"
            )
            self.complain(message, "stock", len(stock) - 1)
        leader = self._leader(players)
        first_bout, beaten_before = self._flag("first_bout"), self._flag("beaten_before")
        if first_bout and beaten_before:
            message = "expected false in the deal's first bout (first_bout is true), got true"
            self.complain(message, "beaten_before")
        if variant is not None and hands is not None and stock is not None and leader is not None:
            self._position(variant, hands, stock, leader)
        steps, faults = read_steps(self.document, players, None if variant is None else variant.deck)
        self.problems += faults
        if self.problems:
            raise input_error(sorted(self.problems, key=lambda problem: problem.line or 0))
        assert variant is not None
        assert hands is not None
        assert stock is not None
        assert trump_suit is not None
        assert leader is not None
        return Scenario(
            self.document.where,
            name,
            variant,
            trump_suit,
            tuple(mask_of(card for card in hand if card is not None) for hand in hands),
            tuple(card for card in stock if card is not None),
            leader,
            first_bout,
            beaten_before,
            steps,
        )

    # ------------------------------------------------------------------------------ keys and values

    def _keys(self) -> None:
        for key in self.data:
            if key not in KEYS:
                self.complain(f"unknown key, expected {choice(KEYS)}{did_you_mean(key, KEYS)}", key)
        for key in REQUIRED:
            if key not in self.data and key not in self.unusable:
                self.problems.append(
                    Problem(self.document.where, None, key, "this key is required, got none")
                )

    def _name(self) -> str:
        name = self.data.get("name", "")
        if not isinstance(name, str):
            self.complain(f"expected a text, got {shown(name)} – put it in quotes", "name")
            return ""
        return " ".join(name.split())

    def _trump(self) -> int | None:
        if "trump" not in self.data:
            return None
        trump = self.data["trump"]
        if isinstance(trump, str) and trump in SUITS:
            return SUITS.index(trump)
        self.complain(f"expected the trump suit, {choice(SUITS)}, got {shown(trump)}", "trump")
        return None

    def _flag(self, key: str) -> bool:
        value = self.data.get(key, False)
        if isinstance(value, bool):
            return value
        meant = SPELLED_BOOLEANS.get(str(value).lower())
        hint = f" – write {meant}" if meant else ""
        self.complain(f"expected true or false, got {shown(value)}{hint}", key)
        return False

    def _leader(self, players: int | None) -> int | None:
        leader = self.data.get("leader", 0)
        if type(leader) is int and (players is None or 0 <= leader < players):
            return leader
        if players is None:
            if type(leader) is not int:
                self.complain(f"expected a seat, got {shown(leader)}", "leader")
            return None
        self.complain(f"expected a seat from 0 to {players - 1}, got {shown(leader)}", "leader")
        return None

    # ------------------------------------------------------------------------------ variant

    def _variant(self, players: int | None) -> Variant | None:
        """Return the variant, seated at as many players as there are hands."""
        ref = self.data.get("variant", "classic")
        if "variant" in self.unusable:
            return None
        try:
            if isinstance(ref, dict):
                part = self.document.at("variant")
                return load_variant_mapping(part, self.folder, players=players)
            if not isinstance(ref, str) or not ref:
                message = (
                    f"expected the name of a shipped variant, a path or a block of options, got {shown(ref)}"
                )
                self.complain(message, "variant")
                return None
            if is_path(ref) and not lexists(self.folder / ref):
                self.complain(f"{printable_path(ref)}: {_no_variant(ref)}", "variant")
                return None
            # A name means the shipped file wherever the command is given: a scenario means one thing.
            variant = load_variant(ref, self.folder) if is_path(ref) else load_variant(locate_shipped(ref))
        except InputError as error:
            self._inherit(error)
            return None
        try:
            return seat(variant, players)
        except InputError as error:
            for problem in problems_of(error):
                self.complain(f"{variant.name}, {players} hands: {problem.message}", "hands")
            return None

    def _inherit(self, error: InputError) -> None:
        """Take over the problems of a variant; those without a line belong to the line that names it."""
        for problem in problems_of(error):
            if problem.line is not None or problem.where == self.document.where:
                self.problems.append(problem)
            else:
                key = f"{problem.key}: " if problem.key else ""
                self.complain(f"{problem.where}: {key}{problem.message}", "variant")

    # ------------------------------------------------------------------------------ cards

    def _hands(self) -> list[Cards] | None:
        if "hands" not in self.data:
            return None
        hands = self.data["hands"]
        if not isinstance(hands, list):
            self.complain(f"expected a list of hands such as [9C 6D, 9D KC], got {shown(hands)}", "hands")
            return None
        if not MIN_PLAYERS <= len(hands) <= MAX_PLAYERS:
            self.complain(f"expected {MIN_PLAYERS} to {MAX_PLAYERS} hands, got {len(hands)}", "hands")
            return None
        return [self._hand(number, hand) for number, hand in enumerate(hands)]

    def _hand(self, number: int, hand: Any) -> Cards:
        if not isinstance(hand, str):
            hint = ' – an empty hand is written ""' if hand is None else ""
            message = f"expected a text of cards such as 9C 6D 10H, got {shown(hand)}{hint}"
            self.complain(message, "hands", number)
            return [None]
        return [self._card(word, "hands", number) for word in hand.split()]

    def _stock(self) -> Cards | None:
        stock = self.data.get("stock", [])
        if not isinstance(stock, list):
            message = f"expected a list of cards such as [8H, 9D, KS], got {shown(stock)}"
            self.complain(message, "stock")
            return None
        return [self._card(word, "stock", number) for number, word in enumerate(stock)]

    def _card(self, word: Any, *path: str | int) -> int | None:
        if not isinstance(word, str):
            self.complain(f"expected a card such as 9C or 10H, got {shown(word)}", *path)
            return None
        try:
            return parse_card(word)
        except NotationError as error:
            hint = " – in a hand that nobody has seen any card will do" if UNSEEN in word else ""
            self.complain(f"{error}{hint}", *path)
            return None

    def _each_once(self, hands: list[Cards] | None, stock: Cards | None, deck: int | None) -> None:
        """Check that hands and stock come from one pack, as far as the pack is known."""
        places: list[tuple[int | None, KeyPath]] = [
            (card, ("hands", number)) for number, hand in enumerate(hands or ()) for card in hand
        ]
        places += [(card, ("stock", number)) for number, card in enumerate(stock or ())]
        counts: Counter[int] = Counter()
        for card, path in places:
            if card is None:
                continue
            counts[card] += 1
            if counts[card] > 1:
                self.complain(f"expected each card once, got {CARD_WORDS[card]} again", *path)
            elif deck is not None and not pack_of(deck) >> card & 1:
                self.complain(not_in_pack(deck, card), *path)
        if deck is not None and len(places) > deck:
            self.complain(f"expected at most the {deck} cards of the pack, got {len(places)}", "hands")

    # ------------------------------------------------------------------------------ position

    def _position(self, variant: Variant, hands: list[Cards], stock: Cards, leader: int) -> None:
        """Check that a bout can be led (docs/rules.md 3 and 6).

        A card that could not be read is a card nevertheless.
        """
        players = len(hands)
        active = [number for number in range(players) if hands[number] or stock]
        team = set(cards_in(int(new_table(variant, players)[PARTNERS + active[0]]))) if active else set()
        if set(active) <= team:
            what = "team" if variant.teams != "none" else "seat"
            self.complain(
                f"expected a position that is not decided, got cards in the hands of one {what} at most",
                "hands",
            )
            return
        if variant.end.objective == "first_out_wins" and len(active) < players:
            left = next(number for number in range(players) if number not in active)
            message = f"under first_out_wins expected nobody to have left, got an empty hand at seat {left}"
            self.complain(message, "hands", left)
            return
        if not hands[leader]:
            path: KeyPath = ("leader",) if "leader" in self.data else ("hands", leader)
            self.complain(f"expected a leader with cards, got seat {leader}, which has none", *path)


def _no_variant(ref: str) -> str:
    """Return the message about a path of a variant that leads nowhere.

    The neighbours of a scenario are scenarios, none of which is meant.
    """
    stem = Path(ref).stem
    shipped = f" – the shipped variant is called {stem}, without path and ending"
    return f"expected a variant file, there is none{shipped if stem in shipped_names() else ''}"
