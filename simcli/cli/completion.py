"""What a shell may offer for an argument that has been begun."""

from __future__ import annotations

import os
from glob import escape, glob
from pathlib import Path

VARIANTS_HERE = Path("variants")


def variant_names(incomplete: str) -> list[str]:
    """Return the variants that a text may be the beginning of: names, and the paths of files."""
    from simcli.rules.shipped import shipped_names

    here = sorted(path.stem for path in VARIANTS_HERE.glob("*.yaml"))
    names = dict.fromkeys([*here, *shipped_names()])
    return [*(name for name in names if name.startswith(incomplete)), *_paths(incomplete)]


def _paths(incomplete: str) -> list[str]:
    """Return the variant files and the folders whose path begins so; folders with a slash."""
    from simcli.rules.shipped import SUFFIXES

    found = sorted(glob(escape(incomplete) + "*")) if incomplete else []
    folders = [path + "/" for path in found if os.path.isdir(path)]
    return [*folders, *(path for path in found if path.endswith(SUFFIXES) and os.path.isfile(path))]
