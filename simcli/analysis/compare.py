"""Compare finished runs with a baseline: what each rule changes, by how much, and how sure that is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, get_args

from simcli.analysis.adjustment import adjusted_rows
from simcli.analysis.asked import asked_rows, check_positions, not_there
from simcli.analysis.comparison import Comparison
from simcli.analysis.counted import fixed_by, refuse_other
from simcli.analysis.examples import find_examples, missing_examples
from simcli.analysis.finished import FinishedRun, load_all_finished, named_twice
from simcli.analysis.found import Table
from simcli.analysis.packs import with_packs_named
from simcli.analysis.pair_rows import difference_rows, ranking, verdict_rows, with_holm
from simcli.analysis.phrases import margin_words
from simcli.analysis.pooled import pool_rotations
from simcli.analysis.robustness import findings
from simcli.analysis.rows import Frame, Outcome, View
from simcli.analysis.run_rows import (
    fairness_row,
    measure_rows,
    position_rows,
    share_rows,
    stage_rows,
    variant_row,
)
from simcli.analysis.setting import Setting
from simcli.analysis.skill import skill_rows
from simcli.analysis.stopped import stopping_notes, without_ordinary_intervals
from simcli.analysis.tables import By, Entry, sort_runs
from simcli.analysis.tally import tally_runs
from simcli.analysis.verdict import MARGIN
from simcli.bots.thrifty_sets import DEFAULT
from simcli.errors import refusal
from simcli.rules.variant import Variant
from simcli.rules.wording import choice, listing, shown
from simcli.runs.pool import usable_cores
from simcli.runs.store.location import S3Url

WIDE_MARGIN = 0.1
"""A share, ten points: a wider margin is taken for points given where a share is expected, and named."""
SEAT_ALARM = 1e-6
"""p of equal seats below which something is wrong with the program."""

Adjust = Literal["trumps"]


def compare(
    runs: Sequence[os.PathLike[str] | str | S3Url | FinishedRun],
    baseline: str | None = None,
    margin: float = MARGIN,
    frame: Frame | None = None,
    outcome: Outcome | None = None,
    adjust: Adjust | None = None,
    *,
    players: int | None = None,
    by: By | None = None,
    positions: Sequence[str] = (),
    examples: int = 0,
    workers: int | None = None,
) -> Comparison:
    """Compare finished runs with a baseline.

    Runs of one seed are differenced deal by deal, also with other decks or sessions; only runs of different
    seeds are compared as independent. Runs of a line-up in all its rotations count as one, pack by pack.

    Parameters
    ----------
    runs : sequence of path-like, str or FinishedRun
        Folders of finished runs, or whatever stands for one.
    baseline : str, optional
        Name of the variant to compare with; by default ``classic`` if it is among them, else the first.
    margin : float
        Smallest difference that anybody would notice, as a share of all deals.
    frame : {"opener", "dealer", "seat"}, optional
        From where positions count; by default ``opener``. Counts without rows have baseline, frame and
        outcome of their own, and those only.
    outcome : {"loss", "first_out"}, optional
        What is counted; by default ``loss``, and ``first_out`` for all if any variant has ``first_out_wins``.
    adjust : {"trumps"}, optional
        Whether to add rates and differences net of the trumps dealt.
    players : int, optional
        Table size; by default the baseline's. Runs at others are left out, and the notes say so.
    by : {"players", "bots"}, optional
        With ``players`` every table size is compared by itself.
    positions : sequence of str
        What to say besides the verdicts: positions by number or heading, such as ``["opener", "drawn"]``.
    examples : int
        How many deals to name per variant in which the rule changed who loses.
    workers : int, optional
        Threads that count; by default one a core.

    Raises
    ------
    InputError
        A run is unfinished, damaged or foreign, or runs do not belong together.
    """
    if isinstance(runs, str | os.PathLike | S3Url | FinishedRun):
        raise refusal("runs", "expected a list of runs, got one by itself – write compare([first, second])")
    if baseline is not None and not isinstance(baseline, str):
        raise refusal("baseline", f"expected the name of a variant, got a {type(baseline).__name__}")
    _check_types(runs, margin, examples)
    _check_choices(adjust, by, positions, workers)
    if frame is not None and frame not in get_args(Frame):
        raise refusal("frame", f"expected {', '.join(get_args(Frame))}, got {frame}")
    if outcome is not None and outcome not in get_args(Outcome):
        raise refusal("outcome", f"expected {', '.join(get_args(Outcome))}, got {outcome}")
    asked = check_positions(positions, frame)
    finished, not_pooled = pool_rotations(load_all_finished(runs))
    fixed = fixed_by(finished)
    if fixed is not None:
        refuse_other(fixed, baseline, frame, outcome, examples)
        baseline, frame = fixed.baseline, fixed.frame
    sorted_runs = sort_runs(finished, baseline, players, by)
    compared = [entry.run for table in sorted_runs.tables for entry in table.entries]
    view, notes = view_of([run.variant for run in compared], frame or "opener", outcome)
    if fixed is not None and view.outcome != fixed.outcome:
        view, notes = View(fixed.frame, fixed.outcome), []
    n_workers = workers or usable_cores()
    tables = [
        _table(
            Setting(each, view, margin, tally_runs([entry.run for entry in each.entries], view, n_workers)),
            adjust,
            examples,
            asked,
        )
        for each in sorted_runs.tables
    ]
    return Comparison(
        sorted_runs.baseline,
        margin,
        view,
        tuple(tables),
        tuple(findings(tables)),
        (
            *notes,
            *_wide_margin(margin),
            *(f"left out: {text}" for text in sorted_runs.left_out),
            *(f"left out: {folder} is named twice, and counts once" for folder in named_twice(runs)),
            *not_pooled,
            *not_there(asked, [table.differences for table in tables], view),
            *_table_notes(tables),
            *_alarms(tables, view.frame),
            *(missing_examples(tables, view) if examples else ()),
        ),
    )


def _check_types(runs: object, margin: object, examples: object) -> None:
    if not isinstance(runs, Iterable):
        raise refusal("runs", f"expected a list of runs, got {shown(runs)}")
    if not isinstance(margin, float | int) or not 0 < margin < 1:
        raise refusal(
            "margin", f"expected a share between 0 and 1, 0.005 for half a point, got {shown(margin)}"
        )
    if not isinstance(examples, int) or examples < 0:
        raise refusal("examples", f"expected a whole number from 0, got {shown(examples)}")


def _check_choices(adjust: object, by: object, positions: object, workers: int | None) -> None:
    for name, value, known in (("adjust", adjust, get_args(Adjust)), ("by", by, get_args(By))):
        if value is not None and value not in known:
            raise refusal(name, f"expected {choice(known)}, got {shown(value)}")
    if isinstance(positions, str):
        raise refusal("positions", f"expected a list, got one by itself – write [{positions!r}]")
    if workers is not None and workers < 1:
        raise refusal("workers", f"expected a whole number from 1, got {shown(workers)}")


def _wide_margin(margin: float) -> Iterator[str]:
    """Say how wide a margin is beyond all that rules change."""
    if margin > WIDE_MARGIN:
        words = margin_words(margin)
        yield f"the margin is {words} points of all deals; half a point is 0.5pp, in Python 0.005"


def view_of(variants: Iterable[Variant], frame: Frame, outcome: Outcome | None) -> tuple[View, list[str]]:
    """Return what is counted, and what has to be said about it."""
    winning = list(
        dict.fromkeys(variant.name for variant in variants if variant.end.objective == "first_out_wins")
    )
    if outcome is not None or not winning:
        return View(frame, outcome or "loss"), []
    names = ", ".join(winning)
    return View(frame, "first_out"), [
        f"counted is who is out first, for all variants: under {names} the first to leave wins"
    ]


def _table(setting: Setting, adjust: Adjust | None, examples: int, asked: Sequence[str]) -> Table:
    """Return everything that was found about a table."""
    found = {index: list(difference_rows(setting, index)) for index in setting.compared}
    rows = with_holm([row for each in found.values() for row, _ in each])
    judged = [
        verdict_rows(
            setting,
            index,
            [row for row in rows if row.variant == setting.entry(index).label],
            [cell for _, cell in found[index]],
        )
        for index in setting.compared
    ]
    verdicts = tuple(verdict for verdict, _ in judged)
    everything = range(len(setting.runs.entries))
    table = Table(
        runs=setting.runs,
        alpha=setting.alpha,
        look=setting.look,
        is_sequential=setting.is_sequential,
        n_variants=len(setting.compared),
        n_cells=setting.n_cells,
        variants=tuple(variant_row(setting, index) for index in everything),
        positions=tuple(row for index in everything for row in position_rows(setting, index)),
        lost_shares=tuple(row for index in everything for row in share_rows(setting, index)),
        stages=tuple(row for index in everything for row in stage_rows(setting, index)),
        differences=rows,
        verdicts=verdicts,
        effects=tuple(effect for _, effect in judged),
        fairness=tuple(fairness_row(setting, index) for index in everything),
        measures=tuple(row for index in everything for row in measure_rows(setting, index)),
        adjusted=tuple(adjusted_rows(setting)) if adjust else (),
        ranking=tuple(ranking(rows, verdicts)),
        examples=tuple(find_examples(setting.runs, setting.view, examples)),
        skill=skill_rows(setting),
        asked=tuple(asked_rows(setting, rows, asked)),
    )
    if setting.rotations > 1:
        table = with_packs_named(table)
    return without_ordinary_intervals(table) if setting.is_sequential else table


def _table_notes(tables: Sequence[Table]) -> Iterator[str]:
    """Say what else a reader has to know."""
    said: dict[str, None] = {}
    for table in tables:
        base = table.runs.baseline
        for text in (text for entry in table.runs.entries for text in _weight_notes(entry)):
            said[text] = None
        for entry in table.runs.entries[1:]:
            for text in _pair_notes(entry, base):
                said[text] = None
        for text in stopping_notes(table):
            said[text] = None
        if table.rotations > 1 and base.run.match.session > 1:
            said[
                "whether losing breeds losing is not told of rotated line-ups: their seats change players"
            ] = None
        if table.look > 1 and not table.is_sequential:
            extended = [entry.label for entry in table.runs.entries if entry.run.look == table.look]
            were = "was" if len(extended) == 1 else "were"
            said[
                f"{listing(extended)} {were} played on after a smaller number of deals: whoever looks again "
                f"may be misled again, so at this look, number {table.look}, intervals are at "
                f"{100 * (1 - table.alpha):.4g} % (α/(j(j + 1)) of α = 5 %)"
            ] = None
    yield from said
    yield from _deal_notes(tables)


def _deal_notes(tables: Sequence[Table]) -> Iterator[str]:
    """Say over how many deals differences are where runs have different numbers: once for all alike."""
    alike: dict[tuple[int, str, int], dict[str, None]] = {}
    for table in tables:
        base = table.runs.baseline
        for entry in table.runs.entries[1:]:
            run, other = entry.run, base.run
            is_paired = run.variant.teams == other.variant.teams and run.match.seed == other.match.seed
            if is_paired and run.deals != other.deals:
                alike.setdefault((run.deals, base.label, other.deals), {})[entry.label] = None
    for (deals, base_label, others), labels in alike.items():
        yield (
            f"{listing(list(labels))} {'has' if len(labels) == 1 else 'have'} {deals:,} deals, {base_label} "
            f"{others:,}: differences are over the {min(deals, others):,} that both have"
        )


def _weight_notes(entry: Entry) -> Iterator[str]:
    """Say which bots are set to weights for the rules, where none were tuned to them."""
    for bot, weights in entry.run.match.weights.items():
        if weights == DEFAULT:
            yield f"{bot} plays {entry.label} by its usual weights, for none were tuned to these rules"


def _alarms(tables: Sequence[Table], frame: Frame) -> Iterator[str]:
    """Say if equal bots fare unequally by their seats alone: then the program is at fault, not a rule."""
    for table in tables if frame == "seat" else ():
        for row in table.fairness:
            is_alike = "," not in row.lineup and table.run_of(row.variant).match.session == 1
            if is_alike and row.p < SEAT_ALARM:
                yield (
                    f"alarm: under {row.variant} the seats fare unequally (p = {row.p:.1g}) though all play "
                    "alike – the engine or its random numbers are at fault; please report it"
                )


def _pair_notes(entry: Entry, base: Entry) -> Iterator[str]:
    run, other = entry.run, base.run
    if run.variant.teams != other.variant.teams:
        yield (
            f"{entry.label} is not compared with {base.label}: positions of teams and of single players are "
            "not the same thing; its rates stand alone"
        )
        return
    if run.match.seed != other.match.seed:
        yield (
            f"{entry.label} has seed {run.match.seed}, {base.label} seed {other.match.seed}: "
            "compared as independent runs, which takes more deals"
        )
        return
    if run.variant.deck != other.variant.deck:
        decks = f"{entry.label} has {run.variant.deck} cards, {base.label} {other.variant.deck}"
        yield f"{decks}: paired, less gained"
    if run.match.session != other.match.session:
        yield (
            f"{entry.label} has sessions of {run.match.session}, {base.label} of {other.match.session}: "
            "paired, less gained"
        )
