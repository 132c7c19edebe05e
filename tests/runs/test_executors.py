"""Who plays makes no difference to what is played."""

import importlib.util
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import pytest

import simcli
from simcli.cli.run import _is_surely_new
from simcli.errors import InputError
from simcli.runs.conduct import conduct
from simcli.runs.executors import Place, opened_pool, place_of
from simcli.runs.orders import Order
from simcli.runs.pool import Pool
from simcli.runs.report import Silent
from tests.runs.conftest import Play, match_of


def test_executors_of_this_machine_have_their_names() -> None:
    assert place_of() == Place("local")
    assert place_of("threads") == Place("threads")


@pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra cluster")
def test_a_cluster_has_its_name_or_its_address() -> None:
    assert place_of("dask", collect=True) == Place("dask", None, True)
    assert place_of("dask://node-7.local:8786") == Place("dask", "node-7.local:8786")
    assert place_of("dask://[::1]:8786").address == "[::1]:8786"


@pytest.mark.parametrize(
    "name", ["", "Dask", "process", "dask:", "dask://", "dask://host", "dask://host:0", "dask://host:65536",
             "dask://a b:1", "tcp://host:8786", "dask://host:8786/x"]
)  # fmt: skip
def test_other_names_are_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(
        InputError, match=r"^--executor: expected local, threads, dask or dask://HOST:PORT, got "
    ):
        place_of(name)


@pytest.mark.parametrize("name", ["local", "threads"])
def test_only_a_cluster_collects(name: str) -> None:
    with pytest.raises(InputError, match="--collect: expected --executor dask with it, got " + name):
        place_of(name, collect=True)


def test_a_cluster_without_its_extra_is_refused_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("simcli.runs.executors.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'simcli\[cluster\]'"):
        place_of("dask")
    assert place_of("threads").kind == "threads"


@pytest.mark.usefixtures("small_parts", "always_processes")
def test_threads_play_the_same_rows(play: Play, tmp_path: Path) -> None:
    match = match_of("simultaneous", "random,lowest,random,lowest", session=4)
    alone = play(match, 4000)
    with opened_pool(Place("threads"), 3, Silent()) as pool:
        together = conduct(Order(match, 4000, tmp_path / "threads"), pool, Silent())
        assert isinstance(pool._executor, ThreadPoolExecutor)
        assert pool._executor._max_workers == 3
    assert (together.digest, together.summary) == (alone.digest, alone.summary)


def test_the_usual_pool_is_one_of_processes() -> None:
    with opened_pool(Place(), 2, Silent()) as pool:
        assert isinstance(pool, Pool)
        assert pool.workers == 2


def test_python_and_the_command_take_the_same_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match="--executor: expected local"):
        simcli.run("classic", 100, executor="ray", out=tmp_path)
    with pytest.raises(InputError, match="--collect"):
        simcli.play(["classic", "duel"], 100, collect=True, out=tmp_path)
    from simcli.cli.main import main

    for words in (["run", "classic"], ["compare", "classic", "duel"], ["plan", "classic", "no-draws"],
                  ["experiment", "opening-advantage"]):  # fmt: skip
        monkeypatch.setattr(sys, "argv", ["simcli", *words, "--executor", "ray", "--out", str(tmp_path)])
        with pytest.raises(SystemExit) as caught:
            main()
        assert caught.value.code == 2
        assert "--executor: expected local" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_plays_on_clusters_is_loaded_only_for_them() -> None:
    assert importlib.util.find_spec("simcli.runs.cluster") is not None
    place_of("threads")
    with opened_pool(Place("threads"), 1, Silent()):
        assert "distributed" not in sys.modules or "simcli.runs.cluster" in sys.modules


def test_workers_start_early_only_for_long_runs_that_are_not_there(tmp_path: Path) -> None:
    def is_early(variants: list[str], deals: str | None, fresh: bool = False) -> bool:
        return _is_surely_new(variants, deals, "1", tmp_path, fresh)

    assert is_early(["classic"], None)
    assert is_early(["classic", "duel"], "500k")
    assert not is_early(["classic"], "999k")
    assert not is_early(["classic"], "many")
    (tmp_path / "classic-p4-lowest-s1").mkdir()
    assert is_early(["classic"], "1M")
    (tmp_path / "classic-p4-lowest-s1" / "run.yaml").touch()
    assert not is_early(["classic"], "1M")
    assert is_early(["classic"], "1M", fresh=True)
    assert is_early(["tables/duel.yaml"], "1M")


EARLY = """
import sys
from simcli.runs.executors import Place, early_pool
from simcli.runs.pool import _processes_of
with early_pool(Place(), 2, True) as pool:
    print(len(_processes_of(pool._executor)), "numba" in sys.modules)
"""


def test_workers_can_be_started_before_numba_is_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, check=True)
    assert done.stdout == "1 False\n"
