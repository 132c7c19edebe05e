"""What a billion deals cost on a cluster: measured on two workers of this machine, the rest is arithmetic.

    python -m tests.cluster_cost                 measure and print
    python -m tests.cluster_cost --write         put it into docs/cluster.md between the marks
    python -m tests.cluster_cost --deals 2M      measure more deals

CPU time is counted, not time on the clock, so that other programs on the machine disturb it little.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from simcli.bots.lineup import parse_lineup
from simcli.rules.load import load_variant
from simcli.rules.numbers import whole_number
from simcli.runs.conduct import RunInPlay, conduct, conduct_all
from simcli.runs.executors import Place, opened_pool
from simcli.runs.marked import with_block
from simcli.runs.orders import Order
from simcli.runs.outcome import platform_text
from simcli.runs.plan import MAX_DEALS, Match
from simcli.runs.report import report_for

PAGE = Path(__file__).parent.parent / "docs" / "cluster.md"
BLOCK = "cost"
BILLION = 1_000_000_000
CORES = (2, 16, 64)
WORKERS = 2


def measured(deals: int) -> dict[str, float]:
    """Play deals on two workers and return CPU seconds of the workers and of the command, and bytes."""
    variant = load_variant("classic")
    match = Match(variant, parse_lineup("thrifty", variant.players), 1, 1)
    report = report_for(sys.stderr)
    with (
        tempfile.TemporaryDirectory() as results,
        opened_pool(Place("dask", collect=True), WORKERS, report) as pool,
    ):
        conduct(Order(match, 20_000, Path(results, "warm")), pool, report)
        executor: Any = pool.open_executor(WORKERS, pool._board)
        taken_in: list[float] = []

        def onlooker(runs: Sequence[RunInPlay]) -> None:
            taken_in.append(time.process_time())

        before = executor.client.run(time.process_time)
        (outcome,) = conduct_all([Order(match, deals, Path(results))], pool, report, onlooker=onlooker)
        after = executor.client.run(time.process_time)
        parts = list(outcome.folder.glob("part-*.parquet"))
        return {
            "worker_s": sum(after.values()) - sum(before.values()),
            "command_s": taken_in[-1] - taken_in[0],
            "bytes": sum(path.stat().st_size for path in parts),
            "taken_in": deals * (1 - 1 / len(parts)),
        }


def lines(deals: int, found: dict[str, float]) -> Iterator[str]:
    """Yield what was measured and what follows from it."""
    each_us = found["worker_s"] / deals * 1e6
    taken_us = found["command_s"] / found["taken_in"] * 1e6
    size = found["bytes"] / deals
    core_h = each_us * BILLION / 1e6 / 3600
    yield f"Measured: {deals:,} deals of `classic`, four `thrifty`, {WORKERS} workers ({platform_text()})."
    yield ""
    yield "| | measured | a deal | a billion deals |"
    yield "|---|---:|---:|---:|"
    yield (
        f"| CPU of the workers | {found['worker_s']:.1f} s | ÷ {deals:,} = {each_us:.2f} µs "
        f"| × 10⁹ = {core_h:.2f} core hours |"
    )
    yield (
        f"| CPU of the command, which collects | {found['command_s']:.2f} s | ÷ {found['taken_in']:,.0f} "
        f"(after the first part) = {taken_us:.3f} µs | × 10⁹ = {taken_us * BILLION / 1e6:.0f} s |"
    )
    yield (
        f"| rows on the disk | {found['bytes'] / 1e6:.1f} MB | ÷ {deals:,} = {size:.1f} bytes "
        f"| × 10⁹ = {size:.1f} GB |"
    )
    yield ""
    ratio = f"{each_us:.2f} ÷ {taken_us:.3f} = {each_us / taken_us:.0f}"
    yield f"The command keeps up with {ratio} workers that send their parts back."
    yield ""
    yield "| cores | minutes for a billion deals |"
    yield "|---:|---:|"
    for cores in CORES:
        yield f"| {cores} | 60 × {core_h:.2f} ÷ {cores} = {60 * core_h / cores:.1f} |"


def main() -> int:
    """Measure, and print or write what was found."""
    parser = argparse.ArgumentParser(description="Measure what a billion deals cost on a cluster.")
    parser.add_argument("--deals", default="3M", metavar="N")
    parser.add_argument("--write", action="store_true", help="put it into docs/cluster.md")
    options = parser.parse_args()
    deals = whole_number(options.deals, "--deals", 100_000, MAX_DEALS)
    text = "\n".join(lines(deals, measured(deals))) + "\n"
    if not options.write:
        print(text)
        return 0
    page = with_block(PAGE.read_text(encoding="utf-8"), BLOCK, f"\n{text}\n")
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
