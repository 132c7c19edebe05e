"""Effects of single options in a set of variants that vary several: per-deal contrasts of equal weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from simcli.analysis.crossed import WHERE, Contrast, Levels, design
from simcli.analysis.finished import FinishedRun
from simcli.analysis.found import AnyRow, Table
from simcli.analysis.means import LEAST_SESSIONS, paired_mean, t_of_session_totals, t_quantile
from simcli.analysis.packs import kind_of
from simcli.analysis.paired import tango
from simcli.analysis.phrases import cell_names
from simcli.analysis.rates import Floats, Interval, family_of
from simcli.analysis.rows import View
from simcli.analysis.sequences import KIND, sequence_half_width
from simcli.analysis.setting import few_sessions
from simcli.analysis.together import Together, count_together
from simcli.analysis.verdict import MARGIN
from simcli.errors import Problem, input_error
from simcli.rules.wording import printable_path
from simcli.runs.pool import usable_cores

Word = Literal["changes", "inside", "undecided"]


@dataclass(frozen=True)
class ContrastRow(AnyRow):
    """Hold the effect of an option, or the interaction of two, on one cell.

    Attributes
    ----------
    players : int
        Table size.
    lineup : str
        Who played.
    factor : str
        The option; two with a × between them for an interaction.
    value, reference : object
        Its value, and the one it is compared with.
    order : int
        1 for a main effect, 2 for an interaction.
    cell : str
        The cell.
    effect : float
        Mean of the simple effects, a share of all deals.
    interval : Interval
        Holds jointly with those of all cells of all contrasts of the table.
    simple_low, simple_high : float
        The smallest and the largest of the simple effects, which are estimates like any other and differ by
        chance alone, too.
    n_simple : int
        How many simple effects there are: combinations of the other options.
    n : int
        Deals, the same for all variants.
    verdict : {"changes", "inside", "undecided"}
        Whether the interval lies beyond the margin, inside it, or neither.
    """

    players: int
    lineup: str
    factor: str
    value: object
    reference: object
    order: int
    cell: str
    effect: float
    interval: Interval
    simple_low: float
    simple_high: float
    n_simple: int
    n: int
    verdict: Word


def contrasts(
    table: Table,
    factors: Mapping[str, Levels],
    reference: Levels,
    *,
    margin: float = MARGIN,
    view: View | None = None,
    interactions: bool = True,
    workers: int | None = None,
) -> tuple[ContrastRow, ...]:
    """Return the effects of all options that a set of variants varies, cell by cell.

    Each effect is formed deal by deal, over the deals that all variants have, and averaged.

    Parameters
    ----------
    table : Table
        The compared runs.
    factors, reference, interactions
        As for `crossed.design`: per variant the values of its options. Other runs of the table are left
        alone.
    margin : float
        As a share of all deals.
    view : View, optional
        What is counted, as in the comparison: its `view`.
    workers : int, optional
        Threads that count; by default one a core.

    Raises
    ------
    InputError
        A variant has no run in the table; runs have other seeds or positions than the first; sessions are too
        few; or the design is faulty.
    """
    view = view or View()
    runs = _runs(table, factors)
    effects = design(factors, reference, interactions=interactions)
    if not effects:
        return ()
    counted = count_together(runs, view, workers or usable_cores())
    if counted.session > 1 and counted.n_sessions < LEAST_SESSIONS:
        where = ", ".join(printable_path(run.path) for run in runs)
        raise input_error([few_sessions(where, counted.session, counted.n_sessions, table.rotations)])
    positions = runs[0].positions
    cells = cell_names(positions, view, no_loser=bool(counted.totals[positions + 2].any()))
    n_cells = len(cells) - int(view.outcome == "first_out")  # no deal can be drawn then
    k = len(effects) * n_cells
    family = f"{len(effects)} {'contrast' if len(effects) == 1 else 'contrasts'} × {n_cells} cells"
    return tuple(
        replace(
            row,
            interval=replace(row.interval, family=family, kind=kind_of(row.interval.kind, table.rotations)),
        )
        for contrast in effects
        for row in _rows(contrast, counted, table, cells, k, margin)
    )


def _rows(
    contrast: Contrast, counted: Together, table: Table, cells: Sequence[str], k: int, margin: float
) -> Iterator[ContrastRow]:
    """Yield the effect on each cell."""
    for cell, name in enumerate(cells):
        effect, interval = contrast_estimate(
            contrast, counted, cell, table.alpha, k, sequential=table.is_sequential
        )
        simple = _means(contrast.simple, counted, cell)
        yield ContrastRow(
            players=table.runs.players,
            lineup=table.runs.lineup,
            factor=contrast.factor,
            value=contrast.value,
            reference=contrast.reference,
            order=contrast.order,
            cell=name,
            effect=effect,
            interval=interval,
            simple_low=float(simple.min()),
            simple_high=float(simple.max()),
            n_simple=len(simple),
            n=counted.n_deals,
            verdict=_word(interval, margin),
        )


def ranked(rows: Iterable[ContrastRow]) -> Iterator[ContrastRow]:
    """Yield of each contrast the row of its largest effect, the largest of all first."""
    largest: dict[tuple[int, str, str, str], ContrastRow] = {}
    for row in rows:
        key = (row.players, row.lineup, row.factor, repr(row.value))
        if key not in largest or abs(row.effect) > abs(largest[key].effect):
            largest[key] = row
    yield from sorted(largest.values(), key=lambda row: -abs(row.effect))


def _runs(table: Table, factors: Mapping[str, Levels]) -> list[FinishedRun]:
    """Return the run of each variant; all of the same deals and positions."""
    known = {entry.label: entry.run for entry in table.runs.entries}
    for run in list(known.values()):
        known.setdefault(run.variant.name, run)
    absent = [name for name in factors if name not in known]
    if absent:
        raise input_error(
            Problem(
                WHERE,
                None,
                name,
                f"expected a variant of the table ({', '.join(known)}), got none of that name – play it",
            )
            for name in absent
        )
    runs = [known[name] for name in factors]
    problems = [
        Problem(printable_path(run.path), None, None, f"expected {what} {theirs}, got {own} – leave it out")
        for run in runs[1:]
        for what, own, theirs in (
            ("seed", run.match.seed, runs[0].match.seed),
            ("teams", run.variant.teams, runs[0].variant.teams),
        )
        if own != theirs
    ]
    if problems:
        raise input_error(problems)
    return runs


def contrast_estimate(
    contrast: Contrast, counted: Together, cell: int, alpha: float, k: int, *, sequential: bool = False
) -> tuple[float, Interval]:
    """Return the mean of a contrast's values per deal and its interval, one of k at level 1 − α.

    A contrast of two variants in single deals has Tango's interval. Any other takes its value in each deal,
    or its total in each session, and has Student's, two more deals (sessions) that differ by one, one up and
    one down, counted into its variance. After an early stop the confidence sequence takes their place. Bounds
    are kept within what is possible: ±1, for an interaction ±2.
    """
    effect = float(_means(contrast.weights[np.newaxis], counted, cell)[0])
    squares = float(contrast.weights @ counted.products[cell] @ contrast.weights)
    n, most = counted.n_deals, float(contrast.order)
    interval: Interval | None
    if n < 2:
        interval = None
    elif sequential:
        interval = _in_sequence(effect, squares, counted, alpha, k)
    elif counted.session > 1:
        interval = _of_sessions(effect, squares, counted, alpha, k)
    elif len(contrast.simple) == 1 and contrast.order == 1:
        interval = tango(*_discordant(contrast.weights, counted, cell), n, alpha, k)
    else:
        interval = paired_mean(effect * n, squares, n, alpha, k).interval
    if interval is None:
        return effect, Interval(-most, most, 1 - alpha, "t", family_of(k))
    return effect, replace(interval, low=max(-most, interval.low), high=min(most, interval.high))


def _in_sequence(effect: float, squares: float, counted: Together, alpha: float, k: int) -> Interval:
    """Return the interval that holds at every look."""
    n = counted.n_deals
    variance = (squares + 2) / (n + 2) - effect * effect
    if counted.session > 1:
        ordinary = _of_sessions(effect, squares, counted, alpha, k)
        error = (ordinary.high - effect) / t_quantile(counted.n_sessions - 1, alpha / k / 2)
        variance = error * error * n
    half = float(sequence_half_width(variance, n, alpha, k))
    return Interval(effect - half, effect + half, 1 - alpha, KIND, family_of(k))


def _means(weights: Floats, counted: Together, cell: int) -> Floats:
    """Return the mean per deal of each row of weights."""
    return np.asarray(weights @ counted.totals[cell] / max(1, counted.n_deals))


def _of_sessions(effect: float, squares: float, counted: Together, alpha: float, k: int) -> Interval:
    """Return the interval from session totals, per deal also where the last session is cut short."""
    n, sessions, length = counted.n_deals, counted.n_sessions, counted.session
    interval = t_of_session_totals(effect * n, squares, sessions, length, alpha, k).interval
    assert interval is not None
    return interval.scaled(sessions * length / n)


def _discordant(weights: Floats, counted: Together, cell: int) -> tuple[int, int]:
    """Return the deals of a cell that only the one variant, and only the other, has."""
    one, other = int(weights.argmax()), int(weights.argmin())
    both = counted.products[cell, one, other]
    totals = counted.totals[cell]
    return int(totals[one] - both), int(totals[other] - both)


def _word(interval: Interval, margin: float) -> Word:
    if interval.low > margin or interval.high < -margin:
        return "changes"
    return "inside" if -margin < interval.low and interval.high < margin else "undecided"
