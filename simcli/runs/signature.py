"""The behaviour signature: one line of text for each shipped variant, bot and table size.

A line holds the digest of the first deals of seed 1, of all that the bot plays for it (`signature_deals` of
its entry) and of the first few. It changes when any of these deals is dealt, played or counted otherwise, and
may change only on purpose: the changelog then names the new signature and says why.

    python -m simcli.runs.signature              play all lines, name those that differ
    python -m simcli.runs.signature --quick      only the few first deals, also fit for NUMBA_DISABLE_JIT=1
    python -m simcli.runs.signature --every 7    only every seventh line
    python -m simcli.runs.signature --update     write the table as the engine plays now
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from simcli.bots.batch import N_COLUMNS, Rows, play_batch
from simcli.bots.lineup import Lineup
from simcli.bots.registry import BOTS
from simcli.errors import InputError, refusal
from simcli.rules.conflicts import conflicts
from simcli.rules.load import load_variant
from simcli.rules.shipped import locate_shipped, shipped_names
from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS, Variant, seat
from simcli.rules.wording import printable_path
from simcli.runs.digest import digest_of_rows, digest_text
from simcli.runs.identity import COMMENT, SIGNATURE_FILE, engine_signature, signature_of, table_lines
from simcli.runs.plan import Match
from simcli.runs.play import table_of

SEED = 1
QUICK_DEALS = 20
DIGITS = 16  # of the digest's 32; enough to tell two engines apart, and the line stays readable

HEADER = f"""\
# How the engine plays: digests of the first deals of seed {SEED}, all of them and the first few:
# {QUICK_DEALS}, or one of a bot that looks ahead, which plays its lines with few playouts.
# Written by `python -m simcli.runs.signature --update`; a change belongs into CHANGELOG.md.
"""
TITLES = ("# variant", "bot", "players", "deals", "all deals", "first few")


class Seating(NamedTuple):
    """Name who plays: a shipped variant, the bot of every seat, the number of seats."""

    variant: str
    bot: str
    players: int


class Digests(NamedTuple):
    """Hold what came of a seating's deals: their number, and the digests of all and of the first few.

    `whole` is None where only the first few were played.
    """

    deals: int
    whole: str | None
    first: str


Table = dict[Seating, Digests]


# ------------------------------------------------------------------------------------ play


def seatings() -> Iterator[Seating]:
    """Yield every shipped variant with every table size it can seat and every bot, in order."""
    for name in shipped_names():
        variant = shipped_variant(name)
        for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
            if not conflicts(variant.model_copy(update={"players": players})):
                yield from (Seating(name, bot, players) for bot in BOTS)


def shipped_variant(name: str) -> Variant:
    """Return a shipped variant, whatever lies in the current directory."""
    return load_variant(locate_shipped(name))


def play_seating(seating: Seating, quick: bool = False) -> Digests:
    """Play the deals of a line.

    Parameters
    ----------
    seating : Seating
        Who plays.
    quick : bool
        Whether to play the first few deals only.
    """
    entry = BOTS[seating.bot]
    n_deals = entry.signature_deals
    n_first = 1 if entry.looks_ahead else QUICK_DEALS
    variant = seat(shipped_variant(seating.variant), seating.players)
    bot = entry.signature_text or entry.name
    match = Match(variant, Lineup((bot,) * seating.players), SEED, session=1)
    rows: Rows = np.empty((N_COLUMNS, n_first if quick else n_deals), dtype=np.uint16)
    play_batch(table_of(match), match.seed, 0, match.session, rows)
    first = np.ascontiguousarray(rows[:, :n_first])
    return Digests(n_deals, None if quick else _digest(rows, match), _digest(first, match))


def _digest(rows: Rows, match: Match) -> str:
    return digest_text(digest_of_rows(rows, 0, match.session, match.players))[:DIGITS]


# ------------------------------------------------------------------------------------ compare


def differences(table: Table, played: Iterable[Seating], quick: bool = False) -> Iterator[str]:
    """Play some lines and say which of them the table has otherwise.

    Parameters
    ----------
    table : Table
        The digests that are expected.
    played : iterable of Seating
        The lines to play.
    quick : bool
        Whether to play the first few deals of each only.
    """
    for seating in played:
        fault = _fault(table.get(seating), play_seating(seating, quick))
        if fault:
            yield f"{_seating_text(seating)}: {fault}"


def _fault(expected: Digests | None, found: Digests) -> str | None:
    if expected is None:
        return "not in the table"
    if expected.deals != found.deals:
        return f"expected {expected.deals} deals, got {found.deals}"
    if expected.first != found.first:
        return f"first deals: expected {expected.first}, got {found.first}"
    if found.whole is not None and expected.whole != found.whole:
        return f"{found.deals} deals: expected {expected.whole}, got {found.whole}"
    return None


def strangers(table: Table) -> Iterator[str]:
    """Say which lines of a table nobody plays any more."""
    known = set(seatings())
    for seating in table:
        if seating not in known:
            yield f"{_seating_text(seating)}: no such variant, bot or table size"


def _seating_text(seating: Seating) -> str:
    return f"{seating.variant}, {seating.players} players, {seating.bot}"


# ------------------------------------------------------------------------------------ the file


def read_table() -> Table:
    """Return the table of the package.

    Raises
    ------
    InputError
        A line is not as `table_text` writes it.
    """
    return dict(map(_read_line, table_lines(SIGNATURE_FILE.read_text(encoding="utf-8"))))


def _read_line(line: str) -> tuple[Seating, Digests]:
    try:
        variant, bot, players, deals, whole, first = line.split()
        return Seating(variant, bot, int(players)), Digests(int(deals), whole, first)
    except ValueError:
        message = f"expected variant, bot, players, deals and two digests, got {line!r} – give --update"
        raise refusal(printable_path(SIGNATURE_FILE), message) from None


def table_text(table: Table) -> str:
    """Return a table as its file has it."""
    cells = [TITLES, *((*map(str, seating), *map(str, digests)) for seating, digests in table.items())]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)
    return HEADER + COMMENT + "\n" + "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------ the command


def main(arguments: Sequence[str]) -> int:
    """Check the table, or write it; return the exit code: 1 if a line differs, 2 if one cannot be read."""
    parser = argparse.ArgumentParser(
        prog="python -m simcli.runs.signature", description="Check the behaviour signature of the engine."
    )
    parser.add_argument("--update", action="store_true", help="write the table as the engine plays now")
    parser.add_argument("--quick", action="store_true", help=f"play {QUICK_DEALS} deals a line")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="play every Nth line only")
    options = parser.parse_args(arguments)
    if options.every < 1:
        parser.error("--every: expected 1 or more")
    if options.update:
        if options.quick or options.every > 1:
            parser.error("--update plays all deals of all lines – leave --quick and --every out")
        return _update()
    try:
        return _check(options.quick, options.every)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2


def _update() -> int:
    before = engine_signature() if SIGNATURE_FILE.exists() else "none"
    text = table_text({seating: play_seating(seating) for seating in seatings()})
    SIGNATURE_FILE.write_text(text, encoding="utf-8")
    after = signature_of(text)
    changed = "unchanged" if after == before else f"was {before}; name the new one in CHANGELOG.md"
    print(f"engine signature {after}, {changed}")
    return 0


def _check(quick: bool, every: int) -> int:
    table = read_table()
    played = list(islice(seatings(), 0, None, every))
    found = [*strangers(table), *differences(table, played, quick)]
    for line in found:
        print(line)
    print(f"engine signature {engine_signature()}: {len(found) or 'none'} of {len(played)} lines differ")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
