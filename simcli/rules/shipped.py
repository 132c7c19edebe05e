"""Find variant files: by path, in the folder `variants` of the current directory, among the shipped ones."""

from __future__ import annotations

import os
import re
from pathlib import Path

from simcli.errors import refusal
from simcli.rules.variant import NAME_LENGTH, NAME_PATTERN
from simcli.rules.wording import did_you_mean, near_miss, printable, printable_path

PACKAGE = Path(__file__).resolve().parent.parent
LOCAL_FOLDER = Path("variants")
SUFFIXES = (".yaml", ".yml")


def shipped_folder() -> Path:
    """Return the folder of the shipped variants: in the built package, else beside it in the checkout."""
    packed = PACKAGE / "_data" / "variants"
    return packed if packed.is_dir() else PACKAGE.parent / "variants"


def shipped_names() -> list[str]:
    """Return the names of the shipped variants, `classic` first, the others by alphabet."""
    names = [path.stem for path in shipped_folder().glob("*.yaml")]
    return sorted(names, key=lambda name: (name != "classic", name))


def is_path(ref: str | Path) -> bool:
    """Return whether a reference to a variant is a path: a YAML ending, or a slash."""
    return isinstance(ref, Path) or ref.endswith(SUFFIXES) or "/" in ref


def locate_variant(ref: str | Path, base_dir: Path | None = None) -> Path:
    """Return the file a reference to a variant stands for.

    Parameters
    ----------
    ref : str or Path
        A path, or the name of a variant; ``variants/NAME.yaml`` in the current directory goes before
        the shipped file of that name.
    base_dir : Path, optional
        Folder from which relative paths start; the current directory by default.

    Raises
    ------
    InputError
        No such file, or no shipped variant of this name.
    """
    if is_path(ref):
        return _located_path(Path(ref), base_dir)
    local = LOCAL_FOLDER / f"{ref}.yaml"
    if is_plain_name(str(ref)) and os.path.isfile(local):
        return local
    return locate_shipped(str(ref))


def locate_shipped(name: str) -> Path:
    """Return the file of a shipped variant; errors as for `locate_variant`."""
    path = shipped_folder() / f"{name}.yaml"
    if is_plain_name(name) and os.path.isfile(path):
        return path
    raise refusal(printable(name) or '""', unknown_name(name))


def is_plain_name(name: str) -> bool:
    """Return whether `name` could be the name of a variant."""
    return len(name) <= NAME_LENGTH and re.fullmatch(NAME_PATTERN, name) is not None


def unknown_name(name: str) -> str:
    """Return the message about a name that no shipped variant has."""
    names = shipped_names()
    is_file = is_plain_name(name) and os.path.isfile(f"{name}.yaml")
    meant = f" – did you mean the file {name}.yaml?" if is_file else did_you_mean(name, names)
    return (
        f"unknown variant{meant} (shipped: {', '.join(names)}; a path ends in .yaml or .yml or has a slash)"
    )


def _located_path(path: Path, base_dir: Path | None) -> Path:
    full = path if base_dir is None else Path(os.path.normpath(base_dir / path))
    if os.path.lexists(full):
        return full
    raise refusal(printable_path(full), f"expected a variant file, there is none{_hint(full)}")


def _hint(path: Path) -> str:
    if path.suffix not in SUFFIXES and os.path.isfile(f"{path}.yaml"):
        return f" – did you mean {printable_path(path)}.yaml?"
    if path.stem in shipped_names():
        return f" – the shipped variant is called {path.stem}, without path and ending"
    stems = {os.path.splitext(name)[0]: name for name in _yaml_files(path.parent)}
    meant = near_miss(path.stem, list(stems))
    return f" – did you mean {printable(stems[meant])}?" if meant else ""


def _yaml_files(folder: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(SUFFIXES))
    except (OSError, ValueError):
        return []
