"""One run folder, one command that plays in it: a lock that ends with its process, however that ends."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from simcli.errors import BusyError, Problem, Problems
from simcli.rules.wording import printable_path

LOCK_FILE = "run.lock"
OTHER_FILES = 128  # what else a process has open: workers and their pipes, parts that are read, libraries
LOCKS_ON_WINDOWS = 2000
LOCKED_AT = 1 << 20  # the byte that is locked where only ranges can be: behind the text, which others read


@dataclass
class RunLock:
    """Say whether this command may write in a run folder.

    Attributes
    ----------
    folder : Path
        The folder of the run.
    holder : str or None
        Another process that plays there, None if there is none.
    """

    folder: Path
    holder: str | None = None
    token: str = field(default="", init=False)  # on a disk nobody has to ask again whether it is held
    _descriptor: int | None = field(default=None, init=False)

    @property
    def path(self) -> Path:
        """Return where the lock lies while it is held."""
        return self.folder / LOCK_FILE

    @property
    def is_held(self) -> bool:
        """Return whether this command holds the lock."""
        return self._descriptor is not None

    def take(self) -> None:
        """Take the lock, or note who has it; without a place for it there is nothing to be locked."""
        while not self.is_held and self.holder is None:
            try:
                descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError:
                return
            if not _locked(descriptor):
                self.holder = _written(descriptor)
                os.close(descriptor)
            elif _is_there(self.path, descriptor):
                self._descriptor = descriptor
                os.ftruncate(descriptor, 0)
                os.write(descriptor, f"{os.getpid()}\n".encode())
            else:  # its last holder has removed it meanwhile
                os.close(descriptor)

    def release(self) -> None:
        """Give the lock back."""
        if self._descriptor is None:
            return
        descriptor, self._descriptor = self._descriptor, None
        if sys.platform == "win32":  # which removes no open file
            os.close(descriptor)
        with contextlib.suppress(OSError):
            self.path.unlink()
        if sys.platform != "win32":
            os.close(descriptor)

    def refuse_busy(self) -> None:
        """Raise a `BusyError` if another command plays in the folder."""
        refuse_busy(self.folder, self.holder)


def refuse_busy(folder: object, holder: str | None) -> None:
    """Raise a `BusyError` if somebody holds a folder."""
    if holder is not None:
        message = f"is being played by another simcli ({holder}) – wait for it or give another --out"
        raise BusyError(Problems([Problem(printable_path(folder), None, None, message)]))


def room_for_locks(n: int) -> int:
    """Return how many of n folders this process may hold at once: each takes an open file.

    The limit of open files is raised as far as it is needed and allowed.
    """
    if sys.platform == "win32":
        return min(n, LOCKS_ON_WINDOWS)
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = n + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return n if soft == resource.RLIM_INFINITY else max(1, min(n, soft - OTHER_FILES))


def _written(descriptor: int) -> str:
    """Name the process that has written itself into a lock."""
    try:
        number = os.pread(descriptor, 20, 0) if hasattr(os, "pread") else os.read(descriptor, 20)
    except OSError:
        number = b""
    return f"process {number.decode().strip()}" if number.strip().isdigit() else "another process"


def _is_there(path: Path, descriptor: int) -> bool:
    """Return whether an open file still is the one that its path names."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _locked(descriptor: int) -> bool:
        os.lseek(descriptor, LOCKED_AT, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(descriptor, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _locked(descriptor: int) -> bool:
        """Lock an open file, return False if another process has; a disk without locks is anybody's."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True
