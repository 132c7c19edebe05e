"""docs/commands.md: what every command answers to --help.

    python -m tests.command_reference --write

asks each command, groups included, and puts the answers there.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

from simcli.cli.main import app

DOCS = Path(__file__).parent.parent / "docs"
PAGE, FORMATS = DOCS / "commands.md", DOCS / "formats.md"
COLUMNS = 80

HEAD = """# Commands

What every command answers to `--help` on a terminal of 80 columns. What it reads and writes, and what other
programs may rely on, is in [formats.md](formats.md), and so are the
[codes with which commands end](formats.md#exit-codes). `python -m tests.command_reference --write` writes
this page, and a test compares it with the commands.
"""


def commands_of(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words by which each command is called, a group before its own commands."""
    yield words
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands_of(command, (*words, name))
        else:
            yield (*words, name)


def help_of(words: tuple[str, ...]) -> str:
    """Return what a command answers to --help, without spaces at the ends of lines."""
    asked = CliRunner().invoke(
        app,
        [*words, "--help"],
        prog_name="simcli",
        env={"COLUMNS": str(COLUMNS), "NO_COLOR": "1"},
        terminal_width=COLUMNS - 2,
        catch_exceptions=False,
    )
    if asked.exit_code:
        raise RuntimeError(asked.output)
    return "\n".join(line.rstrip() for line in asked.stdout.strip().splitlines()) + "\n"


def anchor(heading: str) -> str:
    """Return the name of a heading in links.

    >>> anchor("`simcli variants show VARIANT`")
    'simcli-variants-show-variant'
    """
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def details_of(words: tuple[str, ...]) -> str:
    """Return the link to what docs/formats.md says of a command."""
    called = re.escape(" ".join(("simcli", *words))) if words else "Every command"
    text = FORMATS.read_text(encoding="utf-8")
    (heading,) = re.findall(rf"^##+ (`?{called}(?![\w-]).*)$", text, re.MULTILINE)[:1]
    return f"More: [formats.md](formats.md#{anchor(heading)})."


def page() -> str:
    """Return the page as it should be."""
    parts = [HEAD]
    for words in commands_of(typer.main.get_command(app)):
        called = " ".join(("simcli", *words))
        parts.append(f"## `{called}`\n\n```text\n{help_of(words)}```\n\n{details_of(words)}\n")
    return "\n".join(parts)


def main() -> int:
    """Compare docs/commands.md with the commands, or write it anew."""
    parser = argparse.ArgumentParser(description="Check what docs/commands.md says of the commands.")
    parser.add_argument("--write", action="store_true", help="write the page anew")
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    return int(PAGE.read_text(encoding="utf-8") != page())


if __name__ == "__main__":
    sys.exit(main())
