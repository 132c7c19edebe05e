"""Keep what became of each mutant in a file outside the checkout, so that a run can be continued."""

from __future__ import annotations

import ast
import hashlib
import json
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from tests.mutation.mutator import Mutant, Source
from tests.mutation.trial import Outcome, source_of

DEFAULT = Path(tempfile.gettempdir()) / "simcli-mutation.jsonl"


@cache
def places_of(module: str) -> dict[str, tuple[int, str]]:
    """Return where each function of a module begins, and a hash of its text."""
    source = Source(module, source_of(module))
    return {
        node.name: (source.start(node), hashlib.sha256(source.text(node).encode()).hexdigest()[:16])
        for node in source.tree.body
        if isinstance(node, ast.FunctionDef)
    }


def identity(mutant: Mutant) -> list[str | int]:
    """Return what names a mutant as long as its function stays as it is, wherever it moves."""
    if not mutant.function:
        return [mutant.module, "", mutant.original, 0, mutant.mutated]
    start, text = places_of(mutant.module)[mutant.function]
    return [mutant.module, f"{mutant.function} {text}", mutant.start - start, mutant.end - start, mutant.by]


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
