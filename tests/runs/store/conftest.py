"""A service that speaks like S3, on this machine, started for the tests that need it."""

import logging
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from simcli.runs.store import s3
from simcli.runs.store.location import S3Url


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """Return the address of the service."""
    pytest.importorskip("boto3", reason="boto3 is not installed (pip install 'simcli[s3]')")
    moto = pytest.importorskip("moto.server", reason="moto is not installed (pip install 'simcli[test-s3]')")
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = moto.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def environment(endpoint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, str]]:
    """Set what boto3 reads, and return it."""
    told = {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "ours",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_CONFIG_FILE": str(tmp_path / "no config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "no credentials"),
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_S3"):
        monkeypatch.delenv(name, raising=False)
    s3.client.cache_clear()
    yield told
    s3.client.cache_clear()


@pytest.fixture
def bucket(environment: dict[str, str]) -> S3Url:
    """Return the place of results in a bucket of the test's own."""
    name = f"durak-{uuid4().hex}"
    s3.client().create_bucket(Bucket=name)
    return S3Url(name, "results/june")
