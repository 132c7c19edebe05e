"""Try mutants: each in a forked copy of this process, where the engine runs as plain Python.

Without the JIT a compiled function is an ordinary one, so a mutant needs no file: the changed module is
executed in memory and its functions lend their code to those that everybody has already imported.
"""

from __future__ import annotations

import importlib
import os
import resource
import signal
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from mmap import mmap
from pathlib import Path
from types import ModuleType
from typing import Any

from simcli.engine import bout, deal, layout, legal, seats
from tests.mutation.checks import Timed, stages_for
from tests.mutation.kinds import NEIGHBOURS
from tests.mutation.mutator import Mutant, mutated_text

ENGINE = Path(layout.__file__).parent
LEAST_S = 0.5  # a check is never stopped earlier
PATIENCE = 6  # times as long as a check takes with nothing broken
MEMORY = 4 << 30  # bytes of data that a mutant may ask for
NOT_TRIED = 3  # exit status: the mutant could not be put in
_INDEX = struct.Struct("q")


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.

    Attributes
    ----------
    mutant : Mutant
        The mutant.
    verdict : str
        ``killed``, ``timeout`` (noticed, because a test did not end) or ``survived``.
    stage, check : str
        The stage and the test that noticed it; empty if none did.
    """

    mutant: Mutant
    verdict: str
    stage: str = ""
    check: str = ""

    @property
    def noticed(self) -> bool:
        """Whether some test told the mutant from the engine."""
        return self.verdict != "survived"


@cache
def source_of(module: str) -> str:
    """Return the text of a module of the engine, as it was when first asked for."""
    return (ENGINE / f"{module}.py").read_text(encoding="utf-8")


def names_to_exchange() -> dict[str, Any]:
    """Return everything of the engine that a mutant may name without having imported it."""
    names: dict[str, Any] = {}
    for module in (layout, seats, legal, bout, deal):
        names.update({name: value for name, value in vars(module).items() if name in NEIGHBOURS})
    return names


def executed(module: ModuleType, text: str) -> dict[str, Any]:
    """Execute a changed module by itself and return what it defines."""
    names = {**names_to_exchange(), "__name__": module.__name__, "__file__": module.__file__}
    exec(compile(text, f"{module.__file__}, mutated", "exec"), names)
    return names


def put_in(mutant: Mutant) -> None:
    """Put a mutant into the engine of this process, for good."""
    module = importlib.import_module(f"simcli.engine.{mutant.module}")
    changed = executed(module, mutated_text(source_of(mutant.module), mutant))
    if not mutant.function:
        for name, value in list(vars(module).items()):
            if name.isupper() and isinstance(value, int) and changed[name] != value:
                replace_constant(name, changed[name])
        return
    function = getattr(module, mutant.function)
    function.__code__ = changed[mutant.function].__code__
    for name in function.__code__.co_names:
        if name in changed:
            function.__globals__.setdefault(name, changed[name])


def replace_constant(name: str, value: int) -> None:
    """Give a constant of the engine another value, wherever it has been imported."""
    for loaded in list(sys.modules.values()):
        if loaded.__name__.startswith("simcli.") and name in vars(loaded):
            setattr(loaded, name, value)


# ------------------------------------------------------------------------------------- one process


def run_checks(checks: Sequence[Timed], progress: mmap) -> int:
    """Run checks until one notices something; return the exit status, 1 if one did."""
    for index, (check, seconds) in enumerate((each.check, each.seconds) for each in checks):
        progress[:] = _INDEX.pack(index)
        signal.setitimer(signal.ITIMER_PROF, max(LEAST_S, PATIENCE * seconds))
        try:
            check.run()
        except BaseException:
            return 1
    return 0


def live(mutant: Mutant, checks: Sequence[Timed], progress: mmap) -> None:
    """Live a mutant's life in a forked process, and end it."""
    status = NOT_TRIED
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # time's up: the process ends
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        put_in(mutant)
        status = run_checks(checks, progress)
    finally:
        os._exit(status)


def checks_for(mutant: Mutant, checks: Sequence[Timed]) -> Sequence[Timed]:
    """Leave out the stages that have nothing to say about a mutant."""
    stages = stages_for(mutant)
    return [each for each in checks if each.check.stage in stages]


def verdict_of(mutant: Mutant, status: int, checks: Sequence[Timed], progress: mmap) -> Outcome:
    """Read how a process ended."""
    (index,) = _INDEX.unpack(progress[:])
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
        return Outcome(mutant, "survived")
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == NOT_TRIED:
        raise RuntimeError(f"{mutant.place}: {mutant.mutated}: could not be tried")
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGKILL, signal.SIGTERM):
        raise RuntimeError(f"{mutant.place}: {mutant.mutated}: somebody else ended the process")
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
    check = checks_for(mutant, checks)[index].check
    return Outcome(mutant, "timeout" if late else "killed", check.stage, check.name)


def trials(mutants: Sequence[Mutant], checks: Sequence[Timed], workers: int) -> Iterator[Outcome]:
    """Try mutants, up to `workers` at once; yield what became of each, in their order."""
    waiting = list(enumerate(mutants))
    running: dict[int, tuple[int, Mutant, mmap]] = {}
    ended: dict[int, Outcome] = {}
    told = 0
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                place, mutant = waiting.pop(0)
                progress = mmap(-1, _INDEX.size)
                pid = os.fork()
                if pid == 0:
                    live(mutant, checks_for(mutant, checks), progress)
                running[pid] = place, mutant, progress
            pid, status = os.wait()
            place, mutant, progress = running.pop(pid)
            ended[place] = verdict_of(mutant, status, checks, progress)
            while told in ended:
                yield ended.pop(told)
                told += 1
    finally:
        for pid in running:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
