"""Pages whose code runs: the tutorials and the how-tos, and the tables of numbers of docs/tutorial-python.md.

    python -m tests.tutorial --write

runs the code of every page and puts what it prints, and the tables, where they belong. A piece of code is a
block of `python`, of `sh`, or of `yaml`; a file, if its first line tells its name (`# variants/x.yaml`). A
`text` block after it is what it prints; if it ends in a line `…`, more follows that is not shown. The pieces
of a page go on from one another, in an empty folder.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest import mock

from simcli.action_space import N_ACTIONS, action_of
from simcli.cli.main import EXIT_INPUT
from simcli.cli.main import main as simcli_main
from simcli.engine.notation import action_text
from simcli.observation import BLOCKS, OBSERVATION_SLOTS
from tests.readme_result import README, ROOT, lasting

DOCS = ROOT / "docs"
TUTORIAL = DOCS / "tutorial-python.md"
PAGES = (DOCS / "tutorial.md", TUTORIAL, DOCS / "why.md", *sorted((DOCS / "how-to").glob("*.md")))
CODE = re.compile(r"```(python|sh|yaml)\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
FILE = re.compile(r"# ([\w./-]+\.(?:ya?ml|py))\n")
EXTRAS = {"simcli.pettingzoo": "pettingzoo", "duckdb": "duckdb", "pandas": "pandas"}
"""What a piece of Python may import, and the library without which it is not run."""
MORE = "…\n"
INSTALLING = re.compile(r"python3 -m venv |\S*pip install |pipx |uvx ")


def missing(piece: re.Match[str]) -> list[str]:
    """Return the libraries that a piece wants and that are not here."""
    wanted = [
        library for name, library in EXTRAS.items() if re.search(rf"(?:import|from) {name}\b", piece[2])
    ]
    return [library for library in wanted if piece[1] == "python" and find_spec(library) is None]


def printed_by_the_code(page: Path) -> Iterator[tuple[re.Match[str], str]]:
    """Run the code of a page in order and yield each piece with what it printed.

    A piece that wants a library that is not here is left out.
    """
    names: dict[str, Any] = {"__name__": "tutorial"}
    for piece in CODE.finditer(page.read_text(encoding="utf-8")):
        if not missing(piece):
            yield piece, printed_by(piece[1], piece[2], names)


def printed_by(language: str, code: str, names: dict[str, Any]) -> str:
    """Run a piece of code and return what it prints."""
    if language == "yaml" or FILE.match(code):
        write_file(code)
        return ""
    if language == "sh":
        return "".join(printed_by_command(line) for line in code.splitlines() if line and line[0] != "#")
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "page", "exec"), names)
    return tidy(output.getvalue())


def write_file(text: str) -> None:
    """Write the file that a piece shows; its first line names it."""
    named = FILE.match(text)
    if named is None:
        raise ValueError(
            f"expected a first line such as '# variants/my-table.yaml', got {text.splitlines()[0]}"
        )
    path = Path(named[1])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def printed_by_command(line: str) -> str:
    """Run a line of a terminal and return what it prints.

    An installation is not run: it has to be one of the README, which are run elsewhere.
    """
    if INSTALLING.match(line):
        if line not in README.read_text(encoding="utf-8"):
            raise ValueError(f"README.md installs otherwise than '{line}'")
        return ""
    command, _, rest = line.partition(" | ")
    words = shlex.split(command, comments=True)
    if words[0] != "simcli" or {">", "<", "&&"} & set(words):
        return tidy(printed_by_shell(line))
    output = printed_by_simcli(words)
    return tidy(printed_by_shell(rest, output) if rest else output)


def printed_by_shell(line: str, given: str = "") -> str:
    """Return what a line of a shell prints, given an input."""
    command = ["bash", "-euc", line]
    return subprocess.run(command, input=given, check=True, stdout=subprocess.PIPE, text=True).stdout


def printed_by_simcli(words: list[str]) -> str:
    """Return what a command writes to its output, or, if its input is refused, to the error stream."""
    output, errors, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", words),
        mock.patch.dict(os.environ, {"COLUMNS": "80"}),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
    ):
        try:
            simcli_main()
        except SystemExit as end:
            code = int(end.code or 0)
    if code not in (0, EXIT_INPUT):
        raise RuntimeError(f"{shlex.join(words)}: {errors.getvalue()}")
    return errors.getvalue() if code else output.getvalue()


def tidy(output: str) -> str:
    """Return output without spaces at the ends of lines, and with one line break at the end of it, if any."""
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    return "".join(f"{line}\n" for line in lines)


def as_shown(output: str, shown: str | None) -> str:
    """Return as much of an output as a page shows, without what changes from machine to machine.

    >>> as_shown("verdict\\nnumbers\\n", "changes\\n…\\n")
    'verdict\\n…\\n'
    """
    return lasting(excerpt(output, shown))


def excerpt(output: str, shown: str | None) -> str:
    """Return as much of an output as a page shows."""
    if not (shown or "").endswith(MORE):
        return output
    n_lines = str(shown).count("\n") - 1
    return "".join(output.splitlines(keepends=True)[:n_lines]) + MORE


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


def written_anew(page: Path) -> str:
    """Return a page with the present outputs and tables."""
    text = page.read_text(encoding="utf-8")
    pieces, end = [], 0
    for piece, output in printed_by_the_code(page):
        is_same = as_shown(output, piece[3]) == lasting(piece[3] or "")
        shown = piece[3] if is_same else excerpt(output, piece[3])
        pieces += [text[end : piece.start()], f"```{piece[1]}\n{piece[2]}```\n"]
        pieces += [f"\n```text\n{shown}```\n"] if shown else []
        end = piece.end()
    fresh = "".join([*pieces, text[end:]])
    for name, table in TABLES.items() if page == TUTORIAL else ():
        begin = f"<!-- {name}: begin -->\n"
        fresh = fresh.replace(begin + table_in(fresh, name), begin + table())
    return fresh


def main() -> int:
    """Check the pages, or write them anew."""
    parser = argparse.ArgumentParser(description="Check what the tutorials and how-tos show.")
    parser.add_argument("--write", action="store_true", help="put the present outputs into them")
    parser.add_argument("pages", nargs="*", type=Path, help="only these pages")
    wanted = parser.parse_args()
    is_current = True
    for page in [path.resolve() for path in wanted.pages] or PAGES:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            fresh = written_anew(page)
        is_current = is_current and fresh == page.read_text(encoding="utf-8")
        if wanted.write:
            page.write_text(fresh, encoding="utf-8")
    return int(not (is_current or wanted.write))


if __name__ == "__main__":
    sys.exit(main())
