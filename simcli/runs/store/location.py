"""Name the place of a run or of results: a path of this machine, or a URL of a bucket."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from simcli.errors import refusal
from simcli.rules.wording import printable, printable_path

SCHEME = "s3://"
ONE_SLASH = re.compile(r"s3:/*", re.IGNORECASE)
ANY_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]")


@dataclass(frozen=True)
class S3Url:
    """Name a place in a bucket.

    Attributes
    ----------
    bucket : str
        The bucket.
    key : str
        What its keys begin with, without slashes at its ends; empty for the bucket itself.
    """

    bucket: str
    key: str = ""

    def __str__(self) -> str:
        """Return ``s3://BUCKET/KEY``."""
        return f"{SCHEME}{self.bucket}/{self.key}" if self.key else f"{SCHEME}{self.bucket}"

    def __truediv__(self, name: str) -> S3Url:
        """Return the place of this name within this one."""
        return S3Url(self.bucket, self.key_of(name))

    @property
    def name(self) -> str:
        """Return the last part, as of a path."""
        return self.key.rpartition("/")[2] or self.bucket

    @property
    def parent(self) -> S3Url:
        """Return the place that this one lies in; the bucket lies in itself."""
        return S3Url(self.bucket, self.key.rpartition("/")[0])

    def absolute(self) -> S3Url:
        """Return the URL, which does not depend on where a process runs."""
        return self

    def key_of(self, name: str) -> str:
        """Return the key of the object of this name within this place."""
        return f"{self.key}/{name}" if self.key else name


Location = Path | S3Url


def location(place: str | os.PathLike[str] | S3Url) -> Location:
    """Return the place that a path or a URL stands for.

    Raises
    ------
    InputError
        It is a URL, but none of a bucket; or a path that has been made of one.

    Examples
    --------
    >>> location("s3://durak/results//june/")
    S3Url(bucket='durak', key='results/june')
    >>> str(location("results/june"))
    'results/june'
    """
    if isinstance(place, Path) and str(place).startswith("s3:"):
        raise refusal(printable_path(place), "expected a URL as text, got a path made of one")
    if isinstance(place, S3Url | Path):
        return place
    text = os.fspath(place)
    if ANY_SCHEME.match(text) is None:
        begin = ONE_SLASH.match(text)
        if begin is not None:
            meant = SCHEME + text[begin.end() :]
            raise refusal(
                printable_path(text), f"expected a folder or a URL, got neither – perhaps {printable(meant)}"
            )
        return Path(text)
    bucket, _, rest = text.removeprefix(SCHEME).partition("/")
    names = [name for name in rest.split("/") if name]
    if not text.startswith(SCHEME) or not BUCKET.fullmatch(bucket) or {".", ".."} & set(names):
        raise refusal(
            printable_path(text), "expected a folder, or s3://BUCKET/PREFIX with the name of a bucket"
        )
    return S3Url(bucket, "/".join(names))


def is_url(text: str) -> bool:
    """Return whether a text is a URL, be it one that can be used or not.

    >>> is_url("s3://durak/results"), is_url("results")
    (True, False)
    """
    return ANY_SCHEME.match(text) is not None


def resolved(place: Location) -> Location:
    """Return the one name of a place that has several."""
    return place.resolve() if isinstance(place, Path) else place
