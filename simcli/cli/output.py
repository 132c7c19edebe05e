"""Standard output that cannot be written: one message in place of a traceback."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from simcli.errors import RunError

EXIT_BROKEN_PIPE = 1
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Faults of a disk; those of files that a command writes itself have been told before they come here."""


@contextmanager
def whole_output() -> Iterator[None]:
    """Write out what is printed inside before the program ends, however it ends.

    Raises
    ------
    RunError
        Standard output cannot be written, for example because the disk is full. A reader that has gone away
        is no fault worth a message.
    """
    try:
        try:
            yield
        finally:
            _flush()
    except BrokenPipeError:
        _discard_rest()
        sys.exit(EXIT_BROKEN_PIPE)
    except OSError as error:
        if not (error.errno in NO_ROOM and error.filename is None) and not _is_stuck():
            raise
        _discard_rest()
        raise RunError(
            f"standard output: cannot be written ({error.strerror}) – make room, or send it elsewhere"
        ) from None


def _flush() -> None:
    if sys.stdout is not None:  # a program may be started without one
        sys.stdout.flush()


def _is_stuck() -> bool:
    """Return whether standard output still holds what it could not write."""
    try:
        _flush()
    except OSError:
        return True
    return False


def _discard_rest() -> None:
    """Send what is left to nowhere, so that the interpreter does not stumble over it at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
