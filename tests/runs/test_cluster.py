"""A cluster plays what one machine plays, bit for bit, and survives what clusters suffer."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

import simcli
from simcli.errors import InputError, RunError
from simcli.runs import cluster as clusters
from simcli.runs.cluster import refuse_other_versions, versions_here
from simcli.runs.conduct import RunInPlay, conduct, conduct_all
from simcli.runs.engine import load_engine
from simcli.runs.executors import Place, opened_pool
from simcli.runs.folder import RunFolder
from simcli.runs.orders import Order
from simcli.runs.outcome import Outcome
from simcli.runs.report import Silent
from tests.runs.conftest import Notes, Play, match_of
from tests.runs.test_damage import kept
from tests.runs.test_pool import children, is_alive

pytest.importorskip("distributed", reason="dask.distributed is not installed: pip install 'simcli[cluster]'")

pytestmark = [
    pytest.mark.usefixtures("small_parts", "always_processes"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs the addresses 127.0.0.2 and .3"),
]

ROOT = Path(__file__).parents[2]
MATCH = match_of(bots="thrifty")
DEALS = 24_000
START_S = 60


class Machines:
    """A scheduler, and workers at addresses of their own."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        host, port = self.address.split(":")
        self.scheduler = self._started("dask_scheduler", "--host", host, "--port", port)
        self.workers: dict[str, subprocess.Popen[bytes]] = {}

    def add(self, host: str, **environment: str) -> None:
        """Start a worker at an address."""
        options = "--host", host, "--nthreads", "1", "--no-nanny", "--death-timeout", "30"
        self.workers[host] = self._started("dask_worker", f"tcp://{self.address}", *options, **environment)

    def _started(self, module: str, *options: str, **environment: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", f"distributed.cli.{module}", *options, "--no-dashboard"]
        process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process

    @property
    def place(self) -> Place:
        return Place("dask", self.address)

    def wait(self) -> None:
        """Wait until all workers are there."""
        from distributed import Client

        with Client(f"tcp://{self.address}", timeout=START_S, set_as_default=False) as client:
            if self.workers:
                client.wait_for_workers(len(self.workers), timeout=START_S)


@contextmanager
def machines(*hosts: str) -> Iterator[Machines]:
    with ExitStack() as stack:
        started = Machines(stack)
        for host in hosts:
            started.add(host)
        started.wait()
        yield started


@pytest.fixture(scope="module")
def two() -> Iterator[Machines]:
    """Two workers at two addresses, which tests may not kill."""
    with machines("127.0.0.2", "127.0.0.3") as started:
        yield started


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """The run as one process plays it."""
    from simcli.runs.pool import Pool

    with Pool(1) as pool:
        return conduct(Order(MATCH, DEALS, tmp_path_factory.mktemp("alone")), pool, Silent())


def test_two_machines_play_the_rows_of_one(
    two: Machines, alone: Outcome, tmp_path: Path, notes: Notes
) -> None:
    with opened_pool(two.place, None, notes) as pool:
        assert pool.workers == 2
        outcome = conduct(Order(MATCH, DEALS, tmp_path), pool, notes)
    assert (outcome.digest, outcome.summary) == (alone.digest, alone.summary)
    assert notes.said == [
        f"dask://{two.address}: 2 workers, 2 at a time; those that have not yet compile the engine …"
    ]


def test_workers_load_what_their_bots_need_once_before_they_play(
    two: Machines, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client

    loaded: list[object] = []
    run = Client.run

    def noted(client: Client, function: object, *arguments: object, **options: object) -> object:
        if function is load_engine:
            loaded.append(arguments)
            return None  # the kernel for bots that look ahead takes a minute to compile
        return run(client, function, *arguments, **options)

    monkeypatch.setattr(Client, "run", noted)
    with opened_pool(two.place, None, notes) as pool:
        assert loaded == []
        pool.warm(False)
        pool.warm(True)
        pool.warm(True)
    assert loaded == [(False,), (True,)]
    assert re.search("compile the engine for bots that look ahead …$", notes.said[1])


def test_parts_that_are_sent_back_are_the_same_byte_for_byte(two: Machines, tmp_path: Path) -> None:
    written = {}
    for collect in (False, True):
        results = tmp_path / str(collect)
        with opened_pool(Place("dask", two.address, collect), None, Silent()) as pool:
            order = Order(MATCH, DEALS, results)
            conduct(order, pool, Silent())
        written[collect] = {
            name: content for name, content in kept(order.folder.path).items() if name != "run.yaml"
        }
    assert len(written[True]) > 5
    assert written[True] == written[False]


def test_a_folder_that_the_workers_do_not_see_is_told(two: Machines, tmp_path: Path) -> None:
    order = Order(MATCH, 1000, tmp_path)
    plan = order.folder.path / "plan.yaml"

    class Hiding(Silent):
        """Takes the plan away as soon as play begins."""

        def begin(self, title: str, deals: int, done: int) -> None:
            plan.unlink()

    with (
        opened_pool(two.place, None, Silent()) as pool,
        pytest.raises(RunError, match=r"expected the folder .*, it is not on this machine – give --collect"),
    ):
        conduct(order, pool, Hiding())


def test_one_of_two_machines_killed_in_the_middle_costs_only_time(alone: Outcome, tmp_path: Path) -> None:
    killed: list[str] = []
    with machines("127.0.0.2", "127.0.0.3") as pair, opened_pool(pair.place, None, Silent()) as pool:

        def onlooker(runs: Sequence[RunInPlay]) -> None:
            if not killed:
                killed.append("127.0.0.3")
                pair.workers["127.0.0.3"].kill()

        orders = [Order(MATCH, DEALS, tmp_path)]
        (outcome,) = conduct_all(orders, pool, Silent(), onlooker=onlooker)
    assert killed
    assert (outcome.digest, outcome.summary) == (alone.digest, alone.summary)


def test_a_scheduler_that_goes_ends_the_command_and_keeps_complete_parts(
    alone: Outcome, tmp_path: Path
) -> None:
    order = Order(MATCH, DEALS, tmp_path)
    with machines("127.0.0.2") as one:

        def onlooker(runs: Sequence[RunInPlay]) -> None:
            one.scheduler.kill()

        start = time.monotonic()
        with (
            pytest.raises(RunError, match=rf"dask://{one.address}: the scheduler is gone.*complete parts"),
            opened_pool(one.place, None, Silent()) as pool,
        ):
            list(conduct_all([order], pool, Silent(), onlooker=onlooker))
        assert time.monotonic() - start < 60
    assert list(order.folder.path.glob("part-*.parquet"))
    with opened_pool(Place(), 1, Silent()) as pool:
        outcome = conduct(order, pool, Silent())
    assert 0 < outcome.played < DEALS
    assert outcome.digest == alone.digest


def test_a_worker_of_another_version_is_named_before_anything_is_played(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "simcli", tmp_path / "simcli", ignore=shutil.ignore_patterns("__pycache__"))
    package = tmp_path / "simcli" / "__init__.py"
    package.write_text(package.read_text().replace(f'"{simcli.__version__}"', '"99.0"'))
    with machines("127.0.0.2") as pair:
        pair.add("127.0.0.3", PYTHONPATH=str(tmp_path))
        pair.wait()
        with pytest.raises(InputError) as caught, opened_pool(pair.place, None, Silent()):
            pass
    assert re.fullmatch(
        rf"tcp://127\.0\.0\.3:\d+: expected what this machine has, simcli {re.escape(simcli.__version__)}, "
        "got simcli 99.0 – install the same versions on all machines",
        str(caught.value),
    )


def test_a_worker_that_cannot_say_its_versions_is_named_with_the_reason() -> None:
    here = versions_here()
    refuse_other_versions({"tcp://a:1": here}, here)
    with pytest.raises(
        InputError, match=r"^tcp://b:2: expected simcli .*, got ModuleNotFoundError: No module"
    ):
        refuse_other_versions({"tcp://a:1": here, "tcp://b:2": ModuleNotFoundError("No module")}, here)


def test_a_worker_that_comes_later_with_another_version_is_named_too(
    two: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_pool(two.place, None, Silent()) as pool:
        original = pool.open_executor

        def open_executor(workers: int, board: object) -> object:
            executor = original(workers, board)  # type: ignore[arg-type]
            executor.versions = {**executor.versions, "numpy": "9.9"}  # type: ignore[attr-defined]
            return executor

        pool.open_executor = open_executor  # type: ignore[assignment]
        with pytest.raises(RunError, match=r"tcp://127\.0\.0\.[23]:\d+: expected .*numpy 9\.9, got numpy"):
            conduct(Order(MATCH, 1000, tmp_path), pool, Silent())


def test_nobody_at_an_address_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CONNECT_S", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = Place("dask", f"127.0.0.1:{port}")
    with (
        pytest.raises(InputError, match=rf"dask://127\.0\.0\.1:{port}: expected the scheduler of a cluster"),
        opened_pool(place, None, Silent()),
    ):
        pass


def test_a_scheduler_without_workers_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CONNECT_S", 2)
    with (
        machines() as none,
        pytest.raises(InputError, match="expected workers, got a scheduler without any – start `dask work"),
        opened_pool(none.place, None, Silent()),
    ):
        pass


def test_a_cluster_of_this_machine_plays_on_after_a_worker_was_killed(
    alone: Outcome, tmp_path: Path, notes: Notes
) -> None:
    killed: list[int] = []
    with opened_pool(Place("dask"), 2, Silent()) as pool:

        def onlooker(runs: Sequence[RunInPlay]) -> None:
            if not killed:
                executor = pool._executor
                pids = executor.client.run(os.getpid)  # type: ignore[union-attr]
                killed.append(next(iter(pids.values())))
                os.kill(killed[0], signal.SIGKILL)

        (outcome,) = conduct_all([Order(MATCH, DEALS, tmp_path)], pool, notes, onlooker=onlooker)
    assert killed
    assert outcome.digest == alone.digest
    assert any("a worker died; what was in play is played again" in text for text in notes.said)


def test_an_interrupted_cluster_keeps_complete_parts_and_damages_none(two: Machines, tmp_path: Path) -> None:
    order = Order(MATCH, DEALS * 10, tmp_path)

    def interrupt(runs: Sequence[RunInPlay]) -> None:
        raise KeyboardInterrupt

    with opened_pool(two.place, None, Silent()) as pool, pytest.raises(KeyboardInterrupt):
        list(conduct_all([order], pool, Silent(), onlooker=interrupt))
    plan = RunFolder(order.folder.path).plan()
    assert plan is not None
    complete, absent, damaged = order.folder.records(plan, plan.parts())
    assert complete
    assert absent
    assert not damaged


def test_a_run_begun_here_is_finished_by_a_cluster(two: Machines, play: Play, tmp_path: Path) -> None:
    begun = play(match_of(), 1000)
    (begun.folder / "part-00001.parquet").unlink()
    with opened_pool(two.place, 1, Silent()) as pool:
        assert pool.workers == 1
        ended = conduct(Order(match_of(), 1000, tmp_path / "results"), pool, Silent())
    assert 0 < ended.played < 1000
    assert ended.digest == begun.digest


def test_the_command_takes_a_cluster(two: Machines, tmp_path: Path) -> None:
    options = "--executor", f"dask://{two.address}", "--collect", "--json", "--out", str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "simcli", "run", "classic", "-n", "2000", *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"played": 2000' in done.stdout
    assert "2 workers, 2 at a time" in done.stderr


def test_ctrl_c_is_for_the_command_which_ends_its_own_cluster(tmp_path: Path) -> None:
    options = "--executor", "dask", "--workers", "2", "--out", str(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-m", "simcli", "run", "classic", "-n", "2M", *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        deadline = time.monotonic() + 300
        while not list(tmp_path.glob("*/part-*.parquet")) and time.monotonic() < deadline:
            time.sleep(0.05)
        workers = children(run.pid)
        os.killpg(run.pid, signal.SIGINT)
        start = time.monotonic()
        _, err = run.communicate(timeout=60)
    assert time.monotonic() - start < 30  # about a second where a core is free
    assert run.returncode == 130
    assert "stopped; complete parts stay. Go on with:\n  simcli run classic -n 2M --executor dask" in err
    assert "Traceback" not in err
    assert len(workers) >= 2
    deadline = time.monotonic() + 20
    while any(map(is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not list(filter(is_alive, workers))
