"""The referee's verdict in words, for players: the course of play with the table after each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from simcli.engine.game import Event
from simcli.records.verdict import Finding, Position, Verdict
from simcli.records.words import (
    NO_BREAK,
    SUIT_NAMES,
    WIDTH,
    count_text,
    hand_text,
    listed,
    seats_text,
    sentence,
    signs,
    table_text,
    wrapped,
)

ACTION_WIDTH = 16


def verdict_line(verdict: Verdict) -> str:
    """Return one line: the file, and that the rules bear it out or what is wrong, with the rule."""
    failure = verdict.failure
    line = failure.line if failure is not None and failure.line is not None else verdict.line
    place = verdict.where if line is None else f"{verdict.where}:{line}"
    if failure is not None:
        return f"wrong: {place}: {failure}"
    n_steps = sum(finding.kind == "play" for finding in verdict.findings)
    note = f"; {verdict.note}" if verdict.note else ""
    return f"ok: {place}: {count_text(n_steps, 'legal action')}{_checks_text(verdict)}{note}"


def _checks_text(verdict: Verdict) -> str:
    n_illegal = sum(finding.kind == "illegal" for finding in verdict.findings)
    n_expect = sum(finding.kind == "expect" for finding in verdict.findings)
    checks = [
        *([f"{n_illegal} refused"] if n_illegal else []),
        *([count_text(n_expect, "expectation")] if n_expect else []),
    ]
    return "".join(f", {check}" for check in checks)


def course_text(verdict: Verdict) -> Iterator[str]:
    """Yield the course of play, line by line: each step, the table after it and who acts next.

    In the end what is allowed.
    """
    yield from wrapped(f"{verdict.name} ({verdict.title})" if verdict.name else verdict.title, hanging=2)
    if verdict.beginning is None:
        return
    yield from position_text(verdict.beginning)
    yield ""
    closed = False
    for finding in verdict.findings:
        if closed and finding.kind != "expect":
            yield ""
        yield from finding_text(finding)
        closed = bool(finding.closed) or (closed and finding.kind == "expect")
    if verdict.legal:
        yield ""
    for seat, actions in verdict.legal:
        choices = ", ".join(action.replace(" ", NO_BREAK) for action in actions)
        yield from wrapped(f"  seat {seat} may: {choices}", hanging=4)


def position_text(position: Position) -> Iterator[str]:
    """Yield a position between two bouts or within one: trumps, stock and all hands."""
    stock = f"{position.n_stock} in the stock" if position.n_stock else "the stock is empty"
    yield f"  trumps are {SUIT_NAMES[position.trump_suit]}, {stock}"
    for seat in range(len(position.hands)):
        if seat in position.active:
            hand = hand_text(position.hands[seat], position.trump_suit)
            yield from wrapped(f"seat {seat}   {hand}", indent=4, hanging=9)
        else:
            yield f"    seat {seat}   has left"


def finding_text(finding: Finding) -> Iterator[str]:
    """Yield one step as the referee found it."""
    if finding.kind == "expect":
        if finding.ok:
            yield from wrapped(f"as expected: {finding.text}", indent=6, hanging=2)
        else:
            yield from wrapped(f"not as expected: {_reason(finding)}", indent=2, hanging=4)
        return
    if finding.kind == "illegal" and finding.ok:
        yield from wrapped(f"{finding.text} is illegal, as expected: {_reason(finding)}", indent=2, hanging=4)
        return
    if not finding.ok:
        fault = " is illegal" if finding.kind == "play" else ""
        yield from wrapped(f"{finding.text}{fault}: {_reason(finding)}", indent=2, hanging=4)
        return
    yield from _play_text(finding)


def _reason(finding: Finding) -> str:
    return f"{finding.message} – rule {finding.rule}" if finding.rule else finding.message


def _play_text(finding: Finding) -> Iterator[str]:
    closes = len(finding.events) > 1
    table = table_text(finding.closed if closes else finding.position.table)
    left = f"  {finding.text:<{ACTION_WIDTH}}  {table}"
    yield from _justified(left, "" if closes else next_text(finding.position))
    if closes:
        yield from closing_text(finding.events[1:], finding.position)


def _justified(left: str, right: str) -> Iterator[str]:
    """Yield two texts on one line, the second at its end, or on two if they do not fit."""
    if not right:
        yield left.rstrip()
    elif len(left) + 2 + len(right) <= WIDTH:
        yield f"{left}{right:>{WIDTH - len(left)}}"
    else:
        yield left.rstrip()
        yield f"{right:>{WIDTH}}"


def next_text(position: Position) -> str:
    """Say who acts next.

    Players who race are named together.
    """
    if not position.askable:
        return "the deal is over"
    seats = listed([str(seat) for seat in position.askable]).replace(" and ", " or ")
    role = ""
    if len(position.askable) == 1:
        seat = position.askable[0]
        if seat == position.defender:
            role = ", the defender"
        elif seat == position.attacker:
            role = ", the attacker"
    return f"next: seat {seats}{role}"


def closing_text(events: Sequence[Event], position: Position) -> Iterator[str]:
    """Yield how a bout closed, who drew and left, and what comes after it."""
    bout, *rest = events
    if bout["bout"] == "beaten":
        yield "      Beaten: the cards are discarded."
    else:
        n_cards = count_text(len(bout["cards"]), "card")
        yield f"      Taken: seat {bout['defender']} takes {n_cards}."
    draws = [f"seat {event['seat']} draws {signs(event['draw'])}" for event in rest if "draw" in event]
    if draws:
        yield from wrapped(sentence(f"{', '.join(draws)}."), indent=6, hanging=2)
    for place, leavers in groupby((e for e in rest if "leaves" in e), lambda event: event["leaves"]):
        seats = [event["seat"] for event in leavers]
        verb = "leaves" if len(seats) == 1 else "leave"
        yield from wrapped(sentence(f"{seats_text(seats)} {verb}: place {place}."), indent=6, hanging=2)
    if position.result is not None:
        loser = "" if position.loser is None else f", seat {position.loser} loses"
        if position.result == "won" and position.loser is not None:
            loser = f", seat {position.loser} is left with cards"
        yield f"      The deal is over: {position.result}{loser}."
        return
    yield ""
    yield from position_text(position)
    yield f"  {next_text(position)}"
