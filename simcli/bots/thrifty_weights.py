"""The weights of `thrifty`: what cards, turns and risks are worth to it at each stage of a deal."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

# stages of a deal, by the stock
EARLY = 0  # more than LATE_STOCK cards
LATE = 1  # some cards
END = 2  # none
# and by who is in it: added to the three above
AMONG_MORE = 0  # three or more seats, and the last one loses
AMONG_TWO = 3  # two seats
AMONG_RACERS = 6  # three or more seats, and the first one out wins

N_STAGES = 9

LATE_STOCK = 6

STAGE_NAMES = tuple(
    f"{stock}, {seats}"
    for seats in ("three seats or more", "two seats", "three or more, first out wins")
    for stock in ("early", "late", "end")
)

#: int64 array: for each set of weights a row a stage, for each weight a column
WeightTable: TypeAlias = npt.NDArray[np.int64]

#: a weight at each stage: early, late, end among more; the same among two; the same among racers
Row: TypeAlias = tuple[int, int, int, int, int, int, int, int, int]


class Weights(NamedTuple):
    """Name the weights; all are in points, the step from one rank to the next being 12 in a pack of 36.

    Attributes
    ----------
    trump : Row
        What the lowest trump is worth.
    trump_slope : Row
        What each step of height adds to a trump, in 64ths of what it adds to another card.
    pair : Row
        Added to a card while the hand holds another of its rank, where attacks may be transferred.
    hold : Row
        Covering or transferring with a card costs its worth less this.
    turn : Row
        What it is worth to have covered everything and to lead next.
    out : Row
        What it is worth to cover with the last cards of the hand.
    risk : Row
        What each card costs that may be thrown in because a cover lays down a new rank.
    pick : Row
        Picking up a card gives its strength less this.
    transfer : Row
        What it is worth to pass the attack on by a transfer.
    show : Row
        What it is worth to pass the attack on by showing a trump.
    lead : Row
        Leads and adds cards below this strength, and the more of them the better.
    lead_mates : Row
        What each unseen card of its rank costs a lead.
    throw : Row
        Throws in cards worth less than this.
    throw_next : Row
        Added to `throw` if the seat leads next should the defender pick up.
    give : Row
        Throws in cards worth less than this once the defender picks up.
    """

    trump: Row
    trump_slope: Row
    pair: Row
    hold: Row
    turn: Row
    out: Row
    risk: Row
    pick: Row
    transfer: Row
    show: Row
    lead: Row
    lead_mates: Row
    throw: Row
    throw_next: Row
    give: Row


# the columns of a table of weights
W_TRUMP = Weights._fields.index("trump")
W_TRUMP_SLOPE = Weights._fields.index("trump_slope")
W_PAIR = Weights._fields.index("pair")
W_HOLD = Weights._fields.index("hold")
W_TURN = Weights._fields.index("turn")
W_OUT = Weights._fields.index("out")
W_RISK = Weights._fields.index("risk")
W_PICK = Weights._fields.index("pick")
W_TRANSFER = Weights._fields.index("transfer")
W_SHOW = Weights._fields.index("show")
W_LEAD = Weights._fields.index("lead")
W_LEAD_MATES = Weights._fields.index("lead_mates")
W_THROW = Weights._fields.index("throw")
W_THROW_NEXT = Weights._fields.index("throw_next")
W_GIVE = Weights._fields.index("give")
N_WEIGHTS = len(Weights._fields)


def table_of(*sets: Weights) -> WeightTable:
    """Return sets of weights as the compiled bot reads them, one set below the other."""
    return np.ascontiguousarray(np.concatenate([np.array(each, dtype=np.int64).T for each in sets]))


def weights_of(table: WeightTable) -> Weights:
    """Return a table of one set as weights.

    >>> weights_of(table_of(WEIGHTS)) == WEIGHTS
    True
    """
    return Weights(*(tuple(column) for column in table.T.tolist()))


#: the usual weights, whatever the rules
WEIGHTS = Weights(
    trump=(200, 193, 101, 193, 109, 97, 174, 116, 101),
    trump_slope=(8, 36, 25, 64, 23, 22, 38, 23, 25),
    pair=(2, 4, 5, 2, 2, 8, 3, 3, 0),
    hold=(23, 18, 83, 17, 47, 85, 23, 23, 83),
    turn=(60, 65, 58, 32, 83, 68, 48, 89, 58),
    out=(169, 119, 300, 100, 0, 408, 158, 0, 300),
    risk=(36, 24, 26, 25, 18, 37, 36, 18, 0),
    pick=(80, 166, 99, 105, 115, 126, 80, 128, 250),
    transfer=(48, 39, 50, 33, 77, 20, 45, 39, 50),
    show=(97, 85, 123, 57, 57, 96, 93, 68, 93),
    lead=(126, 104, 98, 174, 75, 61, 123, 94, 98),
    lead_mates=(12, 18, 1, 8, 18, 0, 0, 5, 4),
    throw=(90, 113, 110, 72, 126, 110, 90, 130, 250),
    throw_next=(51, 18, 32, 47, 13, 29, 41, 18, 0),
    give=(39, 41, 107, 39, 39, 143, 39, 39, 250),
)
