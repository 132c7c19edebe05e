"""How help texts look: no types of a programming language, and narrow where the terminal is."""

from __future__ import annotations

import re
import shutil
from typing import Any

from typer.core import TyperCommand

from simcli.cli.usage import UsageError

MOST_COLUMNS = 100
NARROW = 52
"""Below so many columns the width has to be said, for help texts would be wider of their own accord."""
LEAST_COLUMNS = 30
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


class PlainCommand(TyperCommand):
    """A command whose help calls arguments by their name alone."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the words behind the command; a fault knows of which command it is."""
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            error.ctx = error.ctx or ctx  # type: ignore[attr-defined]
            raise

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line: `VARIANT…` where the parser has `{VARIANT…}...`."""
        return [piece.removesuffix("...").strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, arguments without their type."""
        write = formatter.write_dl

        def write_plain(rows: Any, *spacing: Any, **spacings: Any) -> None:
            write([(TYPE.sub("", name), text) for name, text in rows], *spacing, **spacings)

        formatter.write_dl = write_plain
        super().format_options(ctx, formatter)
