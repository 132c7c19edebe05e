"""The rules of every variant of a report in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcli.analysis.comparison import Comparison
from simcli.analysis.finished import FinishedRun
from simcli.report.model import RuleBlock, RuleSheet
from simcli.report.provenance import is_shipped
from simcli.rules.canonical import resolved
from simcli.rules.sheet import differences_in_words, rule_sheet
from simcli.runs.planfile import yaml_text


def rule_sheets(comparisons: Sequence[Comparison]) -> Iterator[RuleSheet]:
    """Yield the sheet of every variant once, each baseline before those that are compared with it."""
    done: set[str] = set()
    for runs in (table.runs for each in comparisons for table in each.tables):
        base = runs.baseline.run
        for run in (entry.run for entry in runs.entries):
            if run.rules not in done:
                done.add(run.rules)
                yield _sheet(run, None if run is base else base)


def _sheet(run: FinishedRun, base: FinishedRun | None) -> RuleSheet:
    variant = run.variant
    differences = () if base is None else differences_in_words(variant, base.variant)
    return RuleSheet(
        f"rules-{variant.name}-{run.rules[:8]}",
        variant.name,
        variant.title,
        "" if variant.summary == " ".join(differences) else variant.summary,
        run.rules,
        "" if base is None else base.variant.name,
        differences,
        tuple(RuleBlock(each.title, each.sentences) for each in rule_sheet(variant, is_played=True)),
        "" if is_shipped(run) else yaml_text(resolved(variant)),
    )
