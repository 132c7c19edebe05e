"""What is wrong with a bucket is told in one line, with the way out."""

import io
import socket
import sys
from typing import Any

import pytest

from simcli.errors import InputError, RunError
from simcli.runs.listing import list_runs
from simcli.runs.store import s3
from simcli.runs.store.location import S3Url, location
from simcli.runs.store.store import store_at
from tests.runs.conftest import match_of
from tests.runs.store.test_s3_runs import names_in, played

pytestmark = pytest.mark.usefixtures("small_parts")


def test_a_bucket_that_is_not_there(environment: dict[str, str]) -> None:
    expected = "^s3://no-such-bucket/x.*: expected a bucket that can be read, got: there is no such bucket"
    with pytest.raises(InputError, match=expected):
        played(S3Url("no-such-bucket", "x"), match_of(), 300)
    with pytest.raises(InputError, match=expected):
        list_runs(S3Url("no-such-bucket", "x"))


def test_a_place_where_nothing_lies(bucket: S3Url) -> None:
    with pytest.raises(InputError, match="expected a results folder, got: nothing lies there"):
        list_runs(bucket)
    assert list_runs(S3Url(bucket.bucket)) == []


def test_no_credentials(bucket: S3Url, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    s3.client.cache_clear()
    with pytest.raises(InputError, match="got: no credentials – set AWS_PROFILE, or AWS_ACCESS_KEY_ID and"):
        played(bucket, match_of(), 300)


@pytest.mark.parametrize(
    "name, value, told",
    [
        ("AWS_PROFILE", "nobody", r"\(nobody\) could not be found"),
        ("AWS_ENDPOINT_URL", "here", "Invalid endpoint: here"),
    ],
)
def test_settings_that_cannot_be_used(
    bucket: S3Url, monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)
    s3.client.cache_clear()
    with pytest.raises(InputError, match=rf"{told} – check credentials, region and endpoint"):
        names_in(bucket)


def test_no_boto3(bucket: S3Url, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("boto3", "boto3.session"):
        monkeypatch.setitem(sys.modules, name, None)
    s3.client.cache_clear()
    with pytest.raises(InputError, match=r"expected boto3.*pip install 'simcli\[s3\]'"):
        names_in(bucket)


@pytest.fixture
def silent(bucket: S3Url, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody answer at the address of the service."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{nobody.getsockname()[1]}")
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
        s3.client.cache_clear()
        yield


def test_a_service_that_does_not_answer(bucket: S3Url, silent: None) -> None:
    expected = r"no answer from http://127\.0\.0\.1:\d+ – complete parts stay; give the command again"
    with pytest.raises(RunError, match=expected):
        played(bucket, match_of(), 300)


def refusing(error: Exception) -> Any:
    def refuse(*given: Any, **named: Any) -> None:
        raise error

    return refuse


def service_error(status: int, code: str, message: str = "") -> Exception:
    from botocore.exceptions import ClientError

    answer: Any = {
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    return ClientError(answer, "PutObject")


@pytest.mark.parametrize(
    "status, code, told",
    [
        (403, "AccessDenied", r"cannot be written any more \(AccessDenied"),
        (503, "SlowDown", r"cannot be written any more \(the service cannot do it now: SlowDown"),
    ],
)
def test_a_service_that_refuses_in_the_middle_keeps_what_is_complete(
    bucket: S3Url, monkeypatch: pytest.MonkeyPatch, status: int, code: str, told: str
) -> None:
    put = s3.client().put_object

    def put_some(**named: Any) -> Any:
        if named["Key"].endswith("part-00002.parquet"):
            raise service_error(status, code)
        return put(**named)

    with monkeypatch.context() as patch:
        patch.setattr(s3.client(), "put_object", put_some)
        with pytest.raises(RunError, match=rf"{told}.*complete parts stay; give the command again"):
            played(bucket, match_of(), 1000)
    assert 0 < played(bucket, match_of(), 1000).played < 1000


def test_a_bucket_that_may_only_be_read(bucket: S3Url, monkeypatch: pytest.MonkeyPatch) -> None:
    before = played(bucket, match_of(), 300)
    for name in ("put_object", "delete_object"):
        monkeypatch.setattr(s3.client(), name, refusing(service_error(403, "AccessDenied")))
    assert played(bucket, match_of(), 300).digest == before.digest
    with pytest.raises(InputError, match="expected a bucket that can be written, got: AccessDenied"):
        played(bucket, match_of(seed=2), 300)


def test_an_answer_that_breaks_off_is_asked_for_again(bucket: S3Url, monkeypatch: pytest.MonkeyPatch) -> None:
    from botocore.exceptions import ReadTimeoutError

    store = store_at(bucket)
    store.write("plan.yaml", b"whole")
    get, breaks = s3.client().get_object, [2]

    class Broken(io.BytesIO):
        def read(self, *given: Any) -> bytes:
            raise ReadTimeoutError(endpoint_url="there")

    def get_broken(**named: Any) -> Any:
        answer = get(**named)
        breaks[0] -= 1
        return answer if breaks[0] < 0 else {**answer, "Body": Broken()}

    monkeypatch.setattr(s3.client(), "get_object", get_broken)
    assert store.read("plan.yaml") == b"whole"
    breaks[0] = 3
    with pytest.raises(RunError, match="no answer from"):
        store.read("plan.yaml")


@pytest.mark.parametrize("text", ["s3:/durak/x", "s3:durak/x", "S3:/durak/x"])
def test_a_url_without_its_slashes_is_no_folder(text: str) -> None:
    with pytest.raises(InputError, match=f"^{text}: expected .* got neither – perhaps s3://durak/x$"):
        location(text)


@pytest.mark.parametrize(
    "text", ["s3://", "s3:///x", "s3://B", "s3://durak/a/../b", "gs://durak/x", "https://durak/x"]
)
def test_urls_that_name_no_place_in_a_bucket(text: str) -> None:
    with pytest.raises(
        InputError, match=r"expected a folder, or s3://BUCKET/PREFIX with the name of a bucket"
    ):
        location(text)
