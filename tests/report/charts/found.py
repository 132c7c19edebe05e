"""Comparisons made up from random numbers: what charts are drawn from, without a run on disk."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from simcli.analysis.comparison import Comparison
from simcli.analysis.curves import CurveRow
from simcli.analysis.factorial import ContrastRow
from simcli.analysis.found import (
    DifferenceRow,
    EffectRow,
    FindingRow,
    PositionRow,
    ShareRow,
    SkillRow,
    Table,
    VariantRow,
    VerdictRow,
)
from simcli.analysis.pair_rows import ranking
from simcli.analysis.phrases import cell_names
from simcli.analysis.rates import Estimate, Interval
from simcli.analysis.rows import View
from simcli.analysis.streaks import StreakRow
from simcli.analysis.tables import Entry, TableRuns
from simcli.analysis.verdict import CellDifference, Verdict, difference_word, judge

N = 100_000
LEVEL = 0.975
NAMES = (
    "podkidnoy", "regular", "transferable", "advanced-standard", "advanced-transfer", "late-transfer",
    "pass-card", "first-bout-no-transfer", "five-card-opening", "five-until-discard", "full-pack",
    "short-pack", "neighbours-only", "no-draws", "random-opening", "simultaneous", "draw-in-turn",
    "draw-defender-last", "draw-final-attacker", "draw-join-order", "trump-six-exchange", "duel", "partners",
)  # fmt: skip


def around(value: float, half: float, family: str = "alone") -> Interval:
    return Interval(value - half, value + half, LEVEL, "Tango", family)


def estimate(value: float, half: float) -> Estimate:
    return Estimate(value, around(value, half))


def made_up_table(
    names: Sequence[str] = NAMES,
    players: int = 4,
    lineup: str = "thrifty",
    *,
    scale: float = 0.02,
    seed: int = 1,
    margin: float = 0.005,
    view: View | None = None,
    baseline: str = "classic",
    teams: str = "none",
) -> Table:
    """Return a table whose variants change everything by random amounts."""
    draw = np.random.default_rng(seed)
    view = view or View()
    cells = cell_names(players, view, no_loser=False)
    rates = np.full(players, 0.9 / players)
    runs = [
        Entry(name, cast(Any, SimpleNamespace(variant=SimpleNamespace(teams=teams), positions=players)))
        for name in (baseline, *names)
    ]
    differences, verdicts, effects = [], [], []
    positions, shares = [], []
    for name in (baseline, *names):
        change = np.zeros(players + 2)
        if name != baseline:
            change[:players] = draw.normal(0, scale * draw.choice([0.02, 0.2, 1.0]), players)
            change[players] = -change[:players].sum()
        counts = [*(rates + change[:players]), 0.1 + change[players], 0.0]
        for cell, rate in zip(cells, counts, strict=False):
            positions.append(
                PositionRow(name, players, lineup, cell, N, int(rate * N), rate, around(rate, 0.004))
            )
        lost = sum(counts[:players])
        for position in range(players):
            share = counts[position] / lost
            moved = None if name == baseline else estimate(float(change[position]), 0.004)
            shares.append(
                ShareRow(
                    name, players, lineup, str(position), N, int(counts[position] * N), 1 / players, share,
                    around(share, 0.004), moved,
                )
            )  # fmt: skip
        if name == baseline:
            continue
        half = float(draw.choice([0.001, 0.003, 0.006]))
        rows = []
        for cell, value in zip(cells, change, strict=False):
            interval = around(float(value), half, f"{len(names)} variants × {len(cells)} cells")
            rows.append(
                DifferenceRow(
                    name, players, lineup, cell, N, 0, 0, 0.0, 0.0, float(value), interval, 0.5, 1.0
                )
            )  # fmt: skip
        verdict = judge(
            [
                CellDifference(row.cell, row.difference, row.interval.low, row.interval.high, 0.1, 3.0)
                for row in rows
            ],
            N,
            margin,
        )
        differences += rows
        verdicts.append(_verdict(name, players, lineup, verdict))
        effects.append(_effect(name, players, lineup, verdict, rows, draw))
    return Table(
        runs=TableRuns(players, lineup, tuple(runs)),
        alpha=1 - LEVEL,
        look=1,
        is_sequential=False,
        n_variants=len(names),
        n_cells=len(cells),
        variants=tuple(_variant(name, players, lineup, name == baseline) for name in (baseline, *names)),
        positions=tuple(positions),
        lost_shares=tuple(shares),
        stages=(),
        differences=tuple(differences),
        verdicts=tuple(verdicts),
        effects=tuple(effects),
        fairness=(),
        measures=(),
        adjusted=(),
        ranking=tuple(ranking(differences, verdicts)),
    )


def made_up(*tables: Table, margin: float = 0.005, view: View | None = None) -> Comparison:
    """Return the comparison of some tables."""
    findings: tuple[FindingRow, ...] = ()
    return Comparison(tables[0].variants[0].variant, margin, view or View(), tables, findings, ())


def _variant(name: str, players: int, lineup: str, is_baseline: bool) -> VariantRow:
    return VariantRow(
        name, players, lineup, is_baseline, name, "", "0" * 64, (), (), N, 1, 1, (N,), "", ""
    )  # fmt: skip


def _verdict(name: str, players: int, lineup: str, verdict: Verdict) -> VerdictRow:
    return VerdictRow(
        name, players, lineup, verdict.verdict, verdict.cell, "", verdict.text, verdict.differs, None
    )  # fmt: skip


def _effect(
    name: str, players: int, lineup: str, verdict: Verdict, rows: Sequence[DifferenceRow],
    draw: np.random.Generator,
) -> EffectRow:  # fmt: skip
    row = next(row for row in rows if row.cell == verdict.cell)
    share = float(draw.choice([0.0005, 0.03, 0.3, 0.9, 1.0]))
    among = max(-1.0, min(1.0, row.difference / share))
    return EffectRow(
        name, players, lineup, "deal by deal", N, row.cell, row.difference,
        estimate(share, 0.0), estimate(share, 0.1 * share), None, None, estimate(among, 0.05), None, None,
        None, None, None, None, None, None,
    )  # fmt: skip


def curve(name: str = "long", shift: float = -0.1, half: float = 0.01, last: int = 30) -> CurveRow:
    """Return the distribution of a variant under which so many deals more are over in the middle."""
    values = tuple(range(1, last))
    base = tuple(float(value / last) for value in values)
    change = tuple(shift * 4 * share * (1 - share) for share in base)
    return CurveRow(
        name, 4, "thrifty", "bouts", values, base,
        tuple(a + b for a, b in zip(base, change, strict=True)), change,
        tuple(each - half for each in change), tuple(each + half for each in change),
        LEVEL, "Tango", "3 variants × 29 values", N,
        estimate(16.0, 1.0), estimate(28.0, 1.0), estimate(15.0, 1.0), estimate(27.0, 1.0),
    )  # fmt: skip


def contrast(
    factor: str, value: object, effect: float, *, half: float = 0.002, n_simple: int = 4, order: int = 1,
    verdict: str = "changes", cell: str = "0",
) -> ContrastRow:  # fmt: skip
    return ContrastRow(
        4, "thrifty", factor, value, "none", order, cell, effect, around(effect, half), effect - 0.01,
        effect + 0.02, n_simple, N, cast(Any, verdict),
    )  # fmt: skip


def skilled(name: str, share: float | None, change: float | None, half: float = 0.004) -> SkillRow:
    """Return a skill share, and its difference from the baseline's."""
    interval = None if share is None else around(share, half)
    difference = None if change is None else estimate(change, half)
    rates = estimate(0.15, 0.001), estimate(0.25, 0.001), estimate(0.1, 0.001)
    return SkillRow(
        name, 4, "counting,lowest,lowest,lowest rotated", "counting", "lowest", 4 * N, N, *rates, share,
        interval, difference, 0.02, difference_word(difference, 0.02),
    )  # fmt: skip


def streak(name: str, excess: float | None, half: float | None = 0.002) -> StreakRow:
    interval = None if half is None or excess is None else around(excess, half)
    again = None if excess is None else 0.25 + excess
    rate = None if excess is None else 0.25
    return StreakRow(name, 4, "thrifty", 10, 1000, 9000, again, rate, excess, interval, None)
