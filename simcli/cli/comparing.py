"""The options that every command has that compares runs, and what a list of names stands for."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from simcli.errors import refusal
from simcli.runs.store.location import is_url


class FrameName(StrEnum):
    """From where positions count."""

    opener = "opener"
    dealer = "dealer"
    seat = "seat"


class OutcomeName(StrEnum):
    """What is counted."""

    loss = "loss"
    first_out = "first_out"


class AdjustName(StrEnum):
    """What rates are adjusted for."""

    trumps = "trumps"


BaselineOption = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        metavar="NAME",
        help="Compare with this one. [default: classic, else the first]",
        show_default=False,
    ),
]
MarginOption = Annotated[
    str,
    typer.Option("--margin", metavar="POINTS", help="What anybody would notice: 0.5pp is half a point."),
]
FrameOption = Annotated[
    FrameName | None,
    typer.Option("--frame", help="From where positions count.  [default: opener]", show_default=False),
]
OutcomeOption = Annotated[
    OutcomeName | None,
    typer.Option(
        "--outcome", help="Count who loses, or who is out first.  [default: loss]", show_default=False
    ),
]
AdjustOption = Annotated[
    AdjustName | None, typer.Option("--adjust", help="Add what remains when all positions hold equal trumps.")
]
WorkersOption = Annotated[
    str | None, typer.Option("--workers", metavar="W", help="Number of processes. [default: all cores]")
]
SummaryOption = Annotated[
    bool, typer.Option("--summary", help="Keep counts in place of rows: megabytes for any number of deals.")
]
DEFAULT_MARGIN = "0.5pp"


def is_folder(name: str) -> bool:
    """Return whether a name is that of a folder, or a URL."""
    return is_url(name) or Path(name).is_dir()


def are_folders(names: list[str], else_named: str = "variants") -> bool:
    """Return whether folders of runs are named, or something else; both at once are refused."""
    from simcli.rules.shipped import SUFFIXES
    from simcli.rules.wording import printable_path

    folders = [is_folder(name) for name in names]
    if all(folders):
        return True
    if any(folders):
        missing = names[folders.index(False)]
        odd = printable_path(missing)
        if "/" in missing and not missing.endswith(SUFFIXES):
            raise refusal(odd, "expected the folder of a run, there is none")
        raise refusal(
            odd,
            f"expected folders of runs, or {else_named}, got both – {names[folders.index(True)]} is a folder",
        )
    for name in names:
        if "/" in name and not name.endswith(SUFFIXES):
            raise refusal(printable_path(name), "expected the folder of a run, there is none")
    return False
