"""`simcli report`: write what runs or an experiment show as one page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli.comparing import (
    DEFAULT_MARGIN,
    AdjustName,
    AdjustOption,
    BaselineOption,
    FrameName,
    FrameOption,
    MarginOption,
    OutcomeName,
    OutcomeOption,
    WorkersOption,
    are_folders,
    is_folder,
)
from simcli.cli.run import n_workers, results_folder
from simcli.cli.speech import remark
from simcli.errors import refusal

if TYPE_CHECKING:
    from simcli.analysis.comparison import Comparison
    from simcli.experiments.result import Result

COMMAND = "simcli report"
DEFAULT_OUT = "results"
LONGEST_TITLE = 200


def report(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…|EXPERIMENT",
            help="Folders of finished runs; or an experiment, by its file or name, all of which is played.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The page to write, as HTML.")
    ] = None,
    png: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write every chart into this folder, too, as PNG.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every number of the page, too, as JSON.")
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="Title of the page. [default: the experiment's, or what is compared]"
        ),
    ] = None,
    baseline: BaselineOption = None,
    margin: MarginOption = DEFAULT_MARGIN,
    frame: FrameOption = None,
    outcome: OutcomeOption = None,
    adjust: AdjustOption = None,
    deals: Annotated[
        str | None,
        typer.Option(
            "--deals", "-n", metavar="N", help="Experiment: deals it was played with. [default: the file's]"
        ),
    ] = None,
    workers: WorkersOption = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help=f"Experiment: results folder, or s3://BUCKET/PREFIX. [default: {DEFAULT_OUT}]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write what runs or an experiment show as one page that needs nothing else.

    Verdicts first, then charts, rules in words, numbers and methods. Of runs, all table sizes and line-ups at
    which there is one of the baseline are compared, each by itself.
    """
    from simcli.cli.pages import write_page

    page = _page(output, png, json)
    _refuse_long_title(title)
    n_threads = n_workers(workers)
    found: Result | Comparison
    if len(names) == 1 and not is_folder(names[0]) and not _is_lost_folder(names[0]):
        own = {
            "--baseline": baseline, "--margin": margin != DEFAULT_MARGIN, "--outcome": outcome,
            "--frame": frame, "--adjust": adjust,
        }  # fmt: skip
        _refuse(own, "runs, an experiment has its own in its file")
        found = _experiment(names[0], deals, DEFAULT_OUT if out is None else out, n_threads)
    else:
        _refuse({"--deals": deals, "--out": out is not None}, "experiments, these are runs")
        found = _compared(names, baseline, margin, frame, outcome, adjust, n_threads)
    write_page(found, page, png, json, title=title or "", workers=n_threads)
    _tell_next(found)


def _is_lost_folder(name: str) -> bool:
    """Return whether a name looks like the folder of a run that is not there."""
    from simcli.rules.shelf import SUFFIXES

    return "/" in name and not name.endswith(SUFFIXES)


def _refuse(options: Mapping[str, object], whose: str) -> None:
    named = [option for option, value in options.items() if value]
    if named:
        belong, them = ("belongs", "it") if len(named) == 1 else ("belong", "them")
        raise refusal(COMMAND, f"{' and '.join(named)} {belong} to {whose} – leave {them} out")


def _compared(
    names: list[str],
    baseline: str | None,
    margin: str,
    frame: FrameName | None,
    outcome: OutcomeName | None,
    adjust: AdjustName | None,
    workers: int,
) -> Comparison:
    """Return what the runs of some folders show, table size by table size."""
    from simcli.analysis.compare import compare
    from simcli.rules.points import share_of_points
    from simcli.rules.wording import printable

    margin_share = share_of_points(margin, "--margin")
    if not are_folders(names, "an experiment alone"):
        what = f"got {printable(names[0])} – play it with simcli run, or name an experiment alone"
        raise refusal(COMMAND, f"expected folders of finished runs, {what}")
    remark(f"comparing {len(names)} {'run' if len(names) == 1 else 'runs'} …")
    comparison = compare(
        names,
        baseline,
        margin_share,
        None if frame is None else frame.value,
        None if outcome is None else outcome.value,
        "trumps" if adjust is AdjustName.trumps else None,
        by="players",
        workers=workers,
    )
    for note in (note for note in comparison.notes if note.startswith("left out: ")):
        remark(note)
    return comparison


def _experiment(name: str, deals: str | None, out: str, workers: int) -> Result:
    """Return what an experiment found, all of whose runs are there."""
    from simcli.experiments.conduct import conduct_experiment
    from simcli.experiments.load import load_experiment
    from simcli.experiments.planning import plan_experiment
    from simcli.rules.numbers import whole_number
    from simcli.runs.plan import MAX_DEALS
    from simcli.runs.pool import Pool
    from simcli.runs.report import report_for

    asked = load_experiment(name)
    if deals is not None:
        asked = asked.with_deals(whole_number(deals, "--deals", 1, MAX_DEALS))
    plan = plan_experiment(asked, results_folder(out))
    missing = [each for each in plan.cells if not each.order.folder.has_report()]
    missing += [each for each in plan.cells if each.missing and asked.rule is None and each not in missing]
    if missing:
        command = ["simcli", "experiment", name, *(["-n", deals] if deals is not None else [])]
        command += ["--out", out] if out != DEFAULT_OUT else []
        n = len(plan.cells)
        raise refusal(
            asked.name,
            f"expected {n} finished {'run' if n == 1 else 'runs'}, got {n - len(missing)} – "
            f"play the rest: {shlex.join(command)}",
        )
    remark(f"comparing {len(plan.cells)} runs …")
    with Pool(workers) as pool:
        return conduct_experiment(plan, pool, report_for(sys.stderr))


def _page(output: Path | None, png: Path | None, json: Path | None) -> Path:
    """Return where the page goes; nowhere, and places that cannot be written, are refused."""
    from simcli.cli.pages import check_places

    if output is None or not output.name:
        raise refusal(COMMAND, "expected --output FILE.html, got none")
    check_places(output, png, json, COMMAND)
    return output


def _refuse_long_title(title: str | None) -> None:
    if title is not None and not 0 < len(title) <= LONGEST_TITLE:
        got = f"{len(title)} characters" if title else "nothing"
        raise refusal("--title", f"expected 1 to {LONGEST_TITLE} characters, got {got}")


def _tell_next(found: Result | Comparison) -> None:
    """Name the command that shows deals in which the largest change comes about, if there are any."""
    from simcli.analysis.comparison import Comparison
    from simcli.rules.wording import printable_path

    comparisons = (found,) if isinstance(found, Comparison) else found.comparisons
    for comparison, table in ((each, table) for each in comparisons for table in each.tables):
        churned = {row.variant for row in table.effects if row.churn is not None and row.churn.value}
        variant = next((row.variant for row in table.ranking if row.variant in churned), None)
        if variant is None or table.runs.baseline.run.counts is not None:
            continue
        runs = (table.runs.baseline.run, table.run_of(variant))
        paths = (member.path for run in runs for member in run.members)
        words = [*map(printable_path, paths), "--examples", "3"]
        words += ["--outcome", "first_out"] if comparison.view.outcome == "first_out" else []
        does = "loses" if comparison.view.outcome == "loss" else "is out first"
        remark(f"next: simcli compare {shlex.join(words)}  names deals in which somebody else {does}")
        return
