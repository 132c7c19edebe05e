"""Skill share in words: what a better player gains, and under which rules more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcli.analysis.found import SkillRow, Table
from simcli.analysis.phrases import NUMBERS, bounds_words, decimals_for, percent, points, table_words
from simcli.analysis.rows import View

NAMED = 4
"""As many variants as a sentence names."""


def ranked_by_skill(rows: Sequence[SkillRow]) -> list[SkillRow]:
    """Return the rows with the largest share in front; those without one last."""
    return sorted(rows, key=lambda row: (row.share is None, -(row.share or 0.0)))


def skill_words(row: SkillRow) -> tuple[str, str, str, str]:
    """Return the rates of the bot and of the others, the share and its interval, in per cent."""
    digits = decimals_for(row.interval)
    rates = ("–" if rate.value is None else f"{rate.value * 100:.1f}" for rate in (row.rate, row.others_rate))
    own, others = rates
    share = "–" if row.share is None else points(row.share, digits, sign=row.share < 0)
    is_signed = row.interval is not None and row.interval.low < 0
    return own, others, share, bounds_words(row.interval, digits, sign=is_signed)


def of_skill(table: Table, view: View) -> Iterator[str]:
    """Yield under which variants a better player gains more, in plain sentences; the answer first."""
    if not table.skill:
        return
    base, *rows = table.skill
    if base.share is None:
        return
    words = table_words(base.players, base.lineup)
    counted = ", by who is out first" if view.outcome == "first_out" else ""
    found = f"{_judged(base, rows)} Under {base.variant} {_share(base, view)}."
    yield f"{words[:1].upper()}{words[1:]}{counted}: {found}"


def of_line_ups(tables: Sequence[Table], view: View) -> Iterator[str]:
    """Yield what is shown whoever the others are, a sentence for each table size with several line-ups."""
    sizes: dict[int, list[Table]] = {}
    for table in tables:
        if table.skill:
            sizes.setdefault(table.runs.players, []).append(table)
    for players, here in sizes.items():
        if len(here) > 1:
            counted = ", by who is out first" if view.outcome == "first_out" else ""
            n = f"{NUMBERS[players].capitalize()} players{counted}"
            yield f"{n}, whoever the others are ({len(here)} line-ups): {_agreed(here)}"


def _agreed(tables: Sequence[Table]) -> str:
    """Return under which variants the share is larger, or smaller, in all line-ups, and where they differ."""
    signs: dict[str, list[int]] = {}
    for row in (row for table in tables for row in table.skill[1:] if row.difference is not None):
        interval = row.difference.interval if row.difference is not None else None
        sign = 0 if interval is None else int(interval.low > 0) - int(interval.high < 0)
        signs.setdefault(row.variant, []).append(sign)
    everywhere = {name: found for name, found in signs.items() if len(found) == len(tables)}
    rises, falls = ([name for name, found in everywhere.items() if set(found) == {sign}] for sign in (1, -1))
    mixed = [name for name, found in signs.items() if {1, -1} <= set(found)]
    clauses = [f"{word} under {_and(names)}" for word, names in (("more", rises), ("less", falls)) if names]
    text = "no variant is shown to do the same"
    if clauses:
        base = tables[0].skill[0].variant
        text = f"a better player gains {' and '.join(clauses)} than under {base}"
    if mixed:
        text += f"; under {_and(mixed)} it is more with some and less with others"
    if clauses and len(rises) + len(falls) + len(mixed) < len(signs):
        text += "; of the rest neither is shown"
    return f"{text}."


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _share(row: SkillRow, view: View) -> str:
    """Return what a skill share says of a bot."""
    share, digits = row.share or 0.0, decimals_for(row.interval)
    fails = "loses" if view.outcome == "loss" else "fails to be first out alone"
    less, sign = ("less", 1) if share >= 0 else ("more", -1)
    ends = ""
    if row.interval is not None:
        low, high = sorted((sign * row.interval.low, sign * row.interval.high))
        ends = f", {points(low, digits, sign=low < 0)} to {percent(high, digits)}"
    others = row.others.replace(",", ", ")
    return f"{row.bot} {fails} {percent(sign * share, digits)} {less} often than the others ({others}{ends})"


def _judged(base: SkillRow, rows: Sequence[SkillRow]) -> str:
    """Return under which variants the share differs by more than its margin."""
    judged = [row for row in rows if row.difference is not None and row.difference.value is not None]
    if not judged:
        return "No variant is compared here."
    found = [row for row in judged if row.verdict == "changes"]
    found.sort(key=lambda row: -abs(_value(row)))
    open_ = [row for row in judged if row.verdict == "undecided"]
    n_open = len(open_)
    if not found:
        margin = f"{base.margin * 100:g} points"
        text = f"no variant is shown to change what a better player gains by more than {margin}"
        return f"{text}{_undecided(open_)}."
    rises, falls = ([row for row in found if (_value(row) > 0) == is_rise] for is_rise in (True, False))
    clauses = [f"{word} under {_named(each)}" for word, each in (("more", rises), ("less", falls)) if each]
    clauses[0] += f" than under {base.variant}"
    n_same = len(judged) - len(found) - n_open
    rest = [f"{n_same} {'makes' if n_same == 1 else 'make'} no difference that matters"] if n_same else []
    rest += [f"{n_open} {'is' if n_open == 1 else 'are'} undecided"] if n_open else []
    tail = f"; {', '.join(rest)}" if rest else ""
    return f"a better player gains {', and '.join(clauses)}{tail}."


def _undecided(rows: Sequence[SkillRow]) -> str:
    """Return how many are undecided, and how many of those are shown to differ at all."""
    if not rows:
        return ""
    bounds = [row.difference.interval for row in rows if row.difference is not None]
    n = sum(each is not None and each.excludes(0.0) for each in bounds)
    return f" ({len(rows)} undecided, of which {n} {'differs' if n == 1 else 'differ'})"


def _value(row: SkillRow) -> float:
    return 0.0 if row.difference is None or row.difference.value is None else row.difference.value


def _named(rows: Sequence[SkillRow]) -> str:
    """Return the variants with their changes; of many, those that change most."""
    told = [f"{row.variant} ({points(_value(row), decimals_for(row.interval))} points)" for row in rows]
    if len(told) > NAMED:
        return f"{len(told)} variants, most of all {', '.join(told[: NAMED - 1])}"
    return _and(told)
