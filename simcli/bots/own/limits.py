"""How long a decision may take, and how that is noticed."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType, TracebackType
from typing import Self

VARIABLE = "SIMCLI_BOT_SECONDS"
USUAL_S = 10.0


class TooLong(BaseException):
    """A decision takes too long; no bot's ``except Exception`` catches this."""


def decision_limit() -> float:
    """Return how many seconds a decision of an own bot may take."""
    try:
        seconds = float(os.environ.get(VARIABLE, USUAL_S))
    except ValueError:
        return USUAL_S
    return seconds if 0 < seconds < 1e6 else USUAL_S


class Clock:
    """Interrupt what takes too long with `TooLong`, in the main thread of a process; elsewhere do nothing.

    Parameters
    ----------
    seconds : float
        The limit.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._works = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Self:
        """Be ready."""
        if self._works:
            self._before = signal.signal(signal.SIGALRM, _interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop, and leave the alarm to whom it belonged."""
        if self._works:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)

    def start(self) -> None:
        """Begin to count."""
        if self._works:
            signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def stop(self) -> None:
        """Count no more."""
        if self._works:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise TooLong
