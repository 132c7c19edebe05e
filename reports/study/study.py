"""Make the study in this folder: play its experiments, and write their pages, twins, charts and findings.

    python reports/study/study.py                      play what is missing, write everything
    python reports/study/study.py --only table-size    the same for single experiments
    python reports/study/study.py --findings           write README.md again from the twins that are there

A twin is the report as JSON (docs/formats.md, "A report as JSON"), compressed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from simcli.errors import InputError, RunError
from simcli.experiments.conduct import conduct_experiment
from simcli.experiments.load import load_experiment
from simcli.experiments.planning import plan_experiment
from simcli.report.charts.style import to_png
from simcli.report.write import write_report
from simcli.rules.numbers import whole_number
from simcli.rules.shelf import EXPERIMENTS
from simcli.runs.partfile import write_whole
from simcli.runs.plan import MAX_DEALS
from simcli.runs.pool import Pool, usable_cores
from simcli.runs.report import report_for

if TYPE_CHECKING:
    from simcli.experiments.experiment import Experiment
    from simcli.experiments.result import Result
    from simcli.report.model import Report

HERE = Path(__file__).resolve().parent
DEALS = "1M"
COLOURS = 32
"""As many as a chart needs; it is a tenth of the size then."""


@dataclass(frozen=True)
class Part:
    """Hold one experiment of the study.

    Attributes
    ----------
    name : str
        The shipped experiment.
    charts : tuple of (str, str)
        Charts that are kept as PNG: key in the report, and name of the file.
    deals : str
        Deals a cell, where it does not go by those of the whole study; empty if it does.
    ahead : tuple of str
        Line-ups that are quick enough for the deals of the whole study all the same.
    """

    name: str
    charts: tuple[tuple[str, str], ...] = ()
    deals: str = ""
    ahead: tuple[str, ...] = ()


STUDY = (
    Part("house-rules", (("p4-thrifty-gains", "who-gains-and-who-pays.png"),)),
    Part("table-size", (("sizes-0-thrifty-profile", "who-loses.png"),)),
    Part("standard-or-transfer"),
    Part("opening-advantage"),
    Part("transfer-rules"),
    Part("one-at-a-time"),
    Part("bot-panel", deals="50k", ahead=("lowest", "counting")),
    Part("adapted"),
    Part("skill", deals="100k"),
)


def main() -> None:
    """Make the study as the command line asks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", default=DEALS, metavar="N", help=f"deals a cell (default {DEALS})")
    parser.add_argument("--out", type=Path, default=Path("results"), metavar="DIR", help="results folder")
    parser.add_argument("--only", action="append", metavar="NAME", choices=[part.name for part in STUDY])
    parser.add_argument("--findings", action="store_true", help="only write README.md from the twins")
    wanted = parser.parse_args()
    if not wanted.findings:
        for part in STUDY:
            if wanted.only is None or part.name in wanted.only:
                make(part, whole_number(wanted.deals, "--deals", 1, MAX_DEALS), wanted.out)
    from findings import write_findings  # beside this file

    write_findings()


def make(part: Part, deals: int, results: Path) -> None:
    """Play one experiment, as far as it is not there, and write its page, its twin and its charts."""
    experiment = load_experiment(EXPERIMENTS.locate_shipped(part.name)).with_deals(deals)
    if part.ahead:
        conducted(experiment.model_copy(update={"bots": part.ahead}), results)
    if part.deals:
        experiment = experiment.with_deals(whole_number(part.deals, part.name, 1, MAX_DEALS))
    found, workers = conducted(experiment, results), usable_cores()
    report = write_report(found, HERE / f"{part.name}.html", workers=workers)
    write_twin(report, HERE / f"{part.name}.json.gz")
    for key, name in part.charts:
        write_chart(report, key, HERE / name)


def conducted(experiment: Experiment, results: Path) -> Result:
    """Return what an experiment finds; what is not there is played."""
    print(f"{experiment.name}: {experiment.deals:,} deals a cell", file=sys.stderr)
    with Pool(usable_cores()) as pool:
        return conduct_experiment(plan_experiment(experiment, results), pool, report_for(sys.stderr))


def write_twin(report: Report, path: Path) -> None:
    """Write every number of a report, compressed, the same bytes for the same report."""
    text = json.dumps(report.as_mapping(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    write_whole(path, gzip.compress(text.encode(), 9, mtime=0))


def write_chart(report: Report, key: str, path: Path) -> None:
    """Write one chart at print resolution, in few colours."""
    from PIL import Image

    (chart,) = (each for each in report.charts if each.key == key)
    to_png(chart.figure, path)
    with Image.open(path) as image:
        small = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


if __name__ == "__main__":
    try:
        main()
    except (InputError, RunError) as error:
        sys.exit(str(error))
