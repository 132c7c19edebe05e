"""What stands for a folder in a bucket of S3, or of a service that speaks like it (extra `s3`)."""

from __future__ import annotations

import errno
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO

from simcli.errors import RunError, refusal
from simcli.rules.wording import printable_path
from simcli.runs.lock import LOCK_FILE
from simcli.runs.partfile import TEMPORARY_END
from simcli.runs.store.location import SCHEME, S3Url
from simcli.runs.store.s3errors import Unchanged, os_errors, refusals

if TYPE_CHECKING:
    import polars as pl

    from simcli.runs.store.s3lock import S3Lock

TOKEN = "token"
PROBE = f".probe{TEMPORARY_END}"
READ_TRIES = 3  # of an answer that breaks off in the middle, which the client does not ask for again
CONNECTIONS = 32
CONNECT_S, READ_S = 10, 60
DEFAULT_REGION = "us-east-1"


class _Kept(threading.local):
    """The part that a thread scanned last: it may be asked for the next rows of it."""

    place: S3Url | None = None
    etag = ""
    content = b""


_kept = _Kept()


@cache
def client() -> Any:
    """Return the client of this process, set up by the environment and the files that boto3 reads."""
    try:
        from boto3.session import Session
        from botocore.config import Config
    except ImportError:
        message = "expected boto3, which results in a bucket need, got none – pip install 'simcli[s3]'"
        raise refusal(SCHEME, message) from None
    session = Session()
    return session.client(
        "s3",
        region_name=session.region_name or DEFAULT_REGION,
        config=Config(
            retries={"mode": "standard"},
            connect_timeout=CONNECT_S,
            read_timeout=READ_S,
            max_pool_connections=CONNECTIONS,
        ),
    )


@dataclass(frozen=True)
class S3Store:
    """Keep the objects whose keys begin alike; methods as in `simcli.runs.store.store.Store`.

    Attributes
    ----------
    url : S3Url
        What their keys begin with.
    token : str
        That of the lock under which it is written. With one, each write is refused once the lock is lost.
    """

    url: S3Url
    token: str = ""

    def names(self) -> list[str]:
        """Return the names of objects, and what keys go on with up to a slash, sorted."""
        prefix = self.url.key_of("")
        found: list[str] = []
        with self._reading() as service:
            pages = service.get_paginator("list_objects_v2")
            for page in pages.paginate(Bucket=self.url.bucket, Prefix=prefix, Delimiter="/"):
                found += [each["Key"] for each in page.get("Contents", ())]
                found += [each["Prefix"] for each in page.get("CommonPrefixes", ())]
        if not found and prefix:
            raise FileNotFoundError(errno.ENOENT, "nothing lies there")
        return sorted(name for key in found if (name := key.removeprefix(prefix).rstrip("/")))

    def is_there(self) -> bool:
        """Return whether anything lies there."""
        try:
            self.names()
        except FileNotFoundError:
            return False
        return True

    def has(self, name: str) -> bool:
        """Return whether there is an object of this name."""
        with suppress(FileNotFoundError), self._reading() as service:
            service.head_object(**self.at(name))
            return True
        return False

    def is_no_file(self, name: str) -> bool:
        """Return False: there are but objects."""
        return False

    def read(self, name: str) -> bytes:
        """Return the content of an object."""
        with self._reading() as service:
            return _body(service, self.at(name))[0]

    def open(self, name: str) -> BinaryIO:
        """Return a file that holds all of an object."""
        return io.BytesIO(self.read(name))

    def scan(self, name: str) -> pl.LazyFrame:
        """Return the rows of a part as a lazy frame over all of it, which a thread keeps until the next."""
        import polars as pl

        place, unless = self.url / name, {}
        if _kept.place == place:
            unless = {"IfNoneMatch": _kept.etag}
        else:
            _kept.place, _kept.content = None, b""
        with suppress(Unchanged), self._reading() as service:
            _kept.content, _kept.etag = _body(service, {**self.at(name), **unless})
            _kept.place = place
        return pl.scan_parquet(io.BytesIO(_kept.content))

    def write(self, name: str, content: bytes) -> None:
        """Write an object, which appears complete or not at all."""
        with self._writing() as service:
            service.put_object(**self.at(name), Body=content)

    def remove(self, name: str) -> None:
        """Remove an object, if it is there."""
        with self._writing() as service:
            service.delete_object(**self.at(name))

    def make(self) -> None:
        """Do nothing: what stands for a folder comes with its first object."""

    def refuse_unwritable(self) -> None:
        """Raise an `InputError` if nothing can be written there; the lock, if held, is a proof."""
        if not self.token:
            with refusals(str(self.url), "written"):
                self.write(PROBE, b"")
                self.remove(PROBE)

    def lock(self) -> S3Lock:
        """Return the lock of the folder, not yet taken."""
        from simcli.runs.store.s3lock import S3Lock

        return S3Lock(self)

    def at(self, name: str) -> dict[str, str]:
        """Return what names an object to the service."""
        return {"Bucket": self.url.bucket, "Key": self.url.key_of(name)}

    @contextmanager
    def _reading(self) -> Iterator[Any]:
        """Lend the client; what goes wrong is told as of an input."""
        with refusals(str(self.url), "read"), os_errors():
            yield client()

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """Lend the client, if the lock is still held; what goes wrong is told as of a disk."""
        with os_errors():
            service = client()
            if self.token and self.holding_token() != self.token:
                raise RunError(
                    f"{printable_path(self.url)}: another simcli has taken this run over, for its lock was "
                    "not renewed in time – complete parts stay; give the command again to go on"
                )
            yield service

    def holding_token(self) -> str:
        """Return the token of the lock that lies there, nothing if there is none."""
        with suppress(FileNotFoundError), os_errors():
            metadata = client().head_object(**self.at(LOCK_FILE))["Metadata"]
            return str(metadata.get(TOKEN, ""))
        return ""


def _body(service: Any, which: dict[str, str]) -> tuple[bytes, str]:
    """Return the content and the tag of an object."""
    from botocore.exceptions import HTTPClientError, IncompleteReadError

    for tries_left in reversed(range(READ_TRIES)):
        answer = service.get_object(**which)
        try:
            return answer["Body"].read(), answer["ETag"]
        except (HTTPClientError, IncompleteReadError):
            if not tries_left:
                raise
    raise AssertionError("the last try returns or raises")
