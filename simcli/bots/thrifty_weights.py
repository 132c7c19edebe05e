"""The weights of `thrifty`: what cards, turns and risks are worth to it at each stage of a deal."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

# stages of a deal, by the stock
EARLY = 0  # more than LATE_STOCK cards
LATE = 1  # some cards
END = 2  # none
# and by who is in it: added to the three above
AMONG_MORE = 0  # three or more seats, and the last one loses
AMONG_TWO = 3  # two seats
AMONG_RACERS = 6  # three or more seats, and the first one out wins

LATE_STOCK = 6

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


WEIGHTS = Weights(
    trump=(174, 116, 101, 142, 109, 97, 174, 116, 101),
    trump_slope=(38, 23, 25, 49, 23, 15, 38, 23, 25),
    pair=(3, 3, 5, 3, 3, 9, 3, 3, 0),
    hold=(23, 23, 83, 17, 32, 83, 23, 23, 83),
    turn=(48, 89, 58, 46, 89, 68, 48, 89, 58),
    out=(158, 0, 300, 135, 0, 408, 158, 0, 300),
    risk=(36, 18, 20, 36, 18, 37, 36, 18, 0),
    pick=(80, 128, 99, 96, 128, 126, 80, 128, 250),
    transfer=(45, 39, 50, 45, 54, 22, 45, 39, 50),
    show=(93, 68, 93, 70, 68, 69, 93, 68, 93),
    lead=(123, 94, 98, 115, 91, 61, 123, 94, 98),
    lead_mates=(1, 5, 1, 0, 2, 0, 0, 5, 4),
    throw=(69, 113, 110, 72, 126, 110, 90, 130, 250),
    throw_next=(41, 18, 32, 40, 10, 25, 41, 18, 0),
    give=(39, 39, 107, 39, 39, 143, 39, 39, 250),
)
