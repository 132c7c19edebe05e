"""Load variants from files, from mappings inside other files, and from records."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simcli.errors import InputError, Problem, input_error, problems_of, refusal
from simcli.rules.check import EXTENDS, Fault, faults
from simcli.rules.conflicts import Conflict, conflicts
from simcli.rules.document import Document, KeyPath, Mark
from simcli.rules.shelf import VARIANTS
from simcli.rules.shipped import is_path, locate_shipped, locate_variant, shipped_names
from simcli.rules.variant import Variant
from simcli.rules.wording import printable, printable_path, shown
from simcli.rules.yamlfile import load_yaml

_LOGGER = logging.getLogger(__name__)
MAX_EXTENDS = 10
OWN_KEYS = ("name", "title", "summary")
"""Keys that speak of one file; `extends` does not hand them on."""
EVERYTHING: frozenset[KeyPath] = frozenset({()})
"""What is bad about a file that could not be read to its end: the path of the whole."""


def load_variant(ref: str | Path, base_dir: Path | None = None) -> Variant:
    """Load the variant a path or name stands for.

    Parameters
    ----------
    ref : str or Path
        A path (it ends in .yaml or .yml, or has a slash) or the name of a shipped variant.
    base_dir : Path, optional
        Folder from which relative paths start; the current directory by default.

    Returns
    -------
    Variant
        Complete and checked.

    Raises
    ------
    InputError
        With every problem of the file and of the files it extends.
    """
    if not isinstance(ref, str | Path):
        raise refusal("variant", f"expected a name or a path, got {shown(ref)}")
    path = locate_variant(ref, base_dir)
    _say_which(ref, path)
    document = load_yaml(path)
    return _finished(_chained(document, path.parent, (path,), name_required=True))


def _say_which(ref: str | Path, path: Path) -> None:
    """Say which file is used: aloud if a name stands for a file that did not ship."""
    if is_path(ref) or VARIANTS.ships(path):
        _LOGGER.debug("%s: %s", printable(str(ref)), printable_path(path))
    elif path.stem in shipped_names():
        _LOGGER.info("%s is used in place of the shipped variant %s", printable_path(path), ref)
    else:
        _LOGGER.info("%s is used for %s", printable_path(path), ref)


def load_variant_mapping(
    document: Document, base_dir: Path, *, name_required: bool = False, players: int | None = None
) -> Variant:
    """Load a variant written inside another file, such as a scenario.

    Parameters
    ----------
    document : Document
        The part of the file that holds the variant.
    base_dir : Path
        Folder of that file, from which `extends` starts.
    name_required : bool
        Whether the mapping must name the variant.
    players : int, optional
        Table size known from elsewhere, e.g. the number of hands; goes before the mapping's own.

    Raises
    ------
    InputError
        With every problem of the mapping and of the files it extends.
    """
    if players is not None and isinstance(document.data, dict):
        marks = {**document.marks, ("players",): document.mark(("players",))}
        document = replace(document, data={**document.data, "players": players}, marks=marks)
    return _finished(_chained(document, base_dir, (), name_required=name_required))


def variant_from_mapping(mapping: Any, where: str = "variant") -> Variant:
    """Return the variant of a plain dictionary, such as a record's; it cannot extend a file.

    Raises
    ------
    InputError
        With every problem of the mapping.
    """
    return _finished(_own_part(Document(where, mapping), file_keys=()))


@dataclass(frozen=True)
class _Part:
    """One file's contribution: what is usable, and what was wrong with the rest."""

    document: Document
    bad: frozenset[KeyPath]
    problems: tuple[Problem, ...]


def _chained(document: Document, base_dir: Path, chain: tuple[Path, ...], *, name_required: bool) -> _Part:
    """Return a file's part laid over the parts of the files it extends."""
    part = _own_part(document, file_keys=(EXTENDS,))
    if name_required and isinstance(document.data, dict) and ("name",) not in document.marks:
        missing = document.problem(("name",), "expected a name (letters, digits, - and _), got none")
        if not document.prefix:  # a whole file lacks it on no line
            missing = replace(missing, line=None)
        part = replace(part, problems=(*part.problems, missing))
    if (EXTENDS,) in part.bad:
        return replace(part, bad=EVERYTHING)
    if EXTENDS not in part.document.data:
        return part
    try:
        parent = _parent(document, base_dir, chain)
    except InputError as error:
        # What the unread file says is unknown, so nothing that depends on it is judged.
        return replace(part, problems=(*part.problems, *problems_of(error)), bad=EVERYTHING)
    return _overlaid(parent, part)


def _own_part(document: Document, file_keys: tuple[str, ...]) -> _Part:
    found: list[Fault] = faults(document, file_keys)
    bad = document.left_out().union(path for path, _ in found)
    data = _without(document.data, bad) if () not in bad else {}
    problems = (*document.problems, *(problem for _, problem in found))
    return _Part(replace(document, data=data), bad, problems)


def _without(block: dict[str, Any], bad: frozenset[KeyPath], path: KeyPath = ()) -> dict[str, Any]:
    return {
        key: _without(value, bad, (*path, key)) if isinstance(value, dict) else value
        for key, value in block.items()
        if (*path, key) not in bad
    }


def _parent(document: Document, base_dir: Path, chain: tuple[Path, ...]) -> _Part:
    """Return the part of the file that `extends` names."""
    path = _parent_path(document, base_dir)
    message = _chain_fault((*chain, path))
    if message:
        raise input_error([document.problem((EXTENDS,), message)])
    return _chained(_parent_document(document, path), path.parent, (*chain, path), name_required=True)


def _parent_document(document: Document, path: Path) -> Document:
    """Return the content of an extended file; one that is no file at all is a fault of the `extends` line."""
    try:
        return load_yaml(path)
    except InputError as error:
        raise input_error(
            problem if problem.line else document.problem((EXTENDS,), f"{problem.where}: {problem.message}")
            for problem in problems_of(error)
        ) from None


def _chain_fault(chain: tuple[Path, ...]) -> str | None:
    """Return what is wrong with files of which each extends the next, None if nothing is."""
    *files, last = (os.path.realpath(path) for path in chain)
    if last in files:
        loop = " → ".join(printable_path(path) for path in chain[files.index(last) :])
        return f"expected no loop, got {loop}"
    if len(files) > MAX_EXTENDS:
        return f"expected at most {MAX_EXTENDS} files behind one another, got more"
    return None


def _parent_path(document: Document, base_dir: Path) -> Path:
    ref = document.data[EXTENDS]
    if not isinstance(ref, str) or not ref:
        message = f"expected a path or the name of a shipped variant, got {shown(ref)}"
        raise input_error([document.problem((EXTENDS,), message)])
    try:
        # A name means the shipped file wherever the command is given, so a file means the same everywhere.
        path = locate_variant(ref, base_dir) if is_path(ref) else locate_shipped(ref)
    except InputError as error:
        text = "; ".join(f"{problem.where}: {problem.message}" for problem in problems_of(error))
        raise input_error([document.problem((EXTENDS,), text)]) from None
    return path


def _overlaid(parent: _Part, child: _Part) -> _Part:
    """Return the parent's part with everything the child names put over it."""
    data = {key: value for key, value in parent.document.data.items() if key not in (*OWN_KEYS, EXTENDS)}
    for key, value in child.document.data.items():
        data[key] = {**data.get(key, {}), **value} if isinstance(value, dict) else value
    marks = {**parent.document.marks, **child.document.marks}
    document = replace(child.document, data=data, marks=marks)
    bad = child.bad | {path for path in parent.bad if path not in child.document.marks}
    return _Part(document, bad, (*child.problems, *parent.problems))


def _finished(part: _Part) -> Variant:
    """Return the variant, or raise all problems, contradictions between sound keys included."""
    data = {key: value for key, value in part.document.data.items() if key != EXTENDS}
    unchecked = _unchecked(data)
    found = [] if () in part.bad else conflicts(unchecked)
    problems = [
        *part.problems,
        *(_conflict_problem(conflict, part.document) for conflict in found if _is_certain(conflict, part)),
    ]
    if problems:
        raise input_error(_in_order(problems))
    return Variant.model_validate(data)


def _unchecked(data: dict[str, Any]) -> Variant:
    """Return a variant whose keys are sound but may contradict each other."""
    values: dict[str, Any] = {}
    for key, value in data.items():
        block = Variant.model_fields[key].annotation
        values[key] = block(**value) if isinstance(block, type) and isinstance(value, dict) else value
    return Variant.model_construct(**values)


def _path(key: str) -> KeyPath:
    return tuple(key.split("."))


def _is_certain(conflict: Conflict, part: _Part) -> bool:
    """Return whether both keys are sound, so that their contradiction is no mere consequence."""
    touched = {path[:length] for path in map(_path, conflict.keys) for length in range(1, len(path) + 1)}
    return not touched & part.bad


def _conflict_problem(conflict: Conflict, document: Document) -> Problem:
    """Return the problem at the key that stands in the file itself, else where it was inherited from."""
    marks: list[tuple[str, Mark]] = [
        (key, document.marks[_path(key)]) for key in conflict.keys if _path(key) in document.marks
    ]
    own = [(key, mark) for key, mark in marks if mark.where == document.where]
    for key, _ in own or marks:
        return document.problem(_path(key), conflict.message)
    return document.problem(_path(conflict.keys[0]), conflict.message)


def _in_order(problems: list[Problem]) -> list[Problem]:
    """Return the problems file by file, in the order of the lines."""
    files = list(dict.fromkeys(problem.where for problem in problems))
    return sorted(problems, key=lambda problem: (files.index(problem.where), problem.line or 0))
