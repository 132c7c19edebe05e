"""The options that say who plays, the same for every command that plays runs."""

from __future__ import annotations

from typing import Annotated

import typer

ExecutorOption = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="E",
        help="Who plays: local (processes), threads, dask (a cluster of this machine) or dask://HOST:PORT.",
    ),
]
CollectOption = Annotated[
    bool,
    typer.Option("--collect", help="With dask: workers send parts back, for they share no folder."),
]


def workers_asked(text: str | None) -> int | None:
    """Return the number of workers asked for, None if that is left to the executor."""
    from simcli.cli.run import n_workers

    return None if text is None else n_workers(text)
