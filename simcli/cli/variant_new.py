"""Write a new variant file, asking one agreement after another if wanted."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from simcli.cli.speech import remark
from simcli.cli.tables import console
from simcli.errors import InputError, problems_of, refusal
from simcli.rules.check import name_fault
from simcli.rules.conflicts import conflicts
from simcli.rules.load import load_variant
from simcli.rules.newfile import (
    SCHEMA_FILE,
    field_of,
    refuse_existing,
    refuse_name,
    schema_text,
    setting,
    variant_file_text,
)
from simcli.rules.options import Value, allowed_values
from simcli.rules.sheet import has_effect
from simcli.rules.variant import COMPARED, Variant, option_value
from simcli.rules.wording import printable_path
from simcli.terminal import wrapped

HERE = Path("variants")
COMMAND = "simcli variants new"
REST = "rest"
STOP = "\0"
"""The answer that ends the questions: no value that a key could have."""
ALWAYS_ASKED = ("players", "attack.first_limit")


def target(name: str, folder: Path | None) -> Path:
    """Return the path of the new file, which must not be there yet.

    Raises
    ------
    InputError
        The name is none, or the file is there.
    """
    refuse_name(name, name_fault(name))
    path = _folder(folder) / f"{name}.yaml"
    refuse_existing(path)
    return path


def _folder(folder: Path | None) -> Path:
    if folder is not None:
        return folder
    return HERE if HERE.is_dir() else Path()


def write_new(name: str, base: str, folder: Path | None, values: dict[str, Value]) -> None:
    """Write the file of a new variant, and the schema beside it if it is not there."""
    path = target(name, folder)
    text = variant_file_text(name, base, path.parent, values)
    schema = path.parent / SCHEMA_FILE
    write_files({path: text} if schema.exists() else {path: text, schema: schema_text()})
    remark(f"written: {printable_path(path)}")
    words = ["simcli", "compare", base, name if path.parent == HERE else printable_path(path)]
    remark(f"next: {shlex.join(words)}  says what its rules change")


def write_files(texts: Mapping[Path, str]) -> None:
    """Write new files, and the folders they lie in."""
    from simcli.runs.partfile import write_whole

    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text.encode())
        except OSError as error:
            message = f"expected a folder to write into, got: {error.strerror}"
            raise refusal(printable_path(path.parent), message) from None


def asked(name: str, base: str, folder: Path | None) -> dict[str, Value]:
    """Return what somebody at the terminal says is otherwise than in another variant."""
    target(name, folder)
    parent = load_variant(base)
    if not sys.stdin.isatty():
        raise refusal(COMMAND, "expected a terminal to ask at, or --set KEY=VALUE, got neither")
    out = console()
    out.print(
        wrapped(
            f"Return keeps what holds in {parent.name}, a number chooses, {REST} keeps all the rest.",
            out.width,
        )
    )
    values: dict[str, Value] = {}
    for key in ("title", "summary"):
        answer = _line(f"{key}: ")
        if answer:
            values[key] = setting(f"{key}={answer}")[1]
    for key in ("players", *(option.key for option in COMPARED)):
        if key in ALWAYS_ASKED or has_effect(_draft(parent, values), key):
            chosen = _answer(key, _draft(parent, values), parent.name)
            if chosen is STOP:
                break
            _keep(values, key, chosen)
    while found := conflicts(_draft(parent, values)):
        out.print(wrapped(found[0].message, out.width))
        for key in found[0].keys:
            _keep(values, key, _answer(key, _draft(parent, values), parent.name))
    return values


def _keep(values: dict[str, Value], key: str, chosen: Value | None) -> None:
    if chosen is not None and chosen is not STOP:
        values[key] = chosen


def _draft(parent: Variant, values: dict[str, Value]) -> Variant:
    """Return what has been said so far, which need not fit together yet."""
    draft = parent
    own = dict(values)
    if "attack.limit" in own and not _has_first_limit(parent):
        own.setdefault("attack.first_limit", own["attack.limit"])
    for key, value in own.items():
        above, _, last = key.rpartition(".")
        if above:
            block = getattr(draft, above).model_copy(update={last: value})
            draft = draft.model_copy(update={above: block})
        else:
            draft = draft.model_copy(update={last: value})
    return draft


def _has_first_limit(variant: Variant) -> bool:
    return variant.attack.first_limit != variant.attack.limit


def _answer(key: str, draft: Variant, parent: str) -> Value | None:
    """Ask about one key until the answer makes sense; None keeps what holds."""
    out = console()
    field = field_of(key)
    now = option_value(draft, key)
    out.print()
    values, question = allowed_values(field), field.description or ""
    # What stands behind a colon are the choices, which follow.
    out.print(wrapped(question.partition(":")[0] if values else question, out.width), markup=False)
    for number, value in enumerate(values or (), start=1):
        mark = f" (as in {parent})" if value == now else ""
        out.print(wrapped(f"  {number}  {_meaning(key, value)}{mark}", out.width), markup=False)
    while True:
        entry = _line("> " if values else f"[{now}] > ")
        if entry in ("", REST):
            return None if entry == "" else STOP
        if values and entry.isdecimal() and 1 <= int(entry) <= len(values):
            return values[int(entry) - 1]
        try:
            return setting(f"{key}={entry}")[1]
        except InputError as error:
            out.print(wrapped(problems_of(error)[0].message, out.width), markup=False)


def _meaning(key: str, value: Value) -> str:
    return next(option for option in COMPARED if option.key == key).text(value).rule


def _line(prompt: str) -> str:
    """Read one line from the terminal.

    Raises
    ------
    InputError
        There is none any more.
    """
    try:
        return input(prompt).strip()
    except EOFError:
        raise refusal(COMMAND, "expected an answer, got the end – nothing was written") from None
