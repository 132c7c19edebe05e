"""List what a results folder holds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from simcli.errors import InputError, refusal
from simcli.rules.wording import printable_path
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.folder import PLAN_FILE, RunFolder
from simcli.runs.jointfolder import folder_at, is_joint
from simcli.runs.runfile import report_problems
from simcli.runs.store.location import Location
from simcli.runs.store.store import store_at

State = Literal["finished", "unfinished", "damaged"]


@dataclass(frozen=True)
class Listed:
    """Hold one run of a results folder.

    Attributes
    ----------
    folder : str
        Its folder.
    variant, lineup : str or None
        What was played, None if the plan cannot be read; variants that are counted together with a + between
        their names, the baseline first.
    players, seed, session, deals : int or None
        Table size, seed, deals in a session, declared deals.
    done : int
        Deals in complete parts.
    state : {"finished", "unfinished", "damaged"}
        Damaged: a part or `run.yaml` is not what it should be, or the plan cannot be read.
    digest : str or None
        Digest of a finished run.
    problems : list of str
        What is damaged, and how.
    summary : bool
        Whether it holds counts in place of rows.
    """

    folder: str
    variant: str | None
    players: int | None
    lineup: str | None
    seed: int | None
    session: int | None
    deals: int | None
    done: int
    state: State
    digest: str | None
    problems: list[str]
    summary: bool = False

    def as_mapping(self) -> dict[str, Any]:
        """Return the entry as plain data."""
        return asdict(self)


def list_runs(results: Location) -> list[Listed]:
    """Return the runs of a results folder, by name.

    Raises
    ------
    InputError
        There is no such folder, or it cannot be read.
    """
    try:
        names = store_at(results).names()
    except OSError as error:
        message = f"expected a results folder, got: {error.strerror}"
        raise refusal(printable_path(results), message) from None
    folders = [folder_at(results / name) for name in names]
    return [_listed(folder) for folder in folders if folder.has_plan() or folder.has_report()]


def _listed(folder: RunFolder) -> Listed:
    where = str(folder.path)
    try:
        plan = folder.plan()
        if plan is None:
            raise refusal(printable_path(folder.path), f"expected a {PLAN_FILE}, got none")
    except InputError as error:
        problems = str(error).splitlines()
        is_summary = is_joint(folder.path)
        return Listed(where, None, None, None, None, None, None, 0, "damaged", None, problems, is_summary)
    complete, absent, damaged = folder.records(plan, plan.parts())
    problems = [f"{printable_path(folder.part_path(damage.part))}: {damage.reason}" for damage in damaged]
    digest = digest_text(add_digests(*(record.digest for record in complete)))
    has_report = not absent and not damaged and folder.has_report()
    if has_report:
        problems += map(str, report_problems(folder.run_path, plan, digest, folder.load))
    state: State = "damaged" if problems else "finished" if has_report else "unfinished"
    match = plan.match
    return Listed(
        folder=where,
        variant=" + ".join(each.name for each in match.variants),
        players=match.players,
        lineup=match.lineup.text,
        seed=match.seed,
        session=match.session,
        deals=plan.deals,
        done=sum(record.part.n_deals for record in complete),
        state=state,
        digest=digest if state == "finished" else None,
        problems=problems,
        summary=is_joint(folder.path),
    )
