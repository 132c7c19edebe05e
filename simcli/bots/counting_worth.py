"""What cards are worth to `counting`, which weighs them by the cards that are still out."""

from __future__ import annotations

from simcli.bots.counting_weights import (
    AMONG_RACERS,
    EARLY,
    END,
    LATE,
    N_STAGES,
    W_PAIR,
    W_RELATIVE,
    W_TRUMP,
    W_TRUMP_SLOPE,
    W_USEFUL,
    WITHOUT_TRANSFERS,
    WeightTable,
)
from simcli.bots.knowledge import own_hand
from simcli.bots.thrifty_weights import LATE_STOCK
from simcli.bots.thrifty_worth import height
from simcli.engine.bits import lowest_bit, lowest_index, popcount
from simcli.engine.jit import inlined
from simcli.engine.layout import (
    ACTIVE,
    LAST_LOSES,
    PACK,
    R_OBJECTIVE,
    R_TRANSFER,
    STOCK_NEXT,
    STOCK_SIZE,
    TRANSFER_NONE,
    TRUMPS,
    State,
)
from simcli.engine.legal import higher_in_suit, rank_of, suit_of


@inlined
def row_of(S: State) -> int:
    """Return the row of the weights that holds now: by stock, seats still in, and transfers."""
    left = S[STOCK_SIZE] - S[STOCK_NEXT]
    if left > LATE_STOCK:
        stage = EARLY
    else:
        stage = LATE if left > 0 else END
    if S[R_TRANSFER] == TRANSFER_NONE:
        stage += WITHOUT_TRANSFERS
    n = popcount(S[ACTIVE])
    if n > 2 and S[R_OBJECTIVE] != LAST_LOSES:
        return AMONG_RACERS + stage
    return N_STAGES * (n - 2) + stage


@inlined
def step_of(S: State) -> int:
    """Return how much height a rank adds in the pack that is played with."""
    lowest = lowest_index(S[PACK]) >> 2
    if lowest == 4:
        return 12
    return 8 if lowest == 0 else 19


@inlined
def strength(S: State, w: WeightTable, row: int, card: int, out: int) -> int:
    """Return what a card is worth by itself, given the cards that are still out.

    A card stands as high as its rank says, or as high as the cards above it that are out let it: a king
    is an ace once the ace is gone. A card is of use for each lower card of its suit that is still out.
    """
    above = higher_in_suit(card)
    below = suit_of(card) & ~(above | card)
    high = height(S, card)
    relative = 96 - step_of(S) * popcount(above & out)
    value = high + (((relative - high) * w[row, W_RELATIVE]) >> 6)
    if card & S[TRUMPS]:
        value = w[row, W_TRUMP] + ((value * w[row, W_TRUMP_SLOPE]) >> 6)
    return value + w[row, W_USEFUL] * popcount(below & out)


@inlined
def total_strength(S: State, w: WeightTable, row: int, cards: int, out: int) -> int:
    """Return the sum of the strengths of a set of cards."""
    total = 0
    while cards != 0:
        total += strength(S, w, row, lowest_bit(cards), out)
        cards &= cards - 1
    return total


@inlined
def worth(S: State, w: WeightTable, row: int, card: int, out: int) -> int:
    """Return what a card is worth in the hand: its strength, and what a pair of its rank promises."""
    value = strength(S, w, row, card, out)
    if S[R_TRANSFER] != TRANSFER_NONE and own_hand(S) & rank_of(card) & ~card:
        value += w[row, W_PAIR]
    return value
