"""Run a command and print how long it took and how much memory its largest process had, as JSON.

A script of its own: the system counts for a started process at least the memory of the one that starts it,
so that one must be small. It imports nothing of simcli.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time

BYTES_PER_UNIT = 1 if sys.platform == "darwin" else 1024


def main() -> None:
    """Run the command given as arguments."""
    start = time.monotonic()
    done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * BYTES_PER_UNIT
    print(json.dumps({"code": done.returncode, "error": done.stderr, "seconds": seconds, "peak_bytes": peak}))


if __name__ == "__main__":
    main()
