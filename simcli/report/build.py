"""Put a report together: everything that a page shows, as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcli.analysis.comparison import Comparison
from simcli.analysis.curves import bout_curves
from simcli.analysis.further import further
from simcli.analysis.lineup_words import lineups_words
from simcli.analysis.phrases import deals_compared, display_name, margin_words
from simcli.report.about import About
from simcli.report.answers import answers
from simcli.report.chapters import Found, chapters, has_own_profile
from simcli.report.figures import table_charts
from simcli.report.limits import not_shown, other_notes
from simcli.report.methods import method_notes
from simcli.report.model import Fact, Part, Report, TableSection
from simcli.report.numbers import glances, move_tables, number_tables, rates_side_by_side
from simcli.report.parts import Place, counted, part_titles, places
from simcli.report.provenance import provenance, runs_of
from simcli.report.rulesheets import rule_sheets
from simcli.report.verdicts import headline, table_title, verdict_groups
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
    beyond = further(comparisons, workers=workers) if about.further is None else about.further
    titles = part_titles(comparisons, about.bridge)
    shown = list(places(comparisons, titles))
    is_long = sum(len(place.table.verdicts) for place in shown) > LONG
    return Report(
        title=about.title or _title(shown),
        question=about.question or _question(shown),
        facts=tuple(_facts(shown)),
        answers=tuple(answers(comparisons, beyond)),
        glance=(*glances(comparisons, titles), *rates_side_by_side(comparisons)),
        parts=tuple(_parts(comparisons, titles, shown)),
        tables=tuple(_section(place, is_long, about.bridge, found, workers) for place in shown),
        chapters=tuple(chapters(comparisons, beyond, found)),
        rules=tuple(rule_sheets(comparisons)),
        not_shown=tuple(not_shown(comparisons, about.left_out)),
        notes=tuple(other_notes(comparisons)),
        methods=tuple(method_notes(comparisons)),
        provenance=provenance(comparisons, about.commands),
        comparisons=tuple(each.to_dict() for each in comparisons),
        experiment=dict(about.experiment),
        found=found,
    )


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
    return (
        f"What does each agreement change against {comparison.baseline}: {counted(comparison)}, how often, "
        "and is it more than anybody would notice?"
    )


def _parts(
    comparisons: Sequence[Comparison], titles: Sequence[str], places: Sequence[Place]
) -> Iterator[Part]:
    """Yield the tables of each comparison, together under its title."""
    for comparison, title in zip(comparisons, titles, strict=True):
        heading = f"{title[:1].upper()}{title[1:]}"
        yield Part(heading, tuple(place.key for place in places if place.comparison is comparison))


def _facts(places: Sequence[Place]) -> Iterator[Fact]:
    tables = [place.table for place in places]
    names = dict.fromkeys(row.variant for table in tables for row in table.variants)
    sizes = choice(sorted({table.runs.players for table in tables}))
    deals = sum(run.deals for run in runs_of([place.comparison for place in places]))
    yield Fact("variants", str(len(names)))
    yield Fact("players", sizes.replace(" or ", " and "))
    yield Fact("line-up", lineups_words(list(dict.fromkeys(table.runs.lineup for table in tables))))
    yield Fact("deals played", f"{deals:,}")
    yield Fact("margin", f"± {margin_words(places[0].comparison.margin)} points")


def _section(place: Place, is_long: bool, bridge: str, found: Found, workers: int | None) -> TableSection:
    comparison, table, key = place.comparison, place.table, place.key
    curves = bout_curves(table, workers=workers)
    found.setdefault("curves", []).extend(curve.as_mapping() for curve in curves)
    return TableSection(
        key=key,
        title=place.title,
        who=table_title(table),
        deals=deals_compared(table),
        headline=headline(comparison, table),
        groups=tuple(verdict_groups(table, is_long)),
        charts=tuple(
            table_charts(
                comparison,
                table,
                curves,
                key,
                with_profile=has_own_profile(comparison, table),
                is_brief=bool(bridge) and comparison.baseline != bridge,
            )
        ),
        moves=tuple(move_tables(table, key)),
        numbers=tuple(number_tables(comparison, table, key)),
    )
