"""Build and take apart the int64 that stands for an action (layout, "An action is one int64")."""

from __future__ import annotations

from simcli.engine.bits import lowest_bit, lowest_index
from simcli.engine.jit import inlined
from simcli.engine.layout import (
    ALL_CARDS,
    COVER,
    TARGET_SHIFT,
    TRUMPS,
    VERB_SHIFT,
    WHOLE_TURN,
    State,
)


@inlined
def action(verb: int, cards: int) -> int:
    """Return the action of playing cards, or of a verb without cards."""
    return (verb << VERB_SHIFT) | cards


@inlined
def cover_action(attack: int, card: int) -> int:
    """Return the action of covering an attack (a set of one) with a card (a set of one)."""
    return (COVER << VERB_SHIFT) | (lowest_index(attack) << TARGET_SHIFT) | card


@inlined
def whole_turn(verb: int, cards: int) -> int:
    """Return the move of adding all cards of a set and then stopping."""
    return WHOLE_TURN | (verb << VERB_SHIFT) | cards


@inlined
def verb_of(move: int) -> int:
    """Return the verb of an action or move."""
    return (move >> VERB_SHIFT) & 15


@inlined
def cards_of(move: int) -> int:
    """Return the set of cards that an action or move plays."""
    return move & ALL_CARDS


@inlined
def target_of(move: int) -> int:
    """Return the attack that a cover answers, as a set of one."""
    return 1 << ((move >> TARGET_SHIFT) & 63)


@inlined
def is_whole_turn(move: int) -> bool:
    """Return whether a move stands for a whole turn."""
    return move & WHOLE_TURN != 0


@inlined
def next_card(S: State, cards: int) -> int:
    """Return the card of a whole turn that is played first: the lowest non-trump, else the lowest trump."""
    plain = cards & ~S[TRUMPS]
    return lowest_bit(plain if plain != 0 else cards)
