"""One run in a bucket, one command that plays in it: a lock that beats as long as its process lives.

The lock is an object. It is taken by a write on condition that it is absent, and renewed every few seconds on
condition that it is the one last written. Whoever finds one that has not been renewed for as long as it says
that it counts takes it over, on condition that it still is the one found. Its age is told by the clock of the
service alone. A command that has lost its lock writes no more: each of its writes asks for the token first.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from simcli.runs.lock import LOCK_FILE, refuse_busy
from simcli.runs.store.s3 import TOKEN, S3Store, client
from simcli.runs.store.s3errors import Outrun, os_errors, refusals

COUNTS_S = 90.0
"""How long a lock counts that is not renewed."""
BEATS = 5
"""How often it is renewed meanwhile."""
TRIES = 5  # against others that take it or give it back at the same moment
BOOT_FILE = Path("/proc/sys/kernel/random/boot_id")
PROCESSES_FILE = Path("/proc/self/ns/pid")


@dataclass(frozen=True)
class _Found:
    """Hold a lock as it lies there: its tag, what it says, and seconds since it was renewed."""

    etag: str
    told: dict[str, Any]
    age_s: float

    @property
    def left_s(self) -> float:
        """Return how long it still counts; a lock that says nothing counts as usual."""
        counts_s = self.told.get("counts_s")
        return (counts_s if isinstance(counts_s, int | float) else COUNTS_S) - self.age_s

    @property
    def is_over(self) -> bool:
        """Return whether nobody holds it any more."""
        return self.left_s < 0 or _is_dead(self.told)

    def holder(self) -> str:
        """Name who holds it."""
        process, host = self.told.get("process", "?"), self.told.get("host", "?")
        return (
            f"process {process} on {host}, seen {self.age_s:.0f} s ago; "
            f"if it has died, its lock ends in {self.left_s:.0f} s"
        )


@dataclass
class S3Lock:
    """Say whether this command may write in what stands for a run folder.

    Attributes
    ----------
    store : S3Store
        Where the lock lies.
    counts_s : float
        How long it counts when it is not renewed.
    holder : str or None
        Another process that plays there, None if there is none.
    token : str
        What names this lock, empty as long as it is not held.
    """

    store: S3Store
    counts_s: float = field(default_factory=lambda: COUNTS_S)
    holder: str | None = None
    token: str = field(default="", init=False)
    _stop: threading.Event = field(default_factory=threading.Event, init=False)
    _heart: threading.Thread | None = field(default=None, init=False)

    @property
    def is_held(self) -> bool:
        """Return whether this command holds the lock, as far as it knows."""
        return bool(self.token)

    def take(self) -> None:
        """Take the lock, or note who has it; where nothing may be written there is nothing to be locked."""
        if self.is_held or self.holder is not None:
            return
        token = uuid4().hex
        with refusals(str(self.store.url), "written"), suppress(PermissionError), os_errors():
            self.holder = self._contested(token)
            if self.holder is None:
                self._hold(token)

    def _contested(self, token: str) -> str | None:
        """Write the lock unless somebody holds it; return who does."""
        for _ in range(TRIES):
            found = self._found()
            if found is not None and found.told.get(TOKEN) == token:  # written, and the answer was lost
                return None
            if found is not None and not found.is_over:
                return found.holder()
            if self._put(token, found):
                return None
        return "another process"

    def _hold(self, token: str) -> None:
        self.token = token
        self._stop.clear()
        self._heart = threading.Thread(target=self._beat, name="lock", daemon=True)
        self._heart.start()

    def release(self) -> None:
        """Give the lock back, unless it is lost."""
        if not self.is_held:
            return
        self._stop.set()
        if self._heart is not None:
            self._heart.join(self.counts_s)
        with suppress(OSError), os_errors():
            if self.store.holding_token() == self.token:
                client().delete_object(**self.store.at(LOCK_FILE))
        self.token = ""

    def refuse_busy(self) -> None:
        """Raise an `InputError` if another command plays there."""
        refuse_busy(self.store.url, self.holder)

    def _beat(self) -> None:
        """Renew the lock until it is given back or lost; where that fails it is tried again."""
        while not self._stop.wait(self.counts_s / BEATS):
            with suppress(OSError), os_errors():
                found = self._found()
                if found is None or found.told.get(TOKEN) != self.token:
                    return
                self._put(self.token, found)

    def _found(self) -> _Found | None:
        """Return the lock that lies there, None if there is none."""
        with suppress(FileNotFoundError), os_errors():
            answer = client().get_object(**self.store.at(LOCK_FILE))
            content = answer["Body"].read()
            now = parsedate_to_datetime(answer["ResponseMetadata"]["HTTPHeaders"]["date"])
            return _Found(answer["ETag"], _told(content), (now - answer["LastModified"]).total_seconds())
        return None

    def _put(self, token: str, found: _Found | None) -> bool:
        """Write the lock in place of the one found, return False if another has done so meanwhile."""
        condition = {"IfNoneMatch": "*"} if found is None else {"IfMatch": found.etag}
        told = {
            "process": os.getpid(),
            "host": socket.gethostname(),
            "machine": _machine(),
            "renewed": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "counts_s": self.counts_s,
            TOKEN: token,
        }
        content = f"{json.dumps(told)}\n".encode()
        with suppress(Outrun), os_errors():
            where = self.store.at(LOCK_FILE)
            client().put_object(**where, **condition, Body=content, Metadata={TOKEN: token})
            return True
        return False


def _told(content: bytes) -> dict[str, Any]:
    """Return what a lock says, nothing if that cannot be read."""
    try:
        told = json.loads(content)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _machine() -> str:
    """Name what numbers the processes: a machine since its start, or a container; empty if unknown."""
    try:
        return f"{BOOT_FILE.read_text().strip()} {os.readlink(PROCESSES_FILE)}"
    except OSError:
        return ""


def _is_dead(told: dict[str, Any]) -> bool:
    """Return whether the process that wrote a lock is known to have ended."""
    process, machine = told.get("process"), told.get("machine")
    if not machine or machine != _machine() or not isinstance(process, int):
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
