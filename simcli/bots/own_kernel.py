"""Line-ups with compiled bots of other people: call a function by its address, check what it answers.

The address is a number, so that the machine code of this kernel is kept whatever it calls.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from simcli.bots.batch import Rows, write_row
from simcli.bots.choose import choose_move
from simcli.engine.actions import next_card, unpacked
from simcli.engine.apply import apply_move
from simcli.engine.bits import at, popcount
from simcli.engine.deal import start_deal
from simcli.engine.jit import JIT_ENABLED, inlined, kernel
from simcli.engine.layout import (
    ACTOR,
    ADDABLE,
    ALL_CARDS,
    BOT_STREAM,
    COVER,
    EXCHANGE,
    KEEP,
    PASS,
    PH_EXCHANGE,
    PH_LAST_THROW,
    PH_LAST_THROW_MORE,
    PH_LEAD,
    PH_LEAD_MORE,
    PH_OVER,
    PH_RESPOND,
    PH_THROW,
    PH_THROW_MORE,
    PH_TRANSFER_MORE,
    PHASE,
    PICK_UP,
    SHOW,
    STATE_SIZE,
    STOP,
    TARGET_SHIFT,
    TRANSFER,
    UNCOVERED,
    VERB_SHIFT,
    WHOLE_TURN,
    State,
)
from simcli.engine.legal import covers_of, showable, transferable
from simcli.engine.view import adding_verb

#: int64 array: the address of each seat's function, 0 where a shipped bot sits
Addresses: TypeAlias = npt.NDArray[np.int64]

#: int64 array of `SEEN_SIZE`: what is being played right now, for whoever watches
Seen: TypeAlias = npt.NDArray[np.int64]
SEEN_DEAL = 0  # the deal
SEEN_SEAT = 1  # the seat of the own bot that is deciding, -1 while none is
SEEN_COUNT = 2  # decisions of own bots so far
SEEN_SIZE = 3

PLAYED = -1  # every deal has been played
ILLEGAL = 0  # what ended it instead: a move that is not legal …
CHANGED = 1  # … or a changed state

#: of so many deals one is played with an eye on whether a bot changes the state that it is shown
WATCHED_DEALS = 64

if JIT_ENABLED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def call_address(typing_context: Any, address: Any, state: Any) -> Any:
        """Call the function at an address with a state; return the move it answers with."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[1])(context, builder, args[1]).data
            kind = ir.FunctionType(ir.IntType(64), [data.type])
            return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [data])

        return types.int64(types.int64, state), codegen

else:

    def call_address(address: int, state: State) -> int:
        """Call the function at an address with a state; return the move it answers with."""
        raise NotImplementedError


@inlined
def is_one_of(cards: int, allowed: int) -> bool:
    """Return whether a set is one card out of some."""
    return popcount(cards) == 1 and cards & ~allowed == 0


@inlined
def is_legal_action(S: State, code: int) -> bool:
    """Return whether a single action of the asked seat is legal, as `list_legal` has it."""
    verb, target, cards, _ = unpacked(code)
    phase = S[PHASE]
    if verb == COVER:
        if phase != PH_RESPOND or target & S[UNCOVERED] == 0:
            return False
        return is_one_of(cards, covers_of(S, target))
    if code != (verb << VERB_SHIFT) | cards:
        return False
    if phase == PH_RESPOND:
        if verb == TRANSFER:
            return is_one_of(cards, transferable(S))
        if verb == SHOW:
            return is_one_of(cards, showable(S))
        return verb == PICK_UP and cards == 0
    if phase == PH_EXCHANGE:
        return (verb == EXCHANGE or verb == KEEP) and cards == 0
    if verb == adding_verb(phase):
        return is_one_of(cards, S[ADDABLE])
    if phase == PH_LEAD or cards != 0:
        return False
    return verb == (PASS if phase == PH_THROW or phase == PH_LAST_THROW else STOP)


@inlined
def is_asked_for_more(S: State) -> bool:
    """Return whether a seat that has added is asked for more."""
    phase = S[PHASE]
    return (
        phase == PH_LEAD_MORE
        or phase == PH_TRANSFER_MORE
        or phase == PH_THROW_MORE
        or phase == PH_LAST_THROW_MORE
    )


@inlined
def play_whole_turn(S: State, code: int) -> bool:
    """Play the cards of a whole turn one by one, then stop; return False at the first that is not legal."""
    verb = (code >> VERB_SHIFT) & 15
    cards = code & ALL_CARDS
    seat = S[ACTOR]
    if cards == 0 or (code >> TARGET_SHIFT) & 63 != 0:
        return False
    first = True
    while cards != 0:
        card = next_card(S, cards)
        cards ^= card
        action = (verb << VERB_SHIFT) | card
        if not first and (S[ACTOR] != seat or not is_asked_for_more(S)):
            return False
        if S[PHASE] == PH_OVER or not is_legal_action(S, action):
            return False
        apply_move(S, action)
        first = False
    if S[ACTOR] == seat and is_asked_for_more(S):
        apply_move(S, STOP << VERB_SHIFT)
    return True


@kernel
def play_if_legal(S: State, code: int) -> bool:
    """Play a move of the asked seat; return False if it is not legal."""
    if code < 0:
        return False
    if code & WHOLE_TURN:
        return play_whole_turn(S, code)
    if not is_legal_action(S, code):
        return False
    apply_move(S, code)
    return True


@kernel
def is_legal_move(S: State, trial: State, code: int) -> bool:
    """Return whether a move of the asked seat is legal; `trial` is a copy of the state, and spoilt."""
    if code >= 0 and code & WHOLE_TURN == 0:
        return is_legal_action(S, code)
    return play_if_legal(trial, code)


@inlined
def is_changed(S: State, shown: State, seat: int) -> bool:
    """Return whether a state that was shown to a seat has changed in more than its random stream."""
    changed = False
    for slot in range(STATE_SIZE):
        if S[slot] != shown[slot] and slot != BOT_STREAM + seat:
            changed = True
    return changed


@kernel
def play_called(
    S: State,
    shown: State,
    addresses: Addresses,
    seed: int,
    first_deal: int,
    session: int,
    rows: Rows,
    seen: Seen,
) -> int:
    """Play a batch of deals as `play_batch` tells, at a table with compiled own bots and simple shipped ones.

    Parameters
    ----------
    S, seed, first_deal, session, rows
        As for `play_batch`.
    shown : State
        A state to show to bots where a change is to be noticed.
    addresses : Addresses
        The functions.
    seen : Seen
        Told what is being played.

    Returns
    -------
    int
        `PLAYED`, `ILLEGAL` or `CHANGED`; `seen` says in which deal and at which seat, and the first slot of
        `shown` holds the illegal move.
    """
    for i in range(rows.shape[1]):
        start_deal(S, seed, first_deal + i, i % session == 0)
        seen[SEEN_DEAL] = first_deal + i
        is_watched = (first_deal + i) % WATCHED_DEALS == 0
        while S[PHASE] != PH_OVER:
            seat = S[ACTOR] & 7
            if addresses[seat] == 0:
                apply_move(S, choose_move(S))
                continue
            seen[SEEN_SEAT] = seat
            seen[SEEN_COUNT] += 1
            if is_watched:
                for slot in range(STATE_SIZE):
                    shown[slot] = S[slot]
                code = call_address(addresses[seat], shown)
                S[at(BOT_STREAM, seat)] = shown[at(BOT_STREAM, seat)]
                if is_changed(S, shown, seat):
                    return CHANGED
            else:
                code = call_address(addresses[seat], S)
            if not play_if_legal(S, code):
                shown[0] = code
                return ILLEGAL
            seen[SEEN_SEAT] = -1
        write_row(S, rows, i)
    return PLAYED
