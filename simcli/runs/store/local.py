"""A folder of this machine, or of a disk that it shares with others."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from simcli.errors import refusal
from simcli.rules.wording import printable_path
from simcli.runs.lock import RunLock
from simcli.runs.partfile import scan_file, write_whole

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class LocalStore:
    """Keep the files of a folder; methods as in `simcli.runs.store.store.Store`.

    Attributes
    ----------
    path : Path
        The folder; it need not exist yet.
    """

    path: Path

    def names(self) -> list[str]:
        """Return the names in the folder, sorted."""
        return sorted(os.listdir(self.path))

    def is_there(self) -> bool:
        """Return whether there is such a folder."""
        return self.path.is_dir()

    def has(self, name: str) -> bool:
        """Return whether there is a file of this name."""
        return (self.path / name).is_file()

    def is_no_file(self, name: str) -> bool:
        """Return whether something else than a file has this name; what is not there any more is nothing."""
        path = self.path / name
        return not path.is_file() and os.path.lexists(path)

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        return (self.path / name).read_bytes()

    def open(self, name: str) -> BinaryIO:
        """Open a file to read some of it."""
        return open(self.path / name, "rb")

    def scan(self, name: str) -> pl.LazyFrame:
        """Return the rows of a part as a lazy frame, which reads what is asked of it."""
        return scan_file(self.path / name)

    def write(self, name: str, content: bytes) -> None:
        """Write a file beside its place and rename it."""
        write_whole(self.path / name, content)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        (self.path / name).unlink(missing_ok=True)

    def make(self) -> None:
        """Make the folder, if it is not there."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"expected a folder that can be made, got: {error.strerror} – give another --out"
            raise refusal(printable_path(self.path), message) from None

    def refuse_unwritable(self) -> None:
        """Raise an `InputError` if the folder cannot be made or written."""
        there = next(path for path in (self.path, *self.path.absolute().parents) if os.path.lexists(path))
        where = printable_path(there)
        if there.is_symlink() and not there.exists():
            target = printable_path(os.readlink(there))
            raise refusal(
                where, f"expected a folder, got a link to {target}, which is not there – give another --out"
            )
        if not there.is_dir():
            raise refusal(where, "expected a folder, got a file – give another --out")
        if not os.access(there, os.W_OK | os.X_OK):
            raise refusal(
                where, "expected a folder that can be written, got one that cannot – give another --out"
            )

    def lock(self) -> RunLock:
        """Return the lock of the folder, not yet taken."""
        return RunLock(self.path)
