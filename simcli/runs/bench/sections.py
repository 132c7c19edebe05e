"""The figures as sections of cells, from which the terminal and the page are written alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from simcli.runs.bench.figures import Figures
from simcli.runs.bench.scaling import BOTS as SCALING_BOTS
from simcli.runs.bench.scaling import DEALS as SCALING_DEALS
from simcli.runs.bench.scaling import VARIANT as SCALING_VARIANT


@dataclass(frozen=True)
class Section:
    """Hold one table.

    Attributes
    ----------
    title : str
        What it shows.
    note : str
        How to read it, in a sentence.
    head : tuple of str
        The columns.
    n_words : int
        Columns from the left that hold words; the others hold numbers.
    rows : tuple of tuple of str
        The cells.
    """

    title: str
    note: str
    head: tuple[str, ...]
    n_words: int
    rows: tuple[tuple[str, ...], ...]


def sections(figures: Figures) -> Iterator[Section]:
    """Yield a section for everything that was measured."""
    for make in (_engine, _yardstick, _triggers, _commands, _workers):
        section = make(figures)
        if section.rows:
            yield section


def _engine(figures: Figures) -> Section:
    return Section(
        "The engine on one core",
        "Deals a CPU second; ns is the time a decision takes, dealing and the outcome row included.",
        ("variant", "bots", "players", "deals/s", "decisions", "ns"),
        2,
        tuple(
            (
                speed.variant,
                speed.bots,
                str(speed.players),
                f"{speed.deals_per_s:,.0f}",
                f"{speed.decisions:.1f}",
                f"{speed.ns_per_decision:.1f}",
            )
            for speed in figures.engine
        ),
    )


def _yardstick(figures: Figures) -> Section:
    return Section(
        "Against the yardstick",
        "The engine with `classic` and this `throw_in.window`; the yardstick always plays `when_beaten`. "
        "Ratio: engine to yardstick in the same round, the median of all rounds, and from where to where.",
        ("throw_in.window", "bots", "players", "engine/s", "yardstick/s", "ratio", "from", "to"),
        2,
        tuple(
            (
                ratio.window,
                ratio.bots,
                str(ratio.players),
                f"{ratio.deals_per_s:,.0f}",
                f"{ratio.yardstick_deals_per_s:,.0f}",
                f"{ratio.ratio:.2f}",
                f"{ratio.low:.2f}",
                f"{ratio.high:.2f}",
            )
            for ratio in sorted(figures.yardstick, key=lambda one: (one.window != "when_beaten", one.bots))
        ),
    )


def _triggers(figures: Figures) -> Section:
    return Section(
        "The cost of noting what decided",
        "How much longer a deal takes because the options in which the variant differs from `classic` are "
        "watched.",
        ("variant", "bots", "players", "options", "deals/s", "cost"),
        2,
        tuple(
            (
                cost.variant,
                cost.bots,
                str(cost.players),
                str(cost.watched),
                f"{cost.deals_per_s:,.0f}",
                f"{cost.cost * 100:+.1f} %".replace("-", "−"),
            )
            for cost in figures.triggers
        ),
    )


def _commands(figures: Figures) -> Section:
    return Section(
        "Whole commands",
        "From start to end by the clock, on all cores; memory is that of the largest process. With an empty "
        "cache the engine is compiled first.",
        ("command", "cache", "seconds", "memory", "bytes/deal"),
        2,
        tuple(
            (
                cost.command,
                cost.cache,
                f"{cost.seconds:.2f}",
                f"{cost.peak_bytes / 1e6:,.0f} MB",
                "" if cost.bytes_per_deal is None else f"{cost.bytes_per_deal:.1f}",
            )
            for cost in figures.commands
        ),
    )


def _workers(figures: Figures) -> Section:
    return Section(
        "Workers",
        f"`{SCALING_VARIANT}`, `{SCALING_BOTS}`, by the clock from the first deals to the last part written, "
        f"of {SCALING_DEALS:,} deals.",
        ("workers", "deals/s", "times one"),
        0,
        tuple(
            (str(scaling.workers), f"{scaling.deals_per_s:,.0f}", f"{scaling.factor:.2f}")
            for scaling in figures.workers
        ),
    )
