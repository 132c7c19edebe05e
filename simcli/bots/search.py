"""Exact search of endings for two: the stock is empty, two seats are left, and nothing is hidden.

The values of a position are a win (1), neither (0: drawn or stalled) and a loss (-1) for the seat that
searches. The search is alpha-beta over the engine's own single actions, played on copies of the position in
the work array, with a table of positions seen.

**Stalls.** The deal is stalled when so many bouts in a row were taken, so the value of a
position depends on how many are *left to take*. A way to win with few of them left wins as well with more;
hence a win or loss, once proven, holds for the same cards with as many bouts left or more, and that a seat
cannot force one holds for as many or fewer. Therefore the search first lets the deal stall after few bouts
taken in a row, which finds most wins at once, and then allows more. It is exact as soon as a value is a win
or a loss, or no line of play has met the stall, or the stall is that of the rules.
"""

from __future__ import annotations

from simcli.bots.counting import choose_counting
from simcli.bots.knowledge import deduced_hand
from simcli.bots.work import (
    FRAME_SIZE,
    MAX_DEPTH,
    TABLE_ENTRIES,
    W_ACTIONS,
    W_FRAMES,
    W_LINE,
    W_LOST,
    W_NODES,
    W_OWN,
    W_STALLED,
    W_STAMP,
    W_TABLE,
    Work,
)
from simcli.engine.actions import action, next_card, packed
from simcli.engine.apply import apply_move
from simcli.engine.bits import at, lowest_index, mix, mul_add, popcount
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTIVE,
    ACTOR,
    ATTACKER,
    BEATEN_BEFORE,
    COVER,
    FIRST_BOUT,
    HAND,
    LIMIT,
    LOSER,
    LOST,
    OPEN,
    PARTNERS,
    PASSED,
    PH_OVER,
    PHASE,
    PLACE,
    R_STALL_BOUTS,
    RESULT,
    SHOWN,
    STALLED,
    STATE_SIZE,
    STOPPED,
    TABLE,
    TAKEN_RUN,
    UNCOVERED,
    WON,
    State,
)
from simcli.engine.legal import has_stock
from simcli.engine.view import MAX_LEGAL, list_legal

WIN = 1
NEITHER = 0
LOSS = -1
#: no value: the budget of positions has run out
UNKNOWN = 9
#: no value yet: an action has to be played first
OPENED = 10

# what the search keeps at each depth
F_KEY = 0
F_LEAST = 1  # what the table knew
F_BEST = 2
F_ALPHA = 3
F_BETA = 4
F_LOW = 5  # alpha and beta, raised and lowered by what has been found
F_HIGH = 6
F_VALUE = 7
F_COUNT = 8  # legal actions, and how many of them have been played
F_NEXT = 9

# what an entry of the table says of a position
SAYS_WIN = 1
SAYS_LOSS = 2
SAYS_NO_LOSS = 3
SAYS_NO_WIN = 4
SAYS_NEITHER = 5

FIRST_HORIZON = 2
#: actions of which the beginning remembers whether they are proven to lose
MAX_REMEMBERED = 60

_SPREAD = 0x5851F42D4C957F2D  # odd multiplier of the key (the generator of Knuth's MMIX)


# ---------------------------------------------------------------------------------- positions


@inlined
def line_at(depth: int) -> int:
    """Return where the position at a depth begins in the work array."""
    return W_LINE + depth * STATE_SIZE


@inlined
def actions_at(depth: int) -> int:
    """Return where the legal actions at a depth begin in the work array."""
    return W_ACTIONS + depth * MAX_LEGAL


@inlined
def copy_state(source: State, target: State) -> None:
    """Copy all of a position that play without stock depends on, the rules included."""
    for slot in range(OPEN + 1):
        target[slot] = source[slot]


@inlined
def is_open_ending(S: State) -> bool:
    """Return whether the asked seat and one other are left and nothing is hidden from it."""
    return not has_stock(S) and popcount(S[ACTIVE]) == 2


@inlined
def lay_out(S: State, P: State) -> None:
    """Copy a position as the asked seat sees it: the other hand is what it deduces (`knowledge`)."""
    copy_state(S, P)
    other = lowest_index(S[ACTIVE] & ~(1 << S[ACTOR]))
    P[at(HAND, other)] = deduced_hand(S, other)
    P[OPEN] = 0  # nothing is noted of the options that decide


@inlined
def set_horizon(S: State, P: State, horizon: int) -> None:
    """Let the deal stall after no more bouts taken in a row than the horizon."""
    left = min(S[R_STALL_BOUTS] - S[TAKEN_RUN], horizon)
    P[R_STALL_BOUTS] = horizon
    P[TAKEN_RUN] = horizon - left


@inlined
def bouts_left(P: State) -> int:
    """Return how many more bouts in a row may be taken before the deal is stalled."""
    return P[R_STALL_BOUTS] - P[TAKEN_RUN]


@inlined
def value_at_end(P: State, own: int) -> int:
    """Return what the result of a deal is worth to a seat."""
    if P[RESULT] == LOST:
        return LOSS if (P[at(PARTNERS, own)] >> P[LOSER]) & 1 else WIN
    if P[RESULT] == WON:
        return WIN if P[at(PLACE, own)] == 1 else LOSS
    return NEITHER


@inlined
def key_of(P: State) -> int:
    """Return the key of a position: everything that its value depends on but the bouts left to take.

    The bout limit follows from the first bout and the first discard, what may be added from the phase, and
    the number of attacks from the table and what is uncovered.
    """
    asked = (P[PHASE] << 3) | P[ACTOR]
    bout = (P[LIMIT] << 8) | (P[ATTACKER] << 4) | (P[FIRST_BOUT] << 1) | P[BEATEN_BEFORE]
    asking = (P[PASSED] << 6) | P[STOPPED]
    key = mix(mul_add(P[SHOWN], _SPREAD, (asking << 32) | (bout << 16) | asked))
    active = P[ACTIVE]
    key = mix(mul_add(key, _SPREAD, P[at(HAND, lowest_index(active))]))
    key = mix(mul_add(key, _SPREAD, P[at(HAND, lowest_index(active & (active - 1)))]))
    key = mix(mul_add(key, _SPREAD, P[TABLE]))
    return mix(mul_add(key, _SPREAD, P[UNCOVERED]))


# ---------------------------------------------------------------------------------- table of positions


@inlined
def entry_of(key: int) -> int:
    """Return the place of a key in the table: three words, the key, when and what it says, bouts left."""
    return W_TABLE + 3 * (key & (TABLE_ENTRIES - 1))


@inlined
def bounds_of(W: Work, key: int, left: int) -> tuple[int, int]:
    """Return what the table knows of a position with so many bouts left to take: its least and best value."""
    entry = entry_of(key)
    if W[entry] != key:
        return LOSS, WIN
    says = W[entry + 1] & 7
    stamp = W[entry + 1] >> 3
    known_left = W[entry + 2]
    if says <= SAYS_LOSS:
        # proven within this decision, at whatever horizon
        if stamp < W[W_STAMP] or left < known_left:
            return LOSS, WIN
        return (WIN, WIN) if says == SAYS_WIN else (LOSS, LOSS)
    if stamp != W[W_STAMP + 1] or left > known_left:
        return LOSS, WIN
    least = LOSS if says == SAYS_NO_WIN else NEITHER
    best = WIN if says == SAYS_NO_LOSS else NEITHER
    return least, best


@inlined
def remember(W: Work, key: int, left: int, least: int, best: int) -> None:
    """Note that a position with so many bouts left to take is worth no less and no more than so much."""
    if least == best:
        says = SAYS_NEITHER
        if best != NEITHER:
            says = SAYS_WIN if best == WIN else SAYS_LOSS
    else:
        says = SAYS_NO_LOSS if best == WIN else SAYS_NO_WIN
    entry = entry_of(key)
    W[entry] = key
    W[entry + 1] = (W[W_STAMP + 1] << 3) | says
    W[entry + 2] = left


# ---------------------------------------------------------------------------------- search


@inlined
def usual_action(P: State) -> int:
    """Return the first single action of what `counting` would do, packed."""
    verb, attack, cards, _ = choose_counting(P)
    if verb == COVER or cards == 0:
        return packed((verb, attack, cards, 0))
    return packed(action(verb, next_card(P, cards)))


@inlined
def list_actions(P: State, actions: Work) -> int:
    """List the legal actions, the usual one first; return how many they are."""
    n = list_legal(P, actions)
    usual = usual_action(P)
    for i in range(n):
        if actions[i] == usual:
            actions[i] = actions[0]
            actions[0] = usual
            break
    return n


@inlined
def frame_at(depth: int) -> int:
    """Return where the search keeps what it has found at a depth."""
    return W_FRAMES + depth * FRAME_SIZE


@inlined
def enter(W: Work, depth: int, alpha: int, beta: int) -> int:
    """Begin with the position at a depth, to be searched between alpha and beta.

    Returns
    -------
    int
        Its value if nothing has to be searched, `UNKNOWN` if the budget has run out, else `OPENED`.
    """
    P = W[line_at(depth) : line_at(depth) + STATE_SIZE]
    if P[PHASE] == PH_OVER:
        if P[RESULT] == STALLED:
            W[W_STALLED] = 1
        return value_at_end(P, W[W_OWN])
    key = key_of(P)
    least, best = bounds_of(W, key, bouts_left(P))
    if least >= beta or least == best:
        return least
    if best <= alpha:
        return best
    W[W_NODES] -= 1
    if W[W_NODES] < 0 or depth + 1 >= MAX_DEPTH:
        return UNKNOWN
    frame = frame_at(depth)
    W[frame + F_KEY] = key
    W[frame + F_LEAST] = least
    W[frame + F_BEST] = best
    W[frame + F_ALPHA] = max(alpha, least)
    W[frame + F_BETA] = min(beta, best)
    W[frame + F_LOW] = W[frame + F_ALPHA]
    W[frame + F_HIGH] = W[frame + F_BETA]
    W[frame + F_VALUE] = LOSS if P[ACTOR] == W[W_OWN] else WIN
    W[frame + F_COUNT] = list_actions(P, W[actions_at(depth) : actions_at(depth) + MAX_LEGAL])
    W[frame + F_NEXT] = 0
    return OPENED


@inlined
def descend(W: Work, depth: int) -> int:
    """Play the next action at a depth and begin with what follows; return what `enter` does."""
    frame = frame_at(depth)
    following = W[line_at(depth + 1) : line_at(depth + 1) + STATE_SIZE]
    copy_state(W[line_at(depth) : line_at(depth) + STATE_SIZE], following)
    apply_move(following, W[actions_at(depth) + W[frame + F_NEXT]])
    W[frame + F_NEXT] += 1
    return enter(W, depth + 1, W[frame + F_LOW], W[frame + F_HIGH])


@inlined
def note_value(W: Work, depth: int, found: int) -> None:
    """Take in what an action at a depth is worth."""
    frame = frame_at(depth)
    if W[line_at(depth) + ACTOR] == W[W_OWN]:
        W[frame + F_VALUE] = max(W[frame + F_VALUE], found)
        W[frame + F_LOW] = max(W[frame + F_LOW], found)
    else:
        W[frame + F_VALUE] = min(W[frame + F_VALUE], found)
        W[frame + F_HIGH] = min(W[frame + F_HIGH], found)


@inlined
def is_done(W: Work, depth: int) -> bool:
    """Return whether the rest of the actions at a depth cannot matter, or there is no other."""
    frame = frame_at(depth)
    return W[frame + F_LOW] >= W[frame + F_HIGH] or W[frame + F_NEXT] == W[frame + F_COUNT]


@inlined
def leave(W: Work, depth: int) -> int:
    """Remember and return what has been found at a depth."""
    frame = frame_at(depth)
    value = W[frame + F_VALUE]
    least = W[frame + F_LEAST]
    best = W[frame + F_BEST]
    if value > W[frame + F_ALPHA]:
        least = max(least, value)
    if value < W[frame + F_BETA]:
        best = min(best, value)
    P = W[line_at(depth) : line_at(depth) + STATE_SIZE]
    remember(W, W[frame + F_KEY], bouts_left(P), least, best)
    return value


@kernel
def value_of_line(W: Work, alpha: int, beta: int) -> int:
    """Return the value of the position at depth 1, exact if it lies between alpha and beta, else a bound.

    The depths stand in the work array rather than on the machine's stack: compiled functions that call
    themselves cannot be kept in numba's cache.

    Returns
    -------
    int
        `UNKNOWN` when the budget has run out.
    """
    depth = 1
    found = enter(W, depth, alpha, beta)
    while True:
        if found == UNKNOWN:
            return UNKNOWN
        if found == OPENED:  # something has to be played here
            found = descend(W, depth)
            depth += 1
            continue
        depth -= 1
        if depth == 0:
            return found
        note_value(W, depth, found)
        found = leave(W, depth) if is_done(W, depth) else OPENED


@inlined
def begin_search(S: State, W: Work, nodes: int) -> int:
    """Lay the position out at the bottom of the line, list its actions, and return how many they are."""
    W[W_OWN] = S[ACTOR]
    W[W_NODES] = nodes
    W[W_LOST] = 0
    W[W_STAMP + 1] += 1
    W[W_STAMP] = W[W_STAMP + 1]  # what earlier decisions have found no longer counts
    P = W[line_at(0) : line_at(0) + STATE_SIZE]
    lay_out(S, P)
    return list_actions(P, W[actions_at(0) : actions_at(0) + MAX_LEGAL])


@inlined
def try_horizon(S: State, W: Work, n: int, horizon: int) -> tuple[int, int]:
    """Search all actions up to a horizon.

    Returns
    -------
    value : int
        What the best action is worth; `UNKNOWN` when the budget has run out.
    best : int
        Its index.
    """
    P = W[line_at(0) : line_at(0) + STATE_SIZE]
    set_horizon(S, P, horizon)
    W[W_STAMP + 1] += 1
    W[W_STALLED] = 0
    actions = W[actions_at(0) : actions_at(0) + MAX_LEGAL]
    following = W[line_at(1) : line_at(1) + STATE_SIZE]
    value = LOSS - 1
    best = 0
    for i in range(n):
        if i < MAX_REMEMBERED and (W[W_LOST] >> i) & 1:
            found = LOSS
        else:
            copy_state(P, following)
            apply_move(following, actions[i])
            found = value_of_line(W, max(value, LOSS), WIN)
        if found == UNKNOWN:
            return UNKNOWN, best
        if found == LOSS and i < MAX_REMEMBERED:
            W[W_LOST] |= 1 << i
        if found > value:
            value = found
            best = i
        if value == WIN:
            break
    return value, best


@inlined
def best_unproven(W: Work, n: int) -> int:
    """Return the index of the first action that is not proven to lose, or 0."""
    for i in range(min(n, MAX_REMEMBERED)):
        if (W[W_LOST] >> i) & 1 == 0:
            return i
    return 0


@kernel
def solve(S: State, W: Work, nodes: int) -> tuple[int, int]:
    """Search an ending for two with the asked seat to act.

    Parameters
    ----------
    S : State
        A position without stock and with two active seats; not changed.
    W : Work
        The work array.
    nodes : int
        How many positions may be looked into.

    Returns
    -------
    value : int
        What best play gives the asked seat, `UNKNOWN` if the budget has run out before that was proven.
    best : int
        The packed action that gives it; among equals the usual one. If the value is unknown, the usual action
        or, if that is proven to lose, the first one that is not.
    """
    n = begin_search(S, W, nodes)
    actions = W[actions_at(0) : actions_at(0) + MAX_LEGAL]
    longest = S[R_STALL_BOUTS]
    horizon = min(FIRST_HORIZON, longest)
    while True:
        value, best = try_horizon(S, W, n, horizon)
        if value == UNKNOWN:
            return UNKNOWN, actions[best_unproven(W, n)]
        if value != NEITHER or W[W_STALLED] == 0 or horizon == longest:
            return value, actions[best]
        horizon = min(2 * horizon, longest)
