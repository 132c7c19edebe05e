"""What the asked seat may know of the cards (docs/bots.md, "What a bot may see"), and nothing else.

Bots that count cards read hands through this file alone. Of the other hands it looks at two things that
everybody at the table sees: how many cards they hold, and which of the cards once shown or picked up have not
been played since. What lies in a hand beyond that is deduced: the cards that are nowhere else.
Chances are whole numbers out of `CERTAIN`.
"""

from __future__ import annotations

from simcli.engine.bits import at, nth, popcount
from simcli.engine.jit import inlined
from simcli.engine.layout import (
    ACTOR,
    DEALER,
    DISCARD,
    ELIGIBLE,
    EXPOSED_HOLDER,
    HAND,
    KNOWN,
    MAX_PLAYERS,
    PACK,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    TABLE,
    TRUMP_CARD,
    State,
)
from simcli.engine.legal import beaters

#: the chance of what is sure to happen, as a power of two and as a number
CHANCE_BITS = 10
CERTAIN = 1 << CHANCE_BITS


# ---------------------------------------------------------------------------------- cards


@inlined
def own_hand(S: State) -> int:
    """Return the cards of the asked seat."""
    return S[at(HAND, S[ACTOR])]


@inlined
def n_held(S: State, seat: int) -> int:
    """Return how many cards a seat holds, which everybody sees."""
    return popcount(S[at(HAND, seat)])


@inlined
def last_card(S: State) -> int:
    """Return the exposed trump, wherever it is, as a set of one; 0 where there was none."""
    size = S[STOCK_SIZE]
    if size > 0:
        return S[nth(STOCK, size)] ^ S[nth(STOCK, size - 1)]
    # all cards were dealt: the dealer's last card was exposed and went back into the hand
    return 1 << S[TRUMP_CARD] if S[TRUMP_CARD] >= 0 else 0


@inlined
def exposed(S: State) -> int:
    """Return the exposed trump while it lies under the stock, as a set of one, or 0."""
    return last_card(S) if S[STOCK_NEXT] < S[STOCK_SIZE] else 0


@inlined
def remembered(S: State, seat: int) -> int:
    """Return the cards of a seat that everybody has seen there and that it has not played since.

    It picked them up, showed them, or took the exposed trump.
    """
    known = S[at(KNOWN, seat)]
    holder = S[EXPOSED_HOLDER] if S[STOCK_SIZE] > 0 else S[DEALER]
    if seat == holder:
        known |= last_card(S)
    return known & S[at(HAND, seat)]


@inlined
def still_out(S: State) -> int:
    """Return the cards that lie in other hands or in the stock: not played for good, not here."""
    return S[PACK] & ~(S[DISCARD] | S[TABLE] | own_hand(S))


@inlined
def hidden_cards(S: State) -> int:
    """Return the cards of which the asked seat does not know whether or where somebody holds them."""
    others = 0
    for seat in range(MAX_PLAYERS):
        if seat != S[ACTOR]:
            others |= remembered(S, seat)
    return still_out(S) & ~(others | exposed(S))


@inlined
def n_hidden_in(S: State, seats: int) -> int:
    """Return how many cards some other seats hold of which nothing is known."""
    n = 0
    for seat in range(MAX_PLAYERS):
        if (seats >> seat) & 1:
            n += n_held(S, seat) - popcount(remembered(S, seat))
    return n


@inlined
def remembered_in(S: State, seats: int) -> int:
    """Return the cards that some seats are known to hold."""
    cards = 0
    for seat in range(MAX_PLAYERS):
        if (seats >> seat) & 1:
            cards |= remembered(S, seat)
    return cards


@inlined
def deduced_hand(S: State, seat: int) -> int:
    """Return the whole hand of another seat if it follows from what is known, else 0.

    It does if the cards nobody is known to hold are exactly as many as the seat holds beyond those
    remembered: then they lie nowhere else. With the stock empty and two seats left this is always so.
    """
    hidden = hidden_cards(S)
    if popcount(hidden) != n_hidden_in(S, 1 << seat):
        return 0
    return hidden | remembered(S, seat)


# ---------------------------------------------------------------------------------- chances


@inlined
def share_of(S: State, seats: int, hidden: int) -> int:
    """Return the chance that one of some other seats holds a given hidden card."""
    n = popcount(hidden)
    return (n_hidden_in(S, seats) << CHANCE_BITS) // n if n > 0 else 0


@inlined
def chance_of_none(share: int, n: int) -> int:
    """Return the chance that none of n hidden cards is in a hand that holds each with a chance `share`."""
    factor = CERTAIN - share
    chance = CERTAIN
    while n > 0:
        if n & 1:
            chance = (chance * factor) >> CHANCE_BITS
        factor = (factor * factor) >> CHANCE_BITS
        n >>= 1
    return chance


@inlined
def chance_lacking(cards: int, held: int, hidden: int, share: int) -> int:
    """Return the chance that a hand has none of some cards.

    Parameters
    ----------
    cards : int
        The cards in question.
    held, hidden, share : int
        What the hand is known to hold, what nobody is known to hold, how likely the hand holds one of these.
    """
    if cards & held:
        return 0
    return chance_of_none(share, popcount(cards & hidden))


@inlined
def chance_unbeaten(S: State, attacks: int, held: int, hidden: int, share: int) -> int:
    """Return the chance that a hand cannot beat every one of some attacks, each taken by itself."""
    all_beaten = CERTAIN
    while attacks != 0:
        attack = attacks & -attacks
        attacks ^= attack
        lacking = chance_lacking(beaters(S, attack), held, hidden, share)
        all_beaten = (all_beaten * (CERTAIN - lacking)) >> CHANCE_BITS
    return CERTAIN - all_beaten


@inlined
def throwers(S: State, hidden: int) -> tuple[int, int]:
    """Return what the seats that may throw in against the asked seat are known to hold, and their share."""
    seats = S[ELIGIBLE] & ~(1 << S[ACTOR])
    return remembered_in(S, seats), share_of(S, seats, hidden)
