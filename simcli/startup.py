"""What every process of simcli does before it loads anything large."""

from __future__ import annotations

import atexit
import gc

NEW_OBJECTS = 50_000


def spare_collections() -> None:
    """Look for garbage less often, and not at the end: what libraries consist of is no garbage.

    Otherwise the start and the end of a process take a third longer.
    """
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)
