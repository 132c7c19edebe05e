"""Play what a comparison of variants still lacks."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, TypeVar

from simcli.analysis.finished import FinishedRun, load_finished
from simcli.analysis.leftout import gathered, lacking
from simcli.analysis.means import LEAST_SESSIONS
from simcli.analysis.tables import FAVOURITE
from simcli.errors import refusal
from simcli.rules.conflicts import conflicts
from simcli.rules.load import load_variant
from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS, Variant
from simcli.rules.wording import choice, did_you_mean, printable
from simcli.runs.conduct import Onlooker, conduct_all
from simcli.runs.orders import Order, make_orders
from simcli.runs.pool import Pool
from simcli.runs.report import Report
from simcli.runs.staged import Watch, conduct_until
from simcli.runs.stopping import StoppingRule
from simcli.runs.store.location import Location

_LOGGER = logging.getLogger(__name__)

DEFAULT_DEALS = 300_000
SomeOrder = TypeVar("SomeOrder", bound=Order)
WatchOf = Callable[[], Watch]


@dataclass(frozen=True)
class Commission:
    """Hold the orders of a comparison, and which variants cannot sit at its table."""

    orders: tuple[Order, ...]
    left_out: tuple[str, ...]


def commission(
    variants: Sequence[str | Path | Variant],
    *,
    lineups: Sequence[str],
    baseline: str | None,
    players: Sequence[int],
    by_players: bool,
    deals: int | None,
    seed: int,
    session: int,
    results: Location,
    rule: StoppingRule | None = None,
    rotate: bool = False,
) -> Commission:
    """Return one order per variant, line-up and table size, all checked before anything is played.

    Parameters
    ----------
    variants : sequence of str, Path or Variant
        Names, paths or variants.
    lineups : sequence of str
        Line-ups, as text.
    baseline : str or None
        Name of the variant whose table size counts; by default ``classic`` if it is named, else the first.
    players : sequence of int
        Table sizes; empty for the baseline's, or with `by_players` for all that seat the baseline.
    by_players : bool
        Whether all table sizes are compared.
    deals : int or None
        Number of deals, or the next one that a longer run was declared with; None for `DEFAULT_DEALS` in
        whole sessions, or all of a longer run that is there.
    seed, session : int
        Seed and deals in a session.
    results : Path or S3Url
        The results folder.
    rule : StoppingRule, optional
        The rule by which the runs stop, in place of a number of deals.
    rotate : bool
        Whether every line-up is played in all its rotations, in a run each.

    Raises
    ------
    InputError
        With the problems of all variants.
    """
    refuse_few_deals(deals, session)
    if rotate and rule is not None:
        refuse_rotation(rule.option)
    seated = seating(variants, baseline, players, by_players)
    orders: dict[Location, Order] = {}
    left_out = list(seated.left_out)
    for size, fitting in seated.tables.items():
        for lineup in lineups:
            made = make_orders(
                fitting, bots=lineup, seed=seed, session=session, deals=deals, players=size, results=results,
                fresh=False, rule=rule, or_more=True, rotate=rotate,
            )  # fmt: skip
            for order in made:
                _say_longer(order, deals)
                if order.folder.path in orders:
                    left_out.append(f"{order.match.variant.name} is named twice, and counts once")
                orders[order.folder.path] = sized(order)
    return Commission(tuple(orders.values()), tuple(dict.fromkeys(left_out)))


@dataclass(frozen=True)
class Seating:
    """Hold which variants sit at which tables.

    Attributes
    ----------
    baseline : Variant
        The variant that the others are compared with.
    tables : mapping of int to sequence of Variant
        Per table size the variants that can be played there, the baseline among them.
    left_out : tuple of str
        Which cannot, and why.
    """

    baseline: Variant
    tables: Mapping[int, Sequence[Variant]]
    left_out: tuple[str, ...]


def seating(
    variants: Sequence[str | Path | Variant],
    baseline: str | None,
    players: Sequence[int],
    by_players: bool,
) -> Seating:
    """Return which variants sit at which tables; arguments and errors as for `commission`."""
    known = _loaded(variants)
    base = _baseline(known, baseline)
    tables: dict[int, list[Variant]] = {}
    twice = [f"{name} is named twice, and counts once" for name, n in Counter(variants).items() if n > 1]
    refused: list[tuple[str, int, str]] = []
    for size in list(players) or (_all_sizes(base) if by_players else [base.players]):
        fitting = tables.setdefault(size, [])
        for variant in known:
            needs = lacking(variant.model_copy(update={"players": size}))
            if needs is None:
                fitting.append(variant)
            elif variant is base:
                raise refusal(variant.name, _fault(variant, size), key="players")
            else:
                refused.append((variant.name, size, needs))
    return Seating(base, tables, (*twice, *map(str, gathered(refused))))


def _say_longer(order: Order, deals: int | None) -> None:
    if deals is not None and order.deals is not None and order.deals > deals:
        name = order.match.folder_name
        _LOGGER.info("%s: has %s deals, and all of them count", name, f"{order.deals:,}")


def refuse_few_deals(deals: int | None, session: int) -> None:
    """Raise an `InputError` if so many deals are too few sessions to compare."""
    if deals is not None and session > 1 and deals < LEAST_SESSIONS * session:
        message = f"expected at least {LEAST_SESSIONS} sessions of {session} deals, got {deals:,} deals"
        raise refusal("--deals", message)


def refuse_rotation(option: str) -> NoReturn:
    """Raise an `InputError`: rotations are to have the same deals, and a rule would stop each elsewhere."""
    raise refusal(option, "expected a number of deals with --rotate, for all rotations – give --deals")


def play_missing(
    orders: Sequence[Order], pool: Pool, report: Report, onlooker: Onlooker | None = None
) -> Iterator[FinishedRun]:
    """Yield the runs that the orders ask for, in their order, those that were missing played together.

    Arguments and errors as for `simcli.runs.conduct.conduct_all`.
    """
    for outcome in conduct_all(orders, pool, report, onlooker=onlooker):
        yield load_finished(outcome.folder, outcome.deals)


def refuse_nothing_to_judge(orders: Sequence[Order], baseline: str | None, where: str) -> None:
    """Raise an `InputError` if a table has no variant that can be judged against its baseline."""
    for together in _tables(orders):
        variants = [order.match.variant for order in together]
        base = _baseline(variants, baseline)
        if not any(each is not base and each.teams == base.teams for each in variants):
            raise refusal(
                where,
                f"expected a variant to judge against {base.name} with {base.players} players, got none",
            )


def refuse_lonely(orders: Iterable[Order], left_out: Iterable[str]) -> None:
    """Raise an `InputError` if of several variants only one can sit at the table."""
    names = {variant.name for order in orders for variant in order.match.variants}
    reasons = [text for text in left_out if "named twice" not in text]
    if len(names) == 1 and reasons:
        what = f"expected a variant to compare with {names.pop()}, got none"
        raise refusal("compare", f"{what} – {'; '.join(reasons)}")


def _tables(orders: Sequence[Order]) -> Iterator[list[Order]]:
    """Yield the orders of each table size and line-up."""
    tables: dict[tuple[int, str], list[Order]] = {}
    for order in orders:
        tables.setdefault((order.match.players, order.match.lineup.text), []).append(order)
    yield from tables.values()


def play_until(
    orders: Sequence[Order], rule: StoppingRule, watch_of: WatchOf, pool: Pool, report: Report
) -> Iterator[FinishedRun]:
    """Yield the runs of the orders, played until a rule stops them, those of a table together.

    Parameters
    ----------
    orders : sequence of Order
        What to play; every table size and line-up is stopped by itself.
    rule : StoppingRule
        The rule.
    watch_of : callable
        Makes what says, for the runs of one table, whether the rule holds.
    pool, report
        As for `conduct`.

    Raises
    ------
    InputError, RunError
        As for `simcli.runs.staged.conduct_until`.
    """
    for together in _tables(orders):
        for outcome in conduct_until(together, rule, watch_of(), pool, report):
            yield load_finished(outcome.folder, outcome.deals)


def _loaded(variants: Sequence[str | Path | Variant]) -> list[Variant]:
    """Return variants as such, each of them once."""
    known: list[Variant] = []
    for given in variants:
        variant = given if isinstance(given, Variant) else load_variant(given)
        if variant not in known:
            known.append(variant)
    return known


def sized(order: SomeOrder) -> SomeOrder:
    """Return an order with a number of deals: a run that is there is looked at as a whole."""
    if order.deals is not None or order.rule is not None:
        return order
    session = order.match.session
    usual = -(-DEFAULT_DEALS // session) * session
    plan = order.folder.plan_of(order.match)
    return replace(order, deals=usual if plan is None else max(usual, plan.deals))


def _baseline(variants: Sequence[Variant], wanted: str | None) -> Variant:
    names = [variant.name for variant in variants]
    if wanted is None:
        wanted = FAVOURITE if FAVOURITE in names else names[0]
    if wanted not in names:
        hint = did_you_mean(wanted, names)
        raise refusal("--baseline", f"expected {choice(names)}, got {printable(wanted) or 'nothing'}{hint}")
    return variants[names.index(wanted)]


def _all_sizes(variant: Variant) -> list[int]:
    sizes = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    return [size for size in sizes if lacking(variant.model_copy(update={"players": size})) is None]


def _fault(variant: Variant, players: int) -> str:
    """Return why a variant cannot be played by so many, as messages about wrong input say it."""
    return conflicts(variant.model_copy(update={"players": players}))[0].message
