"""How help texts look: no types of a programming language, and narrow where the terminal is."""

from __future__ import annotations

import re
import shutil
from typing import Any

from typer.core import TyperCommand, TyperGroup

from simcli.cli.usage import UsageError

MOST_COLUMNS = 100
NARROW = 52
"""Below so many columns the width has to be said, for help texts would be wider of their own accord."""
LEAST_COLUMNS = 30
NARROW_COLUMN = 12
"""There what is longer than so many columns has its explanation on the next line."""
LONGEST_SENTENCE = 1000
DEFAULT = re.compile(r" +\[(?=default|required)")
TYPE = re.compile(r" <(?:list\[)?(?:str|int|path)\]?>$")


def help_settings() -> dict[str, Any]:
    """Return the settings of a command that have to do with its help."""
    settings: dict[str, Any] = {
        "help_option_names": ["-h", "--help"],
        "max_content_width": MOST_COLUMNS,
    }
    columns = shutil.get_terminal_size().columns
    if columns < NARROW:
        settings["terminal_width"] = max(LEAST_COLUMNS, columns - 1)
    return settings


class _Plain:
    """What commands and groups of them have in common: help in the words of players."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the words behind the command; a fault knows of which command it is."""
        try:
            return super().parse_args(ctx, args)  # type: ignore[misc]
        except UsageError as error:
            error.ctx = error.ctx or ctx  # type: ignore[attr-defined]
            raise

    def get_short_help_str(self, limit: int = 0) -> str:
        """Return what a list of commands says of it: the first sentence, never cut."""
        text: str = super().get_short_help_str(LONGEST_SENTENCE)  # type: ignore[misc]
        return text.removesuffix(".")

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line: `VARIANT…` where the parser has `{VARIANT…}...`."""
        pieces: list[str] = super().collect_usage_pieces(ctx)  # type: ignore[misc]
        return [piece.replace("...", "" if "…" in piece else "…").strip("{}") for piece in pieces]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, arguments without their type."""
        write = formatter.write_dl
        column = {"col_max": NARROW_COLUMN} if formatter.width < NARROW else {}

        def write_plain(rows: Any) -> None:
            write([(TYPE.sub("", name), DEFAULT.sub(" [", text)) for name, text in rows], **column)

        formatter.write_dl = write_plain
        super().format_options(ctx, formatter)  # type: ignore[misc]


class PlainCommand(_Plain, TyperCommand):
    """A command whose help calls arguments by their name alone."""


class PlainGroup(_Plain, TyperGroup):
    """A group of commands, each told in a sentence."""
