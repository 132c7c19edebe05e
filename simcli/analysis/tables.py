"""Sort runs into tables that can be compared: one number of players, one line-up, one baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from simcli.analysis.finished import FinishedRun
from simcli.analysis.leftout import sizes_words
from simcli.errors import Problem, input_error, refusal
from simcli.rules.wording import choice, did_you_mean, listing, printable, printable_path

FAVOURITE = "classic"
By = Literal["players", "bots"]


@dataclass(frozen=True)
class Entry:
    """Hold a run under the name it goes by in a comparison.

    Attributes
    ----------
    label : str
        The variant's name, with the seed or the folder where two runs of a table share it.
    run : FinishedRun
        The run.
    """

    label: str
    run: FinishedRun


@dataclass(frozen=True)
class TableRuns:
    """Hold the runs of one table size and line-up, the baseline first."""

    players: int
    lineup: str
    entries: tuple[Entry, ...]

    @property
    def baseline(self) -> Entry:
        """Return the run that all others are compared with."""
        return self.entries[0]


@dataclass(frozen=True)
class Sorted:
    """Hold what is compared, and what had to be left out and why."""

    baseline: str
    tables: tuple[TableRuns, ...]
    left_out: tuple[str, ...]


def sort_runs(
    runs: Sequence[FinishedRun],
    baseline: str | None = None,
    players: int | None = None,
    by: By | None = None,
) -> Sorted:
    """Sort runs into tables.

    Parameters
    ----------
    runs : sequence of FinishedRun
        In any order; tables and variants keep it.
    baseline : str, optional
        Name of the variant to compare with; by default ``classic`` if it is among them, else the first.
    players : int, optional
        The table size to compare at; by default the baseline's.
    by : {"players", "bots"}, optional
        With ``players`` every table size is compared by itself. Line-ups always are.

    Raises
    ------
    InputError
        There is no such baseline, or runs do not belong together.
    """
    if not runs:
        raise refusal("simcli compare", "expected finished runs, got none")
    _refuse_other_engines(runs)
    name = _baseline_name(runs, baseline)
    sizes = _sizes(runs, name, players, by)
    tables, problems = [], []
    for size in sizes:
        at_size = [run for run in runs if run.match.players == size]
        for lineup in dict.fromkeys(run.lineup for run in at_size):
            here = [run for run in at_size if run.lineup == lineup]
            entries = _with_baseline_first(_labelled(here), name)
            if entries is None:
                problems.append(_no_baseline(here, name, size, lineup))
            else:
                tables.append(TableRuns(size, lineup, entries))
    if problems:
        raise input_error(problems)
    return Sorted(name, tuple(tables), _elsewhere(runs, sizes, name, by))


def _elsewhere(
    runs: Sequence[FinishedRun], sizes: Sequence[int], baseline: str, by: By | None
) -> tuple[str, ...]:
    """Say which runs were played at tables that are not compared, and how they can be."""
    others = [run for run in runs if run.match.players not in sizes]
    if not others:
        return ()
    named = listing([f"{run.variant.name} with {run.match.players}" for run in others])
    one = "a run with another number of players"
    n_runs = one if len(others) == 1 else f"{len(others)} runs with other numbers of players"
    if by == "players":
        why = f"{baseline} was not played there"
    else:
        why = f"tables of {sizes_words(sizes)} are compared – --by players compares every size of table"
    return (f"{n_runs} ({named}): {why}",)


def _refuse_other_engines(runs: Sequence[FinishedRun]) -> None:
    signatures = Counter(run.plan.engine.get("signature") for run in runs)
    if len(signatures) == 1:
        return
    usual = signatures.most_common(1)[0][0]
    raise input_error(
        Problem(
            printable_path(run.path),
            None,
            "engine",
            f"expected runs of one engine (signature {usual}), got signature "
            f"{run.plan.engine.get('signature')} – play them again with one version of simcli",
        )
        for run in runs
        if run.plan.engine.get("signature") != usual
    )


def _baseline_name(runs: Sequence[FinishedRun], wanted: str | None) -> str:
    """Return the name, or the label, of the baseline."""
    names = list(dict.fromkeys(run.variant.name for run in runs))
    labels = list(dict.fromkeys([*names, *(entry.label for entry in _labelled(runs))]))
    if wanted is None:
        return FAVOURITE if FAVOURITE in names else names[0]
    if wanted in labels:
        return wanted
    hint = did_you_mean(wanted, names)
    raise refusal("--baseline", f"expected {choice(names)}, got {printable(wanted) or 'nothing'}{hint}")


def _sizes(runs: Sequence[FinishedRun], baseline: str, players: int | None, by: By | None) -> tuple[int, ...]:
    """Return the table sizes to compare at."""
    present = sorted({run.match.players for run in runs})
    if players is not None:
        if players not in present:
            raise refusal("--players", f"expected {choice(present)} as in the runs, got {players}")
        return (players,)
    with_baseline = [run.match.players for run in runs if _is_called(run, baseline)]
    if by == "players":
        return tuple(size for size in present if size in with_baseline)
    return (with_baseline[0] if with_baseline else runs[0].match.players,)


def _is_called(run: FinishedRun, name: str) -> bool:
    return name == run.variant.name or name.startswith(f"{run.variant.name} (")


def _labelled(runs: Sequence[FinishedRun]) -> list[Entry]:
    """Return the runs under names that tell them apart."""
    names = [run.variant.name for run in runs]
    with_seed = [f"{run.variant.name} (seed {run.match.seed})" for run in runs]
    with_chain = [f"{run.variant.name} (sessions of {run.match.session})" for run in runs]
    with_path = [f"{run.variant.name} ({printable_path(run.path)})" for run in runs]
    labels = []
    for index, run in enumerate(runs):
        for candidates in (names, with_seed, with_chain, with_path):
            if candidates.count(candidates[index]) == 1:
                labels.append(Entry(candidates[index], run))
                break
        else:
            labels.append(Entry(with_path[index], run))
    return labels


def _with_baseline_first(entries: Iterable[Entry], name: str) -> tuple[Entry, ...] | None:
    """Return the entries with the baseline in front; the first of several runs of that variant is it."""
    entries = list(entries)
    exact = [entry for entry in entries if entry.label == name]
    found = exact or [entry for entry in entries if entry.run.variant.name == name]
    if not found:
        return None
    return (found[0], *(entry for entry in entries if entry is not found[0]))


def _no_baseline(runs: Sequence[FinishedRun], name: str, players: int, lineup: str) -> Problem:
    folders = ", ".join(printable_path(run.path) for run in runs)
    return Problem(
        folders,
        None,
        None,
        f"expected a run of the baseline {name} with {players} players and {lineup} as well, got none – "
        "play it, leave this out, or choose another --baseline",
    )
