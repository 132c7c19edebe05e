"""What `thrifty` knows of the cards, and what they are worth to it."""

from __future__ import annotations

from simcli.bots.thrifty_weights import (
    AMONG_MORE,
    AMONG_RACERS,
    AMONG_TWO,
    EARLY,
    END,
    LATE,
    LATE_STOCK,
    W_PAIR,
    W_TRUMP,
    W_TRUMP_SLOPE,
    WeightTable,
)
from simcli.engine.bits import at, lowest_bit, lowest_index, popcount
from simcli.engine.jit import inlined
from simcli.engine.layout import (
    ACTIVE,
    DISCARD,
    ELIGIBLE,
    HAND,
    KNOWN,
    LAST_LOSES,
    PACK,
    R_OBJECTIVE,
    R_TRANSFER,
    STOCK_NEXT,
    STOCK_SIZE,
    TABLE,
    TAKEN_RUN,
    TRANSFER_NONE,
    TRUMPS,
    State,
)
from simcli.engine.legal import rank_of
from simcli.engine.seats import hand_size

#: bouts taken in a row after which it does what it can to end the row, whatever it costs
PATIENCE = 12


# ---------------------------------------------------------------------------------- what is known


@inlined
def stage_of(S: State) -> int:
    """Return the stage of the deal, a row of the weights of a set."""
    left = S[STOCK_SIZE] - S[STOCK_NEXT]
    if left > LATE_STOCK:
        stage = EARLY
    else:
        stage = LATE if left > 0 else END
    if popcount(S[ACTIVE]) == 2:
        return stage + AMONG_TWO
    return stage + (AMONG_MORE if S[R_OBJECTIVE] == LAST_LOSES else AMONG_RACERS)


@inlined
def is_end(S: State) -> bool:
    """Return whether the stock is empty, so that a seat without cards leaves."""
    return S[STOCK_NEXT] >= S[STOCK_SIZE]


@inlined
def is_tired(S: State) -> bool:
    """Return whether so many bouts in a row were taken that the deal may go round for ever."""
    return S[TAKEN_RUN] >= PATIENCE


@inlined
def unseen(S: State, seat: int) -> int:
    """Return the cards that lie in other hands or in the stock, as far as a seat can tell."""
    return S[PACK] & ~(S[DISCARD] | S[TABLE] | S[at(HAND, seat)])


@inlined
def throwers(S: State, seat: int) -> tuple[int, int, int]:
    """Return what the seats that may throw in hold, as far as the defender can tell.

    Returns
    -------
    known : int
        Cards that they picked up or showed and still hold.
    hidden : int
        Cards that nobody is known to hold.
    share : int
        How likely a hidden card is in one of these hands, in 64ths.
    """
    known = 0
    others = 0
    n_cards = 0
    for other in range(6):
        remembered = S[at(KNOWN, other)] & S[at(HAND, other)]
        if (S[ELIGIBLE] >> other) & 1:
            known |= remembered
            n_cards += hand_size(S, other) - popcount(remembered)
        else:
            others |= remembered
    hidden = unseen(S, seat) & ~(known | others)
    n_hidden = popcount(hidden)
    return known, hidden, (64 * n_cards // n_hidden if n_hidden > 0 else 0)


# ---------------------------------------------------------------------------------- what cards are worth


@inlined
def height(S: State, card: int) -> int:
    """Return how high a card stands in the pack, 0 for its lowest rank, about 96 for the ace."""
    lowest = lowest_index(S[PACK]) >> 2
    step = 12
    if lowest != 4:
        step = 8 if lowest == 0 else 19
    return ((lowest_index(card) >> 2) - lowest) * step


@inlined
def strength(S: State, w: WeightTable, row: int, card: int) -> int:
    """Return what a card is worth by itself."""
    if card & S[TRUMPS]:
        return w[row, W_TRUMP] + ((height(S, card) * w[row, W_TRUMP_SLOPE]) >> 6)
    return height(S, card)


@inlined
def total_strength(S: State, w: WeightTable, row: int, cards: int) -> int:
    """Return the sum of the strengths of a set of cards."""
    total = 0
    while cards != 0:
        total += strength(S, w, row, lowest_bit(cards))
        cards &= cards - 1
    return total


@inlined
def worth(S: State, w: WeightTable, row: int, seat: int, card: int) -> int:
    """Return what a card is worth in a hand: its strength, and what a pair of its rank promises."""
    value = strength(S, w, row, card)
    if S[R_TRANSFER] != TRANSFER_NONE and S[at(HAND, seat)] & rank_of(card) & ~card:
        value += w[row, W_PAIR]
    return value


@inlined
def worth_less_than(S: State, w: WeightTable, row: int, seat: int, cards: int, limit: int) -> int:
    """Return the cards of a set that are worth less than a limit."""
    chosen = 0
    while cards != 0:
        card = lowest_bit(cards)
        cards ^= card
        if worth(S, w, row, seat, card) < limit:
            chosen |= card
    return chosen
