"""A comparison as the content of a file: JSON, CSV, Markdown or Parquet."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import PositionRow, SkillRow, Table
from simcli.analysis.method import method_lines
from simcli.analysis.phrases import (
    bounds_words,
    decimals_for,
    long_heading,
    percent,
    points,
    table_words,
)
from simcli.analysis.skill_words import ranked_by_skill, skill_words
from simcli.rules.wording import without_bytes

SKILL_HEAD = (
    "variant", "bot", "others", "bot fails, %", "others fail, %", "less often, %", "interval",
    "change, points", "interval", "verdict",
)  # fmt: skip


def comparison_bytes(comparison: Comparison, form: str, *, is_brief: bool = False) -> bytes:
    """Return a comparison as a file has it.

    Parameters
    ----------
    comparison : Comparison
        What was found.
    form : str
        ``table``, ``json``, ``csv``, ``markdown`` or ``parquet``.
    is_brief : bool
        Of a table: whether to leave out the numbers behind the verdicts.
    """
    return _table(comparison, is_brief) if form == "table" else WRITERS[form](comparison)


def _json(comparison: Comparison) -> bytes:
    text = json.dumps(comparison.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
    return without_bytes(f"{text}\n").encode()


def _csv(comparison: Comparison) -> bytes:
    return comparison.long().write_csv().encode()


def _parquet(comparison: Comparison) -> bytes:
    buffer = io.BytesIO()
    comparison.long().write_parquet(buffer)
    return buffer.getvalue()


def _table(comparison: Comparison, is_brief: bool) -> bytes:
    from rich.console import Console

    from simcli.cli.compare_tables import print_comparison

    text = io.StringIO()
    print_comparison(comparison, Console(file=text, width=80, highlight=False), is_brief=is_brief)
    return without_bytes(text.getvalue()).encode()


def _markdown(comparison: Comparison) -> bytes:
    lines = [f"# Compared with {comparison.baseline}", ""]
    for table in comparison.tables:
        lines += _markdown_table(comparison, table)
    if comparison.findings:
        lines += ["## In how many line-ups", ""]
        lines += _rows(
            ("variant", "players", "cell", "direction", "shown", "not shown", "opposite"),
            (
                (
                    each.variant,
                    str(each.players),
                    each.cell,
                    each.direction,
                    *map(str, (each.shown, each.not_shown, each.opposite)),
                )
                for each in comparison.findings
            ),
        )
    if comparison.notes:
        lines += ["## Notes", "", *(f"- {note}" for note in comparison.notes), ""]
    return "\n".join(lines).encode()


def _markdown_table(comparison: Comparison, table: Table) -> Iterator[str]:
    yield f"## {table_words(table.runs.players, table.runs.lineup).capitalize()}"
    yield ""
    for verdict in table.verdicts:
        yield f"- {verdict.sentence}"
        yield from (f"  - {row.sentence}" for row in table.asked if row.variant == verdict.variant)
    yield ""
    differences = {(row.variant, row.cell): row for row in table.differences}

    def line(row: PositionRow) -> tuple[str, ...]:
        digits = max(2, decimals_for(row.interval))
        teams = table.has_teams(row.variant)
        cells = [row.variant, long_heading(row.cell, comparison.view, teams)]
        bounds = None if row.interval is None else (row.interval.low, row.interval.high)
        cells += [
            "–" if row.rate is None else percent(row.rate, digits),
            "–" if bounds is None else " to ".join(points(bound, digits, sign=False) for bound in bounds),
        ]
        change = differences.get((row.variant, row.cell))
        if change is None:
            return (*cells, "", "", "")
        digits = max(2, decimals_for(change.interval))
        ends = f"{points(change.interval.low, digits)} to {points(change.interval.high, digits)}"
        p = "–" if change.p_adjusted is None else f"{change.p_adjusted:.3g}"
        return (*cells, points(change.difference, digits), ends, p)

    head = ("variant", "cell", "rate", "interval", "change, points", "interval", "p (Holm)")
    yield from _rows(head, map(line, table.positions))
    if table.skill:
        yield from _rows(SKILL_HEAD, map(_skill_line, ranked_by_skill(table.skill)))
    yield from method_lines(comparison, table)
    yield ""


def _skill_line(row: SkillRow) -> tuple[str, ...]:
    change, digits = row.difference, decimals_for(row.interval)
    ends = ("", "") if change is None or change.value is None else (
        points(change.value, digits), bounds_words(change.interval, digits)
    )  # fmt: skip
    return (row.variant, row.bot, row.others, *skill_words(row), *ends, row.verdict or "")


def _rows(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


WRITERS: dict[str, Callable[[Comparison], bytes]] = {
    "json": _json,
    "csv": _csv,
    "markdown": _markdown,
    "parquet": _parquet,
}
