"""Actions as numbers, for programs that learn: every action of every deal has one fixed number.

| numbers | action |
|---|---|
| 0 – 51 | `attack` with card c |
| 52 – 103 | `transfer` with card c |
| 104 – 155 | `show` card c |
| 156 – 207 | `throw` card c |
| 208 … 212 | `pick_up`, `pass`, `stop`, `exchange`, `keep` |
| 213 – 2916 | `cover` attack a with card c: 213 + 52 × a + c |

A card is 4 × rank + suit, the ranks 2 … A as 0 … 12 and the suits C, D, H, S as 0 … 3, in every pack. Most
numbers stand for something that is never legal: what is, says a mask.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from simcli.engine.layout import (
    ATTACK,
    COVER,
    EXCHANGE,
    KEEP,
    N_CARDS,
    PASS,
    PICK_UP,
    SHOW,
    STOP,
    TARGET_SHIFT,
    THROW,
    TRANSFER,
    VERB_SHIFT,
)
from simcli.engine.notation import played_card, target_card, verb_number

Mask = npt.NDArray[np.int8]

_WITH_CARD = (ATTACK, TRANSFER, SHOW, THROW)
_WITHOUT_CARD = (PICK_UP, PASS, STOP, EXCHANGE, KEEP)
_FIRST_WITHOUT = len(_WITH_CARD) * N_CARDS
_FIRST_COVER = _FIRST_WITHOUT + len(_WITHOUT_CARD)

N_ACTIONS = _FIRST_COVER + N_CARDS * N_CARDS


def number_of(action: int) -> int:
    """Return the number of an action of the engine.

    >>> from simcli.engine.notation import parse_action
    >>> [number_of(parse_action(text)) for text in ("attack 2D", "pick_up", "cover 2C 3C")]
    [1, 208, 217]
    """
    verb, card = verb_number(action), played_card(action)
    if card is None:
        return _FIRST_WITHOUT + _WITHOUT_CARD.index(verb)
    if verb == COVER:
        return _FIRST_COVER + N_CARDS * target_card(action) + card
    return _WITH_CARD.index(verb) * N_CARDS + card


def action_of(number: int) -> int:
    """Return the action of the engine that a number stands for.

    >>> from simcli.engine.notation import action_text
    >>> action_text(action_of(217))
    'cover 2C 3C'

    Raises
    ------
    ValueError
        The number stands for none.
    """
    if not 0 <= number < N_ACTIONS:
        raise ValueError(f"expected the number of an action, 0 to {N_ACTIONS - 1}, got {number}")
    if number >= _FIRST_COVER:
        attack, card = divmod(number - _FIRST_COVER, N_CARDS)
        return COVER << VERB_SHIFT | attack << TARGET_SHIFT | 1 << card
    if number >= _FIRST_WITHOUT:
        return _WITHOUT_CARD[number - _FIRST_WITHOUT] << VERB_SHIFT
    verb, card = divmod(number, N_CARDS)
    return _WITH_CARD[verb] << VERB_SHIFT | 1 << card


def mask_of_actions(actions: Iterable[int]) -> Mask:
    """Return a mask with a 1 for each of some actions of the engine.

    Returns
    -------
    ndarray of int8, shape (N_ACTIONS,)
        All else 0.
    """
    mask = np.zeros(N_ACTIONS, dtype=np.int8)
    mask[[number_of(action) for action in actions]] = 1
    return mask
