"""The entry point: ``python -m simcli``, and the command ``simcli``.

It is small because it is loaded by every worker process as well, and because Ctrl-C may come while everything
else is still being loaded.
"""

from __future__ import annotations

import sys

from simcli.startup import spare_collections

EXIT_INTERRUPTED = 130


def main() -> None:
    """Load the command line, run a command and end with its exit code; after Ctrl-C with 130."""
    spare_collections()
    try:
        from simcli.cli.main import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)


if __name__ == "__main__":
    main()
