"""Play parts on a dask.distributed cluster: one of this machine, or of many.

dask has a `concurrent.futures` executor of its own. This one says besides what a worker's death and a lost
scheduler mean for a run, sends parts back where no folder is shared, and lets no worker play whose versions
are others.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from simcli.errors import InputError, Problem, RunError, input_error, problems_of, refusal
from simcli.rules.wording import printable_path
from simcli.runs import cluster_worker
from simcli.runs.board import Board, interrupts_held
from simcli.runs.engine import engine_name, load_engine, ready_engine
from simcli.runs.folder import PLAN_FILE, RunFolder
from simcli.runs.identity import engine_identity
from simcli.runs.partfile import PartRecord
from simcli.runs.play import PlayedPart, Task, played_part
from simcli.runs.pool import ExecutorGone, Pool, usable_cores
from simcli.runs.processes import WorkerDied
from simcli.runs.report import Report

CONNECT_S = 10
CLOSE_S = 1
ARRIVAL_S = 60.0
"""Seconds until a part that another machine wrote is surely seen here: NFS keeps what it knows for 30 s."""
FIRST_LOOK_S = 2.0
"""Seconds until a plan that was written here is seen by a worker that has not looked before."""
VISIBLE_STEP_S = 0.2
LOGGER = "distributed"
SAME = "install the same versions on all machines"

Versions = Mapping[str, str]


@dataclass(frozen=True)
class Errand:
    """Tell a worker of a cluster what to do, in one argument: dask has names of its own for others.

    Attributes
    ----------
    function : callable
        What plays the part.
    task : Task
        The part.
    versions : Mapping of str
        What the worker has to play with.
    is_collected : bool
        Whether the part is sent back; else it is written to a folder that the worker shares.
    """

    function: Callable[[Task], PartRecord | None]
    task: Task
    versions: Versions
    is_collected: bool


@dataclass
class ClusterExecutor(Executor):
    """Have parts played by the workers of a cluster.

    Attributes
    ----------
    client : distributed.Client
        The connection to its scheduler; whoever made it closes it.
    name : str
        The cluster's name in messages.
    versions : Mapping of str
        What workers have to play with.
    collect : bool
        Whether they send their parts back.
    """

    client: Any
    name: str
    versions: Versions
    collect: bool = False
    _theirs: set[Any] = field(default_factory=set, init=False)

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        """Have a part played; the future holds its record."""
        (task,) = arguments
        future: Future[Any] = Future()
        errand = Errand(function, task, self.versions, self.collect)
        try:
            theirs = self.client.submit(run_errand, errand, pure=False)
        except Exception as error:
            raise self._gone(error) from None
        self._theirs.add(theirs)
        theirs.add_done_callback(partial(self._settle, future, task))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take back the parts that are queued; one in play goes on unheeded to its end."""
        theirs, self._theirs = list(self._theirs), set()
        if theirs:
            with suppress(Exception):  # of a scheduler that is gone, or in the way of an interrupt
                self.client.cancel(theirs, force=True)

    def _settle(self, future: Future[Any], task: Task, theirs: Any) -> None:
        """Hand on what became of a part; called by a thread of the client."""
        self._theirs.discard(theirs)
        try:
            future.set_result(self._arrived(task, theirs))
        except BaseException as error:
            future.set_exception(error)

    def _arrived(self, task: Task, theirs: Any) -> PartRecord | None:
        """Return the record of a part once its file is here."""
        from distributed import KilledWorker

        if theirs.cancelled():
            raise self._gone(None)
        try:
            played: PlayedPart | PartRecord | None = theirs.result()
        except KilledWorker as error:
            raise WorkerDied(error.allowed_failures + 1) from None
        except (OSError, RunError, InputError):
            raise
        except Exception as error:
            raise self._gone(error) if not self._is_alive() else error from None
        if isinstance(played, PlayedPart):
            task.folder.store.write(task.part.file_name, played.content)
            return played.record
        if played is not None and not _is_seen(task.folder, task.part.file_name, ARRIVAL_S):
            raise RunError(
                f"{printable_path(task.path)}: a worker of {self.name} wrote it to a folder that is not this "
                "one – give --collect, or an --out on a disk that all machines share"
            )
        return played

    def _is_alive(self) -> bool:
        return bool(self.client.status == "running")

    def _gone(self, error: BaseException | None) -> ExecutorGone:
        return scheduler_gone(self.name, error)


def scheduler_gone(name: str, error: BaseException | None) -> ExecutorGone:
    """Return the exception for a cluster that does not answer any more."""
    why = f" ({error})" if error is not None and str(error) else ""
    return ExecutorGone(
        f"{name}: the scheduler is gone{why} – complete parts stay; give the command again to go on"
    )


# ------------------------------------------------------------------------------------ on the worker


def run_errand(errand: Errand) -> PlayedPart | PartRecord | None:
    """Play a part on a worker, if that plays as the command's own machine does."""
    mine = versions_here()
    if mine != errand.versions:
        raise RunError("\n".join(map(str, version_problems({_address(): mine}, errand.versions))))
    if errand.is_collected:
        return played_part(errand.task)
    try:
        return _played_there(errand)
    except InputError as error:  # a bucket that this worker has no credentials for
        raise RunError("\n".join(f"{_address()}: {problem}" for problem in problems_of(error))) from None


def _played_there(errand: Errand) -> PartRecord | None:
    """Play a part and write it to a folder that both machines share."""
    folder = errand.task.folder
    if not _is_seen(folder, PLAN_FILE, FIRST_LOOK_S):
        raise RunError(
            f"{_address()}: expected the folder {printable_path(folder.path)}, it is not on this machine – "
            "give --collect, or an --out on a disk that all machines share"
        )
    return errand.function(errand.task)


def versions_here() -> dict[str, str]:
    """Return the versions that decide how this process plays."""
    import numba
    import numpy

    engine = engine_identity()
    return {
        "simcli": engine["version"],
        "engine signature": engine["signature"],
        "engine sources": engine["sources"],
        "numba": numba.__version__,
        "numpy": numpy.__version__,
    }


def _address() -> str:
    """Return the address of the worker that asks."""
    from distributed import get_worker

    return str(get_worker().address)


def _is_seen(folder: RunFolder, name: str, seconds: float) -> bool:
    """Return whether a file is there, or comes in a moment: shared disks take their time."""
    deadline = time.monotonic() + seconds
    while not folder.store.has(name):
        if time.monotonic() > deadline:
            return False
        time.sleep(VISIBLE_STEP_S)
    return True


# ------------------------------------------------------------------------------------ clusters


@contextmanager
def cluster_pool(address: str | None, workers: int | None, collect: bool, report: Report) -> Iterator[Pool]:
    """Have a pool whose workers are a cluster's; arguments and errors as for `opened_pool`."""
    with ExitStack() as opened:
        opened.enter_context(_quiet())
        if address is None:
            name = "dask"
            ready_engine(report)  # the workers find it compiled
            client = opened.enter_context(_own_cluster(workers or usable_cores()))
        else:
            name = f"dask://{address}"
            client = opened.enter_context(_connected(address, name))
        width = sum(client.nthreads().values())
        versions = versions_here()
        refuse_other_versions(client.run(versions_here, on_error="return"), versions)
        warmed: set[bool] = set()

        def warm(looks_ahead: bool) -> None:
            if address is None or looks_ahead in warmed:
                return
            warmed.add(looks_ahead)
            what = engine_name(looks_ahead)
            report.say(f"{name}: {_counted(client)}; those that have not yet compile {what} …")
            try:
                client.run(load_engine, looks_ahead)
            except OSError as error:
                raise scheduler_gone(name, error) from None

        def open_executor(n_workers: int, board: Board) -> Executor:
            return ClusterExecutor(client, name, versions, collect)

        with Pool(min(workers or width, width), open_executor, warm) as pool:
            yield pool


@contextmanager
def _own_cluster(workers: int) -> Iterator[Any]:
    """Have a cluster of this machine's processes, and a client of it."""
    import dask
    from distributed import Client, LocalCluster

    # A worker's death is counted here, part by part, and not by the scheduler as well.
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), interrupts_held():
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",  # any port that is free
            silence_logs=logging.CRITICAL,
            preload=[cluster_worker.__name__],
            env={"POLARS_MAX_THREADS": "1"},  # the other cores have workers of their own
        )
        client = Client(cluster, set_as_default=False)
    try:
        yield client
    finally:
        _kill_workers(cluster)
        with suppress(Exception):
            client.close(timeout=CLOSE_S)
        with suppress(Exception):
            cluster.close(timeout=CLOSE_S)


def _kill_workers(cluster: Any) -> None:
    """End the workers of a cluster at once: they would play the parts that they have to their end."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        with suppress(ProcessLookupError):
            if nanny.pid is not None:
                os.kill(nanny.pid, signal.SIGKILL)


@contextmanager
def _connected(address: str, name: str) -> Iterator[Any]:
    """Have a client of a cluster that is there."""
    from distributed import Client

    try:
        with interrupts_held():
            client = Client(f"tcp://{address}", timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise refusal(
            name, f"expected the scheduler of a cluster, got none ({error}) – start `dask scheduler` there"
        ) from None
    try:
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=CONNECT_S)
        if not client.nthreads():
            host = f"tcp://{address}"
            raise refusal(name, f"expected workers, got a scheduler without any – start `dask worker {host}`")
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=CLOSE_S)


def _counted(client: Any) -> str:
    n_threads = sum(client.nthreads().values())
    n_workers = len(client.nthreads())
    return f"{n_workers} worker{'' if n_workers == 1 else 's'}, {n_threads} at a time"


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep dask's own remarks from the error stream; what matters is told as simcli tells it."""
    logger = logging.getLogger(LOGGER)
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)


def refuse_other_versions(found: Mapping[str, Versions | Exception], wanted: Versions) -> None:
    """Raise an `InputError` if any worker plays with other versions than this machine does.

    Parameters
    ----------
    found : Mapping
        By the worker's address what `versions_here` returned there, or why it could not.
    wanted : Mapping of str
        What it returns here.
    """
    problems = version_problems(found, wanted)
    if problems:
        raise input_error(problems)


def version_problems(found: Mapping[str, Versions | Exception], wanted: Versions) -> list[Problem]:
    """Return which workers have other versions, and both."""
    problems = []
    for address, versions in sorted(found.items()):
        if isinstance(versions, Exception):
            text = f"expected simcli {wanted['simcli']}, got {type(versions).__name__}: {versions} – {SAME}"
            problems.append(Problem(address, None, None, text))
            continue
        differing = [key for key in wanted if versions.get(key) != wanted[key]]
        if differing:
            ours = ", ".join(f"{key} {wanted[key]}" for key in differing)
            theirs = ", ".join(f"{key} {versions.get(key, 'unknown')}" for key in differing)
            text = f"expected what this machine has, {ours}, got {theirs} – {SAME}"
            problems.append(Problem(address, None, None, text))
    return problems
