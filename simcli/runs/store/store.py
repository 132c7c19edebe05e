"""What the folder of a run is asked to do, wherever it lies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from simcli.runs.store.local import LocalStore
from simcli.runs.store.location import Location

if TYPE_CHECKING:
    import polars as pl


class Lock(Protocol):
    """Say whether this command may write in a run folder."""

    holder: str | None
    """Another process that plays there, None if there is none."""
    token: str
    """What writers show where each write is asked whether the lock is still held."""

    @property
    def is_held(self) -> bool:
        """Return whether this command holds the lock."""

    def take(self) -> None:
        """Take the lock, or note who has it; without a place for it there is nothing to be locked."""

    def release(self) -> None:
        """Give the lock back."""

    def refuse_busy(self) -> None:
        """Raise an `InputError` if another command plays in the folder."""


class Store(Protocol):
    """Keep the files of one folder: each whole or not there.

    What goes wrong is an `OSError`; but a bucket that may not be listed or read is an `InputError`, and one
    that does not answer then a `RunError`.
    """

    def names(self) -> list[str]:
        """Return the names in the folder, sorted; a `FileNotFoundError` if there is no such folder."""

    def is_there(self) -> bool:
        """Return whether there is such a folder."""

    def has(self, name: str) -> bool:
        """Return whether there is a file of this name."""

    def is_no_file(self, name: str) -> bool:
        """Return whether something else than a file has this name."""

    def read(self, name: str) -> bytes:
        """Return the content of a file; a `FileNotFoundError` if there is none."""

    def open(self, name: str) -> BinaryIO:
        """Open a file to read some of it; a `FileNotFoundError` if there is none."""

    def scan(self, name: str) -> pl.LazyFrame:
        """Return the rows of a part as a lazy frame."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file that appears complete or not at all."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def make(self) -> None:
        """Make the folder, if it is not there."""

    def refuse_unwritable(self) -> None:
        """Raise an `InputError` if the folder cannot be made or written."""

    def lock(self) -> Lock:
        """Return the lock of the folder, not yet taken."""


def store_at(place: Location, token: str = "") -> Store:
    """Return what keeps the files of a folder.

    Parameters
    ----------
    place : Path or S3Url
        The folder.
    token : str
        That of the lock under which it is written, if one is held.
    """
    if isinstance(place, Path):
        return LocalStore(place)
    from simcli.runs.store.s3 import S3Store

    return S3Store(place, token)
