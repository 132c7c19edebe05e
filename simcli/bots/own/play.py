"""Play deals at a table with own bots: compiled ones inside the kernel, plain ones decision by decision."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from simcli.bots.batch import N_COLUMNS, Rows, write_row
from simcli.bots.choose import FIRST_DEEP
from simcli.bots.decide import decide
from simcli.bots.own.bot import OwnBot, bot_of_code
from simcli.bots.own.decide import Misplay, choose_own, illegal_move_text, legal_actions
from simcli.bots.own.limits import Clock, decision_limit
from simcli.bots.own.view import view_of
from simcli.bots.own_kernel import (
    CHANGED,
    PLAYED,
    SEEN_COUNT,
    SEEN_DEAL,
    SEEN_SEAT,
    SEEN_SIZE,
    Seen,
    is_legal_move,
    play_called,
)
from simcli.engine.apply import apply_move
from simcli.engine.deal import start_deal
from simcli.engine.game import Pairs, table_after
from simcli.engine.jit import JIT_ENABLED
from simcli.engine.layout import (
    ACTOR,
    BOT,
    BOT_PARAMS,
    BOUTS,
    MAX_PLAYERS,
    N_BOT_PARAMS,
    PH_OVER,
    PHASE,
    State,
)

Seats = tuple[OwnBot | None, ...]


def bots_at(state: State) -> Seats:
    """Return the own bot of each seat, None where a shipped one sits."""
    return tuple(bot_of_code(code) for code in state[BOT : BOT + MAX_PLAYERS].tolist())


def play_own(
    state: State, seed: int, first_deal: int, session: int, rows: Rows, seen: Seen | None = None
) -> None:
    """Play a batch of deals as `play_batch` tells, at a table with own bots.

    Parameters
    ----------
    state, seed, first_deal, session, rows
        As for `play_batch`.
    seen : Seen, optional
        Told what is being played.

    Raises
    ------
    Misplay
        A bot did what it must not.
    """
    bots = bots_at(state)
    watched = np.zeros(SEEN_SIZE, dtype=np.int64) if seen is None else seen
    watched[SEEN_SEAT] = -1
    if _is_for_kernel(state, bots):
        _play_in_kernel(state, bots, seed, first_deal, session, rows, watched)
        return
    _load_kernels()
    with Clock(decision_limit()) as clock:
        for i in range(rows.shape[1]):
            watched[SEEN_DEAL] = first_deal + i
            start_deal(state, seed, first_deal + i, i % session == 0)
            try:
                _play_out(state, bots, clock, watched)
            except Misplay as misplay:
                raise misplay.in_deal(first_deal + i) from None
            write_row(state, rows, i)


def _play_out(state: State, bots: Seats, clock: Clock, seen: Seen) -> None:
    """Play a started deal to its end."""
    table: Pairs = ()
    while state[PHASE] != PH_OVER:
        seat = int(state[ACTOR])
        bot = bots[seat]
        if bot is None:
            move = decide(state)
        else:
            seen[SEEN_SEAT] = seat
            seen[SEEN_COUNT] += 1
            move = choose_own(bot, state, table, clock)
            seen[SEEN_SEAT] = -1
        table = table_after(table, state, move)
        n_bouts = state[BOUTS]
        apply_move(state, move)
        if state[BOUTS] != n_bouts:
            table = ()


@cache
def _load_kernels() -> None:
    """Have compiled all that a decision takes, so that no bot is blamed for the time of that."""
    from simcli.engine.table import new_table
    from simcli.rules.variant import Variant

    state = new_table(Variant(), 2)
    start_deal(state, 0, 0, True)
    move = legal_actions(state)[0]
    view_of(state, (), ())
    is_legal_move(state, state.copy(), move)
    decide(state)
    apply_move(state, move)
    write_row(state, np.zeros((N_COLUMNS, 1), dtype=np.uint16), 0)


def decide_seen(state: State, table: Pairs, clock: Clock | None = None) -> int:
    """Return the move of whatever bot sits at the asked seat, the same as in a batch.

    Parameters
    ----------
    state : State
        A deal in play. Of it only the random stream of the asked seat changes.
    table : Pairs
        The cards on the table, in order of play.
    clock : Clock, optional
        Watches over the decisions of own bots; the usual one by default.

    Raises
    ------
    Misplay
        An own bot did what it must not.
    """
    bot = bot_of_code(int(state[BOT + state[ACTOR]]))
    if bot is None:
        return decide(state)
    if clock is not None:
        return choose_own(bot, state, table, clock)
    with Clock(decision_limit()) as usual:
        return choose_own(bot, state, table, usual)


def _is_for_kernel(state: State, bots: Seats) -> bool:
    """Return whether all own bots of a table are compiled and no shipped one looks ahead."""
    codes = state[BOT : BOT + MAX_PLAYERS].tolist()
    shipped = (code for bot, code in zip(bots, codes, strict=True) if bot is None)
    is_simple = all(code < FIRST_DEEP for code in shipped)
    return JIT_ENABLED and is_simple and all(bot is None or bot.is_compiled for bot in bots)


def _play_in_kernel(
    state: State, bots: Seats, seed: int, first_deal: int, session: int, rows: Rows, seen: Seen
) -> None:
    addresses = np.array([0 if bot is None else _address(bot) for bot in bots], dtype=np.int64)
    shown = state.copy()
    with _errors_kept_back():
        ended = play_called(state, shown, addresses, seed, first_deal, session, rows, seen)
    if ended == PLAYED:
        return
    seat = int(seen[SEEN_SEAT])
    bot = bots[seat]
    assert bot is not None
    reason = "changed the state it was shown" if ended == CHANGED else _illegal(bot, state, int(shown[0]))
    raise Misplay(seat, bot.text, reason, int(seen[SEEN_DEAL]))


@contextmanager
def _errors_kept_back() -> Iterator[None]:
    """Print nothing of an error of compiled code, which answers 0 instead: no legal move."""
    before = sys.unraisablehook
    sys.unraisablehook = lambda args: None
    try:
        yield
    finally:
        sys.unraisablehook = before


def _illegal(bot: OwnBot, state: State, move: int) -> str:
    """Return what was wrong with an answer: if it asks again, an error that was lost on the way shows."""
    try:
        bot.source.function(state.copy(), *(value for _, value in bot.values))
    except Exception as error:
        from simcli.bots.own.source import error_text

        place = bot.source.place_of(error)
        return f"raised {error_text(error)}" + (f" at {place}" if place else "")
    return illegal_move_text(state, move)


_callbacks: dict[OwnBot, Any] = {}


def _address(bot: OwnBot) -> int:
    """Return the address of a compiled bot as a function of a state, which holds its parameters."""
    if bot not in _callbacks:
        _callbacks[bot] = _callback(bot)
    return int(_callbacks[bot].address)


def _callback(bot: OwnBot) -> Any:
    import numba

    from simcli.engine.layout import STATE_SIZE

    function = bot.source.function
    first, step = BOT_PARAMS, N_BOT_PARAMS

    def none(data: Any) -> int:
        return function(numba.carray(data, (STATE_SIZE,)))

    def one(data: Any) -> int:
        S = numba.carray(data, (STATE_SIZE,))
        return function(S, S[first + step * S[ACTOR]])

    def two(data: Any) -> int:
        S = numba.carray(data, (STATE_SIZE,))
        p = first + step * S[ACTOR]
        return function(S, S[p], S[p + 1])

    def three(data: Any) -> int:
        S = numba.carray(data, (STATE_SIZE,))
        p = first + step * S[ACTOR]
        return function(S, S[p], S[p + 1], S[p + 2])

    def four(data: Any) -> int:
        S = numba.carray(data, (STATE_SIZE,))
        p = first + step * S[ACTOR]
        return function(S, S[p], S[p + 1], S[p + 2], S[p + 3])

    call = (none, one, two, three, four)[len(bot.values)]
    signature = numba.int64(numba.types.CPointer(numba.int64))
    return numba.cfunc(signature)(call)
