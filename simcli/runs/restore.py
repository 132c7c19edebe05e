"""Restore the plan of a run from what else says it: `run.yaml`, or the parts themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcli.bots.lineup import parse_lineup
from simcli.errors import InputError, refusal
from simcli.rules.load import variant_from_mapping
from simcli.rules.wording import printable_path
from simcli.runs.folder import PLAN_FILE, RUN_FILE, RunFolder, no_run
from simcli.runs.identity import plays_alike
from simcli.runs.partfile import DamagedPart
from simcli.runs.plan import Match, Part, Plan, Stretch

WAY_OUT = f"put {PLAN_FILE} back, or start again with --fresh"


def plan_and_fault(folder: RunFolder) -> tuple[Plan, str | None]:
    """Return the plan of the run in a folder, and what is wrong with its file: None if it is sound.

    A plan that can be read is believed, unless everything else speaks against it: the name of the folder,
    `run.yaml`, and every part, all of them of one other run.

    Raises
    ------
    InputError
        There is no run, or its plan is damaged and neither `run.yaml` nor the parts say it.
    """
    try:
        plan = folder.load(folder.plan_path) if folder.has_plan() else None
        reason = "it is missing"
    except InputError as error:
        plan, reason = None, str(error).removeprefix(f"{printable_path(folder.plan_path)}: ")
    if plan is None:
        return restored_plan(folder), reason
    if _is_confirmed(folder, plan):
        return plan, None
    try:
        other = restored_plan(folder)
    except InputError:
        return plan, None
    differing = "; ".join(plan.match.differences(other.match))
    return other, f"all parts are of another plan ({differing})"


def _is_confirmed(folder: RunFolder, plan: Plan) -> bool:
    """Return whether anything but itself speaks for a plan; so does a run of which there is nothing yet."""
    if folder.path.name == plan.match.folder_name or not folder.part_names():
        return True
    reported = _reported_plan(folder)
    if reported is not None and reported.match.identity() == plan.match.identity():
        return True
    return any(_is_of(folder, plan.match, about) for _, about in _descriptions(folder))


def restored_plan(folder: RunFolder) -> Plan:
    """Return what the plan of a run must have been.

    `run.yaml` repeats it. Without one every part says whose it is and where it begins and ends; what was
    asked for beyond the last of them, and a rule for stopping, are lost then.

    Raises
    ------
    InputError
        They do not say it.
    """
    where = printable_path(folder.path)
    if not folder.part_names() and not folder.has_report():
        raise no_run(folder.path)
    descriptions = list(_descriptions(folder))
    reported = _reported_plan(folder)
    if reported is not None and all(_is_of(folder, reported.match, about) for _, about in descriptions):
        return reported
    if not descriptions:
        raise refusal(where, f"expected a {PLAN_FILE}, got none, and no part that says it – {WAY_OUT}")
    name, first = descriptions[0]
    if "variant" not in first:
        message = f"expected a {PLAN_FILE} or {RUN_FILE}, got neither, and counts do not say the rules"
        raise refusal(where, f"{message} – {WAY_OUT}")
    match = _match_of(first, printable_path(folder.path / name))
    for other, about in descriptions:
        if not _is_of(folder, match, about) or not plays_alike(about["engine"], first["engine"]):
            message = f"expected a {PLAN_FILE}, or parts of one run, got {name} and {other} of two"
            raise refusal(where, f"{message} – {WAY_OUT}")
    parts = [Part(about["part"], about["first"], about["end"]) for _, about in descriptions]
    plan = Plan(match, _stretches(parts), first["engine"])
    if not set(parts) <= set(plan.parts()):
        raise refusal(where, f"expected a {PLAN_FILE}, got too few parts to say it – {WAY_OUT}")
    return plan


def _reported_plan(folder: RunFolder) -> Plan | None:
    """Return the plan that `run.yaml` repeats, None if that cannot be read."""
    try:
        return folder.load(folder.path / RUN_FILE)
    except InputError:
        return None


def _descriptions(folder: RunFolder) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what the parts say of themselves, those that can be read and lie in their own place."""
    for name in sorted(folder.part_names(), key=lambda name: (len(name), name)):
        try:
            with folder.store.open(name) as file:
                about = folder.told_about(file)
        except (DamagedPart, OSError):
            continue
        number = folder.part_name.fullmatch(name)
        if number is not None and about.get("part") == int(number[1]):
            yield name, about


def _is_of(folder: RunFolder, match: Match, about: dict[str, Any]) -> bool:
    """Return whether a part says that it is of a match."""
    return all(about.get(key) == value for key, value in folder.metadata_of(match).items())


def _match_of(about: dict[str, Any], where: str) -> Match:
    variant = variant_from_mapping(about["variant"], where)
    lineup = parse_lineup(about["lineup"], variant.players, where)
    return Match(variant, lineup, about["seed"], about["session"])


def _stretches(parts: list[Part]) -> tuple[Stretch, ...]:
    """Return stretches that are cut into some parts, and into more between them where some are absent.

    A stretch ends with a part that is shorter than its first one, or before one that is longer.

    >>> parts = Part(0, 0, 50), Part(1, 50, 90), Part(2, 90, 120), Part(4, 150, 180)
    >>> [(stretch.deals, stretch.part_deals) for stretch in _stretches(list(parts))]
    [(90, 50), (180, 30)]
    """
    stretches: list[Stretch] = []
    begin = 0
    for part in parts:
        last = stretches[-1] if stretches else None
        if last and part.n_deals <= last.part_deals and (last.deals - begin) % last.part_deals == 0:
            stretches[-1] = Stretch(part.end, last.part_deals)
        else:
            begin = last.deals if last else 0
            stretches.append(Stretch(part.end, part.n_deals))
    return tuple(stretches)
