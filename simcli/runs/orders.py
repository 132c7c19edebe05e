"""Orders: what a command asks of one run, checked before anything is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from simcli.bots.lineup import Lineup, parse_lineup
from simcli.errors import InputError, Problem, input_error, problems_of, refusal
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant, seat
from simcli.rules.wording import printable_path
from simcli.runs.folder import RunFolder
from simcli.runs.identity import engine_identity
from simcli.runs.plan import DEFAULT_DEALS, MAX_DEALS, Match, Part, Plan
from simcli.runs.play import Task
from simcli.runs.stopping import (
    LARGEST_THRESHOLD,
    LOOK,
    StoppingRule,
    deals_for_any_half_width,
    next_look,
)
from simcli.runs.store.location import Location

UNTIL_HALF_WIDTH = "--until-half-width"
UNTIL_DECIDED = "--until-decided"


@dataclass(frozen=True)
class Order:
    """Say what to play, how many deals (None: the usual number), and into which results folder.

    With a rule for stopping it says how many deals there are.
    """

    match: Match
    deals: int | None
    results: Location
    rule: StoppingRule | None = None

    @property
    def folder(self) -> RunFolder:
        """Return the run's folder."""
        return RunFolder(self.results / self.match.folder_name)

    def task(self, plan: Plan, part: Part, folder: RunFolder) -> Task:
        """Return what a worker is told who is to play a part and put it into the folder that is held."""
        return Task(plan.match, engine_identity(plan.match.tuned), part, folder)


def make_orders(
    variants: Sequence[str | Path | Variant],
    *,
    bots: str,
    seed: int,
    session: int,
    deals: int | None,
    players: int | None,
    results: Location,
    fresh: bool,
    rule: StoppingRule | None = None,
    rotate: bool = False,
    or_more: bool = False,
) -> list[Order]:
    """Return one order a variant, or one a rotation of the line-up, all checked before anything is played.

    Parameters
    ----------
    variants : sequence of str, Path or Variant
        Names, paths or variants; one named twice is played once.
    bots : str
        The line-up, as text.
    seed, session : int
        Seed and deals in a session.
    deals, players : int or None
        Number of deals and table size; None for the usual ones.
    results : Path or S3Url
        The results folder.
    fresh : bool
        Whether runs that exist are to be thrown away.
    rule : StoppingRule, optional
        The rule by which all runs stop, in place of a number of deals.
    rotate : bool
        Whether every rotation of the line-up is played, so that each bot sits once where each other does.
    or_more : bool
        Whether a longer run that is there will do, up to the next number of deals that it was declared with.

    Raises
    ------
    InputError
        With the problems of all variants.
    """
    orders: dict[str, Order] = {}
    problems: list[Problem] = []
    for given in variants:
        try:
            variant = seat(given if isinstance(given, Variant) else load_variant(given), players)
            lineup = parse_lineup(bots, variant.players)
            for each in _rotations(lineup) if rotate else [lineup]:
                order = Order(Match(variant, each, seed, session), deals, results, rule)
                _refuse_namesake(order, orders)
                if or_more:
                    order = or_declared(order)
                check_order(order, fresh)
                orders[order.match.folder_name] = order
        except InputError as error:
            problems.extend(problem for problem in problems_of(error) if problem not in problems)
    if problems:
        raise input_error(problems)
    return list(orders.values())


def or_declared(order: Order) -> Order:
    """Return an order for the next number of deals that a longer run was declared with, if one is there."""
    plan = None if order.deals is None else order.folder.plan_of(order.match)
    if plan is None or plan.is_open or order.deals is None:
        return order
    wanted = order.deals
    return replace(order, deals=min((deals for deals in plan.declared if deals >= wanted), default=wanted))


def _rotations(lineup: Lineup) -> list[Lineup]:
    """Return all rotations of a line-up; raise an `InputError` if they are all the same."""
    rotations = lineup.rotations()
    if len(rotations) == 1:
        raise refusal(
            "--rotate", f"expected --bots with different bots, one a seat, got {lineup.text} at all seats"
        )
    return rotations


def _refuse_namesake(order: Order, orders: dict[str, Order]) -> None:
    """Raise an `InputError` if another variant of this name has other rules."""
    earlier = orders.get(order.match.folder_name)
    if earlier is not None and earlier.match.identity() != order.match.identity():
        what = "; ".join(order.match.differences(earlier.match))
        raise refusal(
            order.match.variant.name,
            f"expected one variant of this name, got two with different rules ({what}) – rename one of them",
        )


def stopping_rule(
    half_width: float | None, margin: float | None, max_deals: int | None, *, has_deals: bool
) -> StoppingRule | None:
    """Return the rule by which runs are to stop, None if none is asked for.

    Parameters
    ----------
    half_width : float or None
        Half-width to be reached, as a share of all deals.
    margin : float or None
        Margin at which all verdicts are waited for.
    max_deals : int or None
        Deals at most.
    has_deals : bool
        Whether a number of deals is asked for as well.

    Raises
    ------
    InputError
        They do not go together.
    """
    if half_width is None and margin is None:
        if max_deals is not None:
            message = f"expected {UNTIL_HALF_WIDTH} or {UNTIL_DECIDED} with it, got neither"
            raise refusal("--max-deals", message)
        return None
    option = UNTIL_DECIDED if half_width is None else UNTIL_HALF_WIDTH
    if half_width is not None and margin is not None:
        raise refusal(UNTIL_DECIDED, f"expected one rule for stopping, got {UNTIL_HALF_WIDTH} as well")
    if has_deals:
        raise refusal("--deals", f"expected none with {option} – --max-deals says how many at most")
    if max_deals is not None and max_deals % LOOK:
        raise refusal(
            "--max-deals",
            f"expected a multiple of {LOOK:,}, as runs are looked at every {LOOK:,} deals, got "
            f"{max_deals:,} – {max_deals // LOOK * LOOK:,} is one",
        )
    if half_width is not None:
        most = max_deals or deals_for_any_half_width(half_width, MAX_DEALS)
        return StoppingRule("half-width", half_width, most)
    if max_deals is None or margin is None:
        raise refusal(option, "expected --max-deals with it, for a verdict may never come")
    if margin > LARGEST_THRESHOLD:
        raise refusal("--margin", f"expected up to {LARGEST_THRESHOLD * 100:g} points with {option}")
    return StoppingRule("decided", margin, max_deals)


def check_order(order: Order, fresh: bool = False) -> None:
    """Raise an `InputError` if an order cannot be carried out, before anything is played."""
    _refuse_broken_sessions(order)
    _refuse_rule_over_sessions(order)
    order.folder.refuse_other_contents()
    plan = None if fresh else order.folder.plan_of(order.match)
    if plan is None:
        order.folder.refuse_unwritable()
    elif order.rule is None:
        wanted_deals(order, plan)
    else:
        refuse_other_rule(order, plan, order.rule)


def wanted_deals(order: Order, plan: Plan | None) -> int:
    """Return how many deals an order wants, given the run that is there.

    Without a number these are a million, rounded up to whole sessions, or all that the run has.

    Raises
    ------
    InputError
        The run is longer and was never declared with this number: its parts do not end there.
    """
    session = order.match.session
    if plan is not None and plan.is_open:
        _refuse_open(order, plan)
    if order.deals is None:
        usual = -(-DEFAULT_DEALS // session) * session
        return usual if plan is None else max(usual, plan.deals)
    if plan is not None and order.deals < plan.deals and order.deals not in plan.declared:
        known = ", ".join(f"{deals:,}" for deals in plan.declared)
        raise refusal(
            "--deals",
            f"expected {known} as this run was declared, or more than {plan.deals:,}, got {order.deals:,} – "
            "give another --out for a shorter run",
        )
    return order.deals


def _refuse_open(order: Order, plan: Plan) -> None:
    """Raise an `InputError` if an order would go beyond what is settled of a run that a rule may stop."""
    rule = plan.stretches[-1].rule
    if rule is None or order.deals in plan.declared:
        return
    raise refusal(
        printable_path(order.folder.path),
        f"expected {rule.option} as this run was begun with, which has not stopped it yet – give that "
        f"command again, --deals {rule.max_deals} for all its deals, or another --out",
    )


def refuse_other_rule(order: Order, plan: Plan, rule: StoppingRule) -> None:
    """Raise an `InputError` if a rule of another kind, or of fewer deals, is to stop a run."""
    where, there = printable_path(order.folder.path), plan.settled_deals
    begun = plan.stretches[-1].rule
    if plan.is_open and begun is not None and begun.kind != rule.kind:
        raise refusal(
            where,
            f"expected {begun.option} as this run was begun with, got {rule.option} – finish that first, "
            "or give another --out",
        )
    if next_look(there) > rule.max_deals and not rule.always_holds_in_time:
        raise refusal(
            "--max-deals",
            f"expected {next_look(there):,} or more, as {where} has {there:,} deals, got {rule.max_deals:,}",
        )


def _refuse_rule_over_sessions(order: Order) -> None:
    if order.rule is not None and order.match.session > 1:
        raise refusal(
            "--session",
            f"expected single deals with {order.rule.option}, got sessions of {order.match.session} – "
            "give a number of deals instead",
        )


def _refuse_broken_sessions(order: Order) -> None:
    session, deals = order.match.session, order.deals
    if deals is None or deals % session == 0:
        return
    below = deals // session * session
    near = f"{below + session:,}" if below == 0 else f"{below:,} or {below + session:,}"
    raise refusal("--deals", f"expected whole sessions of {session} deals, such as {near}, got {deals:,}")
