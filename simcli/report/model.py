"""A report as data: everything that a page shows, in its order, and every number of it."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

from simcli.analysis.found import plain

FORMAT = "simcli-report/1"
Tone = Literal["", "gains", "pays", "quiet"]


@dataclass(frozen=True)
class Cell:
    """Hold one entry of a table.

    Attributes
    ----------
    text : str
        What is shown.
    value, low, high : float or None
        The number that it shows and the bounds of its interval, neither rounded.
    tone : {"", "gains", "pays", "quiet"}
        How it is coloured; never the only sign of what it says.
    """

    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    tone: Tone = ""


@dataclass(frozen=True)
class Column:
    """Head a column.

    Attributes
    ----------
    head : str
        What it is called.
    is_number : bool
        Whether it stands right-aligned, and the largest numbers first when sorted.
    """

    head: str
    is_number: bool = True


@dataclass(frozen=True)
class NumberTable:
    """Hold a table of numbers.

    Attributes
    ----------
    key : str
        Its anchor on the page.
    caption : str
        What it shows, in a sentence.
    columns : tuple of Column
        Its columns; the first one names the row.
    rows : tuple of tuple of Cell
        Its rows.
    note : str
        How to read it.
    """

    key: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Chart:
    """Hold a chart, drawn.

    Attributes
    ----------
    key : str
        Its anchor on the page, and the name of its PNG.
    title : str
        The question it answers.
    caption : str
        What it found, in a sentence or two.
    alt : str
        What there is to be seen, for those who cannot see it.
    svg : str
        The drawing, to stand in a page.
    figure : Figure
        The drawing, to be written as PNG.
    """

    key: str
    title: str
    caption: str
    alt: str
    svg: str
    figure: Figure


@dataclass(frozen=True)
class Verdict:
    """Hold the verdict on a variant as the page shows it.

    Attributes
    ----------
    variant : str
        Its name.
    verdict, mark : str
        The verdict in a word, and its mark.
    name, finding, more : str
        The sentence for people: whom it speaks of, what was found, and what goes with it.
    """

    variant: str
    verdict: str
    mark: str
    name: str
    finding: str
    more: str


@dataclass(frozen=True)
class VerdictGroup:
    """Hold the variants of a table that came out alike, those that change most in front.

    Attributes
    ----------
    heading : str
        What they have in common.
    verdicts : tuple of Verdict
        One a variant.
    is_folded : bool
        Whether a long page shows them on demand only.
    """

    heading: str
    verdicts: tuple[Verdict, ...]
    is_folded: bool


@dataclass(frozen=True)
class TableSection:
    """Hold what is shown of one table size and line-up.

    Attributes
    ----------
    key : str
        Its anchor on the page.
    title, who : str
        Its heading; and who sits there, which may be all of it.
    deals : str
        How many deals were compared.
    headline : str
        How the verdicts fall, in a sentence.
    groups : tuple of VerdictGroup
        The verdicts, what is decided in front.
    charts : tuple of Chart
        Its charts.
    moves : tuple of NumberTable
        What is done in a deal, and how long it lasts.
    numbers : tuple of NumberTable
        All other numbers.
    """

    key: str
    title: str
    who: str
    deals: str
    headline: str
    groups: tuple[VerdictGroup, ...]
    charts: tuple[Chart, ...]
    moves: tuple[NumberTable, ...]
    numbers: tuple[NumberTable, ...]


@dataclass(frozen=True)
class Chapter:
    """Hold what goes across all tables: charts, their numbers, and a word on them."""

    key: str
    title: str
    lead: str
    charts: tuple[Chart, ...] = ()
    numbers: tuple[NumberTable, ...] = ()


@dataclass(frozen=True)
class RuleBlock:
    """Hold a few rules of one kind, in sentences."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class RuleSheet:
    """Hold the rules of a variant in words.

    Attributes
    ----------
    key : str
        Its anchor on the page.
    variant, title, summary : str
        What its file says.
    rules : str
        Hash of its rules.
    other : str
        Name of the baseline that it is compared with; for a baseline empty.
    differences : tuple of str
        What it does otherwise than that.
    blocks : tuple of RuleBlock
        All rules.
    file : str
        The variant as a file, where it is not one of those that ship with simcli.
    """

    key: str
    variant: str
    title: str
    summary: str
    rules: str
    other: str
    differences: tuple[str, ...]
    blocks: tuple[RuleBlock, ...]
    file: str


@dataclass(frozen=True)
class Note:
    """Say how something was measured, and by whose formula."""

    title: str
    text: str
    source: str


@dataclass(frozen=True)
class RunLine:
    """Say of a run what it takes to have it again, and what proves that it is the same.

    Attributes
    ----------
    variant, players, lineup, seed, session, deals
        What was played.
    declared : tuple of int
        Every number of deals that it was declared with.
    rules, digest : str
        Hash of the rules, digest of the rows.
    version, signature : str
        Of the engine.
    played : str
        When and on what, as its `run.yaml` says.
    """

    variant: str
    players: int
    lineup: str
    seed: int
    session: int
    deals: int
    declared: tuple[int, ...]
    rules: str
    digest: str
    version: str
    signature: str
    played: str


@dataclass(frozen=True)
class Provenance:
    """Say where everything comes from.

    Attributes
    ----------
    version : str
        Of the program that wrote the report.
    commands : tuple of str
        What makes it again.
    runs : tuple of RunLine
        The runs it rests on.
    """

    version: str
    commands: tuple[str, ...]
    runs: tuple[RunLine, ...]


@dataclass(frozen=True)
class Part:
    """Group tables of a report.

    Attributes
    ----------
    title : str
        What they have in common; empty if there is one part only.
    tables : tuple of str
        Their keys.
    """

    title: str
    tables: tuple[str, ...]


@dataclass(frozen=True)
class Fact:
    """Hold one of the few facts under the title."""

    name: str
    text: str


@dataclass(frozen=True)
class Report:
    """Hold everything that a report shows.

    Attributes
    ----------
    title, question : str
        What it is about.
    facts : tuple of Fact
        What was compared.
    answers : tuple of str
        What was found, in plain sentences, where the question has an answer beyond the verdicts.
    glance : tuple of NumberTable
        The verdicts of several tables side by side, one for each part; empty for a single table.
    parts : tuple of Part
        The tables, grouped by what they are compared with and what is counted.
    tables : tuple of TableSection
        One per table size and line-up.
    chapters : tuple of Chapter
        What goes across tables.
    rules : tuple of RuleSheet
        Every variant in words, the baseline first.
    not_shown : tuple of str
        What the report does not say.
    notes : tuple of str
        What else has to be said.
    methods : tuple of Note
        How it was measured.
    provenance : Provenance
        What made it.
    comparisons : tuple of dict
        Everything the comparisons found, as `simcli compare --format json` writes it.
    experiment : dict
        The experiment as plain data, its comparisons left out; empty where there is none.
    found : dict
        What was counted for the report alone, as plain data: curves of bouts, findings by line-up, contrasts,
        streaks.
    """

    title: str
    question: str
    facts: tuple[Fact, ...]
    answers: tuple[str, ...]
    glance: tuple[NumberTable, ...]
    parts: tuple[Part, ...]
    tables: tuple[TableSection, ...]
    chapters: tuple[Chapter, ...]
    rules: tuple[RuleSheet, ...]
    not_shown: tuple[str, ...]
    notes: tuple[str, ...]
    methods: tuple[Note, ...]
    provenance: Provenance
    comparisons: tuple[dict[str, Any], ...]
    experiment: dict[str, Any]
    found: dict[str, list[dict[str, Any]]]

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Return all charts in the order of the page."""
        parts: tuple[TableSection | Chapter, ...] = (*self.tables, *self.chapters)
        return tuple(chart for part in parts for chart in part.charts)

    def as_mapping(self) -> dict[str, Any]:
        """Return the report as plain data: null for what is not known, never nan; drawings are left out."""
        return {"format": FORMAT, **_mapping(self)}


DRAWINGS = ("svg", "figure")
"""What plain data leave out."""


def _mapping(value: Any) -> Any:
    """Return dataclasses as dictionaries, tuples as lists."""
    if is_dataclass(value):
        return {
            each.name: _mapping(getattr(value, each.name))
            for each in fields(value)
            if each.name not in DRAWINGS
        }
    if isinstance(value, tuple | list):
        return [_mapping(each) for each in value]
    if isinstance(value, dict):
        return {key: _mapping(each) for key, each in value.items()}
    return plain(value)
