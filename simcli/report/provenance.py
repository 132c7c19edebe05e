"""Where a report comes from: the runs, and the commands that make it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence

from simcli import __version__
from simcli.analysis.comparison import Comparison
from simcli.analysis.finished import FinishedRun
from simcli.analysis.phrases import margin_words
from simcli.report.model import Provenance, RunLine
from simcli.rules.canonical import rules_hash
from simcli.rules.load import load_variant
from simcli.rules.shipped import locate_shipped, shipped_names
from simcli.rules.wording import printable_path
from simcli.runs.runfile import kept_figures


def provenance(comparisons: Sequence[Comparison], commands: Sequence[str]) -> Provenance:
    """Return where a report comes from.

    Parameters
    ----------
    comparisons : sequence of Comparison
        What it shows.
    commands : sequence of str
        What makes it again; if empty, a command for each kind of run.
    """
    runs = runs_of(comparisons)
    lines = tuple(_line(member) for run in runs for member in run.members)
    return Provenance(__version__, tuple(commands or _commands(comparisons, runs)), lines)


def runs_of(comparisons: Iterable[Comparison]) -> list[FinishedRun]:
    """Return every run once, in the order of the tables; rotations of a line-up as one."""
    runs = [entry.run for each in comparisons for table in each.tables for entry in table.runs.entries]
    return list({run.place: run for run in runs}.values())


def is_shipped(run: FinishedRun) -> bool:
    """Return whether a run's variant can be given by its name."""
    name = run.variant.name
    return name in shipped_names() and rules_hash(load_variant(locate_shipped(name))) == run.rules


def _commands(comparisons: Sequence[Comparison], runs: Sequence[FinishedRun]) -> Iterator[str]:
    """Yield the commands that play the runs, those of one kind together, and the one that reports on them."""
    yield from run_commands(runs)
    members = [member for run in runs for member in run.members]
    folders = " ".join(dict.fromkeys(shlex.quote(f"results/{_folder_name(run)}") for run in members))
    yield f"simcli report {folders} {_report_options(comparisons)} -o report.html"


def run_commands(runs: Iterable[FinishedRun]) -> Iterator[str]:
    """Yield the commands that play some runs, those of one kind together."""
    alike: dict[str, list[str]] = {}
    for run in runs:
        names = alike.setdefault(_run_options(run), [])
        names.append(run.variant.name if is_shipped(run) else f"./{run.variant.name}.yaml")
    for options, names in alike.items():
        yield f"simcli run {' '.join(names)} {options}"


def _run_options(run: FinishedRun) -> str:
    match = run.match
    session = f" --session {match.session}" if match.session > 1 else ""
    summary = ""
    if run.counts is not None:
        baseline, frame, outcome = run.counts.names[0], run.counts.frame, run.counts.outcome
        summary = f" --summary --baseline {shlex.quote(baseline)} --frame {frame} --outcome {outcome}"
    rotate = " --rotate" if match.rotations > 1 else ""
    return (
        f"--players {match.players} --bots {shlex.quote(match.lineup.text)}{rotate} "
        f"-n {run.deals // match.rotations} --seed {match.seed}{session}{summary}"
    )


def _folder_name(run: FinishedRun) -> str:
    """Return what the folder is called that the command fills."""
    return run.match.folder_name if run.counts is None else run.path.name


def _report_options(comparisons: Sequence[Comparison]) -> str:
    first = comparisons[0]
    return (
        f"--baseline {shlex.quote(first.baseline)} --margin {margin_words(first.margin)}pp "
        f"--frame {first.view.frame} --outcome {first.view.outcome}"
    )


def _line(run: FinishedRun) -> RunLine:
    figures = kept_figures(run.path / "run.yaml")
    played = " on ".join(str(figures[key]) for key in ("start", "platform") if key in figures)
    engine = run.plan.engine
    match = run.match
    return RunLine(
        run.variant.name, match.players, match.lineup.text, match.seed, match.session, run.deals,
        run.plan.declared, run.rules, run.digest, str(engine.get("version", "")),
        str(engine.get("signature", "")), printable_path(played),
    )  # fmt: skip
