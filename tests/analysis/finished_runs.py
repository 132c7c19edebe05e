"""Finished runs written by hand: a folder whose rows are what a test says."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from simcli.bots.batch import (
    MISSING,
    N_COLUMNS,
    O_BOUTS,
    O_DEALER,
    O_LOSER,
    O_OPENER,
    O_PLACE,
    O_RESULT,
    O_TRACE_LOW,
    O_TRIGGERED_HIGH,
    O_TRIGGERED_LOW,
    O_TRUMPS,
    Rows,
)
from simcli.engine.layout import DRAWN, LOST, RULE_KEYS, STALLED, WON
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.folder import RunFolder
from simcli.runs.identity import engine_identity
from simcli.runs.partfile import part_bytes, record_of_rows
from simcli.runs.plan import Match, Plan, Stretch
from simcli.runs.planfile import yaml_text


@dataclass(frozen=True)
class Dealt:
    """One deal as a test has it.

    `loser` is a seat, ``"drawn"``, ``"stalled"`` or, for a deal that somebody won, ``"won"``.
    """

    loser: int | str
    opener: int = 0
    dealer: int = 0
    bouts: int = 10
    trace: int = 1
    triggered: Sequence[str] = ()
    places: Sequence[int] = ()
    trumps: Sequence[int] = ()


FIGURES = {
    "platform": "by hand",
    "start": "2024-01-01T00:00:00+00:00",
    "seconds": 1.0,
    "played": 0,
    "deals_per_s": 0,
}
RESULTS = {"drawn": DRAWN, "stalled": STALLED, "won": WON}


def rows_of(deals: Sequence[Dealt]) -> Rows:
    """Return the batch that these deals are."""
    rows: Rows = np.zeros((N_COLUMNS, len(deals)), dtype=np.uint16)
    for i, deal in enumerate(deals):
        rows[O_DEALER, i], rows[O_OPENER, i], rows[O_BOUTS, i] = deal.dealer, deal.opener, deal.bouts
        rows[O_LOSER, i] = deal.loser if isinstance(deal.loser, int) else MISSING
        rows[O_RESULT, i] = LOST if isinstance(deal.loser, int) else RESULTS[deal.loser]
        rows[O_TRACE_LOW, i] = deal.trace
        bits = sum(1 << RULE_KEYS.index(key) for key in deal.triggered)
        rows[O_TRIGGERED_LOW, i], rows[O_TRIGGERED_HIGH, i] = bits & 0xFFFF, bits >> 16
        for seat, place in enumerate(deal.places):
            rows[O_PLACE + seat, i] = place
        for seat, trumps in enumerate(deal.trumps):
            rows[O_TRUMPS + seat, i] = trumps
    return rows


def write_run(
    results: Path, match: Match, rows: Rows, parts: int | None = None, declared: Sequence[int] = ()
) -> Path:
    """Write the folder of a finished run and return it; `parts` are the deals of a part."""
    n = rows.shape[1]
    sizes = tuple(declared) or (n,)
    plan = Plan(match, tuple(Stretch(size, parts or n) for size in sizes), engine_identity())
    folder = RunFolder(results / match.folder_name)
    folder.path.mkdir(parents=True)
    folder.plan_path.write_text(yaml_text(plan.as_mapping()), encoding="utf-8")
    digests = []
    for part in plan.parts():
        own = np.ascontiguousarray(rows[:, part.first : part.end])
        record = record_of_rows(own, match, part)
        digests.append(record.digest)
        folder.part_path(part).write_bytes(part_bytes(own, match, plan.engine, record))
    report = {**plan.as_mapping(), "digest": digest_text(add_digests(*digests)), **FIGURES}
    folder.run_path.write_text(yaml_text(report), encoding="utf-8")
    return folder.path


def run_of(
    results: Path,
    match: Match,
    deals: Sequence[Dealt],
    parts: int | None = None,
    declared: Sequence[int] = (),
) -> Path:
    """Write the folder of a finished run of these deals and return it."""
    return write_run(results, match, rows_of(deals), parts, declared)
