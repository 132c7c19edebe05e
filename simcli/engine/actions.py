"""Actions and moves: what a bot decides and what `apply` carries out.

Compiled code hands a move on as a tuple (verb, covered attack as a set of one or 0, cards, whole turn),
so that the compiler sees the verb through from the choice to its execution. Outside compiled code a move
is one int64 (layout, "An action is one int64").
"""

from __future__ import annotations

from typing import TypeAlias

from simcli.engine.bits import lowest_bit, lowest_index
from simcli.engine.jit import inlined
from simcli.engine.layout import (
    ALL_CARDS,
    COVER,
    TARGET_SHIFT,
    TRUMPS,
    VERB_SHIFT,
    State,
)

Move: TypeAlias = tuple[int, int, int, int]


@inlined
def action(verb: int, cards: int) -> Move:
    """Return the action of playing cards, or of a verb without cards."""
    return verb, 0, cards, 0


@inlined
def cover_action(attack: int, card: int) -> Move:
    """Return the action of covering an attack (a set of one) with a card (a set of one)."""
    return COVER, attack, card, 0


@inlined
def whole_turn(verb: int, cards: int) -> Move:
    """Return the move of adding all cards of a set and then stopping."""
    return verb, 0, cards, 1


@inlined
def packed(move: Move) -> int:
    """Return a move as one int64."""
    verb, target, cards, whole = move
    index = lowest_index(target) if target != 0 else 0
    return (whole << 62) | (verb << VERB_SHIFT) | (index << TARGET_SHIFT) | cards


@inlined
def unpacked(code: int) -> Move:
    """Return the move that an int64 stands for."""
    verb = (code >> VERB_SHIFT) & 15
    target = 1 << ((code >> TARGET_SHIFT) & 63) if verb == COVER else 0
    return verb, target, code & ALL_CARDS, (code >> 62) & 1


@inlined
def next_card(S: State, cards: int) -> int:
    """Return the card of a whole turn that is played first: the lowest non-trump, else the lowest trump."""
    plain = cards & ~S[TRUMPS]
    return lowest_bit(plain if plain != 0 else cards)
