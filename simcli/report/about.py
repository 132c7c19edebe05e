"""What a report is about, beyond the comparisons themselves."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from simcli.analysis.further import Further
from simcli.experiments.experiment import Experiment
from simcli.experiments.load import load_experiment
from simcli.experiments.result import Result
from simcli.report.provenance import run_commands, runs_of
from simcli.rules.shelf import EXPERIMENTS

ELSEWHERE = ("comparisons", "contrasts", "streaks")
"""What a report on an experiment holds elsewhere."""


@dataclass(frozen=True)
class About:
    """Say what a report is about.

    Attributes
    ----------
    title, question : str
        For people; empty for what is compared with what.
    left_out : tuple of str
        What could not be played, and why.
    commands : tuple of str
        What plays everything and reports on it; empty for one command a kind of run.
    further : tuple of Further or None
        What an experiment shows beyond its comparisons; None for comparisons alone.
    bridge : str
        Name of the variant from which an experiment goes to others and back, one option at a time; empty if
        it does not.
    experiment : dict
        The experiment as plain data; empty where there is none.
    """

    title: str = ""
    question: str = ""
    left_out: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    further: tuple[Further, ...] | None = None
    bridge: str = ""
    experiment: dict[str, Any] = field(default_factory=dict)


def about_result(result: Result, title: str = "") -> About:
    """Return what the report on an experiment is about; another title than its own may be given."""
    experiment = result.experiment
    data = result.to_dict()
    for name in ELSEWHERE:
        del data[name]
    return About(
        title=title or experiment.heading,
        question=experiment.question,
        left_out=tuple(map(str, result.left_out)),
        commands=(*_longer(result), *_commands(experiment)),
        further=result.further,
        bridge=experiment.base.name if experiment.bridge and experiment.base is not None else "",
        experiment=data,
    )


def _longer(result: Result) -> Iterator[str]:
    """Yield what plays the runs that were there already and have more deals than the experiment asks for."""
    if result.experiment.rule is None:
        most = result.experiment.deals
        yield from run_commands(run for run in runs_of(result.comparisons) if run.members[0].deals > most)


def _commands(experiment: Experiment) -> Iterator[str]:
    """Yield what plays an experiment, and what reports on it."""
    file = experiment.name if _is_shipped(experiment) else f"./{experiment.name}.yaml"
    deals = "" if experiment.rule is not None else f" -n {experiment.deals}"
    yield f"simcli experiment {shlex.quote(file)}{deals}"
    yield f"simcli report {shlex.quote(file)}{deals} -o report.html"


def _is_shipped(experiment: Experiment) -> bool:
    """Return whether an experiment ships with simcli, whatever the number of deals."""
    if experiment.name not in EXPERIMENTS.shipped_names():
        return False
    shipped = load_experiment(EXPERIMENTS.locate_shipped(experiment.name))
    return shipped.with_deals(1) == experiment.with_deals(1)
