"""Ship weights of `thrifty` that were tuned to single variants, and say what they gain (docs/bots.md).

python -m tests.bench.adapted --ship classic.py podkidnoy.py …   puts what bots' files hold into the source
python -m tests.bench.adapted                                   prints what the shipped weights gain
python -m tests.bench.adapted --write                           and writes it into docs/bots.md
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory

from simcli.analysis.phrases import heading, percent, points
from simcli.analysis.robustness import robustness
from simcli.analysis.shifts import shifts
from simcli.bots import thrifty_sets
from simcli.bots.thrifty_sets import TUNED
from simcli.bots.thrifty_weights import WEIGHTS, table_of
from simcli.experiments.conduct import conduct_experiment
from simcli.experiments.load import load_experiment
from simcli.experiments.planning import plan_experiment
from simcli.rules.load import load_variant
from simcli.rules.variant import MAX_PLAYERS, seat
from simcli.runs.marked import with_block
from simcli.runs.pool import Pool
from simcli.runs.report import Silent
from simcli.tuning.botfile import points_text, weights_source
from simcli.tuning.measure import gain
from tests.bench.strength import PAGE

PACKS = 50_000
DEALS = 200_000
SEED = 2  # the search had seed 1


def gains_table(packs: int) -> str:
    """Return what each shipped set gains under its variant, at every table."""
    lines = [
        f"{packs:,} packs a row, seed {SEED}; in points, with 95 % intervals.\n",
        "| variant | players | one tuned among the usual | one usual among the tuned |",
        "|---|---|---|---|",
    ]
    for tuned in TUNED:
        w = table_of(tuned.weights, WEIGHTS)
        for players in range(2, MAX_PLAYERS + 1):
            found = gain(seat(load_variant(tuned.name), players), w, 0, 1, SEED, packs)
            ours, theirs = points_text(found.among_usual), points_text(found.among_tuned)
            lines.append(f"| `{tuned.name}` | {players} | {ours} | {theirs} |")
    return "\n".join(lines) + "\n"


def findings_table(folder: Path, deals: int) -> str:
    """Return what becomes of the findings of the experiment `adapted` between adapted players."""
    experiment = load_experiment("adapted").with_deals(deals)
    with Pool(1) as pool:
        result = conduct_experiment(plan_experiment(experiment, folder), pool, Silent())
    (comparison,) = result.comparisons
    found = shifts(comparison)
    level = 0.0 if found[0].shift.interval is None else found[0].shift.interval.level
    lines = [
        f"{deals:,} deals a cell; in points, with {percent(level)} intervals, joint for each size.\n",
        "| variant | players | position | usual players | shown | adapted players | shown | moved by |",
        "|---|---|---|---|---|---|---|---|",
    ]
    agreements = {(row.variant, row.players, row.lineup): row.agreement for row in robustness(comparison)}
    for row in found:
        where = heading(row.cell, comparison.view, False)
        before, after = (
            f"{points(difference, 2)} | {agreements[row.variant, row.players, lineup]}"
            for difference, lineup in ((row.before, row.first), (row.after, row.lineup))
        )
        lines.append(
            f"| `{row.variant}` | {row.players} | {where} | {before} | {after} | {points_text(row.shift)} |"
        )
    return "\n".join(lines) + "\n"


def ship(files: list[Path]) -> None:
    """Put the weights of bots' files, each called by its variant, into the source of the sets."""
    page = Path(thrifty_sets.__file__)
    source = page.read_text(encoding="utf-8")
    for file in files:
        name = file.stem.upper().replace("-", "_")
        begin = source.index(f"{name} = Weights(")
        end = source.index("\n)\n", begin) + 3
        source = source[:begin] + weights_source(run_path(str(file))["WEIGHTS"], name) + source[end:]
    page.write_text(source, encoding="utf-8")


def main() -> None:
    """Ship weights, or print what they gain, and write it into docs/bots.md if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ship", type=Path, nargs="+", metavar="FILE", help="bots' files to ship")
    parser.add_argument("--packs", type=int, default=PACKS, help="packs a row")
    parser.add_argument("--deals", type=int, default=DEALS, help="deals a cell of the experiment")
    parser.add_argument("--blocks", default="adapted,adaptation", help="the tables to make")
    parser.add_argument("--write", action="store_true", help="write the table into docs/bots.md")
    options = parser.parse_args()
    if options.ship:
        ship(options.ship)
        return
    with TemporaryDirectory() as folder:
        blocks = {
            "adapted": partial(gains_table, options.packs),
            "adaptation": partial(findings_table, Path(folder), options.deals),
        }
        texts = {name: blocks[name]() for name in options.blocks.split(",")}
    print("\n".join(texts.values()), end="")
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        for block, text in texts.items():
            page = with_block(page, block, text)
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
