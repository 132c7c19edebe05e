"""How far several runs are, all together, told to a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from simcli.runs.report import Report


@dataclass
class Progress:
    """Count deals and show them; a context manager that puts the progress away at the end.

    Attributes
    ----------
    report : Report
        Whom to tell.
    names : tuple of str
        The runs.
    deals : int
        Deals of all runs together.
    done : int
        Those of them that are complete.
    """

    report: Report
    names: tuple[str, ...]
    deals: int
    done: int = 0
    _is_begun: bool = field(default=False, init=False)
    _short: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self._short = dict(zip(self.names, _without_common_end(self.names), strict=True))

    def __enter__(self) -> Self:
        """Return the progress; it begins to be shown with the first part."""
        return self

    def __exit__(self, *_: object) -> None:
        """Put the progress away."""
        if self._is_begun:
            self.report.end()

    def name(self, name: str) -> None:
        """Say which run is being played, now or in a moment."""
        if not self._is_begun:
            self._is_begun = True
            title = self.names[0] if len(self.names) == 1 else f"{len(self.names)} runs"
            self.report.begin(title, self.deals, self.done)
        if len(self.names) > 1:
            self.report.name(self._short[name])

    def add(self, n_deals: int) -> None:
        """Count deals of a part that is complete."""
        self.done += n_deals

    def show(self, in_play: int) -> None:
        """Show how many deals are done, with those of parts in play."""
        if self._is_begun:
            self.report.show(self.done + in_play)

    def say(self, text: str) -> None:
        """Tell one notice."""
        self.report.say(text)


def _without_common_end(names: Sequence[str]) -> list[str]:
    """Return names of folders without the words at their end that all of them have.

    >>> _without_common_end(["classic-p4-thrifty-s1", "late-transfer-p4-thrifty-s1"])
    ['classic', 'late-transfer']
    """
    words = [name.split("-") for name in names]
    n = 0
    while all(len(each) > n + 1 for each in words) and len({each[-1 - n] for each in words}) == 1:
        n += 1
    return ["-".join(each[: len(each) - n]) for each in words]
