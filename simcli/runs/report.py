"""How a run speaks while it goes on: notices and a progress bar, both on the error stream."""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol, TextIO

from simcli.terminal import fitted, is_quiet

PLAIN_LINE_S = 5.0
BAR = "{desc}: {percentage:3.0f}% {bar} {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_fmt}]{postfix}"


class Report(Protocol):
    """What a run tells while it goes on."""

    def say(self, text: str) -> None:
        """Tell one notice."""

    def begin(self, name: str, deals: int, done: int) -> None:
        """Begin with a run of which some deals are already done."""

    def show(self, done: int) -> None:
        """Show how many deals are done."""

    def note(self, text: str) -> None:
        """Show what is found so far, beside the progress."""

    def end(self) -> None:
        """Put the progress away."""


class Silent:
    """Tell nothing."""

    def say(self, text: str) -> None:
        """Ignore a notice."""

    def begin(self, name: str, deals: int, done: int) -> None:
        """Ignore a beginning."""

    def show(self, done: int) -> None:
        """Ignore progress."""

    def note(self, text: str) -> None:
        """Ignore what is found."""

    def end(self) -> None:
        """Ignore an end."""


class Notices(Silent):
    """Tell notices only, such as that the engine is being compiled."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def say(self, text: str) -> None:
        """Print a notice."""
        print(fitted(text, self.stream), file=self.stream, flush=True)


class PlainReport(Notices):
    """Tell progress in a line every few seconds, for logs and pipes."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._noted = time.monotonic()

    def begin(self, name: str, deals: int, done: int) -> None:
        """Note the start."""
        self._name, self._deals, self._first = name, deals, done
        self._start = self._last = time.monotonic()

    def show(self, done: int) -> None:
        """Print a line if the last one is a few seconds old."""
        now = time.monotonic()
        if now - self._last < PLAIN_LINE_S:
            return
        self._last = now
        rate = (done - self._first) / (now - self._start)
        left = f", {(self._deals - done) / rate:,.0f} s left" if rate > 0 else ""
        self.say(f"{self._name}: {done:,} of {self._deals:,} deals, {rate:,.0f} deals/s{left}")

    def note(self, text: str) -> None:
        """Print a line if the last such one is a few seconds old."""
        now = time.monotonic()
        if now - self._noted >= PLAIN_LINE_S:
            self._noted = now
            self.say(text)


class BarReport(Silent):
    """Tell progress by a bar on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        from tqdm import tqdm

        self.stream = stream
        self._tqdm = tqdm
        self._bar: Any = None
        self._note = ""

    def say(self, text: str) -> None:
        """Print a notice above the bar."""
        self._tqdm.write(fitted(text, self.stream), file=self.stream)

    def begin(self, name: str, deals: int, done: int) -> None:
        """Draw the bar."""
        self._bar = self._tqdm(
            total=deals,
            initial=done,
            desc=name,
            unit=" deals",
            unit_scale=True,
            file=self.stream,
            dynamic_ncols=True,
            leave=False,
            bar_format=BAR,
            smoothing=0.1,
            postfix=self._note or None,
        )

    def note(self, text: str) -> None:
        """Show it at the end of the bar, from the next one on."""
        self._note = text

    def show(self, done: int) -> None:
        """Move the bar; it never goes back further than to what is complete."""
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def end(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def report_for(stream: TextIO = sys.stderr) -> Report:
    """Return a bar for a terminal, plain lines for anything else, and silence where no remarks are wanted."""
    if is_quiet():
        return Silent()
    return BarReport(stream) if stream.isatty() else PlainReport(stream)
