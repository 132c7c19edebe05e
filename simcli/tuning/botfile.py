"""The file that tuning writes: a bot of one's own, with its weights to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simcli import __version__
from simcli.analysis.phrases import points
from simcli.analysis.rates import Estimate
from simcli.bots.thrifty_weights import Weights
from simcli.tuning.measure import Gain
from simcli.tuning.search import Found

TEMPLATE = '''\
"""`thrifty` with weights tuned to {variant}; {played}.

Written by simcli {version}:

    {command}

{test}

Play it with --bots {file}:choose.
"""

from simcli.bots.thrifty_tuned import make_thrifty
from simcli.bots.thrifty_weights import Weights

# early, late, end of the stock with three seats or more; the same with two seats; the same with three
# or more where the first out wins
{weights}
choose = make_thrifty(WEIGHTS)
'''
#: what every such file holds
MARK = b"choose = make_thrifty(WEIGHTS)"
UNTESTED = "The search was stopped, and the weights were not tested."


@dataclass(frozen=True)
class Tuned:
    """Hold tuned weights and what is to be known of them.

    Attributes
    ----------
    variant : str
        The variant that they are for.
    found : Found
        What the search has come to.
    command : str
        The command that was given.
    gains : tuple of Gain
        What the test found at each table; empty without one.
    """

    variant: str
    found: Found
    command: str
    gains: tuple[Gain, ...] = ()

    @property
    def played(self) -> str:
        """Return in words how long the search was."""
        of = f" of {self.found.of:,}" if self.found.is_stopped else ""
        s = "" if self.found.generations == 1 and not of else "s"
        return f"{self.found.generations:,}{of} generation{s}"

    def source(self, file: str) -> str:
        """Return the bot's file, given its name."""
        return TEMPLATE.format(
            variant=self.variant,
            played=self.played,
            version=__version__,
            command=self.command,
            test="\n".join(gain_lines(self.gains)) if self.gains else UNTESTED,
            file=file,
            weights=weights_source(self.found.weights),
        )


def weights_source(weights: Weights, name: str = "WEIGHTS") -> str:
    """Return weights as Python has them, a line each."""
    lines = [f"    {key}=({', '.join(map(str, row))})," for key, row in weights._asdict().items()]
    return "\n".join([f"{name} = Weights(", *lines, ")\n"])


def gain_lines(gains: Sequence[Gain]) -> list[str]:
    """Return in words what a test found, a line for each table and a heading."""
    return [heading(gains), *(f"    {gain.players} players: {gain_text(gain)}" for gain in gains)]


def heading(gains: Sequence[Gain]) -> str:
    """Return in words in how many packs gains were measured, and how."""
    return f"In {gains[0].packs:,} packs that the search has not seen, in points, with 95 % intervals:"


def gain_text(gain: Gain) -> str:
    """Return in words what weights gain at a table.

    >>> from simcli.analysis.rates import Interval
    >>> ahead = Estimate(-0.0378, Interval(-0.0409, -0.0347, 0.95, "t", "alone"))
    >>> behind = Estimate(0.0354, Interval(0.0322, 0.0386, 0.95, "t", "alone"))
    >>> gain_text(Gain(2, 50_000, ahead, behind))
    'it alone loses −3.78 (−4.09 to −3.47), the usual one alone +3.54 (+3.22 to +3.86)'
    """
    ours, theirs = points_text(gain.among_usual), points_text(gain.among_tuned)
    return f"it alone loses {ours}, the usual one alone {theirs}"


def points_text(estimate: Estimate) -> str:
    """Return a difference in points with its interval."""
    value, interval = estimate.value, estimate.interval
    if value is None or interval is None:
        return "unknown"
    return f"{points(value, 2)} ({points(interval.low, 2)} to {points(interval.high, 2)})"
