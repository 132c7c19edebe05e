"""Find variant files: by path, in the folder `variants` of the current directory, among the shipped ones."""

from __future__ import annotations

from pathlib import Path

from simcli.rules.shelf import SUFFIXES as SUFFIXES
from simcli.rules.shelf import VARIANTS
from simcli.rules.shelf import is_path as is_path
from simcli.rules.shelf import is_plain_name as is_plain_name


def shipped_folder() -> Path:
    """Return the folder of the shipped variants: in the built package, else beside it in the checkout."""
    return VARIANTS.shipped_folder()


def shipped_names() -> list[str]:
    """Return the names of the shipped variants, `classic` first, the others by alphabet."""
    return VARIANTS.shipped_names()


def locate_variant(ref: str | Path, base_dir: Path | None = None) -> Path:
    """Return the file a reference to a variant stands for; `Shelf.locate` says how."""
    return VARIANTS.locate(ref, base_dir)


def locate_shipped(name: str) -> Path:
    """Return the file of a shipped variant; errors as for `locate_variant`."""
    return VARIANTS.locate_shipped(name)
