"""Tell which measurement is under way: a bar on a terminal, a line a section anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TextIO, TypeVar

from simcli.terminal import fitted, is_quiet

_Job = TypeVar("_Job")
BAR = "{desc}: {n_fmt}/{total_fmt} {bar} {elapsed}"


class Steps(Protocol):
    """Whom to tell about measurements."""

    def say(self, text: str) -> None:
        """Tell one notice."""

    def walk(self, section: str, jobs: Iterable[_Job], name: Callable[[_Job], str]) -> Iterator[_Job]:
        """Yield the jobs of a section, naming each as its turn comes."""


class Quiet:
    """Tell nothing."""

    def say(self, text: str) -> None:
        """Ignore a notice."""

    def walk(self, section: str, jobs: Iterable[_Job], name: Callable[[_Job], str]) -> Iterator[_Job]:
        """Yield the jobs."""
        yield from jobs


class PlainSteps(Quiet):
    """Tell each section in a line, for logs and pipes."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def say(self, text: str) -> None:
        """Print a notice."""
        print(fitted(text, self.stream), file=self.stream, flush=True)

    def walk(self, section: str, jobs: Iterable[_Job], name: Callable[[_Job], str]) -> Iterator[_Job]:
        """Print the section's name if it has any jobs, and yield them."""
        waiting = list(jobs)
        if waiting:
            self.say(f"measuring {section} …")
        yield from waiting


class BarSteps(PlainSteps):
    """Tell measurements by a bar on a terminal."""

    def walk(self, section: str, jobs: Iterable[_Job], name: Callable[[_Job], str]) -> Iterator[_Job]:
        """Move the bar on with each job."""
        from tqdm import tqdm

        waiting = list(jobs)
        if not waiting:
            return
        with tqdm(
            total=len(waiting), file=self.stream, dynamic_ncols=True, leave=False, bar_format=BAR
        ) as bar:
            for job in waiting:
                bar.set_description_str(f"{section}, {name(job)}")
                yield job
                bar.update()


def steps_for(stream: TextIO = sys.stderr) -> Steps:
    """Return a bar for a terminal, plain lines for anything else, and silence where no remarks are wanted."""
    if is_quiet():
        return Quiet()
    return BarSteps(stream) if stream.isatty() else PlainSteps(stream)
