"""Keep one deal of every shipped variant as text under tests/golden/, to be read and reviewed as a diff.

A file has a head – the command that shows the deal, and what the variant's own options decided in it – and
the deal in words below. The deal is one in which the variant's own rules come into play; it is kept until
another is asked for.

    python -m tests.golden_records                       name the files that are out of date
    python -m tests.golden_records --update              and write them, each with its deal
    python -m tests.golden_records --update --choose     choose the deals anew
    python -m tests.golden_records duel partners …       only these variants
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from simcli.bots.batch import (
    N_COLUMNS,
    O_BOUTS,
    O_DECISIONS,
    O_TRIGGERED_HIGH,
    O_TRIGGERED_LOW,
    Rows,
    play_batch,
)
from simcli.bots.choose import choose_move
from simcli.bots.lineup import parse_lineup
from simcli.engine import game as playing
from simcli.engine.layout import RULE_KEYS, TRIGGERED
from simcli.records.record import Record, record_deal
from simcli.records.text import record_text
from simcli.rules.canonical import differences
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import Variant, seat
from simcli.runs.plan import Match
from simcli.runs.play import table_of
from simcli.runs.signature import shipped_variant

FOLDER = Path(__file__).parent / "golden"
RULER = "═" * 80
SEED = 1
BOT = "thrifty"
SEARCHED = 20_000  # deals among which one is chosen
CANDIDATES = 1_000  # of them that are looked at, from the best
MAX_LINES = 140  # a deal of the full pack takes its room

COMMAND = re.compile(
    r"simcli replay --variant (?P<variant>\S+) --players (?P<players>\d+) --bots (?P<bots>\S+) "
    r"--seed (?P<seed>\d+) --deal (?P<deal>\d+)"
)
CLASSIC = shipped_variant("classic")


# ------------------------------------------------------------------------------------ one deal


def text_of(match: Match, deal: int) -> str:
    """Return what the file of a variant says, with this deal in it."""
    record = recorded(match, deal)
    head = [_title(match.variant), "", f"    {_command(match, deal)}", ""]
    return "\n".join([*head, *_decisions(match, deal), RULER, "", record_text(record), ""])


def recorded(match: Match, deal: int) -> Record:
    """Return the record of a deal."""
    return record_deal(_dealt(match, deal), match, deal, None)


def _dealt(match: Match, deal: int) -> playing.Game:
    return playing.Game.deal(match.variant, match.players, match.seed, deal, bots=match.lineup.slots)


def _title(variant: Variant) -> str:
    return f"{variant.name}: {variant.title}"


def _command(match: Match, deal: int) -> str:
    return (
        f"simcli replay --variant {match.variant.name} --players {match.players} "
        f"--bots {match.lineup.text} --seed {match.seed} --deal {deal}"
    )


def _decisions(match: Match, deal: int) -> list[str]:
    """Say for each option that differs from `classic` where in the deal it first decided anything."""
    changed = differences(match.variant, CLASSIC)
    if not changed:
        return []
    moments = moments_of_decision(match, deal)
    moments["deck"] = "from the first card on"
    rows = [
        (key, _word(ours), f"not {_word(theirs)}", moments.get(key, "not in this deal"))
        for key, ours, theirs in changed
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        f"    {key:{widths[0]}}  {ours:{widths[1]}}  {theirs:{widths[2]}}  {moment}"
        for key, ours, theirs, moment in rows
    ]
    return ["What is agreed otherwise than in classic, and where it first decides anything:", "", *lines, ""]


def _word(value: Any) -> str:
    return str(value).lower()


def moments_of_decision(match: Match, deal: int) -> dict[str, str]:
    """Return the moment at which each option first decided anything."""
    played = _dealt(match, deal)
    seen = dict.fromkeys(_triggered(played), "before the first lead")
    bout = 1
    while not played.over:
        events = played.play_move(choose_move(played.state))
        for key in _triggered(played):
            seen.setdefault(key, f"bout {bout}")
        bout += any("bout" in event for event in events)
    return seen


def _triggered(game: playing.Game) -> list[str]:
    bits = int(game.state[TRIGGERED])
    return [key for bit, key in enumerate(RULE_KEYS) if bits >> bit & 1]


# ------------------------------------------------------------------------------------ choosing a deal

Wish = Callable[[Record], bool]


def bouts_of(record: Record) -> Iterator[list[dict[str, Any]]]:
    """Yield the actions of each bout."""
    for is_action, events in groupby(record["events"], lambda event: "do" in event):
        if is_action:
            yield list(events)


def has(verb: str, after: str | None = None) -> Wish:
    """Wish for an action, in a bout where another came before it."""

    def granted(record: Record) -> bool:
        for bout in bouts_of(record):
            verbs = [event["do"].split()[0] for event in bout]
            if verb in (verbs if after is None else verbs[verbs.index(after) :] if after in verbs else ()):
                return True
        return False

    return granted


def ends(result: str) -> Wish:
    """Wish for a result."""
    return lambda record: bool(record["result"] == result)


def loser_is_out(record: Record) -> bool:
    """Wish for a loser without cards: the last seats are out together, and one of them has lost."""
    leavers = [event["seat"] for event in record["events"] if "leaves" in event]
    return record["loser"] in leavers


def is_varied(record: Record) -> bool:
    """Wish for bouts of both kinds."""
    return {event["bout"] for event in record["events"] if "bout" in event} == {"beaten", "taken"}


WISHES: dict[str, list[Wish]] = {
    "classic": [has("transfer"), has("throw", after="pick_up"), ends("drawn")],
    "late-transfer": [has("transfer", after="cover")],
    "no-draws": [loser_is_out],
    "partners": [has("transfer"), has("throw"), ends("lost")],
    "pass-card": [has("show"), ends("lost")],
    "simultaneous": [has("throw", after="pick_up"), has("transfer"), ends("lost")],
    "trump-six-exchange": [has("exchange"), ends("lost")],
    "short-pack": [has("transfer"), ends("lost")],
    "full-pack": [has("transfer"), ends("lost")],
}


def wishes_for(name: str) -> list[Wish]:
    """Return what the deal of a variant should show, apart from what its own options decide."""
    return [is_varied, *WISHES.get(name, [])]


def choose_deal(variant: Variant) -> tuple[Match, int]:
    """Return a short deal in which as many as can be of the variant's own options decide."""
    match = Match(variant, parse_lineup(BOT, variant.players), SEED, session=1)
    rows: Rows = np.empty((N_COLUMNS, SEARCHED), dtype=np.uint16)
    play_batch(table_of(match), SEED, 0, 1, rows)
    triggered = rows[O_TRIGGERED_LOW].astype(np.int64) | rows[O_TRIGGERED_HIGH].astype(np.int64) << 16
    own = {RULE_KEYS.index(key) for key, _, _ in differences(variant, CLASSIC) if key in RULE_KEYS}
    n_decided = sum((triggered >> bit & 1 for bit in own), np.zeros(SEARCHED, dtype=np.int64))
    length = rows[O_DECISIONS].astype(np.int64) + (variant.players + 3) * rows[O_BOUTS].astype(np.int64)
    for deal in np.lexsort((length, -n_decided))[:CANDIDATES].tolist():
        record = recorded(match, deal)
        if (
            all(wish(record) for wish in wishes_for(variant.name))
            and text_of(match, deal).count("\n") <= MAX_LINES
        ):
            return match, deal
    raise LookupError(f"{variant.name}: none of {CANDIDATES} deals is as wished")


def kept_deal(path: Path) -> tuple[Match, int]:
    """Return the deal of a file."""
    command = COMMAND.search(path.read_text(encoding="utf-8"))
    assert command, f"{path}: the command that shows the deal is missing"
    variant = seat(shipped_variant(command["variant"]), int(command["players"]))
    lineup = parse_lineup(command["bots"], variant.players)
    return Match(variant, lineup, int(command["seed"]), session=1), int(command["deal"])


# ------------------------------------------------------------------------------------ the command


def path_of(name: str) -> Path:
    """Return where the record of a variant lies."""
    return FOLDER / f"{name}.txt"


def fresh_text(name: str, choose: bool = False) -> str:
    """Return what the file of a variant should say."""
    path = path_of(name)
    return text_of(*(choose_deal(shipped_variant(name)) if choose or not path.exists() else kept_deal(path)))


def stale(names: Sequence[str], choose: bool = False) -> Iterator[tuple[Path, str]]:
    """Yield the files that are out of date, with what they should say."""
    for name in names:
        path, fresh = path_of(name), fresh_text(name, choose)
        if not path.exists() or path.read_text(encoding="utf-8") != fresh:
            yield path, fresh


def main(arguments: Sequence[str]) -> int:
    """Compare, or write with ``--update``; return 1 if a file is out of date and not written."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden_records")
    parser.add_argument("names", nargs="*", metavar="VARIANT", help="shipped variants; all by default")
    parser.add_argument("--update", action="store_true", help="write the files that are out of date")
    parser.add_argument("--choose", action="store_true", help="choose the deals anew; needs --update")
    options = parser.parse_args(arguments)
    if options.choose and not options.update:
        parser.error("--choose needs --update")
    unknown = sorted(set(options.names) - set(shipped_names()))
    if unknown:
        parser.error(f"expected shipped variants, got {', '.join(unknown)}")
    found = list(stale(options.names or shipped_names(), options.choose))
    for path, fresh in found:
        print(path.relative_to(FOLDER.parent.parent))
        if options.update:
            path.parent.mkdir(exist_ok=True)
            path.write_text(fresh, encoding="utf-8")
    return 1 if found and not options.update else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
