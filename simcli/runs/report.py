"""How runs speak while they go on: notices and a progress bar, both on the error stream."""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol, TextIO

from simcli.terminal import fitted, is_quiet

PLAIN_LINE_S = 5.0
BAR = "{desc}: {percentage:3.0f}% {bar} {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_fmt}]{postfix}"
BAR_COLUMNS = 56
"""Columns of the bar beside title and note."""
SHORT_BAR = "{percentage:3.0f}% {bar} {n_fmt}/{total_fmt} <{remaining} {rate_fmt}{postfix}"
SHORT_BAR_COLUMNS = 41
"""Columns of the bar where a note takes the place of the title."""
NARROW_BAR = "{percentage:3.0f}% {bar} <{remaining}{postfix}"
NARROW_BAR_COLUMNS = 21
LEAST_NAME = 12
"""Columns that the name in a note gets at least, or the bar is made shorter."""
COLUMNS = 80


class Report(Protocol):
    """What a run tells while it goes on."""

    def say(self, text: str) -> None:
        """Tell one notice."""

    def begin(self, title: str, deals: int, done: int) -> None:
        """Begin with a run, or several, of which some deals are already done."""

    def show(self, done: int) -> None:
        """Show how many deals are done."""

    def name(self, name: str) -> None:
        """Show which of several runs is being played."""

    def note(self, name: str, finding: str, look: int) -> None:
        """Show what is found so far, of which variant and at how many deals, beside the progress."""

    def end(self) -> None:
        """Put the progress away."""


class Silent:
    """Tell nothing."""

    def say(self, text: str) -> None:
        """Ignore a notice."""

    def begin(self, title: str, deals: int, done: int) -> None:
        """Ignore a beginning."""

    def show(self, done: int) -> None:
        """Ignore progress."""

    def name(self, name: str) -> None:
        """Ignore which run it is."""

    def note(self, name: str, finding: str, look: int) -> None:
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

    def begin(self, title: str, deals: int, done: int) -> None:
        """Note the start."""
        self._title, self._deals, self._first = title, deals, done
        self._name = ""
        self._start = self._last = time.monotonic()

    def name(self, name: str) -> None:
        """Note which run it is."""
        self._name = name

    def show(self, done: int) -> None:
        """Print a line if the last one is a few seconds old."""
        now = time.monotonic()
        if now - self._last < PLAIN_LINE_S:
            return
        self._last = now
        rate = (done - self._first) / (now - self._start)
        left = f", {(self._deals - done) / rate:,.0f} s left" if rate > 0 else ""
        title = _titled(self._title, self._name)
        self.say(f"{title}: {done:,} of {self._deals:,} deals, {rate:,.0f} deals/s{left}")

    def note(self, name: str, finding: str, look: int) -> None:
        """Print a line if the last such one is a few seconds old."""
        now = time.monotonic()
        if now - self._noted >= PLAIN_LINE_S:
            self._noted = now
            self.say(f"{name}, {finding} at {look:,} deals")


class BarReport(Silent):
    """Tell progress by a bar on a terminal, in one line."""

    def __init__(self, stream: TextIO) -> None:
        from tqdm import tqdm

        self.stream = stream
        self._tqdm = tqdm
        self._bar: Any = None
        self._title = self._name = ""
        self._note: tuple[str, str, int] | None = None

    def say(self, text: str) -> None:
        """Print a notice above the bar."""
        self._tqdm.write(fitted(text, self.stream), file=self.stream)

    def begin(self, title: str, deals: int, done: int) -> None:
        """Draw the bar."""
        self._title, self._name = title, ""
        self._bar = self._tqdm(
            total=deals,
            initial=done,
            desc=title,
            unit=" deals",
            unit_scale=True,
            file=self.stream,
            dynamic_ncols=True,
            leave=False,
            bar_format=BAR,
            smoothing=0.1,
        )

    def name(self, name: str) -> None:
        """Show it in the title, from the next move on."""
        self._name = name

    def note(self, name: str, finding: str, look: int) -> None:
        """Show it at the end of the bar, from the next move on."""
        self._note = name, finding, look

    def show(self, done: int) -> None:
        """Move the bar; it never goes back further than to what is complete."""
        if self._bar is not None:
            self._arrange()
            self._bar.update(done - self._bar.n)

    def _arrange(self) -> None:
        """Put title and note into the bar; where there is no room for both, the note alone."""
        bar, room = self._bar, (self._bar.format_dict["ncols"] or COLUMNS) - 1
        title = _titled(self._title, self._name, room - BAR_COLUMNS)
        bar.desc, bar.bar_format, bar.unit, bar.postfix = title, BAR, " deals", None
        if self._note is None:
            return
        name, finding, look = self._note
        note = f"{name}, {finding} at {look:,}"
        if BAR_COLUMNS + len(title) + len(note) > room:
            room -= len(finding) + 2
            is_narrow = room - SHORT_BAR_COLUMNS < min(len(name), LEAST_NAME)
            room -= NARROW_BAR_COLUMNS if is_narrow else SHORT_BAR_COLUMNS
            note = f"{_cut(name, room)}, {finding}"
            bar.bar_format, bar.unit = NARROW_BAR if is_narrow else SHORT_BAR, ""
        bar.postfix = note

    def end(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _titled(title: str, name: str, columns: int | None = None) -> str:
    """Return a title with the name of a run, if there are several, in so many columns.

    >>> _titled("3 runs", "late-transfer"), _titled("3 runs", "late-transfer", 18)
    ('3 runs, late-transfer', '3 runs, late-tran…')
    """
    if not name:
        return title
    return f"{title}, {name if columns is None else _cut(name, columns - len(title) - 2)}"


def _cut(text: str, columns: int) -> str:
    """Return the beginning of a text in so many columns, at least one letter of it."""
    return text if len(text) <= columns else f"{text[: max(1, columns - 1)]}…"


def report_for(stream: TextIO = sys.stderr) -> Report:
    """Return a bar for a terminal, plain lines for anything else, and silence where no remarks are wanted."""
    if is_quiet():
        return Silent()
    return BarReport(stream) if stream.isatty() else PlainReport(stream)
