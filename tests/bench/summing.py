"""Measure how long a hundred million rows take to be summarised and compared.

python -m tests.bench.summing                 measures, and prints the table of docs/performance.md
python -m tests.bench.summing --write         and writes it there
python -m tests.bench.summing --deals 10M     with fewer deals

The runs are whole folders, as `simcli run` writes them, but only their first part is played: the others
repeat its rows as further deals. They take 3.2 GB of room for a few minutes, in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from simcli.bots.batch import N_COLUMNS, Rows
from simcli.bots.lineup import parse_lineup
from simcli.rules.load import load_variant
from simcli.rules.numbers import whole_number
from simcli.rules.variant import seat
from simcli.runs.bench import watch
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.folder import RunFolder
from simcli.runs.identity import engine_identity
from simcli.runs.marked import with_block
from simcli.runs.partfile import PartRecord, checksum_of, part_bytes, record_of_rows, write_whole
from simcli.runs.plan import MAX_DEALS, MAX_PART, Match, Part, Plan, Stretch
from simcli.runs.planfile import yaml_text
from simcli.runs.play import play_rows
from tests.analysis.finished_runs import FIGURES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
BLOCK = "summing"
DEALS = 100_000_000
PLAYERS = 4
VARIANTS = ("classic", "late-transfer")
REPEATS = 3
FIGURES_OF = ("seconds", "cpu_seconds", "peak_bytes")


def match_of(variant: str, seed: int = 1) -> Match:
    """Return a match whose deals are quick to play."""
    return Match(seat(load_variant(variant), PLAYERS), parse_lineup("lowest", PLAYERS), seed, 1)


def write_repeated_run(results: Path, match: Match, deals: int, part_deals: int = MAX_PART) -> Path:
    """Write the folder of a finished run whose parts all hold the rows of its first; return the folder."""
    plan = Plan(match, (Stretch(deals, part_deals),), engine_identity())
    folder = RunFolder(results / match.folder_name)
    folder.write_plan(plan)
    rows: Rows = np.empty((N_COLUMNS, min(deals, part_deals)), dtype=np.uint16)
    play_rows(match, 0, rows, lambda _: True)
    with ThreadPoolExecutor(2) as threads:
        records = list(threads.map(partial(_write_part, folder, plan, rows), plan.parts()))
    folder.note_sums(records)
    digest = digest_text(add_digests(*(record.digest for record in records)))
    write_whole(folder.run_path, yaml_text({**plan.as_mapping(), "digest": digest, **FIGURES}).encode())
    return folder.path


def _write_part(folder: RunFolder, plan: Plan, rows: Rows, part: Part) -> PartRecord:
    own = np.ascontiguousarray(rows[:, : part.n_deals])
    record = record_of_rows(own, plan.match, part)
    content = part_bytes(own, plan.match, plan.engine, record)
    write_whole(folder.part_path(part), content)
    return replace(record, checksum=checksum_of(content))


def measure(*folders: Path) -> dict[str, float]:
    """Return seconds, CPU seconds and most memory of `simcli compare` on some folders."""
    words = [sys.executable, "-m", "simcli", "compare", *map(str, folders)]
    before = _cpu_seconds()
    done = subprocess.run(
        [sys.executable, "-S", watch.__file__, *words], stdout=subprocess.PIPE, text=True, check=True
    )
    said: dict[str, float] = json.loads(done.stdout)
    if said["code"]:
        raise SystemExit(f"simcli compare failed:\n{said['error']}")
    return {**said, "cpu_seconds": _cpu_seconds() - before}


def _cpu_seconds() -> float:
    """Return the CPU time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table_of(deals: int, results: Path, repeats: int = REPEATS) -> str:
    """Write both runs, measure, and return the median of each figure as a table."""
    folders = []
    for variant in VARIANTS:
        folders.append(write_repeated_run(results, match_of(variant), deals))
        print(f"{variant}: written", file=sys.stderr)
    lines = ["| rows | command | seconds | CPU seconds | memory |", "|---:|---|---:|---:|---:|"]
    for runs in (folders[:1], folders):
        measured = [measure(*runs) for _ in range(repeats)]
        seconds, cpu, peak = (median(each[figure] for each in measured) for figure in FIGURES_OF)
        command = " ".join(["simcli compare", *["RUN"] * len(runs)])
        lines.append(
            f"| {len(runs)} × {deals:,} | {command} | {seconds:.1f} | {cpu:.1f} | {peak / 1e6:.0f} MB |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the table, and write it into docs/performance.md if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", default=str(DEALS), help="deals of a run (100M)")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    deals = whole_number(options.deals, "--deals", 1, MAX_DEALS)
    with tempfile.TemporaryDirectory(prefix="simcli-summing-") as name:
        table = table_of(deals, Path(name))
    print(table, end="")
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(with_block(page, BLOCK, table), encoding="utf-8")


if __name__ == "__main__":
    main()
