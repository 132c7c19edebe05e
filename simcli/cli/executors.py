"""The options of every command that plays runs: who plays, from which seed, and where the rows go."""

from __future__ import annotations

from typing import Annotated

import typer

LineupOption = Annotated[
    str,
    typer.Option("--bots", metavar="LINEUP", help="One bot for all seats, or one for each, with commas."),
]
SeedOption = Annotated[str, typer.Option("--seed", metavar="S", help="Seed of everything random.")]
OutOption = Annotated[
    str, typer.Option("--out", metavar="DIR", help="Results folder, or s3://BUCKET/PREFIX.")
]
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
