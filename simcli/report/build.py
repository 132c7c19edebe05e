"""Put a report together: everything that a page shows, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simcli.analysis.comparison import Comparison
from simcli.analysis.curves import bout_curves
from simcli.analysis.found import Table
from simcli.analysis.phrases import display_name, margin_words
from simcli.report.about import About
from simcli.report.chapters import Found, chapters, has_own_profile
from simcli.report.figures import table_charts
from simcli.report.limits import not_shown, other_notes
from simcli.report.methods import method_notes
from simcli.report.model import Fact, Report, TableSection
from simcli.report.numbers import glance, move_tables, number_tables
from simcli.report.provenance import provenance, runs_of
from simcli.report.rulesheets import rule_sheets
from simcli.report.verdicts import deals_compared, headline, table_title, verdict_groups
from simcli.rules.wording import choice

LONG = 30
"""Verdicts beyond which a page folds those that are no change."""
NAMED = 3
"""Variants that a title names."""


def build_report(
    comparisons: Sequence[Comparison], about: About | None = None, workers: int | None = None
) -> Report:
    """Return the report on some comparisons.

    Parameters
    ----------
    comparisons : sequence of Comparison
        At least one, with at least one table.
    about : About, optional
        What it is about.
    workers : int, optional
        Threads that count; by default one a core.
    """
    about = about or About()
    found: Found = {}
    places = _places(comparisons)
    is_long = sum(len(place.table.verdicts) for place in places) > LONG
    return Report(
        title=about.title or _title(places),
        question=about.question or _question(places),
        facts=tuple(_facts(places)),
        glance=glance(comparisons),
        tables=tuple(_section(place, is_long, found, workers) for place in places),
        chapters=tuple(chapters(comparisons, about, found, workers)),
        rules=tuple(rule_sheets(comparisons)),
        not_shown=tuple(not_shown(comparisons, about.left_out)),
        notes=tuple(other_notes(comparisons)),
        methods=tuple(method_notes(comparisons)),
        provenance=provenance(comparisons, about.commands),
        comparisons=tuple(each.to_dict() for each in comparisons),
        experiment=dict(about.experiment),
        found=found,
    )


@dataclass(frozen=True)
class Place:
    """Hold a table with its comparison, its anchor on the page and its heading."""

    comparison: Comparison
    table: Table
    key: str
    title: str


def _places(comparisons: Sequence[Comparison]) -> list[Place]:
    """Return every table with an anchor and a heading that no other has."""
    pairs = [(each, table) for each in comparisons for table in each.tables]
    bases = {table.variants[0].variant for _, table in pairs}
    titles = [
        table_title(table) + (f", against {table.variants[0].variant}" if len(bases) > 1 else "")
        for _, table in pairs
    ]
    keys: Counter[str] = Counter()
    places = []
    for (comparison, table), title in zip(pairs, titles, strict=True):
        key = _key(table)
        keys[key] += 1
        unique = key if keys[key] == 1 else f"{key}-{keys[key]}"
        places.append(Place(comparison, table, unique, title))
    return places


def _key(table: Table) -> str:
    """Return a table in letters, digits and hyphens."""
    lineup = "".join(char if char.isascii() and char.isalnum() else "-" for char in table.runs.lineup)
    return f"p{table.runs.players}-{lineup}"


def _title(places: Sequence[Place]) -> str:
    """Return what is compared, in a line."""
    names = list(dict.fromkeys(row.variant for place in places for row in place.table.variants))
    base = places[0].table.variants[0].variant
    others = [display_name(name) for name in names if name != base]
    if not others:
        return f"{display_name(base)}: who loses"
    if len(others) > NAMED:
        return f"{len(others)} variants of Durak against {base}"
    return f"{choice(others).replace(' or ', ' and ')} against {base}"


def _question(places: Sequence[Place]) -> str:
    comparison = places[0].comparison
    counted = "who is out first" if comparison.view.outcome == "first_out" else "who loses"
    return (
        f"What does each agreement change against {comparison.baseline}: {counted}, how often, and is it "
        "more than anybody would notice?"
    )


def _facts(places: Sequence[Place]) -> Iterator[Fact]:
    tables = [place.table for place in places]
    names = dict.fromkeys(row.variant for table in tables for row in table.variants)
    sizes = choice(sorted({table.runs.players for table in tables}))
    deals = sum(run.deals for run in runs_of([place.comparison for place in places]))
    yield Fact("variants", str(len(names)))
    yield Fact("players", sizes.replace(" or ", " and "))
    yield Fact("line-up", ", ".join(dict.fromkeys(table.runs.lineup for table in tables)))
    yield Fact("deals played", f"{deals:,}")
    yield Fact("margin", f"± {margin_words(places[0].comparison.margin)} points")


def _section(place: Place, is_long: bool, found: Found, workers: int | None) -> TableSection:
    comparison, table, key = place.comparison, place.table, place.key
    curves = bout_curves(table, workers=workers)
    found.setdefault("curves", []).extend(curve.as_mapping() for curve in curves)
    return TableSection(
        key=key,
        title=place.title,
        deals=deals_compared(table),
        headline=headline(comparison, table),
        groups=tuple(verdict_groups(table, is_long)),
        charts=tuple(
            table_charts(comparison, table, curves, key, with_profile=has_own_profile(comparison, table))
        ),
        moves=tuple(move_tables(table, key)),
        numbers=tuple(number_tables(comparison, table, key)),
    )
