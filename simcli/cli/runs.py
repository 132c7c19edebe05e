"""`simcli runs`: list a results folder."""

from __future__ import annotations

from typing import Annotated

import typer


def runs(
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="Results folder, or s3://BUCKET/PREFIX.")
    ] = "results",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the runs in a results folder.

    One line each: variant, players, line-up, seed, deals, state and the beginning of the digest.
    """
    from simcli.cli.tables import print_json, print_runs
    from simcli.runs.listing import list_runs
    from simcli.runs.store.location import location

    results = location(folder)
    listed = list_runs(results)
    if as_json:
        print_json([entry.as_mapping() for entry in listed])
    else:
        print_runs(listed, results)
