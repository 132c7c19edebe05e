"""Where parts are played: by processes or threads of this machine, or by a dask.distributed cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from simcli.errors import refusal
from simcli.rules.wording import printable
from simcli.runs.board import Board, join_board
from simcli.runs.pool import Pool, usable_cores
from simcli.runs.report import Report

OPTION = "--executor"
SCHEME = "dask://"
ADDRESS = re.compile(r"dask://(?P<host>[\w.-]+|\[[0-9a-fA-F:.%\w]+\]):(?P<port>\d{1,5})")
MAX_PORT = 65535
EXTRA = "pip install 'simcli[cluster]'"

Kind = Literal["local", "threads", "dask"]
KINDS: tuple[Kind, ...] = ("local", "threads", "dask")

SURELY_LONG = 1_000_000
"""Deals that take longer than to start a worker, with the fastest bots at the smallest table."""


@dataclass(frozen=True)
class Place:
    """Say where parts are played.

    Attributes
    ----------
    kind : {"local", "threads", "dask"}
        Processes of this machine, threads of this process, or a cluster.
    address : str or None
        Host and port of a cluster's scheduler; None for a cluster of this machine's own.
    collect : bool
        Whether workers send their parts back, for they share no folder with this command.
    """

    kind: Kind = "local"
    address: str | None = None
    collect: bool = False


def place_of(executor: str = "local", collect: bool = False) -> Place:
    """Return the place that an executor's name stands for.

    Parameters
    ----------
    executor : str
        ``local``, ``threads``, ``dask`` or ``dask://HOST:PORT``.
    collect : bool
        Whether workers send their parts back.

    Raises
    ------
    InputError
        There is no such executor, or what it needs is not installed.

    >>> place_of("dask://node7:8786").address
    'node7:8786'
    """
    kind = next((kind for kind in KINDS if kind == executor), None)
    address = None
    if kind is None:
        match = ADDRESS.fullmatch(executor)
        if match is None or not 0 < int(match["port"]) <= MAX_PORT:
            raise refusal(
                OPTION,
                f"expected local, threads, dask or {SCHEME}HOST:PORT, got {printable(executor) or 'nothing'}",
            )
        kind, address = "dask", f"{match['host']}:{match['port']}"
    if collect and kind != "dask":
        raise refusal("--collect", f"expected {OPTION} dask with it, got {kind}, whose workers are at hand")
    if kind == "dask" and find_spec("distributed") is None:
        raise refusal(OPTION, f"expected dask.distributed, which is not installed – {EXTRA}")
    return Place(kind, address, collect)


@contextmanager
def early_pool(place: Place, workers: int | None, is_wanted: bool) -> Iterator[Pool | None]:
    """Have worker processes start before it is known what they play, while this process loads what tells it.

    Parameters
    ----------
    place, workers
        As for `opened_pool`, to which the pool is to be given.
    is_wanted : bool
        Whether it is as good as certain that they will have something to play.
    """
    if not is_wanted or place.kind != "local":
        yield None
        return
    with Pool(workers or usable_cores()) as pool:
        pool.start()
        yield pool


@contextmanager
def opened_pool(
    place: Place, workers: int | None, report: Report, early: Pool | None = None
) -> Iterator[Pool]:
    """Have a pool of workers as long as it is needed.

    Parameters
    ----------
    place : Place
        Where they are.
    workers : int or None
        Most of them; None for one a core, in a cluster for one a thread of its workers.
    report : Report
        Whom to tell of a cluster's beginning.
    early : Pool, optional
        The pool, if there is one already; whoever opened it closes it.

    Raises
    ------
    InputError
        There is no cluster, it has no workers, or they cannot play as this installation does.
    """
    if early is not None:
        yield early
        return
    if place.kind == "dask":
        from simcli.runs.cluster import cluster_pool

        with cluster_pool(place.address, workers, place.collect, report) as pool:
            yield pool
        return
    opened = Pool(workers or usable_cores())
    if place.kind == "threads":
        opened = Pool(workers or usable_cores(), thread_executor)
    with opened as pool:
        yield pool


def thread_executor(workers: int, board: Board) -> Executor:
    """Return threads of this process: the engine plays without Python's lock."""
    return ThreadPoolExecutor(workers, initializer=join_board, initargs=(board,))
