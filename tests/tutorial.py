"""docs/tutorial-python.md: its code, what it prints, and its tables of numbers.

    python -m tests.tutorial --write

runs the code and puts what it prints, and the tables, where they belong.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from simcli.action_space import N_ACTIONS, action_of
from simcli.engine.notation import action_text
from simcli.observation import BLOCKS, OBSERVATION_SLOTS

TUTORIAL = Path(__file__).parent.parent / "docs" / "tutorial-python.md"
CODE = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
EXTRA = "simcli.pettingzoo"


def printed_by_the_code(text: str, with_extra: bool) -> Iterator[tuple[re.Match[str], str]]:
    """Run the code in order and yield each piece with what it printed."""
    names: dict[str, Any] = {"__name__": "tutorial"}
    for piece in CODE.finditer(text):
        if EXTRA in piece[1] and not with_extra:
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(piece[1], str(TUTORIAL), "exec"), names)
        yield piece, output.getvalue()


def actions_table() -> str:
    """Return the table of the numbers of actions."""
    lines = ["| numbers | actions |", "|---|---|"]
    verbs = [action_text(action_of(number)).split()[0] if number != 213 else "" for number in range(213)]
    for first in (0, 52, 104, 156):
        lines.append(f"| {first} – {first + 51} | `{verbs[first]}` card c: {first} + c |")
    lines += [f"| {number} | `{verbs[number]}` |" for number in range(208, 213)]
    lines.append(f"| 213 – {N_ACTIONS - 1} | `cover` attack a with card c: 213 + 52 × a + c |")
    return "\n".join(lines) + "\n"


def slots_table() -> str:
    """Return the table of the slots of an observation."""
    lines = ["| slots | block | what it holds |", "|---|---|---|"]
    for name, where in OBSERVATION_SLOTS.items():
        slots = f"{where.start}" if where.stop == where.start + 1 else f"{where.start} – {where.stop - 1}"
        lines.append(f"| {slots} | `{name}` | {BLOCKS[name][1]} |")
    return "\n".join(lines) + "\n"


TABLES = {"actions": actions_table, "slots": slots_table}


def table_in(text: str, name: str) -> str:
    """Return a table as the tutorial shows it."""
    return text.split(f"<!-- {name}: begin -->\n")[1].split(f"<!-- {name}: end -->\n")[0]


def written_anew(text: str) -> str:
    """Return the tutorial with the present outputs and tables."""
    pieces, end = [], 0
    for piece, output in printed_by_the_code(text, with_extra=True):
        shown = f"\n```text\n{output}```\n" if output else ""
        pieces += [text[end : piece.start()], f"```python\n{piece[1]}```\n", shown]
        end = piece.end()
    fresh = "".join([*pieces, text[end:]])
    for name, table in TABLES.items():
        begin = f"<!-- {name}: begin -->\n"
        fresh = fresh.replace(begin + table_in(fresh, name), begin + table())
    return fresh


def main() -> int:
    """Check the tutorial, or write it anew."""
    parser = argparse.ArgumentParser(description="Check what docs/tutorial-python.md shows.")
    parser.add_argument("--write", action="store_true", help="put the present outputs into it")
    write = parser.parse_args().write
    text = TUTORIAL.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        fresh = written_anew(text)
        os.chdir("/")
    if write:
        TUTORIAL.write_text(fresh, encoding="utf-8")
        return 0
    return int(fresh != text)


if __name__ == "__main__":
    sys.exit(main())
