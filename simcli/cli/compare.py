"""`simcli compare`: say what a rule changes, by how much, and how sure that is."""

from __future__ import annotations

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli.comparing import (
    DEFAULT_MARGIN,
    AdjustName,
    AdjustOption,
    BaselineOption,
    FrameOption,
    MarginOption,
    OutcomeOption,
    SummaryOption,
    WorkersOption,
    are_folders,
)
from simcli.cli.completion import variant_names
from simcli.cli.executors import CollectOption, ExecutorOption, workers_asked
from simcli.cli.interrupted import say_stopped
from simcli.cli.run import n_workers, results_folder
from simcli.cli.speech import remark
from simcli.errors import refusal

if TYPE_CHECKING:
    from simcli.analysis.comparison import Comparison
    from simcli.analysis.finished import FinishedRun

COMMAND = "simcli compare"
DEFAULT_BOTS = "thrifty"
DEFAULT_SEED = "1"
DEFAULT_SESSION = "1"
DEFAULT_OUT = "results"
FEW_RUNS = 3
"""As many runs as a next command names."""


class Form(StrEnum):
    """How a comparison is written down."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    parquet = "parquet"


class ByName(StrEnum):
    """What each table of the comparison has of its own."""

    players = "players"
    bots = "bots"


def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…|VARIANT…",
            help="Folders of finished runs; or variants, which are played first as far as they are missing.",
            autocompletion=variant_names,
            show_default=False,
        ),
    ],
    baseline: BaselineOption = None,
    margin: MarginOption = DEFAULT_MARGIN,
    frame: FrameOption = None,
    outcome: OutcomeOption = None,
    by: Annotated[
        ByName | None,
        typer.Option(help="A table for every number of players; for every line-up there is always one."),
    ] = None,
    position: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POSITION",
            help="Say what becomes of opener, defender, 3rd …, drawn or stalled, whatever the verdict names; "
            "several with commas.",
            show_default=False,
        ),
    ] = None,
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Verdicts, and who gains and who pays, without the numbers behind it."),
    ] = False,
    adjust: AdjustOption = None,
    examples: Annotated[
        str | None,
        typer.Option(metavar="K", help="List K deals per variant in which somebody else loses."),
    ] = None,
    form: Annotated[
        Form | None,
        typer.Option(
            "--format",
            help="How to write it down. [default: by the ending of FILE, else table]",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it there.")
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Table size; several, with commas, for --by players. [default: the baseline's]"
        ),
    ] = None,
    deals: Annotated[
        str | None,
        typer.Option("--deals", "-n", metavar="N", help="Variants: number of deals. [default: 300k]"),
    ] = None,
    until_half_width: Annotated[
        str | None,
        typer.Option(
            metavar="POINTS",
            help="Variants: stop when every 95 % interval of their tables of rates is as narrow.",
        ),
    ] = None,
    until_decided: Annotated[
        bool,
        typer.Option("--until-decided", help="Variants: stop when none is undecided; needs --max-deals."),
    ] = False,
    max_deals: Annotated[
        str | None, typer.Option(metavar="N", help="With an --until option: deals at most.")
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LINEUP",
            help=f"Variants: who plays; may be given several times. [default: {DEFAULT_BOTS}]",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="S", help=f"Variants: seed. [default: {DEFAULT_SEED}]")
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(metavar="K", help=f"Variants: deals in a session. [default: {DEFAULT_SESSION}]"),
    ] = None,
    rotate: Annotated[
        bool,
        typer.Option(
            "--rotate",
            help="Variants: play every rotation of each line-up; they count as one, and skill is measured.",
        ),
    ] = False,
    workers: WorkersOption = None,
    executor: ExecutorOption = "local",
    collect: CollectOption = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help=f"Variants: results folder, or s3://BUCKET/PREFIX. [default: {DEFAULT_OUT}]",
            show_default=False,
        ),
    ] = None,
    summary: SummaryOption = False,
) -> None:
    """Say what each rule changes against a baseline, by how much, and how sure that is.

    The verdict comes first, one sentence a variant; then who gains and who pays, the numbers behind it, and
    how they were measured. Runs of one seed are compared deal by deal.
    """
    from simcli.analysis.asked import check_positions
    from simcli.analysis.compare import compare as compared
    from simcli.api import play
    from simcli.cli.compare_files import comparison_bytes
    from simcli.cli.compare_tables import print_comparison
    from simcli.cli.stopping import stopping_rule_of
    from simcli.rules.numbers import whole_number
    from simcli.rules.points import share_of_points
    from simcli.runs.outfile import check_file
    from simcli.runs.plan import MAX_DEALS, MAX_SEED, MAX_SESSION
    from simcli.runs.report import Notices

    form = form or _form_of(output)
    if brief and form is not Form.table:
        raise refusal("--brief", f"expected the table that it shortens, got {form.value} – leave out one")
    if brief and adjust is not None:
        raise refusal("--brief", "expected none with --adjust, whose numbers it leaves out – leave out one")
    if form is Form.parquet and output is None:
        raise refusal(COMMAND, "expected --output FILE with --format parquet, got none")
    if output is not None:
        check_file(output)
    sizes = _sizes(players, by)
    asked = check_positions(
        [each for names in position or () for each in names.split(",")],
        None if frame is None else frame.value,
    )
    margin_share = share_of_points(margin, "--margin")
    n_examples = 0 if examples is None else whole_number(examples, "--examples", 0, 1000)
    n_processes = n_workers(workers)
    rule = stopping_rule_of(until_half_width, margin_share if until_decided else None, max_deals, deals)
    own = {
        "--deals": deals, "--bots": bots, "--seed": seed, "--session": session, "--out": out is not None,
        "--until-half-width": until_half_width, "--until-decided": until_decided,
        "--executor": executor != "local", "--collect": collect,
        "--rotate": rotate, "--summary": summary,
    }  # fmt: skip
    if are_folders(runs):
        named = [option for option, value in own.items() if value]
        if named:
            belong, them = ("belongs", "it") if len(named) == 1 else ("belong", "them")
            raise refusal(
                COMMAND,
                f"{' and '.join(named)} {belong} to variants, these runs are played – leave {them} out",
            )
        finished: list[str | FinishedRun] = [*runs]
        left_out: tuple[str, ...] = ()
    else:
        if summary and n_examples:
            raise refusal("--examples", "expected none with --summary, for they need rows – leave out one")
        try:
            played = play(
                runs,
                None if deals is None else whole_number(deals, "--deals", 1, MAX_DEALS),
                baseline=baseline,
                players=sizes,
                by=None if by is None else by.value,
                lineups=bots or [DEFAULT_BOTS],
                seed=whole_number(seed or DEFAULT_SEED, "--seed", 0, MAX_SEED),
                workers=workers_asked(workers),
                executor=executor,
                collect=collect,
                session=whole_number(session or DEFAULT_SESSION, "--session", 1, MAX_SESSION),
                until_half_width=rule.threshold if rule is not None and not until_decided else None,
                until_decided=until_decided,
                margin=margin_share,
                max_deals=None if rule is None else rule.max_deals,
                frame="opener" if frame is None else frame.value,
                outcome=None if outcome is None else outcome.value,
                out=results_folder(DEFAULT_OUT if out is None else out),
                progress=True,
                summary=summary,
                rotate=rotate,
            )
        except KeyboardInterrupt:
            say_stopped(Notices(sys.stderr))
            raise
        finished, left_out = [run.finished() for run in played], played.left_out
    comparison = compared(
        finished,
        baseline,
        margin_share,
        None if frame is None else frame.value,
        None if outcome is None else outcome.value,
        "trumps" if adjust is AdjustName.trumps else None,
        players=sizes[0] if len(sizes) == 1 else None,
        by=None if by is None else by.value,
        positions=asked,
        examples=n_examples,
        workers=n_processes,
    )
    comparison = comparison.with_notes(f"left out: {text}" for text in left_out)
    if form is Form.table and output is None:
        print_comparison(comparison, is_brief=brief)
        _tell_next(comparison)
    else:
        _write(comparison_bytes(comparison, form.value, is_brief=brief), output)


def _tell_next(comparison: Comparison) -> None:
    """Name the command that makes a page of a comparison of few runs."""
    from simcli.analysis.tables import FAVOURITE
    from simcli.rules.wording import printable_path

    runs = [run for table in comparison.tables for entry in table.runs.entries for run in entry.run.members]
    folders = list(dict.fromkeys(printable_path(run.path) for run in runs))
    if len(folders) <= FEW_RUNS:
        names = {run.variant.name for run in runs}
        is_usual = FAVOURITE not in names or comparison.baseline == FAVOURITE
        words = [*folders, *(() if is_usual else ("--baseline", comparison.baseline))]
        remark(f"next: simcli report {shlex.join(words)} -o report.html  makes a page of it, to be shared")


def _form_of(output: Path | None) -> Form:
    """Return the form that the ending of a file stands for."""
    endings = {".json": Form.json, ".csv": Form.csv, ".md": Form.markdown, ".parquet": Form.parquet}
    return Form.table if output is None else endings.get(output.suffix.lower(), Form.table)


def _sizes(text: str | None, by: ByName | None) -> list[int]:
    """Return the table sizes asked for, none if none is."""
    from simcli.rules.numbers import whole_number
    from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS

    if text is None:
        return []
    sizes = [whole_number(size, "--players", MIN_PLAYERS, MAX_PLAYERS) for size in text.split(",")]
    if len(sizes) > 1 and by is not ByName.players:
        raise refusal("--players", f"expected one table size, got {text} – or add --by players")
    return list(dict.fromkeys(sizes))


def _write(content: bytes, output: Path | None) -> None:
    from simcli.rules.wording import printable_path
    from simcli.runs.outfile import write_file

    if output is None:
        sys.stdout.write(content.decode())
        return
    write_file(output, content)
    remark(f"written: {printable_path(output)}")
