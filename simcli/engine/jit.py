"""Compile the engine: one cache folder, two decorators.

Numba notices a change only in the file that defines a cached function, not in the helpers it calls.
The cache folder is therefore named by a hash of every source that compiled code is built from, of the
versions of numba, numpy and Python and of the debugging switches, so that a changed helper can never
be answered with stale machine code.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

_F = TypeVar("_F", bound=Callable[..., Any])

#: False when numba runs the engine as plain Python (``NUMBA_DISABLE_JIT=1``).
JIT_ENABLED: bool = not numba.config.DISABLE_JIT

_COMPILED_PACKAGES = ("engine", "bots")


def source_hash() -> str:
    """Return the SHA-256 (hex) of every source file that compiled code depends on."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    files = [
        package / "rules" / "variant.py",
        package / "runs" / "columns.py",
        package / "runs" / "digest.py",
    ]
    for name in _COMPILED_PACKAGES:
        files.extend(sorted((package / name).glob("*.py")))
    for path in files:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _cache_key() -> str:
    parts = (
        source_hash(),
        numba.__version__,
        np.__version__,
        platform.python_version(),
        sys.implementation.cache_tag or "",
        f"boundscheck={numba.config.BOUNDSCHECK}",
    )
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]


def _user_cache_root() -> Path:
    named = os.environ.get("SIMCLI_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "simcli"


def _prepare_cache_dir() -> Path:
    """Return a writable folder for this engine's machine code, temporary if it must be."""
    try:
        folder = _user_cache_root() / f"engine-{_cache_key()}"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        return folder
    except (OSError, RuntimeError) as error:
        folder = Path(tempfile.mkdtemp(prefix="simcli-engine-"))
        os.environ["SIMCLI_CACHE_DIR"] = str(folder)  # for the processes that this one starts
        warnings.warn(
            f"the engine's cache folder cannot be used ({error}); compiling into {folder} – "
            "set SIMCLI_CACHE_DIR to a folder that can be written",
            stacklevel=2,
        )
        return folder


CACHE_DIR: Path = _prepare_cache_dir()
numba.config.CACHE_DIR = str(CACHE_DIR)

_OPTIONS: dict[str, Any] = {"cache": True, "error_model": "numpy", "nogil": True, "_nrt": False}


def kernel(function: _F) -> _F:
    """Compile an entry point that Python or another kernel calls."""
    return numba.njit(**_OPTIONS)(function)


def inlined(function: _F) -> _F:
    """Compile a small helper that is always merged into its callers."""
    return numba.njit(forceinline=True, **_OPTIONS)(function)
