"""Let an own bot decide, and refuse what a bot must not do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import FrozenInstanceError
from operator import is_
from typing import Any

import numpy as np

from simcli.bots.own.bot import OwnBot
from simcli.bots.own.limits import Clock, TooLong
from simcli.bots.own.source import error_text
from simcli.bots.own.view import view_of
from simcli.bots.own_kernel import is_legal_move
from simcli.engine.game import Pairs
from simcli.engine.layout import ACTOR, BOT_STREAM, WHOLE_TURN, State
from simcli.engine.notation import VERB_WORDS, action_text, verb_number
from simcli.engine.view import MAX_LEGAL, list_legal
from simcli.errors import RunError
from simcli.rules.wording import printable

SHOWN_ACTIONS = 8


class Misplay(RunError):
    """An own bot has done what a bot must not do.

    Parameters
    ----------
    seat : int
        Its seat.
    bot : str
        Its text.
    reason : str
        What it did.
    deal : int, optional
        In which deal.
    """

    def __init__(self, seat: int, bot: str, reason: str, deal: int | None = None) -> None:
        where = f"seat {seat}" if deal is None else f"deal {deal}, seat {seat}"
        super().__init__(f"{where} ({bot}): {reason}")
        self.seat, self.bot, self.reason, self.deal = seat, bot, reason, deal
        self.record: dict[str, Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Misplay, (self.seat, self.bot, self.reason, self.deal)

    def in_deal(self, deal: int) -> Misplay:
        """Return it with the deal it happened in."""
        return Misplay(self.seat, self.bot, self.reason, deal)


def choose_own(bot: OwnBot, state: State, table: Pairs, clock: Clock) -> int:
    """Return the move of an own bot at the asked seat, a legal one.

    Parameters
    ----------
    bot : OwnBot
        The bot.
    state : State
        A deal in play. Of it only the random stream of the seat changes.
    table : Pairs
        The cards on the table, in order of play.
    clock : Clock
        Watches over the decision.

    Raises
    ------
    Misplay
        It raised an error, took too long, changed what it was shown or answered with something illegal.
    """
    return _compiled_choice(bot, state, clock) if bot.is_compiled else _plain_choice(bot, state, table, clock)


def _plain_choice(bot: OwnBot, state: State, table: Pairs, clock: Clock) -> int:
    actions = legal_actions(state)
    legal = {action_text(action): action for action in actions}
    view = view_of(state, table, tuple(legal))
    before = dict(vars(view))
    answer = _answer(bot, state, clock, view, view.legal, **dict(bot.values))
    if not all(map(is_, map(vars(view).get, before), before.values())):
        raise _misplay(bot, state, "changed its view")
    found = legal.get(answer) if isinstance(answer, str) else None
    if found is None:
        got = printable(answer) if isinstance(answer, str) else printable(_text_of(answer))
        raise _misplay(bot, state, f"answered {got or 'nothing'}, which is not legal – {_expected(legal)}")
    return found


def _compiled_choice(bot: OwnBot, state: State, clock: Clock) -> int:
    seat = int(state[ACTOR])
    shown = state.copy()
    move = _answer(bot, state, clock, shown, *(value for _, value in bot.values))
    state[BOT_STREAM + seat] = shown[BOT_STREAM + seat]
    if not np.array_equal(shown, state):
        slot = int(np.flatnonzero(shown != state)[0])
        raise _misplay(bot, state, f"changed the state it was shown (slot {slot})")
    if not isinstance(move, int | np.integer) or not is_legal_move(state, state.copy(), int(move)):
        raise _misplay(bot, state, illegal_move_text(state, move))
    return int(move)


def illegal_move_text(state: State, move: Any) -> str:
    """Return in words that a compiled bot's move is not legal."""
    legal = [action_text(action) for action in legal_actions(state)]
    return f"answered {_move_text(move)}, which is not legal – {_expected(legal)}"


def _answer(bot: OwnBot, state: State, clock: Clock, *given: Any, **named: Any) -> Any:
    try:
        try:
            clock.start()
            return bot.source.function(*given, **named)
        finally:
            clock.stop()
    except KeyboardInterrupt:
        raise
    except TooLong as error:
        raise _misplay(bot, state, f"took longer than {clock.seconds:g} seconds", error) from None
    except FrozenInstanceError as error:
        raise _misplay(bot, state, "tried to change its view", error) from None
    except BaseException as error:
        raise _misplay(bot, state, f"raised {error_text(error)}", error) from None


def _misplay(bot: OwnBot, state: State, reason: str, error: BaseException | None = None) -> Misplay:
    place = bot.source.place_of(error) if error is not None else ""
    return Misplay(int(state[ACTOR]), bot.text, f"{reason} at {place}" if place else reason)


def legal_actions(state: State) -> list[int]:
    """Return the legal actions of the asked seat."""
    actions = np.empty(MAX_LEGAL, dtype=np.int64)
    return actions[: list_legal(state, actions)].tolist()


def _expected(legal: Iterable[str]) -> str:
    texts = list(legal)
    more = f" and {len(texts) - SHOWN_ACTIONS} more" if len(texts) > SHOWN_ACTIONS else ""
    return f"expected one of: {', '.join(texts[:SHOWN_ACTIONS])}{more}"


def _move_text(move: Any) -> str:
    if not isinstance(move, int | np.integer) or move < 0:
        return printable(_text_of(move))
    code = int(move)
    if verb_number(code) not in VERB_WORDS:
        return f"the number {code}"
    return action_text(code & ~WHOLE_TURN) + (" as a whole turn" if code & WHOLE_TURN else "")


def _text_of(answer: Any) -> str:
    try:
        return repr(answer)
    except Exception:
        return type(answer).__name__
