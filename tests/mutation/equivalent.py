"""Read equivalent.yaml: the mutants that no test can tell from the engine, each with the reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.mutation.mutator import Mutant

LIST = Path(__file__).parent / "equivalent.yaml"
Key = tuple[str, str, str, str]


@dataclass(frozen=True)
class Equivalent:
    """A change that changes nothing that anybody could see.

    Attributes
    ----------
    module, function, original, mutated : str
        What names the mutants (`Mutant.key`); several of the same line of a function are all meant.
    why : str
        Why it cannot be noticed.
    """

    module: str
    function: str
    original: str
    mutated: str
    why: str

    @property
    def key(self) -> Key:
        """What names the mutants."""
        return self.module, self.function, self.original, self.mutated


def load_equivalents(text: str) -> list[Equivalent]:
    """Read the list: by module and function the reasons, under each a line and what it is changed into."""
    found = []
    for module, functions in yaml.safe_load(text).items():
        for function, groups in functions.items():
            for group in groups:
                for original, others in group["lines"].items():
                    for mutated in others:
                        why = " ".join(group["why"].split())
                        found.append(Equivalent(module, function, original, mutated, why))
    return found


def listed() -> list[Equivalent]:
    """Return the equivalents of the repository's list."""
    return load_equivalents(LIST.read_text(encoding="utf-8"))


def unmatched(equivalents: Iterable[Equivalent], mutants: Iterable[Mutant]) -> list[Equivalent]:
    """Return the entries that no mutant of the sources has any more."""
    keys = {mutant.key for mutant in mutants}
    return [entry for entry in equivalents if entry.key not in keys]
