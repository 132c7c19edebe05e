"""Keep what became of each mutant in a file outside the checkout, so that a run can be continued."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from tests.mutation.mutator import Mutant
from tests.mutation.trial import Outcome, source_of

DEFAULT = Path(tempfile.gettempdir()) / "simcli-mutation.jsonl"


@cache
def version_of(module: str) -> str:
    """Return a hash of the text of a module: what was found out about it holds for this text alone."""
    return hashlib.sha256(source_of(module).encode()).hexdigest()[:16]


def identity(mutant: Mutant) -> list[str | int]:
    """Return what names a mutant in one version of its module."""
    return [mutant.module, version_of(mutant.module), mutant.start, mutant.end, mutant.by]


def append(path: Path, outcome: Outcome) -> None:
    """Add an outcome to the file."""
    told = [*identity(outcome.mutant), outcome.verdict, outcome.stage, outcome.check]
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(told) + "\n")


def known(path: Path, mutants: Iterable[Mutant]) -> dict[Mutant, Outcome]:
    """Return what the file knows of some mutants; the last word on each counts."""
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    told = {tuple(line[:5]): line[5:] for line in lines}
    found = {}
    for mutant in mutants:
        outcome = told.get(tuple(identity(mutant)))
        if outcome is not None:
            found[mutant] = Outcome(mutant, *outcome)
    return found


def in_order(mutants: Sequence[Mutant], outcomes: dict[Mutant, Outcome]) -> list[Outcome]:
    """Return the outcomes that there are, in the order of the mutants."""
    return [outcomes[mutant] for mutant in mutants if mutant in outcomes]
