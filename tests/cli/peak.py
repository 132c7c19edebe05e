"""Give a command, and print the largest memory of its process in bytes after what it prints itself."""

import atexit
import resource
import sys

from simcli.cli.main import main


def _print_peak() -> None:
    unit = 1 if sys.platform == "darwin" else 1024
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)


atexit.register(_print_peak)
main()
