"""Check records of whole games: the deal, every action, what followed from it, and the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from simcli.engine.game import Event, Game
from simcli.engine.layout import HAND_SIZE
from simcli.engine.notation import CARD_WORDS, action_text, card_words, cards_in, mask_of, parse_action
from simcli.engine.reasons import may_open
from simcli.engine.table import pack_of
from simcli.records.chain import Chain, fault_of_numbers
from simcli.records.expect import actions_text, legal_of
from simcli.records.previous import impossible_end
from simcli.records.reasons import reason_for, rule_of_the_end, rule_that_allows
from simcli.records.recordfile import GameRecord
from simcli.records.referee import play
from simcli.records.steps import not_in_pack
from simcli.records.verdict import Failure, Finding, Position, Verdict
from simcli.records.words import listed, seats_text

SUMMARY = ("dealer", "loser", "places", "result")


class _Wrong(Exception):
    """What a record says is not what the rules say; its one argument is the `Failure`."""


def check_records(records: Iterable[GameRecord]) -> list[Verdict]:
    """Check records, each by itself and each against the others of its session."""
    chain = Chain(records)
    return [check_record(record, chain) for record in chain.records]


def check_record(record: GameRecord, chain: Chain | None = None) -> Verdict:
    """Check one record.

    Parameters
    ----------
    record : GameRecord
        The record.
    chain : Chain, optional
        All records of the file; if the session's deal before is among them, it must lead here.
    """
    findings: list[Finding] = []
    beginning: Position | None = None
    failure: Failure | None = None
    note = ""
    try:
        _check_session(record, Chain([record]) if chain is None else chain)
        _check_deal(record)
        game = _dealt(record)
        _check_opener(record, game)
        beginning = Position.of(game)
        _play_events(record, game, findings)
        note = _check_end(record, game)
    except _Wrong as error:
        failure = error.args[0]
    title = f"{record.variant.name}, {record.variant.players} players"
    deal = record.data.get("deal")
    name = "" if deal is None else f"deal {deal}"
    return Verdict(
        record.document.where, record.line, "record", name, title, beginning, tuple(findings), failure, note
    )


def _wrong(record: GameRecord, key: str, message: str, rule: str = "") -> _Wrong:
    return _Wrong(Failure(record.line, key, message, rule))


def _expect(record: GameRecord, key: str, expected: Any, got: Any, rule: str) -> None:
    if expected != got:
        raise _wrong(record, key, f"expected {_spelled(expected)}, got {_spelled(got)}", rule)


def _spelled(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_spelled, value))}]"
    return str(value)


# ------------------------------------------------------------------------------------ the deal


def _check_session(record: GameRecord, chain: Chain) -> None:
    """Check the place of a deal in its session, and how the deal before is said to have ended."""
    data = record.data
    previous, number = data.get("previous"), data.get("deal_in_session")
    if number is not None:
        if number == 0 and previous is not None:
            raise _wrong(record, "previous", "expected null in the first deal of a session", "2.1")
        if number > 0 and previous is None:
            raise _wrong(
                record,
                "previous",
                f"expected the deal before, since this is deal {number} of a session",
                "2.3",
            )
    fault = fault_of_numbers(record, chain.neighbour(record))
    if fault is not None:
        raise _wrong(record, *fault)
    if previous is not None:
        _check_previous(record, previous, chain.before(record))


def _check_previous(record: GameRecord, previous: dict[str, Any], before: GameRecord | None) -> None:
    """Check that the deal before ended as its own record says, and as a deal can end."""
    if before is not None:
        for key in SUMMARY:
            _expect(record, f"previous.{key}", before.data[key], previous[key], "2.3")
    impossible = impossible_end(record.variant, previous)
    if impossible is not None:
        raise _wrong(record, f"previous.{impossible.key}", impossible.message, impossible.rule)


def _check_deal(record: GameRecord) -> None:
    """Check hands, stock, trump and dealer (docs/rules.md 1 and 2)."""
    data, variant = record.data, record.variant
    pack = pack_of(variant.deck)
    for key, cards in [
        *((f"hands[{seat}]", hand) for seat, hand in enumerate(record.hands)),
        ("stock", record.stock),
    ]:
        foreign = mask_of(cards) & ~pack
        if foreign:
            raise _wrong(record, key, not_in_pack(variant.deck, next(cards_in(foreign))), "1.1")
    for seat, hand in enumerate(record.hands):
        if len(hand) != HAND_SIZE:
            raise _wrong(record, f"hands[{seat}]", f"expected {HAND_SIZE} cards, got {len(hand)}", "1.2")
    missing = pack & ~mask_of(card for hand in record.hands for card in hand) & ~mask_of(record.stock)
    if missing:
        raise _wrong(
            record, "stock", f"expected the whole pack, {listed(card_words(missing))} is missing", "1.3"
        )
    if record.stock:
        if record.stock[-1] != record.trump:
            message = (
                f"expected the exposed trump {data['trump']} as last card, got {CARD_WORDS[record.stock[-1]]}"
            )
            raise _wrong(record, "stock", message, "1.3")
    elif record.trump not in record.hands[data["dealer"]]:
        message = f"expected the last card dealt, in the hand of the dealer, got {data['trump']}"
        raise _wrong(record, "trump", message, "1.4")
    previous = data.get("previous")
    if previous is not None:
        dealer = Game.deal(variant, variant.players, 0, 0, previous=previous).dealer
        _expect(record, "dealer", dealer, data["dealer"], "2.3")


def _dealt(record: GameRecord) -> Game:
    hands = [mask_of(hand) for hand in record.hands]
    data = record.data
    return Game.dealt(record.variant, hands, record.stock, record.trump, data["dealer"], data["opener"])


def _check_opener(record: GameRecord, game: Game) -> None:
    """Check who opens (docs/rules.md 2); where the seat is drawn, any will do."""
    previous = record.data.get("previous")
    is_first = previous is None
    loser = -1 if previous is None or previous["loser"] is None else previous["loser"]
    seats = [seat for seat in range(game.players) if may_open(game.state, seat, is_first, loser)]
    if record.data["opener"] not in seats:
        opening = record.variant.opening
        how = f"opening.first {opening.first}" if is_first else f"opening.later {opening.later}"
        message = f"by {how} expected {seats_text(seats)}, got seat {record.data['opener']}"
        raise _wrong(record, "opener", message, "2.1" if is_first else "2.4")


# ------------------------------------------------------------------------------------ the events


def _play_events(record: GameRecord, game: Game, findings: list[Finding]) -> None:
    """Play the actions of a record and compare what follows from them."""
    events: list[Event] = record.data["events"]
    due: list[Event] = []
    for number, event in enumerate(events):
        key = f"events[{number}]"
        if due:
            _compare(record, key, due.pop(0), event)
        elif "do" in event:
            finding = _act(record, game, key, event)
            findings.append(finding)
            due = list(finding.events[1:])
        else:
            raise _wrong(record, key, *_out_of_place(game, event))
    if due:
        raise _wrong(
            record, "events", f"expected {_told(due[0])} after the last event, got the end", _rule_of(due[0])
        )


def _out_of_place(game: Game, event: Event) -> tuple[str, str]:
    """Return message and rule about an event that follows from nothing."""
    if game.over:
        return f"expected nothing more, got {_told(event)}: the deal is over", rule_of_the_end(game)
    return f"expected an action, got {_told(event)}: seat {game.to_act} is to act", "3.5"


def _act(record: GameRecord, game: Game, key: str, event: Event) -> Finding:
    seat, action = event["seat"], parse_action(event["do"])
    reason = reason_for(game, seat, action)
    if reason is not None:
        raise _wrong(record, f"{key}.do", f"{seat} {event['do']}: {reason.text}", reason.rule)
    if "legal" in event:
        _check_legal(record, game, f"{key}.legal", event)
    return play(game, seat, action, record.line)


def _check_legal(record: GameRecord, game: Game, key: str, event: Event) -> None:
    listed_actions = {parse_action(text) for text in event["legal"]}
    legal = set(legal_of(game, event["seat"]))
    for action in sorted(listed_actions - legal):
        reason = reason_for(game, event["seat"], action)
        assert reason is not None
        message = f"{action_text(action)} is not legal: {reason.text}"
        raise _wrong(record, key, message, reason.rule)
    missing = sorted(legal - listed_actions)
    if missing:
        message = f"the rules allow {actions_text(missing)} too"
        raise _wrong(record, key, message, rule_that_allows(missing[0]))


def _compare(record: GameRecord, key: str, due: Event, event: Event) -> None:
    """Compare an event that follows by itself with what the record has in its place."""
    if _comparable(due) != _comparable(event):
        raise _wrong(record, key, f"expected {_told(due)}, got {_told(event)}", _rule_of(due))


def _comparable(event: Event) -> Event:
    return {**event, "cards": sorted(event["cards"])} if "cards" in event else event


def _rule_of(event: Event) -> str:
    if "bout" in event:
        return "3.5"
    return "5.2" if "draw" in event else "6.2"


def _told(event: Event) -> str:
    """Say an event in words."""
    if "do" in event:
        return f"{event['seat']} {event['do']}"
    if "bout" in event:
        return f"the bout {event['bout']} against seat {event['defender']} ({' '.join(event['cards'])})"
    if "draw" in event:
        return f"seat {event['seat']} drawing {' '.join(event['draw'])}"
    return f"seat {event['seat']} leaving with place {event['leaves']}"


# ------------------------------------------------------------------------------------ the end


def _check_end(record: GameRecord, game: Game) -> str:
    """Check result, loser and places; return a note about a record that ends before the deal does."""
    data = record.data
    if not game.over and data["result"] is None:
        for key, value in _unfinished(game):
            _expect(record, key, value, data[key], "6")
        return f"the deal is not over, seat {game.to_act} is to act"
    if not game.over:
        raise _wrong(
            record, "events", f"expected more, for seat {game.to_act} is to act", rule_of_the_end(game)
        )
    _expect(record, "result", game.result, data["result"], rule_of_the_end(game))
    _expect(record, "loser", game.loser, data["loser"], rule_of_the_end(game))
    _expect(record, "places", game.places, data["places"], "6.2")
    return ""


def _unfinished(game: Game) -> Iterator[tuple[str, Any]]:
    yield "loser", None
    yield "places", game.places
