"""A deal under two variants in words: the common beginning, where and why they part, both ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcli.engine.game import Event, Game
from simcli.engine.notation import parse_action
from simcli.records.phrases import action_words
from simcli.records.record import Record, game_of
from simcli.records.text import (
    bout_lines,
    bouts_of,
    closing_lines,
    ending_lines,
    heading_lines,
    phrases_of,
)
from simcli.records.versus import Difference, Ground, Kind, Moment, Pair, Parting, Versus
from simcli.records.words import NO_BREAK, WIDTH, seats_text, sentence, signs, wrapped

MAX_SHOWN = 6
LABEL_LENGTH = 28

Labels = tuple[str, str]


def versus_text(versus: Versus) -> str:
    """Tell a deal under two variants, lines of at most 80 columns."""
    labels = labels_of(versus.records)
    if versus.parting is None:
        lines = [*_unparted(versus.records, labels)]
    else:
        lines = [*_parted(versus.records, versus.parting, labels)]
    return "\n".join(lines)


def labels_of(records: Pair) -> Labels:
    """Return what the two variants are called: their names, numbered if they are the same."""
    first, second = (record["variant"]["name"] for record in records)
    return (first, second) if first != second else (f"{first} (1)", f"{second} (2)")


def _unparted(records: Pair, labels: Labels) -> Iterator[str]:
    game = game_of(records[0])
    yield from _heading(records, game, labels)
    yield from _bouts(game, 1, records[0]["events"])
    yield ""
    yield from ending_lines(game, _objective(records[0]))
    yield ""
    yield _ruled("they do not part")
    yield from wrapped(f"The deal goes the same way under {labels[0]} and {labels[1]}.", hanging=2)


def _parted(records: Pair, parting: Parting, labels: Labels) -> Iterator[str]:
    common = records[0]["events"][: parting.n_common]
    games = (game_of(records[0]), game_of(records[1]))
    heading = [*_heading(records, games[0], labels)]
    yield from heading[:-1] if parting.kind is Kind.OPENING else heading
    yield from _bouts(games[0], 1, common)
    _follow(games[1], common)
    yield ""
    yield _ruled("here they part", "═")
    yield from wrapped(_moment_text(records, parting, labels), hanging=2)
    yield from _grounds(parting, labels)
    for game, record, label in zip(games, records, labels, strict=True):
        yield ""
        yield _ruled(label)
        yield from _continuation(game, record, parting.n_common)
    yield ""
    yield _ruled("how they end", "═")
    yield from _ends(games, records, labels)


def _ruled(text: str, line: str = "─") -> str:
    return f"{line * 2} {text} ".ljust(WIDTH, line)[:WIDTH]


# ------------------------------------------------------------------------------------ the common part


def _heading(records: Pair, game: Game, labels: Labels) -> Iterator[str]:
    """Tell what is played; of the deal before only if it went the same way."""
    first, second = records
    name = f"{labels[0]} and {labels[1]}"
    if first["previous"] == second["previous"]:
        yield from heading_lines(first, game, name)
        return
    *lines, opening = heading_lines({**first, "deal_in_session": 0}, game, name)
    yield from lines
    number, session = first["deal_in_session"], first["session"]
    yield f"Deal {number} of session {session}; the deal before had ended otherwise."
    yield opening


def _bouts(game: Game, number: int, events: Sequence[Event]) -> Iterator[str]:
    for actions, after in bouts_of(events):
        yield ""
        yield from bout_lines(game, number, actions, after)
        number += 1


def _follow(game: Game, events: Sequence[Event]) -> None:
    """Play the actions among some events."""
    for event in events:
        if "do" in event:
            game.ask(event["seat"])
            game.play(parse_action(event["do"]))


def _continuation(game: Game, record: Record, n_common: int) -> Iterator[str]:
    """Tell the rest of a deal, from the middle of a bout if need be."""
    number = 1 + sum("bout" in event for event in record["events"][:n_common])
    rest = record["events"][n_common:]
    in_bout = n_common > 0 and "do" in record["events"][n_common - 1]
    if in_bout:
        n_bout = next((i for i, event in enumerate(rest) if "bout" in event), len(rest))
        n_after = next((i for i, event in enumerate(rest) if i > n_bout and "do" in event), len(rest))
        yield f"Bout {number} goes on:" if n_bout else f"Bout {number} is over:"
        for phrase in phrases_of(game, rest[:n_bout]):
            yield from phrase.lines()
        yield from closing_lines(game, rest[n_bout:n_after])
        number += 1
        rest = rest[n_after:]
    bouts = [*_bouts(game, number, rest)]
    yield from bouts if in_bout else bouts[1:]
    if bouts or in_bout:
        yield ""
    yield from ending_lines(game, _objective(record))


def _objective(record: Record) -> str:
    objective: str = record["variant"]["end"]["objective"]
    return objective


# ------------------------------------------------------------------------------------ the parting


def _moment_text(records: Pair, parting: Parting, labels: Labels) -> str:
    first, second = parting.moments
    match parting.kind:
        case Kind.OPENING:
            told = [f"seat {record['dealer']} deals and seat {record['opener']} opens" for record in records]
        case Kind.ROLES:
            told = [f"seat {moment.attacker} attacks seat {moment.defender}" for moment in (first, second)]
        case Kind.OUTCOME | Kind.ASKED:
            told = [
                _outcome(record, moment, other)
                for record, moment, other in zip(records, (first, second), (second, first), strict=True)
            ]
        case Kind.LEGAL:
            return _legal_text(first, second, labels)
        case Kind.CHOICE:
            return f"Seat {first.asked} may do the same under both, and does otherwise: it knows the rules."
    return sentence(f"under {labels[0]} {told[0]}; under {labels[1]} {told[1]}.")


def _outcome(record: Record, moment: Moment, other: Moment) -> str:
    """Tell the first thing that follows under one variant and not under the other."""
    for i, event in enumerate(moment.events):
        if i >= len(other.events) or event != other.events[i]:
            return _event_text(event)
    if moment.asked is None:
        return f"the deal is over, {record['result']}"
    return f"seat {moment.asked} is asked next"


def _event_text(event: Event) -> str:
    if "bout" in event:
        return f"the bout is {event['bout']}"
    if "draw" in event:
        return f"seat {event['seat']} draws {signs(event['draw'])}"
    return f"seat {event['seat']} is out with place {event['leaves']}"


def _legal_text(first: Moment, second: Moment, labels: Labels) -> str:
    """Tell what only one of the variants allows."""
    told = []
    for moment, other, label in ((first, second, labels[0]), (second, first, labels[1])):
        only = [
            action_words(action).replace(" ", NO_BREAK)
            for action in moment.legal
            if action not in other.legal
        ]
        if only:
            more = [f"{len(only) - MAX_SHOWN + 1} more"] if len(only) > MAX_SHOWN else []
            told.append(f"may {' or '.join(only[: MAX_SHOWN - len(more)] + more)} under {label} only")
    return f"Seat {first.asked} {', and '.join(told)}."


def _grounds(parting: Parting, labels: Labels) -> Iterator[str]:
    """Tell which options are the reason."""
    if parting.ground is Ground.NOW:
        yield "The reason:" if len(parting.differences) == 1 else "The reasons:"
    elif parting.ground is Ground.EARLIER:
        yield "The reason lies further back, in:"
    else:
        yield "The rules differ in:"
    for each in parting.differences:
        yield from wrapped(_difference_text(each, labels), indent=2, hanging=2)


def _difference_text(difference: Difference, labels: Labels) -> str:
    first, second = (str(v).lower() if isinstance(v, bool) else str(v) for v in difference.values)
    return f"{difference.key}: {first} in {labels[0]}, {second} in {labels[1]}"


# ------------------------------------------------------------------------------------ the ends


def _ends(games: tuple[Game, Game], records: Pair, labels: Labels) -> Iterator[str]:
    """Set the two ends side by side."""
    columns = [_end(game, record) for game, record in zip(games, records, strict=True)]
    yield _row("", *(_cut(label) for label in labels))
    for name in columns[0]:
        yield _row(name, columns[0][name], columns[1][name])


def _end(game: Game, record: Record) -> dict[str, str]:
    taken = [event for event in record["events"] if event.get("bout") == "taken"]
    return {
        "result": _result(game, record),
        "places": " ".join("–" if place is None else str(place) for place in game.places),
        "bouts": str(sum("bout" in event for event in record["events"])),
        "actions": str(sum("do" in event for event in record["events"])),
        "bouts taken": str(len(taken)),
        "cards picked up": str(sum(len(event["cards"]) for event in taken)),
    }


def _result(game: Game, record: Record) -> str:
    result: str = record["result"]
    if result == "won":
        return f"seat {game.places.index(1)} wins"
    if result != "lost" or game.loser is None:
        return result
    team = game.team(game.loser)
    return f"seat {game.loser} loses" if len(team) == 1 else f"{seats_text(team)} lose"


def _row(name: str, first: str, second: str) -> str:
    return f"{name:<18}{first:<31}{second}".rstrip()


def _cut(label: str) -> str:
    return label if len(label) <= LABEL_LENGTH else f"{label[: LABEL_LENGTH - 1]}…"
