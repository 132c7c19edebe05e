"""What a worker of a cluster of this machine's own does first; dask loads this by its name."""

from __future__ import annotations

import contextlib
import os
from typing import Any


def dask_setup(worker: Any) -> None:
    """Leave the terminal's group of processes: Ctrl-C is for the command, which ends its workers itself.

    To ignore the signal is not enough, for libraries that compute for long listen to it themselves.
    """
    if hasattr(os, "setsid"):
        with contextlib.suppress(PermissionError):  # it leads a group already
            os.setsid()
