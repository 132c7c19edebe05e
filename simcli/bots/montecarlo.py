"""`montecarlo`: plays every move worth considering to the end of the deal, in many deals it may be in."""

from __future__ import annotations

from simcli.bots.candidates import list_candidates
from simcli.bots.parameters import Parameter
from simcli.bots.rollout import play_on
from simcli.bots.sampling import (
    begin_position,
    copy_position,
    lay_out,
    list_unseen,
    stream_of_decision,
    weigh_evidence,
)
from simcli.bots.thrifty import choose_thrifty
from simcli.bots.work import (
    LOSS_WORDS,
    MAX_PLAYOUTS,
    PLAYOUTS_PER_WORD,
    W_LOSSES,
    W_MOVES,
    W_ROOT,
    W_TRIAL,
    Work,
)
from simcli.engine.actions import Move, packed, unpacked
from simcli.engine.apply import apply_move
from simcli.engine.bits import lowest_index, popcount
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import BOUTS, STATE_SIZE, State
from simcli.engine.seats import bot_param

DESCRIPTION = (
    "Deals the cards it cannot see in many ways that fit all it knows, plays every move worth considering on "
    "in each of them, and takes the one that loses least often; in doubt it plays like thrifty."
)

PARAMETERS = (
    Parameter(
        "playouts",
        "How many deals it imagines for a decision; each move is played on in each of them.",
        64,
        low=1,
        high=MAX_PLAYOUTS,
        is_bare=True,
    ),
    Parameter(
        "depth",
        "For how many bouts the imagined deals are played by thrifty before lowest plays them to the end.",
        2,
        low=0,
        high=100,
    ),
)
P_PLAYOUTS = 0
P_DEPTH = 1

# looks at which moves are behind come after 4, 6, 8, 12, 16, 24 … playouts
FIRST_LOOK = 4
#: the usual move is kept without further ado if it never fails in the first of so many parts of the playouts
SURE_SHARE = 8
# squares of standard errors, in 16ths: a move is dropped when it is behind by so much, and preferred to the
# usual one when it is ahead by so much
DROP = 3 * 16
PREFER = 1 * 16


@inlined
def word_of(candidate: int, word: int) -> int:
    """Return the slot of some playouts of a candidate, a bit each."""
    return W_LOSSES + candidate * LOSS_WORDS + word


@inlined
def words_of(n: int) -> int:
    """Return how many words the bits of `n` playouts take."""
    return (n + PLAYOUTS_PER_WORD - 1) // PLAYOUTS_PER_WORD


@inlined
def n_failed(W: Work, candidate: int, n_words: int) -> int:
    """Return in how many playouts a candidate has failed."""
    n = 0
    for word in range(n_words):
        n += popcount(W[word_of(candidate, word)])
    return n


@inlined
def is_behind(W: Work, one: int, other: int, n_words: int, least: int) -> bool:
    """Return whether one candidate fails so much more often than another, in the same imagined deals.

    The sign test of paired outcomes (McNemar 1947, Psychometrika 12, 153): of the deals in which just one of
    the two fails, d more count against the first; d squared is at least `least`/16 times their number.
    """
    ahead = 0
    behind = 0
    for word in range(n_words):
        first = W[word_of(one, word)]
        second = W[word_of(other, word)]
        behind += popcount(first & ~second)
        ahead += popcount(second & ~first)
    difference = behind - ahead
    return difference > 0 and 16 * difference * difference >= least * (ahead + behind)


@inlined
def best_of(W: Work, candidates: int, n_words: int) -> int:
    """Return the candidate of a mask that has failed least often, the first of several."""
    best = lowest_index(candidates)
    fewest = n_failed(W, best, n_words)
    rest = candidates & (candidates - 1)
    while rest != 0:
        candidate = lowest_index(rest)
        rest &= rest - 1
        failed = n_failed(W, candidate, n_words)
        if failed < fewest:
            best = candidate
            fewest = failed
    return best


@inlined
def is_look(n: int) -> bool:
    """Return whether the candidates are compared after so many playouts."""
    odd = n >> lowest_index(n)
    return n >= FIRST_LOOK and (odd == 1 or odd == 3)


@inlined
def still_in(W: Work, candidates: int, n: int, playouts: int) -> int:
    """Return the candidates worth further playouts after `n` of all; a single one if it is decided.

    These are all that are not far behind the best one. The usual move alone is left if it is as good as
    sure not to fail.
    """
    n_words = words_of(n)
    if n * SURE_SHARE >= playouts and candidates & 1 and n_failed(W, 0, n_words) == 0:
        return 1
    best = best_of(W, candidates, n_words)
    kept = candidates
    rest = candidates
    while rest != 0:
        candidate = lowest_index(rest)
        rest &= rest - 1
        if is_behind(W, candidate, best, n_words, DROP):
            kept ^= 1 << candidate
    return kept


@inlined
def play_candidates(R: State, T: State, W: Work, seat: int, candidates: int, until: int, i: int) -> None:
    """Play the candidates on in the imagined deal of playout `i`, each with the same cards and races."""
    while candidates != 0:
        candidate = lowest_index(candidates)
        candidates &= candidates - 1
        copy_position(R, T)
        apply_move(T, W[W_MOVES + candidate])
        W[word_of(candidate, i // PLAYOUTS_PER_WORD)] |= play_on(T, seat, until) << (i % PLAYOUTS_PER_WORD)


@inlined
def best_candidate(S: State, R: State, T: State, W: Work, seat: int, n_candidates: int) -> int:
    """Return the index of the move that fails least often, the usual one (the first) in doubt."""
    playouts = bot_param(S, seat, P_PLAYOUTS)
    until = S[BOUTS] + bot_param(S, seat, P_DEPTH)
    n_unseen = list_unseen(S, W, seat)
    weigh_evidence(S, W)
    stream = stream_of_decision(S, seat)
    candidates = (1 << n_candidates) - 1
    n = 0
    while n < playouts and candidates & (candidates - 1):
        if n % PLAYOUTS_PER_WORD == 0:
            for candidate in range(n_candidates):
                W[word_of(candidate, n // PLAYOUTS_PER_WORD)] = 0
        stream = lay_out(S, R, W, seat, n_unseen, stream)
        play_candidates(R, T, W, seat, candidates, until, n)
        n += 1
        if is_look(n):
            candidates = still_in(W, candidates, n, playouts)
    n_words = words_of(n)
    best = best_of(W, candidates, n_words)
    return best if candidates & 1 == 0 or is_behind(W, 0, best, n_words, PREFER) else 0


@kernel
def choose_montecarlo(S: State, W: Work, seat: int) -> Move:
    """Return the move of `montecarlo` (docs/bots.md)."""
    R = W[W_ROOT : W_ROOT + STATE_SIZE]
    T = W[W_TRIAL : W_TRIAL + STATE_SIZE]
    begin_position(S, R)
    begin_position(S, T)
    usual = packed(choose_thrifty(R, seat))
    n_candidates = list_candidates(R, W, usual)
    if n_candidates == 1:
        return unpacked(usual)
    return unpacked(W[W_MOVES + best_candidate(S, R, T, W, seat, n_candidates)])
