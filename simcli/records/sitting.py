"""Step through a deal by hand: one seat after the other acts, and nothing but the rules decides.

A `Sitting` takes lines of text and answers with lines of text, so that it does not matter whether a person
or a pipe is at the other end.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

from simcli.engine.game import Game
from simcli.engine.notation import NotationError, action_text, parse_action
from simcli.errors import InputError, refusal
from simcli.records.expect import askable_seats, legal_of
from simcli.records.judge import load_file
from simcli.records.reasons import reason_for
from simcli.records.referee import play, take_step
from simcli.records.saving import Beginning, save_position, save_record
from simcli.records.scenario import Scenario
from simcli.records.verdict import Position
from simcli.records.verdict_text import finding_text, next_text, position_text
from simcli.records.words import NO_BREAK, count_text, table_text, wrapped
from simcli.rules.load import load_variant
from simcli.rules.variant import seat as seat_variant
from simcli.rules.wording import did_you_mean, printable, printable_path

MAX_SEED = (1 << 63) - 1
MAX_DEAL = (1 << 40) - 1

HELP = """\
an action         such as attack 9C or cover 9C QC; with several seats to act,
                  the seat goes before it: 2 throw 9C
a number          the legal action of that number
why ACTION        why an action is illegal: why 2 transfer 9S
next              play the scenario's next step; rest: play all that are left
table             show the position and the legal actions again
undo              take the last action back
save FILE         .yaml: the steps so far as a scenario; .jsonl: a deal's record
help, quit"""


def sitting_at_scenario(path: Path) -> Sitting:
    """Sit down at the position of a scenario, its steps not yet played.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    if str(path) == "-":
        message = "expected a file, since standard input is where the actions come from"
        raise refusal("simcli referee", message)
    scenario = None if path.suffix == ".jsonl" else load_file(path)
    if not isinstance(scenario, Scenario):
        message = (
            "expected a scenario to step through, got a record – referee without --interactive checks it"
        )
        raise refusal(printable_path(path), message)
    beginning = Beginning(
        scenario.variant,
        scenario.hands,
        scenario.stock,
        scenario.trump_suit,
        scenario.leader,
        scenario.first_bout,
        scenario.beaten_before,
    )
    title = scenario.name or scenario.where
    return Sitting(scenario.game(), beginning, f"{title} ({_table(scenario.game(), beginning)})", scenario)


def sitting_at_deal(variant: str, players: int | None, seed: int | None, deal: int | None) -> Sitting:
    """Sit down at a deal, just dealt.

    Parameters
    ----------
    variant : str
        Path or name of a variant.
    players : int or None
        Table size; the variant's own if None.
    seed, deal : int or None
        They name the pack; the seed is drawn, the deal the first, if None.

    Raises
    ------
    InputError
        No such variant, or none for so many players; seed or deal out of range.
    """
    rules = seat_variant(load_variant(variant), players)
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    deal = 0 if deal is None else deal
    for option, value, high in (("--seed", seed, MAX_SEED), ("--deal", deal, MAX_DEAL)):
        if not 0 <= value <= high:
            raise refusal(option, f"expected 0 to {high}, got {value}")
    game = Game.deal(rules, rules.players, seed, deal)
    beginning = Beginning(
        rules,
        game.hands_dealt,
        game.stock_dealt,
        game.trump_suit,
        game.opener,
        first_bout=True,
        beaten_before=False,
        seed=seed,
        deal=deal,
    )
    return Sitting(game, beginning, f"deal {deal} of seed {seed} ({_table(game, beginning)})")


def _table(game: Game, beginning: Beginning) -> str:
    return f"{beginning.variant.name}, {game.players} players"


class Sitting:
    """A deal that somebody steps through.

    Parameters
    ----------
    game : Game
        The deal at its beginning.
    beginning : Beginning
        The same, for saving.
    title : str
        What it is called.
    scenario : Scenario, optional
        The file whose steps `next` plays.

    Attributes
    ----------
    done : bool
        Whether the person has left.
    """

    def __init__(
        self, game: Game, beginning: Beginning, title: str, scenario: Scenario | None = None
    ) -> None:
        self.game = game
        self.beginning = beginning
        self.title = title
        self.scenario = scenario
        self.done = False
        self._next_step: int | None = None if scenario is None else 0
        self._before: list[int | None] = []
        self._commands: dict[str, Callable[[str], Iterator[str]]] = {
            "why": self._why,
            "next": self._next,
            "rest": self._rest,
            "table": self._show_table,
            "undo": self._undo,
            "save": self._save,
            "help": self._help,
            "quit": self._quit,
        }

    def greeting(self) -> list[str]:
        """Return what is said at the beginning."""
        lines = [*wrapped(self.title, hanging=2), *position_text(Position.of(self.game)), *self._choices()]
        if self.scenario is not None and self.scenario.steps:
            lines.append(f"next plays the file's {count_text(len(self.scenario.steps), 'step')} one by one")
        lines.append("help lists what can be entered")
        return lines

    def answer(self, entry: str) -> list[str]:
        """Return the answer to one line of input."""
        word, _, rest = entry.strip().partition(" ")
        if not word:
            return []
        command = self._commands.get(word)
        if command is not None:
            return list(command(rest.strip()))
        return list(self._act(" ".join(entry.split())))

    # ------------------------------------------------------------------------------ commands

    def _act(self, text: str) -> Iterator[str]:
        """Play an action, given by its words or its number."""
        choice = self._numbered(text) or self._named(text)
        if isinstance(choice, str):
            yield from wrapped(choice, hanging=2)
            return
        seat, action = choice
        reason = reason_for(self.game, seat, action)
        if reason is not None:
            yield from wrapped(f"{seat} {action_text(action)}: {reason}", hanging=2)
            return
        yield from self._played(seat, action)

    def _played(self, seat: int, action: int) -> Iterator[str]:
        self._before.append(self._next_step)
        self._next_step = self._step_after(seat, action)
        yield from finding_text(play(self.game, seat, action))
        yield from self._choices()

    def _step_after(self, seat: int, action: int) -> int | None:
        """Return the file's step after an action, None once play has left the file's course."""
        if self.scenario is None or self._next_step is None:
            return None
        for number in range(self._next_step, len(self.scenario.steps)):
            step = self.scenario.steps[number]
            if step.kind == "play":
                return number + 1 if (step.seat, step.action) == (seat, action) else None
        return None

    def _numbered(self, text: str) -> tuple[int, int] | str | None:
        if not (text.isascii() and text.isdigit()):
            return None
        choices = self._legal()
        number = int(text) if len(text) < 6 else 0
        if 1 <= number <= len(choices):
            return choices[number - 1]
        return (
            f"expected a number from 1 to {len(choices)}, got {printable(text)}"
            if choices
            else "the deal is over"
        )

    def _named(self, text: str) -> tuple[int, int] | str:
        """Return seat and action of a text, or what is wrong with it."""
        word, _, rest = text.partition(" ")
        players = self.game.players
        try:
            if word.isascii() and word.isdigit():
                if len(word) > 1 or int(word) >= players:
                    return f"expected a seat from 0 to {players - 1}, got {printable(word)}"
                return int(word), parse_action(rest)
            action = parse_action(text)
        except NotationError as error:
            return f"{error}{did_you_mean(word, list(self._commands))} (help lists everything)"
        able = [seat for seat, legal in self._legal() if legal == action] or list(askable_seats(self.game))
        if len(able) > 1:
            return f"expected the seat before it, since several may act: {able[0]} {action_text(action)}"
        return (able or [0])[0], action

    def _why(self, text: str) -> Iterator[str]:
        choice = self._named(text)
        if isinstance(choice, str):
            yield from wrapped(choice, hanging=2)
            return
        seat, action = choice
        reason = reason_for(self.game, seat, action)
        told = f"{seat} {action_text(action)}"
        yield from wrapped(f"{told} is legal" if reason is None else f"{told}: {reason}", hanging=2)

    def _next(self, text: str) -> Iterator[str]:
        """Play the file's steps up to its next action."""
        if self.scenario is None:
            yield "there is no scenario whose steps could be played"
            return
        if self._next_step is None:
            yield "play has left the file's course – undo brings it back"
            return
        if self._next_step >= len(self.scenario.steps):
            yield "the file has no more steps"
            return
        while self._next_step < len(self.scenario.steps):
            step = self.scenario.steps[self._next_step]
            if step.kind == "play":
                yield from self._file_action(step.seat, step.action)
                return
            self._next_step += 1
            try:
                yield from finding_text(take_step(self.game, step, self.scenario))
            except InputError as error:
                yield str(error)

    def _file_action(self, seat: int, action: int) -> Iterator[str]:
        reason = reason_for(self.game, seat, action)
        if reason is not None:
            yield from wrapped(f"the file's next step, {seat} {action_text(action)}: {reason}", hanging=2)
            return
        yield from self._played(seat, action)

    def _rest(self, text: str) -> Iterator[str]:
        """Play the file's steps to their end, or to one that cannot be played."""
        yield from self._next("")
        before = None
        while self.scenario is not None and self._next_step not in (None, before, len(self.scenario.steps)):
            before = self._next_step
            yield from self._next("")

    def _show_table(self, text: str) -> Iterator[str]:
        position = Position.of(self.game)
        yield from position_text(position)
        if position.table:
            yield from wrapped(f"on the table   {table_text(position.table)}", indent=2, hanging=15)
        yield f"  {next_text(position)}"
        yield from self._choices()

    def _undo(self, text: str) -> Iterator[str]:
        if not self._before:
            yield "there is nothing to take back"
            return
        self.game.undo()
        self._next_step = self._before.pop()
        yield from self._show_table("")

    def _save(self, text: str) -> Iterator[str]:
        if not text:
            yield "expected a file name that ends in .yaml (scenario) or .jsonl (record)"
            return
        try:
            if text.endswith(".jsonl"):
                save_record(Path(text), self.beginning, self.game)
            else:
                save_position(Path(text), self.beginning, self.game)
        except InputError as error:
            yield str(error)
            return
        yield f"saved as {printable_path(text)}"

    def _help(self, text: str) -> Iterator[str]:
        yield from HELP.splitlines()

    def _quit(self, text: str) -> Iterator[str]:
        self.done = True
        yield from ()

    # ------------------------------------------------------------------------------ what is legal

    def _legal(self) -> list[tuple[int, int]]:
        """Return all legal actions of all seats that may act, in the order of their numbers."""
        return [(seat, action) for seat in askable_seats(self.game) for action in legal_of(self.game, seat)]

    def _choices(self) -> Iterator[str]:
        number = 0
        for seat in askable_seats(self.game):
            told = []
            for actor, action in self._legal():
                if actor == seat:
                    number += 1
                    told.append(f"[{number}] {action_text(action)}".replace(" ", NO_BREAK))
            yield from wrapped(f"seat {seat} may: {'  '.join(told)}", hanging=2)
