"""Play at tables with own bots in a process apart: whatever such a bot does, nothing else suffers from it.

The process is asked for one slice of deals after another and answers with their rows. It says in shared
memory which bot is deciding, so that it can be ended, and the bot be named, where a decision never ends.
"""

from __future__ import annotations

import atexit
import faulthandler
import mmap
import os
import pickle
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from simcli.bots.batch import N_COLUMNS, Rows
from simcli.bots.own.decide import Misplay
from simcli.bots.own.limits import decision_limit
from simcli.bots.own.play import bots_at, play_own
from simcli.bots.own.source import shown_path
from simcli.bots.own_kernel import SEEN_COUNT, SEEN_DEAL, SEEN_SEAT, SEEN_SIZE, Seen
from simcli.engine.layout import State
from simcli.errors import InputError, RunError
from simcli.rules.wording import printable_path
from simcli.runs.plan import Match

GRACE_S = 2.0  # until a bot that cannot be interrupted from within is ended from outside
TICK_S = 0.2
LENGTH = struct.Struct("<Q")
SEEN = struct.Struct(f"={SEEN_SIZE}q")
TRACE_LINE = re.compile(r'File "(.+)", line (\d+) in ')


class Slice(NamedTuple):
    """Ask for a slice of deals."""

    match: Match
    first: int
    n_deals: int


class Terms(NamedTuple):
    """Hold what a process begins with: the order of its sets, the working folder, the limit of a decision."""

    hash_seed: int
    folder: str
    limit_s: float


Answer = bytes | Misplay | str
"""Rows, or what a bot did, or why the bots cannot be used."""


class Child:
    """A process that plays slices of deals.

    Parameters
    ----------
    terms : Terms
        What it begins with, and keeps.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._memory = tempfile.TemporaryFile()  # noqa: SIM115 – as long as the process
        self._memory.truncate(8 * SEEN_SIZE)
        self._map = mmap.mmap(self._memory.fileno(), 8 * SEEN_SIZE)
        self._map[:] = SEEN.pack(*[-1] * SEEN_SIZE)
        self._trace = tempfile.TemporaryFile()  # noqa: SIM115
        fds = (self._memory.fileno(), self._trace.fileno())
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *map(str, fds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
                "PYTHONHASHSEED": str(
                    terms.hash_seed
                ),  # a bot that goes through a set does so in the same order
                "PYTHONSAFEPATH": "1",
            },
            pass_fds=fds,
            start_new_session=True,  # Ctrl-C is for the parent
        )

    @property
    def seen(self) -> tuple[int, ...]:
        """Return what is being played."""
        return SEEN.unpack(self._map[:])

    def ask(self, wanted: Slice) -> Answer:
        """Return the answer to a request.

        Raises
        ------
        Misplay
            A decision never ended, or ended the process.
        RunError
            The process has ended without a bot's doing.
        """
        try:
            _send(self._stdin, wanted)
            length = LENGTH.unpack(self._read(LENGTH.size, wanted.match))[0]
            answer: Answer = pickle.loads(self._read(length, wanted.match))
        except (BrokenPipeError, EOFError):
            raise self._death(wanted.match) from None
        return answer

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _read(self, n: int, match: Match) -> bytes:
        assert self._process.stdout is not None
        fd = self._process.stdout.fileno()
        content = bytearray()
        limit, since, count = decision_limit() + GRACE_S, time.monotonic(), -1
        while len(content) < n:
            if select.select([fd], [], [], TICK_S)[0]:
                piece = os.read(fd, min(n - len(content), 1 << 20))
                if not piece:
                    raise EOFError
                content += piece
                continue
            seen = self.seen
            if seen[SEEN_SEAT] < 0 or seen[SEEN_COUNT] != count:
                since, count = time.monotonic(), seen[SEEN_COUNT]
            elif time.monotonic() - since > limit:
                raise self._hanging(match)
        return bytes(content)

    def _hanging(self, match: Match) -> Misplay:
        """Return what a bot did that cannot be interrupted, after asking for the line it is at."""
        self._process.send_signal(signal.SIGUSR1)
        time.sleep(TICK_S)
        return self._misplay(match, f"took longer than {decision_limit():g} seconds")

    def _death(self, match: Match) -> RunError:
        code = self._process.wait()
        what = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        if self.seen[SEEN_SEAT] < 0:
            return RunError(f"the process that played the own bots has ended by itself ({what})")
        return self._misplay(match, f"ended the process that it played in ({what})")

    def _misplay(self, match: Match, reason: str) -> Misplay:
        seen = self.seen
        bot = match.lineup.bots[seen[SEEN_SEAT]]
        place = self._place(bot)
        return Misplay(seen[SEEN_SEAT], bot, f"{reason} at {place}" if place else reason, seen[SEEN_DEAL])

    def _place(self, bot: str) -> str:
        """Return the line of the bot's file that was being executed last, if it left a trace."""
        self._trace.seek(0)
        own = str(Path(bot.partition(":")[0]).absolute())
        for file, line in TRACE_LINE.findall(self._trace.read().decode(errors="replace")):
            if file == own:
                return f"{printable_path(shown_path(Path(file)))}:{line}"
        return ""

    @property
    def is_alive(self) -> bool:
        """Return whether it can be asked."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._map, self._memory, self._trace):
            with suppress(BrokenPipeError):
                if file is not None:
                    file.close()


_idle: list[Child] = []
_lock = threading.Lock()


@contextmanager
def _child(hash_seed: int) -> Iterator[Child]:
    """Lend a process that is idle, or a new one; it is ended if anything goes wrong with it."""
    terms = Terms(hash_seed, os.getcwd(), decision_limit())
    with _lock:
        for other in [child for child in _idle if child.terms[1:] != terms[1:] or not child.is_alive]:
            _idle.remove(other)
            other.close()
        fitting = [child for child in _idle if child.terms == terms]
        if fitting:
            _idle.remove(fitting[-1])
    child = fitting[-1] if fitting else Child(terms)
    try:
        yield child
    except BaseException:
        child.close()
        raise
    with _lock:
        _idle.append(child)


@atexit.register
def close_idle() -> None:
    """End the processes that wait for work."""
    with _lock:
        while _idle:
            _idle.pop().close()


def play_apart(match: Match, first: int, rows: Rows, hash_seed: int = 0) -> None:
    """Play a batch of deals of a match with own bots in a process apart.

    Parameters
    ----------
    match : Match
        What is played.
    first : int
        Index of the first deal, which opens a session.
    rows : ndarray of uint16, shape (N_COLUMNS, n)
        Filled.
    hash_seed : int
        How Python scatters texts in sets there.

    Raises
    ------
    Misplay
        A bot did what it must not.
    RunError
        The bots cannot be used any more, or the process has ended by itself.
    """
    with _child(hash_seed) as child:
        answer = child.ask(Slice(match, first, rows.shape[1]))
    if isinstance(answer, Misplay):
        raise answer
    if isinstance(answer, str):
        raise RunError(answer)
    rows[:] = np.frombuffer(answer, dtype=np.uint16).reshape(rows.shape)


# ------------------------------------------------------------------------------ in the process


def _send(file: IO[bytes], thing: Any) -> None:
    content = pickle.dumps(thing)
    file.write(LENGTH.pack(len(content)) + content)
    file.flush()


def _answer(wanted: Slice, seen: Seen, tables: dict[Match, State]) -> Answer:
    from simcli.runs.play import table_of

    match = wanted.match
    try:
        if match not in tables:
            tables.clear()
            tables[match] = table_of(match)
        state = tables[match]
        assert any(bots_at(state))
        rows: Rows = np.empty((N_COLUMNS, wanted.n_deals), dtype=np.uint16)
        play_own(state, match.seed, wanted.first, match.session, rows, seen)
    except InputError as error:
        return str(error)
    except Misplay as misplay:
        return misplay
    return rows.tobytes()


def main() -> None:
    """Play what is asked for until nobody asks any more."""
    memory, trace = (int(word) for word in sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable(trace)
    faulthandler.register(signal.SIGUSR1, trace)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints goes where messages go
    seen = np.frombuffer(mmap.mmap(memory, 8 * SEEN_SIZE), dtype=np.int64)
    seen[SEEN_SEAT] = -1
    tables: dict[Match, State] = {}
    while True:
        head = sys.stdin.buffer.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return
        wanted: Slice = pickle.loads(sys.stdin.buffer.read(LENGTH.unpack(head)[0]))
        try:
            _send(answers, _answer(Slice(*wanted), seen, tables))
        except BrokenPipeError:
            return


if __name__ == "__main__":
    from simcli.runs.apart import main as _main

    _main()
