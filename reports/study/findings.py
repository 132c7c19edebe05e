"""The findings in words: every number of the templates beside this file is looked up in a twin.

`findings.md` becomes README.md, and `in-short.md` a part of the README of the project. An expression in
double braces takes a number from a twin and says how it is written. What a sentence claims beyond that
stands in `sure(…)`, which writes nothing and fails where it does not hold.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from simcli.analysis.phrases import percent, player, points, small_percent
from simcli.analysis.rows import View
from simcli.analysis.sizes import significant
from simcli.rules.wording import shown
from simcli.runs.marked import with_block
from simcli.runs.partfile import write_whole

HERE = Path(__file__).resolve().parent
TEMPLATE, FINDINGS = HERE / "findings.md", HERE / "README.md"
SHORT_TEMPLATE, PROJECT = HERE / "in-short.md", HERE.parents[1] / "README.md"
BLOCK = "findings"

Row = dict[str, Any]


@lru_cache
def twin(name: str) -> dict[str, Any]:
    """Return the twin of an experiment's page."""
    data: dict[str, Any] = json.loads(gzip.decompress((HERE / f"{name}.json.gz").read_bytes()))
    return data


def rows(name: str, table: str, baseline: str = "", outcome: str = "", **where: object) -> list[Row]:
    """Return the rows of a list of a twin's comparisons, or of what was found further, that match.

    Parameters
    ----------
    name : str
        The experiment.
    table : str
        The list, such as ``differences`` (docs/formats.md, "A comparison as JSON").
    baseline, outcome : str
        Which comparison, where there are several.
    where
        Values that the rows have.
    """
    data = twin(name)
    found: list[Row] = data["found"].get(table, [])
    for comparison in data["comparisons"]:
        is_meant = baseline in ("", comparison["baseline"]) and outcome in ("", comparison["outcome"])
        found = found + (comparison.get(table, []) if is_meant else [])
    return [row for row in found if all(row.get(key) == value for key, value in where.items())]


def row(name: str, table: str, baseline: str = "", outcome: str = "", **where: object) -> Row:
    """Return the one row that matches; others with the same content may be there."""
    found = rows(name, table, baseline, outcome, **where)
    if not found or any(each != found[0] for each in found):
        raise LookupError(f"{name}: {table} {where}: expected one row, got {len(found)}")
    return found[0]


def sure(claim: object) -> str:
    """Write nothing; fail if a claim does not hold."""
    if not claim:
        raise ValueError("a claim of findings.md does not hold any more")
    return ""


def change(name: str, variant: str, players: int, cell: str, **where: Any) -> float:
    """Return what a variant changes, as a share of all deals; only if its interval excludes 0."""
    found = row(name, "differences", variant=variant, players=players, cell=cell, **where)
    if found["low"] <= 0 <= found["high"]:
        raise ValueError(f"{name}: {variant}, {players} players, {cell}: no change is shown")
    return float(found["difference"])


def share(name: str, variant: str, players: int, cell: str, **where: Any) -> float:
    """Return which share of the lost deals a position loses."""
    return float(row(name, "lost_shares", variant=variant, players=players, cell=cell, **where)["share"])


def ratio(players: int, cell: str) -> float:
    """Return how many times as much as a fair share a position loses under classic."""
    found = row("table-size", "lost_shares", variant="classic", players=players, cell=cell)
    return float(found["share"] / found["fair"])


def verdicts(name: str, word: str, players: int, **where: Any) -> list[str]:
    """Return the variants that have a verdict at a table."""
    return [each["variant"] for each in rows(name, "verdicts", verdict=word, players=players, **where)]


def judged(name: str) -> int:
    """Return how many verdicts an experiment has."""
    return len(rows(name, "verdicts"))


def n_verdicts(name: str, word: str) -> int:
    """Return how many verdicts of a kind an experiment has."""
    return len(rows(name, "verdicts", verdict=word))


def deals(*names: str) -> int:
    """Return how many deals the runs of some experiments have, each run once."""
    runs = {
        (run["digest"], run["variant"], run["players"]): run["deals"]
        for name in names
        for run in twin(name)["provenance"]["runs"]
    }
    return int(sum(runs.values()))


def least_deals(*names: str) -> int:
    """Return how many deals the shortest run of some experiments has."""
    return min(run["deals"] for name in names for run in twin(name)["provenance"]["runs"])


def seat(players: int) -> float:
    """Return by how much an opener drawn by lot loses more than a fair share; only if that is shown."""
    found = row("opening-advantage", "lost_shares", variant="random-opening", players=players, cell="0")
    if found["low"] <= found["fair"] <= found["high"]:
        raise ValueError(f"opening-advantage: {players} players: the seat is not shown to matter")
    return float(found["share"] - found["fair"])


def hand(players: int) -> float:
    """Return by how much who opens by the lowest trump loses more than that; only if that is shown."""
    found = row("opening-advantage", "lost_shares", variant="classic", players=players, cell="0")
    change_ = found["difference"]
    if change_["low"] <= 0 <= change_["high"]:
        raise ValueError(f"opening-advantage: {players} players: the hand is not shown to matter")
    return float(change_["value"])


def contrast(players: int, factor: str, cell: str) -> Row:
    """Return the effect of an agreement on transfers."""
    return row("transfer-rules", "contrasts", players=players, factor=factor, cell=cell)


def much(value: float) -> str:
    """Return a count to two significant digits."""
    return f"{significant(value):,}"


def ranking(name: str, players: int, outcome: str = "loss") -> list[Row]:
    """Return the variants that change something by more than the margin, the largest change first."""
    found = rows(name, "ranking", outcome=outcome, players=players, verdict="changes")
    return sorted(found, key=lambda each: -abs(each["difference"]))


def lineups(name: str) -> list[str]:
    """Return the line-ups of an experiment, in its order."""
    return list(dict.fromkeys(run["lineup"] for run in twin(name)["provenance"]["runs"]))


def deals_of(name: str, lineup: str) -> int:
    """Return how many deals the runs of a line-up have, at least."""
    return min(run["deals"] for run in twin(name)["provenance"]["runs"] if run["lineup"] == lineup)


def across(name: str, players: int, first: str) -> list[Row]:
    """Return what one line-up finds, the largest change first, and what becomes of it in all of them.

    Each row has `variant`, `cell`, `changes` – a text a line-up, in brackets where nothing is shown – and the
    numbers of line-ups in which it is `shown`, `not_shown` or `opposite`.
    """
    found = [each for each in ranking(name, players) if each["lineup"] == first]
    return [_across(name, players, each["variant"], each["cell"], first) for each in found]


def _across(name: str, players: int, variant: str, cell: str, first: str) -> Row:
    where: dict[str, Any] = {"variant": variant, "players": players, "cell": cell, "outcome": "loss"}
    changes = {each: row(name, "differences", lineup=each, **where) for each in lineups(name)}
    signs = {each: (change_["low"] > 0) - (change_["high"] < 0) for each, change_ in changes.items()}
    same = [sign * signs[first] for sign in signs.values()]
    texts = [
        points(change_["difference"]) if signs[each] else f"({points(change_['difference'])})"
        for each, change_ in changes.items()
    ]
    counts = {"shown": same.count(1), "not_shown": same.count(0), "opposite": same.count(-1)}
    return {"variant": variant, "cell": cell, "changes": texts, **counts}


def shifts(name: str) -> list[Row]:
    """Return how far further line-ups move the changes of the first one, with what their intervals say.

    `moved`: the shift is shown; `after_shown`: the change is shown under the further line-up, the same way;
    `turned`: it is shown the other way.
    """
    return [
        {**each, "shift": each["shift"]["value"], "moved": _is_shown(each["shift"]), **_after(name, each)}
        for each in twin(name)["found"]["shifts"]
    ]


def _is_shown(estimate: Row) -> bool:
    return not estimate["low"] <= 0 <= estimate["high"]


def _after(name: str, shift: Row) -> dict[str, bool]:
    where = {key: shift[key] for key in ("variant", "players", "cell", "lineup")}
    change_ = row(name, "differences", outcome="loss", **where)
    is_same = change_["difference"] * shift["before"] > 0
    return {
        "after_shown": _is_shown(change_) and is_same,
        "turned": _is_shown(change_) and not is_same,
    }


def companies() -> list[str]:
    """Return the line-ups of the skill experiment."""
    return list(dict.fromkeys(each["lineup"] for each in rows("skill", "skill")))


def skill(lineup: str, variant: str) -> Row:
    """Return the skill share of a rotated line-up's bot under a variant."""
    return row("skill", "skill", outcome="loss", lineup=lineup, variant=variant)


def skill_change(lineup: str, variant: str) -> str:
    """Return how the skill share differs from that of classic, in brackets where that is not shown."""
    difference = skill(lineup, variant)["difference"]
    text = points(difference["value"])
    return text if _is_shown(difference) else f"({text})"


def skilful() -> list[str]:
    """Return the variants that change a skill share by more than its margin, the largest share first."""
    changed = [
        each
        for each in rows("skill", "skill", outcome="loss")
        if each["difference"] is not None and each["verdict"] == "changes"
    ]
    best = {each["variant"]: each["share"] for each in changed[::-1]}
    return sorted(best, key=lambda name: -skill(companies()[0], name)["share"])


def agreement(name: str, variant: str, players: int) -> str:
    """Return the one option in which a variant differs from classic, with its value."""
    ((key, value, _),) = row(name, "variants", variant=variant, players=players)["differs"]
    return f"`{key}: {shown(value)}`"


def who(cell: str) -> str:
    """Return who a position is, or what became of the deal."""
    return player(cell, View(), teams=False) if cell.isdigit() else cell


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "twin": twin, "rows": rows, "row": row, "sure": sure, "change": change, "share": share,
    "verdicts": verdicts, "judged": judged, "n_verdicts": n_verdicts, "deals": deals,
    "least_deals": least_deals, "seat": seat, "hand": hand, "contrast": contrast,
    "ranking": ranking, "agreement": agreement, "who": who, "ratio": ratio,
    "lineups": lineups, "deals_of": deals_of, "across": across, "shifts": shifts,
    "companies": companies, "skill": skill, "skill_change": skill_change, "skilful": skilful,
}  # fmt: skip


def rendered(template: str) -> str:
    """Return a text with its numbers."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
    environment.globals.update(FUNCTIONS)
    environment.filters.update(
        percent=percent,
        points=points,
        much=much,
        small_percent=small_percent,
    )
    return environment.from_string(template).render()


def project_page() -> str:
    """Return the README of the project with the findings in short."""
    in_short = rendered(SHORT_TEMPLATE.read_text(encoding="utf-8"))
    return with_block(PROJECT.read_text(encoding="utf-8"), BLOCK, in_short)


def write_findings() -> None:
    """Write both pages from their templates and the twins."""
    write_whole(FINDINGS, rendered(TEMPLATE.read_text(encoding="utf-8")).encode())
    write_whole(PROJECT, project_page().encode())
