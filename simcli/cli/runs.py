"""`simcli runs`: list a results folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def runs(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Results folder.")] = Path("results"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the runs in a results folder.

    One line each: variant, players, line-up, seed, deals, state and the beginning of the digest.
    """
    from simcli.cli.tables import print_json, print_runs
    from simcli.runs.listing import list_runs

    listed = list_runs(folder)
    if as_json:
        print_json([entry.as_mapping() for entry in listed])
    else:
        print_runs(listed, folder)
