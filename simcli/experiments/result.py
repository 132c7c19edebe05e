"""What came out of an experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simcli.analysis.comparison import Comparison
from simcli.analysis.finished import FinishedRun
from simcli.analysis.further import Further
from simcli.analysis.leftout import LeftOut
from simcli.experiments.design import Treatment
from simcli.experiments.experiment import Experiment
from simcli.rules.options import Value

FORMAT = "simcli-experiment/1"


@dataclass(frozen=True)
class Result:
    """Hold what an experiment found.

    Attributes
    ----------
    experiment : Experiment
        The question, as its file puts it.
    treatments : tuple of Treatment
        Its variants, each with the values of the options that are varied.
    reference : Mapping[str, Value]
        The values that the others are contrasted with.
    left_out : tuple of LeftOut
        What was not played, and why.
    comparisons : tuple of Comparison
        One for each baseline and way of counting, each with all its tables.
    further : tuple of Further
        Effects of the options that are combined, and whether losing breeds losing, table by table.
    runs : tuple of FinishedRun
        The runs that all of it rests on.
    """

    experiment: Experiment
    treatments: tuple[Treatment, ...]
    reference: Mapping[str, Value]
    left_out: tuple[LeftOut, ...]
    comparisons: tuple[Comparison, ...]
    further: tuple[Further, ...]
    runs: tuple[FinishedRun, ...]

    @property
    def factors(self) -> dict[str, Mapping[str, Value]]:
        """Return the values of the varied options for each variant of the factorial design, by name."""
        return {each.name: each.factors for each in self.treatments if each.factors}

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data (docs/formats.md)."""
        experiment = self.experiment
        return {
            "format": FORMAT,
            "name": experiment.name,
            "title": experiment.heading,
            "question": experiment.question,
            "seed": experiment.seed,
            "session": experiment.session,
            "rotate": experiment.rotate,
            "variants": [
                {"variant": each.name, "title": each.variant.title, "factors": dict(each.factors)}
                for each in self.treatments
            ],
            "reference": dict(self.reference),
            "left_out": [gone.as_mapping() for gone in self.left_out],
            "comparisons": [comparison.to_dict() for comparison in self.comparisons],
            "contrasts": [row.as_mapping() for each in self.further for row in each.contrasts],
            "streaks": [row.as_mapping() for each in self.further for row in each.streaks],
        }
