"""Keep the counts of action sequences under tests/perft/, one file an option: read, count, write.

A file says in words what its position shows, gives the position, and counts for each value of the option how
many sequences of 1, 2, 3 … actions may follow, and how many of all these end the deal with which result. The
counts come from the oracle; the engine has to find the same.

    python -m tests.perft_table            count again with the oracle, name the files that differ
    python -m tests.perft_table --update   and write them
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from simcli.engine.apply import apply_move
from simcli.engine.game import Game
from simcli.engine.layout import ACTOR, PH_OVER, PHASE, RESULT, RULE_KEYS, State
from simcli.engine.notation import RESULT_WORDS, card_words, cards_in, parse_action, parse_card, parse_cards
from simcli.engine.position import ask_seat
from simcli.engine.view import MAX_LEGAL, askable_seats, list_legal
from simcli.rules.load import variant_from_mapping
from tests.oracle import Deal
from tests.oracle_variants import merge, resolve

FOLDER = Path(__file__).parent / "perft"
RESULTS = [word for word in RESULT_WORDS if word is not None]
Counts = list[int]


@dataclass(frozen=True)
class Table:
    """One file: a position, and counts by value of an option.

    Attributes
    ----------
    path : Path
        The file; its name is the option's dotted key, or the name of a deal.
    prose : str
        The comment at its head, as written.
    setup : dict
        A position as a scenario file has it (``trump``, ``stock``, ``hands``, ``leader``, ``first_bout``,
        ``beaten_before``), or a whole deal: ``seed`` and ``deal`` name it, ``hands``, ``stock`` and
        ``dealer`` are what it deals, ``drawn`` is the seat that opens where chance decides, ``previous`` the
        deal before. Further ``with``, options that all rows share, ``deck``, the pack of a whole deal,
        ``steps``, actions played before the counting begins, and ``depth``, the longest sequences counted.
    counts : dict
        By the word of the row: counts by depth from 1 on, then of the ends by result.
    """

    path: Path
    prose: str
    setup: dict[str, Any]
    counts: dict[str, Counts]

    @property
    def is_deal(self) -> bool:
        """Whether a whole deal is dealt, the opener found and all."""
        return "deal" in self.setup

    @property
    def rows(self) -> list[str]:
        """The words of the rows: values of the option, or shipped variants."""
        return list(self.counts)

    @property
    def depth(self) -> int:
        """The longest sequences counted."""
        return int(self.setup["depth"])

    def rules(self, row: str) -> dict[str, Any]:
        """Return the rules of a row, every option spelled out."""
        base = merge(resolve("classic"), self.setup.get("with", {}))
        if self.path.stem not in RULE_KEYS:
            return merge(resolve(row), {"deck": self.setup["deck"]})
        value = yaml.safe_load(row)
        group, _, name = self.path.stem.partition(".")
        changed = merge(base, {group: {name: value}} if name else {group: value})
        if self.path.stem == "attack.limit":
            changed["attack"]["first_limit"] = value  # what a file that names only `limit` gets
        return changed

    def hands(self) -> list[list[str]]:
        """Return the hands by seat."""
        return [hand.split() for hand in self.setup["hands"]]

    def steps(self) -> list[tuple[int, str]]:
        """Return seat and action of what is played before the counting begins."""
        return [(int(step[0]), step[2:]) for step in self.setup.get("steps", [])]

    def stock(self) -> list[str]:
        """Return the stock in drawing order."""
        return str(self.setup.get("stock") or "").split()


def read_table(path: Path) -> Table:
    """Read a file."""
    prose, _, rest = path.read_text(encoding="utf-8").partition("\n\n")
    body, _, counted = rest.partition("\n\n")
    header, *lines = counted.strip().splitlines()
    assert header.split()[0] == "depth", f"{path}: the counts begin with a line of depths"
    counts = {row: [int(count) for count in numbers] for row, *numbers in map(str.split, lines)}
    return Table(path, prose, yaml.safe_load(body), counts)


def read_tables() -> list[Table]:
    """Read all files, by name."""
    return [read_table(path) for path in sorted(FOLDER.glob("*.txt"))]


def with_counts(text: str, depth: int, counts: dict[str, Counts]) -> str:
    """Return the text of a file with other counts."""
    prose, body, _ = text.split("\n\n", 2)
    lines = [["depth", *map(str, range(1, depth + 1)), *RESULTS]]
    lines += [[row, *map(str, numbers)] for row, numbers in counts.items()]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    first = widths[0]
    rows = [
        "  ".join([line[0].ljust(first), *(n.rjust(w) for n, w in zip(line[1:], widths[1:], strict=True))])
        for line in lines
    ]
    return "\n\n".join([prose, body, "\n".join(rows) + "\n"])


# ------------------------------------------------------------------------------------------------- the oracle


def pack_of_deal(hands: list[list[str]], stock: list[str], dealer: int) -> list[str]:
    """Return the pack that deals these hands and this stock (docs/rules.md 1.3)."""
    waiting = [iter(hand) for hand in hands]
    dealt = [next(waiting[(dealer + 1 + k) % len(hands)]) for k in range(6 * len(hands))]
    return dealt + stock[-1:] + stock[:-1]


def oracle_deal(table: Table, row: str) -> Deal:
    """Set the position up, or deal, in the oracle."""
    rules, setup = table.rules(row), table.setup
    hands, stock = table.hands(), table.stock()
    if not table.is_deal:
        return Deal.position(
            rules,
            hands,
            stock,
            setup["trump"],
            setup.get("leader", 0),
            setup.get("first_bout", False),
            setup.get("beaten_before", False),
        )
    previous = setup.get("previous")
    return Deal(
        rules,
        len(hands),
        pack_of_deal(hands, stock, setup["dealer"]),
        setup["dealer"],
        first_deal=previous is None,
        previous=previous,
        random_opener=setup.get("drawn"),
    )


def tally(deal: Deal, depth: int, counts: Counts, ends: Counts) -> None:
    """Add the actions that may follow to the last `depth` counts, and the ends they lead to."""
    for seat in deal.askable():
        for action in deal.legal(seat):
            counts[-depth] += 1
            following = deal.clone()
            following.play(seat, action)
            if following.over:
                ends[RESULTS.index(str(following.result))] += 1
            elif depth > 1:
                tally(following, depth - 1, counts, ends)


def count_in_deal(deal: Deal, depth: int) -> Counts:
    """Count the sequences of 1, 2, … `depth` actions with the oracle, and the ends by result."""
    counts, ends = [0] * depth, [0] * len(RESULTS)
    tally(deal, depth, counts, ends)
    return counts + ends


def count_by_oracle(table: Table, row: str, depth: int) -> Counts:
    """Count a row with the oracle."""
    deal = oracle_deal(table, row)
    for seat, action in table.steps():
        deal.play(seat, action)
    return count_in_deal(deal, depth)


# ------------------------------------------------------------------------------------------------- the engine

ACTIONS = np.zeros(MAX_LEGAL, dtype=np.int64)


def each_asked(state: State) -> Iterator[State]:
    """Yield the state with the asked seat, where seats race with each that may be first."""
    for seat in cards_in(int(askable_seats(state))):
        asked = state.copy()
        if seat != asked[ACTOR]:
            ask_seat(asked, seat)
        yield asked


def tally_states(state: State, depth: int, counts: Counts, ends: Counts) -> None:
    """Add the actions that may follow to the last `depth` counts, and the ends they lead to."""
    for asked in each_asked(state):
        for action in ACTIONS[: list_legal(asked, ACTIONS)].tolist():
            counts[-depth] += 1
            following = asked.copy()
            apply_move(following, action)
            if following[PHASE] == PH_OVER:
                ends[following[RESULT]] += 1
            elif depth > 1:
                tally_states(following, depth - 1, counts, ends)


def engine_game(table: Table, row: str) -> Game:
    """Set the position up, or deal, in the engine; a deal must have the cards of the file."""
    setup, hands, stock = table.setup, table.hands(), table.stock()
    variant = variant_from_mapping({**table.rules(row), "name": "test", "players": len(hands)})
    if not table.is_deal:
        return Game.position(
            variant,
            [parse_cards(hand) for hand in hands],
            [parse_card(card) for card in stock],
            "CDHS".index(setup["trump"]),
            setup.get("leader", 0),
            setup.get("first_bout", False),
            setup.get("beaten_before", False),
        )
    game = Game.deal(variant, len(hands), setup["seed"], setup["deal"], previous=setup.get("previous"))
    assert [set(card_words(hand)) for hand in game.hands] == [set(hand) for hand in hands], table.path
    assert [parse_card(card) for card in stock] == list(game.stock), table.path
    assert game.dealer == setup["dealer"], table.path
    return game


def count_in_game(game: Game, depth: int) -> Counts:
    """Count the sequences of 1, 2, … `depth` actions with the engine, and the ends by result."""
    counts, ends = [0] * depth, [0] * len(RESULTS)
    tally_states(game.state, depth, counts, ends)
    return counts + ends


def count_by_engine(table: Table, row: str, depth: int) -> Counts:
    """Count a row with the engine."""
    game = engine_game(table, row)
    for seat, action in table.steps():
        game.ask(seat)
        game.play(parse_action(action))
    return count_in_game(game, depth)


# ------------------------------------------------------------------------------------------------ the command


def recounted() -> Iterator[tuple[Path, str, str]]:
    """Count every file again with the oracle; yield its path, its text and what the text should be."""
    for table in read_tables():
        counts = {row: count_by_oracle(table, row, table.depth) for row in table.rows}
        text = table.path.read_text(encoding="utf-8")
        yield table.path, text, with_counts(text, table.depth, counts)


def main(arguments: list[str]) -> int:
    """Count again; write with ``--update``, else return 1 if a file is out of date."""
    n_stale = 0
    for path, text, fresh in recounted():
        if text != fresh:
            n_stale += 1
            print(path.relative_to(FOLDER.parent.parent))
            if "--update" in arguments:
                path.write_text(fresh, encoding="utf-8")
    return 1 if n_stale and "--update" not in arguments else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
