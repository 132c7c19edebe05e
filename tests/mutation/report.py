"""Say what was noticed, by module and by stage, and what was not."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from tests.mutation.checks import STAGES
from tests.mutation.equivalent import Equivalent
from tests.mutation.mutator import Mutant
from tests.mutation.trial import Outcome

#: the modules that hold the rules, in the order of a deal
RULES = ("deal", "seats", "legal", "bout", "apply", "draw")
#: what rests on them: reported apart
OTHERS = ("view", "reasons", "triggers")
NOTES = "notes"  # places of the rules part that only note which options decided something

HEAD = ("", "mutants", "equivalent", "killed", "timeout", "survived", "noticed", *STAGES)


def group_of(mutant: Mutant) -> str:
    """Return the row of the table that a mutant counts in."""
    return NOTES if mutant.notes_only else mutant.module


def row_of(name: str, outcomes: Sequence[Outcome], equivalent: Collection[tuple[str, ...]]) -> list[str]:
    """Return a row of the table."""
    counted = [each for each in outcomes if each.noticed or each.mutant.key not in equivalent]
    n_noticed = sum(each.noticed for each in counted)
    verdicts = [each.verdict for each in counted]
    stages = [each.stage for each in counted]
    return [
        name,
        str(len(outcomes)),
        str(len(outcomes) - len(counted)),
        str(verdicts.count("killed")),
        str(verdicts.count("timeout")),
        str(verdicts.count("survived")),
        f"{100 * n_noticed / len(counted):.1f} %" if counted else "–",
        *(str(stages.count(stage)) for stage in STAGES),
    ]


def rows(outcomes: Sequence[Outcome], equivalents: Iterable[Equivalent]) -> list[list[str]]:
    """Return the table: a row a module, the rules together, and what is reported apart."""
    keys = {entry.key for entry in equivalents}
    by_group: dict[str, list[Outcome]] = {}
    for each in outcomes:
        by_group.setdefault(group_of(each.mutant), []).append(each)
    table = [list(HEAD)]
    for name in RULES:
        if name in by_group:
            table.append(row_of(f"{name}.py", by_group[name], keys))
    of_rules = [each for name in RULES for each in by_group.get(name, [])]
    if of_rules:
        table.append(row_of("**rules**", of_rules, keys))
    for name in (NOTES, *OTHERS):
        if name in by_group:
            table.append(row_of(name if name == NOTES else f"{name}.py", by_group[name], keys))
    return table


def markdown(table: Sequence[Sequence[str]]) -> str:
    """Return a table as aligned Markdown."""
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = []
    for number, row in enumerate(table):
        cells = [
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("| " + " | ".join(cells) + " |")
        if number == 0:
            rule = ["-" * w if place == 0 else "-" * (w - 1) + ":" for place, w in enumerate(widths)]
            lines.append("| " + " | ".join(rule) + " |")
    return "\n".join(lines)


def survivors(outcomes: Iterable[Outcome], equivalents: Iterable[Equivalent]) -> list[str]:
    """Return a paragraph for each survivor that is not known to be equivalent."""
    keys = {entry.key for entry in equivalents}
    return [
        f"{each.mutant.place} {each.mutant.function}\n    {each.mutant.original}\n    {each.mutant.mutated}"
        for each in outcomes
        if not each.noticed and each.mutant.key not in keys
    ]


def equivalents_text(equivalents: Sequence[Equivalent]) -> str:
    """Return the list of equivalent mutants for docs/mutation.md, by reason."""
    table = []
    for entry in equivalents:
        place = f"{entry.module}.{entry.function}" if entry.function else entry.module
        cells = (f"`{place}`", f"`{entry.original}`", f"`{entry.mutated}`", entry.why)
        table.append([cell.replace("|", r"\|") for cell in cells])
    return "\n".join(
        ["| place | is | mutant | why it cannot be noticed |", "|---|---|---|---|"]
        + ["| " + " | ".join(row) + " |" for row in table]
    )


def with_block(text: str, name: str, content: str) -> str:
    """Return a document with the block of a name replaced."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    new, n_found = pattern.subn(lambda found: f"{found[1]}{content}\n{found[2]}", text)
    if n_found != 1:
        raise ValueError(f"expected one block <!-- {name} --> … <!-- end of {name} -->, got {n_found}")
    return new


def write_docs(path: Path, table: str, equivalents: Sequence[Equivalent]) -> None:
    """Bring the two blocks of a document up to date."""
    text = path.read_text(encoding="utf-8")
    text = with_block(text, "summary", table)
    text = with_block(text, "equivalents", equivalents_text(equivalents))
    path.write_text(text, encoding="utf-8")
