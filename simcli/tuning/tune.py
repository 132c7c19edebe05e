"""Tune weights to a variant and test what has come out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simcli.bots.lineup import read_bot
from simcli.bots.thrifty import P_WEIGHTS
from simcli.bots.thrifty_sets import SETS, set_number, weights_of_set
from simcli.bots.thrifty_weights import Weights, table_of
from simcli.errors import InputError, Problem, input_error, problems_of, refusal
from simcli.rules.variant import Variant, seat
from simcli.rules.wording import printable
from simcli.runs.report import Report
from simcli.tuning.measure import Gain, Packs, fails_among, gain

THRIFTY = "thrifty"
USUAL_PLAYERS = (2, 3, 4)


def tables_of(variant: Variant, players: Sequence[int]) -> tuple[Variant, ...]:
    """Return a variant seated at each of some sizes, by default at 2, 3 and 4 as far as it seats so many.

    Raises
    ------
    InputError
        It cannot seat so many.
    """
    wanted = sorted(set(players)) or [n for n in USUAL_PLAYERS if _seats(variant, n)] or [variant.players]
    tables: list[Variant] = []
    problems: list[Problem] = []
    for n in wanted:
        try:
            tables.append(seat(variant, n))
        except InputError as error:
            problems.extend(problems_of(error))
    if problems:
        raise input_error(problems)
    return tuple(tables)


def _seats(variant: Variant, players: int) -> bool:
    try:
        seat(variant, players)
    except InputError:
        return False
    return True


def start_of(bot: str, variant: Variant) -> Weights:
    """Return the weights of a bot as a line-up has it, to begin with.

    Raises
    ------
    InputError
        It is not `thrifty`, or set to more than weights.
    """
    found = read_bot(bot, "--bot") if bot.partition(":")[0] == THRIFTY else None
    if found is None or any(found.parameters[:P_WEIGHTS]):
        got = printable(bot) or "nothing"
        raise refusal("--bot", f"expected {THRIFTY} or {THRIFTY}:weights=…, got {got}")
    return weights_of_set(set_number(found.parameters[P_WEIGHTS], variant))


def make_ready(variant: Variant, report: Report) -> None:
    """Compile what plays by weights that are still being tuned, where that has not been done."""
    from simcli.runs.engine import are_compiled

    if not are_compiled(("play_by_tables",)):
        report.say("compiling the bot to be tuned: once on this machine, up to a minute …")
    fails_among(variant, SETS, 0, 0, Packs(0, 0, 1))


def gains_of(
    tables: Sequence[Variant], weights: Weights, usual: Weights, seed: int, n_packs: int, report: Report
) -> tuple[Gain, ...]:
    """Return what weights gain at each table against those that the search began with, in fresh packs."""
    w = np.concatenate([table_of(weights), table_of(usual)])
    report.begin("testing", sum(2 * (1 + table.players) * n_packs for table in tables), 0)
    gains, n_deals = [], 0
    try:
        for table in tables:
            gains.append(gain(table, w, 0, 1, seed, n_packs))
            n_deals += 2 * (1 + table.players) * n_packs
            report.show(n_deals)
    finally:
        report.end()
    return tuple(gains)
