"""Files that go where somebody says: refused before the work begins, and never written over a device."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from simcli.errors import InputError, RunError, refusal
from simcli.rules.shelf import SUFFIXES
from simcli.rules.wording import printable_path
from simcli.runs.folder import PLAN_FILE, RUN_FILE
from simcli.runs.partfile import write_whole

FULL = (errno.ENOSPC, errno.EDQUOT)
"""What a full disk says."""


def check_file(path: Path) -> None:
    """Refuse a place where no file can be written, before the work that is to fill it.

    Raises
    ------
    InputError
        A folder lies there, or nothing can be written into the folder it is to lie in.
    """
    try:
        if path.is_dir():
            raise refusal(printable_path(path), "expected a file that can be written, got a folder")
        _refuse_input(path)
        _check_folder(path.absolute().parent)
    except OSError as error:
        raise _unwritable(path, error) from None


def _refuse_input(path: Path) -> None:
    """Refuse what commands read: YAML files, and whatever lies in the folder of a run."""
    if path.suffix.lower() in SUFFIXES:
        message = "expected a file of another kind, got YAML, in which variants and runs are written"
        raise refusal(printable_path(path), message)
    if any((path.absolute().parent / name).exists() for name in (PLAN_FILE, RUN_FILE)):
        raise refusal(printable_path(path), "expected a file outside the folder of a run, got one in it")


def check_folder(path: Path) -> None:
    """Refuse what can be no folder to write into; it need not be there yet.

    Raises
    ------
    InputError
        It, or a folder on the way to it, is a file or must not be written to.
    """
    try:
        _check_folder(path.absolute())
    except OSError as error:
        message = f"expected a folder to write into, got: {error.strerror}"
        raise refusal(printable_path(path), message) from None


def _check_folder(path: Path) -> None:
    there = next((each for each in (path, *path.parents) if each.exists()), path)
    if there.exists() and not there.is_dir():
        raise refusal(printable_path(there), "expected a folder to write into, got a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise refusal(
            printable_path(there), "expected a folder to write into, got one that is write-protected"
        )


def write_file(path: Path, content: bytes) -> None:
    """Write a file complete or not at all, and the folders on the way to it.

    A link stays one: the file it points to is written. What is no file, such as a pipe or ``/dev/stdout``, is
    written to as it is; a file renamed to its place would be the end of it.

    Raises
    ------
    RunError
        The disk is full.
    InputError
        It cannot be written for another reason.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            write_whole(path, content)
    except OSError as error:
        if error.errno in FULL:
            message = "the disk is full – make room and give the command again"
            raise RunError(f"{printable_path(path)}: {message}") from None
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> InputError:
    return refusal(printable_path(path), f"expected a file that can be written, got: {error.strerror}")
