"""The entry point: ``python -m simcli``, and the command ``simcli``.

It is small because it is loaded by every worker process as well, and because Ctrl-C may come while everything
else is still being loaded.
"""

from __future__ import annotations

import atexit
import gc
import sys

EXIT_INTERRUPTED = 130
NEW_OBJECTS = 50_000


def main() -> None:
    """Load the command line, run a command and end with its exit code; after Ctrl-C with 130."""
    spare_collections()
    try:
        from simcli.cli.main import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)


def spare_collections() -> None:
    """Look for garbage less often, and not at the end: what libraries consist of is no garbage.

    Otherwise the start and the end of a process take a third longer.
    """
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)


if __name__ == "__main__":
    main()
