"""Find files of one kind: by path, in a folder of the current directory, among those that ship."""

from __future__ import annotations

import filecmp
import os
import re
from dataclasses import dataclass
from pathlib import Path

from simcli.errors import refusal
from simcli.rules.variant import NAME_LENGTH, NAME_PATTERN
from simcli.rules.wording import did_you_mean, near_miss, printable, printable_path

PACKAGE = Path(__file__).resolve().parent.parent
SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True)
class Shelf:
    """Say where the files of a kind lie.

    Attributes
    ----------
    kind : str
        What a file is, e.g. ``"variant"``.
    article : str
        With its article.
    folder : str
        Name of the folder, with us and with the user.
    first : str or None
        The file that is named before all others.
    """

    kind: str
    article: str
    folder: str
    first: str | None = None

    def shipped_folder(self) -> Path:
        """Return the folder of the files that ship: in the built package, else beside it in the checkout."""
        packed = PACKAGE / "_data" / self.folder
        return packed if packed.is_dir() else PACKAGE.parent / self.folder

    def shipped_names(self) -> list[str]:
        """Return the names of the files that ship, by alphabet after the first."""
        names = [path.stem for path in self.shipped_folder().glob("*.yaml")]
        return sorted(names, key=lambda name: (name != self.first, name))

    def ships(self, path: Path) -> bool:
        """Return whether a file is the one that ships under its name, or one like it to the letter."""
        shipped = self.shipped_folder() / path.name
        try:
            return path.samefile(shipped) or filecmp.cmp(path, shipped, shallow=False)
        except OSError:
            return False

    def locate(self, ref: str | Path, base_dir: Path | None = None) -> Path:
        """Return the file a reference stands for.

        Parameters
        ----------
        ref : str or Path
            A path, or a name; the file of that name in the folder of the current directory goes before the
            one that ships.
        base_dir : Path, optional
            Folder from which relative paths start; the current directory by default.

        Raises
        ------
        InputError
            No such file, or none of this name ships.
        """
        if is_path(ref):
            return self._located_path(Path(ref), base_dir)
        local = Path(self.folder) / f"{ref}.yaml"
        if is_plain_name(str(ref)) and os.path.isfile(local):
            return local
        return self.locate_shipped(str(ref))

    def locate_shipped(self, name: str) -> Path:
        """Return the file that ships under a name; errors as for `locate`."""
        path = self.shipped_folder() / f"{name}.yaml"
        if is_plain_name(name) and os.path.isfile(path):
            return path
        raise refusal(printable(name) or '""', self.unknown_name(name))

    def unknown_name(self, name: str) -> str:
        """Return the message about a name under which nothing ships."""
        names = self.shipped_names()
        is_file = is_plain_name(name) and os.path.isfile(f"{name}.yaml")
        meant = f" – did you mean the file {name}.yaml?" if is_file else did_you_mean(name, names)
        return (
            f"unknown {self.kind}{meant} (shipped: {', '.join(names)}; "
            "a path ends in .yaml or .yml or has a slash)"
        )

    def _located_path(self, path: Path, base_dir: Path | None) -> Path:
        full = path if base_dir is None else Path(os.path.normpath(base_dir / path))
        if os.path.lexists(full):
            return full
        message = f"expected {self.article} file, there is none{self._hint(full)}"
        raise refusal(printable_path(full), message)

    def _hint(self, path: Path) -> str:
        if path.suffix not in SUFFIXES and os.path.isfile(f"{path}.yaml"):
            return f" – did you mean {printable_path(path)}.yaml?"
        if path.stem in self.shipped_names():
            return f" – the shipped {self.kind} is called {path.stem}, without path and ending"
        stems = {os.path.splitext(name)[0]: name for name in yaml_files(path.parent)}
        meant = near_miss(path.stem, list(stems))
        return f" – did you mean {printable(stems[meant])}?" if meant else ""


VARIANTS = Shelf("variant", "a variant", "variants", "classic")
EXPERIMENTS = Shelf("experiment", "an experiment", "experiments")


def is_path(ref: str | Path) -> bool:
    """Return whether a reference is a path: a YAML ending, or a slash."""
    return isinstance(ref, Path) or ref.endswith(SUFFIXES) or "/" in ref


def is_plain_name(name: str) -> bool:
    """Return whether `name` could be the name of a file that ships."""
    return len(name) <= NAME_LENGTH and re.fullmatch(NAME_PATTERN, name) is not None


def yaml_files(folder: Path) -> list[str]:
    """Return the names of the YAML files in a folder, none if it cannot be read."""
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(SUFFIXES))
    except (OSError, ValueError):
        return []
