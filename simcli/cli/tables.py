"""Tables on the terminal."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from simcli.cli.narrow import print_table
from simcli.cli.speech import remark
from simcli.rules.canonical import differences
from simcli.rules.variant import RULE_OPTIONS, Variant
from simcli.rules.wording import printable_path, without_bytes
from simcli.runs.store.location import Location

if TYPE_CHECKING:
    from simcli.runs.bench.sections import Section
    from simcli.runs.listing import Listed
    from simcli.runs.outcome import Outcome
    from simcli.runs.plan import Plan

DIGEST_SHOWN = 8
_RULE_KEYS = frozenset(option.key for option in RULE_OPTIONS)
MANY_DEALS = 10_000  # as many as must have been played before an idle option is worth a warning


def console() -> Console:
    """Return where tables go."""
    return Console(highlight=False)


def print_outcome(outcome: Outcome) -> None:
    """Print who lost (or won) how often, and where the rows lie."""
    from simcli.runs.summary import wilson

    table = Table(box=None, pad_edge=False)
    table.add_column("", min_width=24)
    table.add_column(_verb(outcome), justify="right", min_width=10)
    table.add_column("95 % interval", justify="right", min_width=20)
    for name, count in _rows(outcome):
        low, high = wilson(count, outcome.deals)
        table.add_row(name, percent(count / outcome.deals), f"{low * 100:.2f} – {high * 100:.2f}")
    out = console()
    out.print(Text(_title(outcome), style="bold"), soft_wrap=True)
    print_table(table, out)
    for line in _notes(outcome):
        out.print(Text(line), soft_wrap=True)
    shares = triggered_shares(outcome)
    if shares:
        out.print()
        out.print(Text("Came into play: what differs from classic decided something in"))
        for key, share in shares.items():
            out.print(Text(f"  {key:<22}{percent(share):>9} of deals"))
    out.print()
    for line in _never_decided(outcome, shares):
        remark(line)


def triggered_shares(outcome: Outcome) -> dict[str, float]:
    """Return per option that differs from classic the share of deals in which it decided anything."""
    summary = outcome.summary
    return {
        key: summary.triggered.get(key, 0) / outcome.deals
        for key, _, _ in differences(outcome.plan.match.variant, Variant())
        if key in _RULE_KEYS
    }


def _never_decided(outcome: Outcome, shares: Mapping[str, float]) -> Iterator[str]:
    """Warn of options that were never worth their line in the file."""
    idle = [key for key, share in shares.items() if share == 0]
    if idle and outcome.deals >= MANY_DEALS:
        yield (
            f"warning: {', '.join(idle)} never decided anything in {outcome.deals:,} deals – "
            "at this table the variant plays the same without"
        )


def print_section(section: Section, out: Console) -> None:
    """Print a title, a table with numbers to the right, and how to read it if that is said."""
    table = Table(box=None, pad_edge=False)
    for column, head in enumerate(section.head):
        is_word = column < section.n_words
        table.add_column(head, justify="left" if is_word else "right", overflow="fold", no_wrap=not is_word)
    for row in section.rows:
        table.add_row(*map(Text, row))
    out.print(Text(section.title, style="bold"))
    print_table(table, out)
    if section.note:
        out.print(Text(section.note.replace("`", ""), style="dim"))


def percent(share: float) -> str:
    """Return a share as a percentage.

    >>> percent(0.17291)
    '17.29 %'
    """
    return f"{share * 100:.2f} %"


def print_runs(listed: Sequence[Listed], folder: Location) -> None:
    """Print the runs of a results folder, one line each, and what is damaged."""
    out = console()
    if not listed:
        out.print(Text(f"no runs in {printable_path(folder)}"), soft_wrap=True)
        return
    table = Table(box=None, pad_edge=False)
    chained = any((entry.session or 1) > 1 for entry in listed)
    table.add_column("variant", overflow="fold")
    table.add_column("players", justify="right")
    table.add_column("line-up", overflow="fold")
    table.add_column("seed", justify="right", overflow="fold")
    if chained:
        table.add_column("K", justify="right")
    table.add_column("deals", justify="right", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("digest", no_wrap=True)
    for entry in listed:
        cells = [
            f"{entry.variant or Path(entry.folder).name}{' (counts)' if entry.summary else ''}",
            _cell(entry.players),
            (entry.lineup or "?").replace(",", ", "),
            _cell(entry.seed),
            *([_cell(entry.session)] if chained else []),
            _progress(entry),
            entry.state,
            (entry.digest or "")[:DIGEST_SHOWN],
        ]
        table.add_row(*(Text(cell) for cell in cells))
    print_table(table, out)
    for problem in (problem for entry in listed for problem in entry.problems):
        out.print(Text(problem), soft_wrap=True)


def _cell(value: int | None) -> str:
    return "?" if value is None else str(value)


def _progress(entry: Listed) -> str:
    if entry.deals is None:
        return "?"
    return f"{entry.deals:,}" if entry.done == entry.deals else f"{entry.done:,} of {entry.deals:,}"


def print_json(data: Any) -> None:
    """Print plain data as JSON."""
    print(without_bytes(json.dumps(data, indent=2, ensure_ascii=False)))


def outcome_mapping(outcome: Outcome) -> dict[str, Any]:
    """Return what `print_outcome` prints as plain data; rates are shares of all deals."""
    from simcli.runs.summary import wilson

    match, summary = outcome.plan.match, outcome.summary
    cells = []
    for name, count in _rows(outcome):
        low, high = wilson(count, outcome.deals)
        rate = count / outcome.deals
        cells.append({"cell": name, "count": count, "rate": rate, "low": low, "high": high})
    return {
        "variant": match.variant.name,
        "players": match.players,
        "lineup": match.lineup.text,
        **({"weights": match.weights} if match.weights else {}),
        "seed": match.seed,
        "session": match.session,
        "deals": outcome.deals,
        "counted": _verb(outcome),
        "cells": cells,
        "interval": {"level": 0.95, "kind": "Wilson", "family": "marginal"},
        "triggered": triggered_shares(outcome),
        "means": {measure: summary.mean(measure) for measure in summary.sums},
        "digest": outcome.digest,
        "folder": str(outcome.folder),
        "played": outcome.played,
        "seconds": outcome.seconds,
    }


def _title(outcome: Outcome) -> str:
    match = outcome.plan.match
    whole = outcome.deals == outcome.plan.deals
    deals = (
        f"{outcome.deals:,} deals"
        if whole
        else f"the first {outcome.deals:,} of {outcome.plan.deals:,} deals"
    )
    chain = f", sessions of {match.session}" if match.session > 1 else ""
    return (
        f"{match.variant.name}, {match.players} players, {match.lineup.text}: "
        f"{deals}, seed {match.seed}{chain}"
    )


def _is_won(plan: Plan) -> bool:
    return plan.match.variant.end.objective == "first_out_wins"


def _verb(outcome: Outcome) -> str:
    return "first out" if _is_won(outcome.plan) else "lost"


def _rows(outcome: Outcome) -> Iterator[tuple[str, int]]:
    """Yield the cells of the table: positions, drawn, stalled."""
    match, summary = outcome.plan.match, outcome.summary
    teams = match.variant.teams != "none"
    for position, count in enumerate(summary.decided):
        yield position_name(position, teams), count
    yield "drawn", summary.drawn
    yield "stalled", summary.stalled


def position_name(position: int, teams: bool) -> str:
    """Return a position with its role, where it has one.

    >>> position_name(1, teams=False), position_name(0, teams=True)
    ('1  defends first', "0  the opener's team")
    """
    if teams:
        roles = ("the opener's team", "the first defender's team")
    else:
        roles = ("opens", "defends first")
    return f"{position}  {roles[position]}" if position < len(roles) else f"{position}"


def _notes(outcome: Outcome) -> Iterator[str]:
    from simcli.runs.jointfolder import is_joint

    summary = outcome.summary
    yield ""
    yield "Positions count from the opener; each interval holds for its own row (marginal)."
    yield f"mean bouts {summary.mean('bouts'):.2f}"
    if outcome.played:
        rate = outcome.played / outcome.seconds
        yield f"played     {outcome.played:,} deals in {outcome.seconds:.2f} s, {rate:,.0f} deals/s"
    else:
        yield "played     nothing: all deals were there"
    stretch = outcome.plan.stretches[-1]
    if outcome.deals == stretch.deals and stretch.rule is not None and stretch.rule.kind == "half-width":
        end = "at" if stretch.stopped else "not before"
        option = f"{stretch.rule.option} {stretch.rule.threshold * 100:g}pp"
        yield f"stopped    {end} {outcome.deals:,} deals by {option}"
    for bot, weights in outcome.plan.match.weights.items():
        yield f"weights    {weights} for {bot}"
    yield f"digest     {outcome.digest}"
    kept = "counts" if is_joint(outcome.folder) else "rows"
    yield f"{kept:<11}{printable_path(outcome.folder)}"


def print_next_command(outcome: Outcome) -> None:
    """Print a command that may be wanted next."""
    from simcli.runs.jointfolder import is_joint

    folder = shlex.quote(str(outcome.folder))
    command = f"Look at a deal: simcli replay {folder} --deal 0"
    if is_joint(outcome.folder):
        command = f"Compare them: simcli compare {folder}"
    console().print(Text(command), soft_wrap=True)
