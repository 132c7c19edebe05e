"""What a rule does to the positions that somebody asks about, whatever the verdict names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from simcli.analysis.found import AskedRow, DifferenceRow
from simcli.analysis.phrases import DRAWN, NO_LOSER, SHARED, STALLED, asked_sentence, heading
from simcli.analysis.rates import Estimate
from simcli.analysis.rows import Frame, View
from simcli.analysis.setting import Setting
from simcli.analysis.verdict import difference_word
from simcli.errors import refusal
from simcli.rules.variant import MAX_PLAYERS
from simcli.rules.wording import listing, shown

OTHER_CELLS = (DRAWN, STALLED, SHARED, NO_LOSER)


def check_positions(names: Iterable[object], frame: Frame | None) -> tuple[str, ...]:
    """Return what positions are asked about, each once, or raise an `InputError`.

    Parameters
    ----------
    names : iterable of object
        A position by its number or by its heading in the tables – ``0`` and ``opener`` are one –, or
        ``drawn``, ``stalled``, ``shared`` or ``no_loser``.
    frame : {"opener", "dealer", "seat"} or None
        From where positions count; None for ``opener``.
    """
    view = View(frame or "opener")
    cells = (*map(str, range(MAX_PLAYERS)), *OTHER_CELLS)
    called = {heading(cell, view, teams=False): cell for cell in cells}
    known = {**called, **{cell: cell for cell in cells}}
    asked = []
    for name in names:
        cell = known.get(str(name).strip().lower())
        if cell is None:
            raise refusal("--position", f"expected {', '.join(called)}, or a number, got {shown(name)}")
        asked.append(cell)
    return tuple(dict.fromkeys(asked))


def asked_rows(setting: Setting, rows: Sequence[DifferenceRow], asked: Sequence[str]) -> Iterator[AskedRow]:
    """Yield what is known of every position asked about, variant by variant.

    A difference is judged by its own interval, which is joint with those of all others of the table.
    """
    for index in setting.compared:
        mine = {row.cell: row for row in rows if row.variant == setting.entry(index).label}
        for row in (mine[cell] for cell in asked if cell in mine):
            word = difference_word(Estimate(row.difference, row.interval), setting.margin)
            assert word is not None  # a difference has an interval, and the table a margin
            sentence = asked_sentence(row, word, setting.view, setting.margin, setting.has_teams(index))
            key = row.variant, row.players, row.lineup
            yield AskedRow(*key, row.cell, row.difference, row.interval, word, sentence)


def not_there(asked: Sequence[str], tables: Iterable[Sequence[DifferenceRow]], view: View) -> Iterator[str]:
    """Say which of the positions asked about no table has."""
    there = {row.cell for rows in tables for row in rows}
    missing = [heading(cell, view, teams=False) for cell in asked if cell not in there]
    if missing:
        yield f"nothing can be said about {listing(missing)}, which no variant compared has"
