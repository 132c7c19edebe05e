"""What a report is about, beyond the comparisons themselves."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from simcli.experiments.experiment import Experiment
from simcli.experiments.load import load_experiment
from simcli.experiments.result import Result
from simcli.rules.options import Value
from simcli.rules.shelf import EXPERIMENTS

Factors = Mapping[str, Mapping[str, Value]]


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
    factors : Mapping
        Per variant the value of each option that an experiment combines; empty if it combines none.
    reference : Mapping
        The value of each that the others are contrasted with.
    experiment : dict
        The experiment as plain data; empty where there is none.
    """

    title: str = ""
    question: str = ""
    left_out: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    factors: Factors = field(default_factory=dict)
    reference: Mapping[str, Value] = field(default_factory=dict)
    experiment: dict[str, Any] = field(default_factory=dict)


def about_result(result: Result, title: str = "") -> About:
    """Return what the report on an experiment is about; another title than its own may be given."""
    experiment = result.experiment
    is_crossed = experiment.design == "crossed" and len(experiment.vary) > 1
    data = result.to_dict()
    del data["comparisons"]
    return About(
        title=title or experiment.heading,
        question=experiment.question,
        left_out=tuple(map(str, result.left_out)),
        commands=tuple(_commands(experiment)),
        factors=result.factors if is_crossed else {},
        reference=result.reference if is_crossed else {},
        experiment=data,
    )


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
