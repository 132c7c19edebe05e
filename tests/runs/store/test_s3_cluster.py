"""Workers of a cluster write straight into a bucket; each of them needs what boto3 reads."""

import re
import sys

import pytest

from simcli.errors import RunError
from simcli.runs.conduct import conduct
from simcli.runs.executors import Place, opened_pool
from simcli.runs.orders import Order
from simcli.runs.report import Silent
from simcli.runs.store.location import S3Url
from simcli.runs.store.store import store_at
from tests.runs.conftest import Play, match_of
from tests.runs.test_cluster import machines

pytest.importorskip("distributed", reason="dask.distributed is not installed: pip install 'simcli[cluster]'")

pytestmark = [
    pytest.mark.usefixtures("small_parts", "always_processes"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_workers_write_the_parts_of_one_machine_into_a_bucket(bucket: S3Url, play: Play) -> None:
    here = play(match_of(), 1000, workers=2).folder
    with opened_pool(Place("dask"), 2, Silent()) as pool:
        there = conduct(Order(match_of(), 1000, bucket), pool, Silent())
    store = store_at(there.folder)
    rows = {path.name: path.read_bytes() for path in here.glob("part-*.parquet")}
    assert len(rows) > 2
    assert {name: store.read(name) for name in store.names() if name.endswith(".parquet")} == rows


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs the address 127.0.0.2")
def test_a_worker_without_credentials_is_named(bucket: S3Url) -> None:
    with machines() as lonely:
        lonely.add("127.0.0.2", AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="")
        lonely.wait()
        with opened_pool(lonely.place, None, Silent()) as pool, pytest.raises(RunError) as told:
            conduct(Order(match_of(), 1000, bucket), pool, Silent())
    assert re.search(r"^tcp://127\.0\.0\.2:\d+: .*credentials", str(told.value))
