"""A headless Chromium, driven by the DevTools protocol over a pair of pipes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--remote-debugging-pipe",
)  # fmt: skip
READS, WRITES = 3, 4
"""The descriptors on which Chromium reads commands and writes answers."""
END = b"\0"


def chromium() -> str | None:
    """Return the path of Chromium, None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Tab:
    """One page, and everything that it told while it was open."""

    def __init__(self, send: Callable[[bytes], None], receive: Callable[[], bytes]) -> None:
        self._send, self._receive = send, receive
        self._last = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> Any:
        """Give a command and return its result."""
        self._last += 1
        command = {"id": self._last, "method": method, "params": params}
        if self._session is not None:
            command["sessionId"] = self._session
        self._send(json.dumps(command).encode() + END)
        while True:
            answer = json.loads(self._receive())
            if answer.get("id") == self._last:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self.events.append(answer)

    def open(self, path: Path) -> None:
        """Load a file and wait until it is there."""
        self.events.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.call("Runtime.evaluate", expression="0")

    def value(self, expression: str) -> Any:
        """Return what an expression of the page comes to."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def resize(self, width: int, height: int = 900) -> None:
        """Show the page at another size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def prefer(self, scheme: str, media: str = "screen") -> None:
        """Show the page as for readers who want it light or dark, on a screen or in print."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)

    def requests(self) -> list[str]:
        """Return the addresses that were asked for."""
        sent = (event for event in self.events if event.get("method") == "Network.requestWillBeSent")
        return [event["params"]["request"]["url"] for event in sent]

    def complaints(self) -> list[str]:
        """Return what stands in the console, and what was thrown."""
        names = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        return [json.dumps(event["params"]) for event in self.events if event.get("method") in names]


@contextmanager
def browsing() -> Iterator[Tab]:
    """Start Chromium with one empty page; everything of it goes when the block ends."""
    program = chromium()
    assert program is not None
    to_read, to_tell = os.pipe()
    to_hear, to_write = os.pipe()

    def as_chromium_expects() -> None:
        mine = [os.dup(to_read), os.dup(to_write)]
        os.dup2(mine[0], READS)
        os.dup2(mine[1], WRITES)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}"],
            preexec_fn=as_chromium_expects,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        with open(to_tell, "wb", buffering=0) as commands, open(to_hear, "rb", buffering=0) as answers:
            try:
                yield Tab(commands.write, _messages(answers.read).__next__)
            finally:
                process.terminate()
                process.wait(10)


def _messages(read: Callable[[int], bytes | None]) -> Iterator[bytes]:
    waiting = b""
    while True:
        piece = read(1 << 16)
        if not piece:
            raise EOFError("Chromium has gone away")
        *whole, waiting = (waiting + piece).split(END)
        yield from whole
