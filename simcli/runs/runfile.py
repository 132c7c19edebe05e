"""Check `run.yaml`: whether it says of a complete run what plan and parts say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from simcli.errors import InputError, Problem, problems_of
from simcli.rules.wording import printable_path, shown
from simcli.runs.folder import PLAN_FILE
from simcli.runs.plan import Plan
from simcli.runs.planfile import load_document, load_plan
from simcli.runs.store.location import Location


def report_problems(
    path: Location, plan: Plan, digest: str, load: Callable[[Location], Plan] = load_plan
) -> list[Problem]:
    """Return where `run.yaml` cannot be read, or speaks of another plan or of other rows than are there.

    `load` reads a plan of this kind.
    """
    where = printable_path(path)
    try:
        told, data = load(path).as_mapping(), load_document(path).data
    except InputError as error:
        return list(problems_of(error))
    own = plan.as_mapping()
    keys = [key for key in {**own, **told} if told.get(key) != own.get(key)]
    if keys:
        return [
            Problem(where, None, None, f"expected what {PLAN_FILE} says, got another {' and '.join(keys)}")
        ]
    if str(data.get("digest")) != digest:
        message = f"expected the digest of the parts, {digest}, got {shown(data.get('digest'))}"
        return [Problem(where, None, "digest", message)]
    return [
        Problem(where, None, key, f"expected {expected}, got {shown(data.get(key))}")
        for key, (expected, is_right) in FIGURES.items()
        if not is_right(data.get(key))
    ]


def kept_figures(path: Location) -> dict[str, Any]:
    """Return what only `run.yaml` knows, as far as it still can be read."""
    try:
        data = load_document(path).data
    except InputError:
        return {}
    return {key: data[key] for key, (_, is_right) in FIGURES.items() if is_right(data.get(key))}


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value) is not None
    except ValueError:
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _is_count(value: Any) -> bool:
    return _is_number(value) and isinstance(value, int)


FIGURES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "platform": ("a text", lambda value: isinstance(value, str) and bool(value)),
    "start": ("a date and a time", _is_time),
    "seconds": ("a number of seconds", _is_number),
    "played": ("a number of deals", _is_count),
    "deals_per_s": ("a number of deals", _is_count),
}
"""What `run.yaml` has beside plan and digest: what is expected of each value."""
