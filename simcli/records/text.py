"""A record told in words, for players: who held what, who attacked whom, how each bout went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

from simcli.engine.game import Event, Game
from simcli.engine.notation import CARD_WORDS, parse_action
from simcli.records.phrases import Phrase, phrase_of
from simcli.records.record import Record, game_of
from simcli.records.words import (
    SUIT_NAMES,
    WIDTH,
    count_text,
    hand_text,
    listed,
    seats_text,
    sentence,
    sign,
    signs,
    table_text,
    wrapped,
)


def record_text(record: Record) -> str:
    """Tell a deal in words, lines of at most 80 columns.

    Decisions that list their legal actions are told one by one with all of them.
    """
    game = game_of(record)
    lines = [*heading_lines(record, game)]
    for number, (actions, after) in enumerate(bouts_of(record["events"]), start=1):
        lines += ["", *bout_lines(game, number, actions, after)]
    lines += ["", *ending_lines(game, record["variant"]["end"]["objective"])]
    return "\n".join(lines)


# ------------------------------------------------------------------------------------ beginning


def heading_lines(record: Record, game: Game, name: str | None = None) -> Iterator[str]:
    """Tell what is played, who deals and who opens; by another name than the variant's if one is given."""
    title = f"{record['variant']['name'] if name is None else name}, {game.players} players"
    yield from wrapped(f"{title} – deal {record['deal']} of seed {record['seed']}", hanging=2)
    yield from wrapped(_bots_text(record["bots"]), hanging=2)
    if record["deal_in_session"]:
        yield from wrapped(_session_text(record), hanging=2)
    yield from wrapped(_trump_text(record, game), hanging=2)
    yield f"Seat {record['dealer']} deals, seat {record['opener']} opens."


def _bots_text(bots: Sequence[str]) -> str:
    if len(set(bots)) == 1:
        return f"Every seat plays {bots[0]}."
    return sentence(f"{listed([f'seat {seat} plays {bot}' for seat, bot in enumerate(bots)])}.")


def _session_text(record: Record) -> str:
    number = f"Deal {record['deal_in_session']} of session {record['session']}"
    previous = record["previous"]
    if previous["result"] == "lost":
        return f"{number}; seat {previous['loser']} lost the deal before."
    if previous["result"] == "won":
        return f"{number}; seat {previous['places'].index(1)} won the deal before."
    return f"{number}; the deal before was {previous['result']}."


def _trump_text(record: Record, game: Game) -> str:
    suit = SUIT_NAMES[game.trump_suit]
    exposed = sign(record["trump"])
    n_stock = len(record["stock"])
    if n_stock == 0:
        return f"Trumps are {suit}: all cards are dealt, {exposed} the last of them."
    return f"Trumps are {suit}: {count_text(n_stock, 'card')} in the stock, {exposed} at the bottom."


# ------------------------------------------------------------------------------------ the bouts


def bouts_of(events: Iterable[Event]) -> Iterator[tuple[list[Event], list[Event]]]:
    """Yield the actions of each bout, and what came after them: nothing, if the bout has not closed."""
    runs = [list(run) for _, run in groupby(events, lambda event: "do" in event)]
    return zip_longest(runs[::2], runs[1::2], fillvalue=[])


def bout_lines(game: Game, number: int, actions: Sequence[Event], after: Sequence[Event]) -> Iterator[str]:
    """Play a bout and tell it: who holds what, what was done, how it closed."""
    yield _bout_title(game, number)
    yield from _hands(game)
    for phrase in phrases_of(game, actions):
        yield from phrase.lines()
    yield from closing_lines(game, after)


def _bout_title(game: Game, number: int) -> str:
    title = f"Bout {number}: seat {game.attacker} attacks seat {game.defender}"
    stock = f"{game.n_stock} in the stock" if game.n_stock else "the stock is empty"
    return f"{title}{stock:>{WIDTH - len(title)}}"


def _hands(game: Game) -> Iterator[str]:
    for seat in game.active:
        hand = hand_text(game.hands[seat], game.trump_suit)
        yield from wrapped(f"seat {seat}   {hand}", indent=4, hanging=9)


def phrases_of(game: Game, actions: Sequence[Event]) -> list[Phrase]:
    """Play the actions of a bout and return them in words, what belongs together in one phrase."""
    phrases: list[Phrase] = []
    for event in actions:
        game.ask(event["seat"])
        before = game.stock[-1:]
        game.play(parse_action(event["do"]))
        exposed = [CARD_WORDS[card] for card in before + game.stock[-1:]]
        phrase = phrase_of(event, game.defender, exposed)
        if phrases and phrases[-1].goes_on_with(phrase):
            phrases[-1].add(phrase)
        elif not phrase.is_silent():
            phrases.append(phrase)
    return phrases


def closing_lines(game: Game, after: Sequence[Event]) -> Iterator[str]:
    """Tell how the bout closed, who drew and who left."""
    if not after:
        yield from wrapped(table_text(game.table), indent=4)
        return
    bout, *rest = after
    if bout["bout"] == "beaten":
        outcome = "beaten"
    else:
        outcome = f"seat {bout['defender']} takes {count_text(len(bout['cards']), 'card')}"
    yield from wrapped(f"{table_text(game.closed_table)} – {outcome}.", indent=4)
    draws = [f"seat {event['seat']} draws {signs(event['draw'])}" for event in rest if "draw" in event]
    if draws:
        yield from wrapped(sentence(f"{', '.join(draws)}."), indent=2, hanging=2)
    left = sorted((event["leaves"], event["seat"]) for event in rest if "leaves" in event)
    for place, leavers in groupby(left, lambda pair: pair[0]):
        yield from wrapped(_leaving(place, [seat for _, seat in leavers]), indent=2, hanging=2)


def _leaving(place: int, seats: Sequence[int]) -> str:
    if len(seats) == 1:
        return sentence(f"{seats_text(seats)} is out: place {place}.")
    return sentence(f"{seats_text(seats)} are out together and share place {place}.")


# ------------------------------------------------------------------------------------ the end

_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth")


def ending_lines(game: Game, objective: str) -> Iterator[str]:
    """Tell the result and the places."""
    yield from wrapped(result_text(game, objective), hanging=2)
    in_order = sorted((place, seat) for seat, place in enumerate(game.places) if place is not None)
    told = [
        f"{seats_text([seat for _, seat in sharing])} {_ORDINALS[place]}"
        for place, sharing in groupby(in_order, lambda pair: pair[0])
    ]
    if told:
        yield from wrapped(f"Places: {', '.join(told)}.", hanging=2)


def result_text(game: Game, objective: str) -> str:
    """Return the result in a sentence."""
    if not game.over:
        return f"Seat {game.to_act} is to act."
    if game.result == "stalled":
        return "Stalled: one pick-up followed another, and nobody loses."
    if game.result == "won":
        return f"Seat {game.places.index(1)} is the first to be out and wins."
    if game.result == "drawn":
        return _draw_text(game, objective)
    return _loss_text(game)


def _draw_text(game: Game, objective: str) -> str:
    if objective == "first_out_wins":
        first = [seat for seat, place in enumerate(game.places) if place == 1]
        return f"Drawn: {seats_text(first)} are the first to be out, together."
    places = [place or 0 for place in game.places]
    last = [seat for seat, place in enumerate(places) if place == max(places)]
    return f"Drawn: {seats_text(last)} are the last to be out, together."


def _loss_text(game: Game) -> str:
    assert game.loser is not None
    team = game.team(game.loser)
    if len(team) > 1:
        return f"The team of {seats_text(team)} loses, named by seat {game.loser}."
    n_cards = game.hands[game.loser].bit_count()
    if n_cards:
        return f"Seat {game.loser} is left with {count_text(n_cards, 'card')} and loses."
    return f"Seat {game.loser} is out last, as the defender, and loses."
