"""Options that decide nothing beside the others, whatever their value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simcli.rules.conflicts import HAND_SIZE
from simcli.rules.variant import Variant


@dataclass(frozen=True)
class Idleness:
    """Say when some options have nothing to decide.

    Attributes
    ----------
    keys : tuple of str
        The options.
    holds : callable
        Says so of a variant played in sessions of so many deals.
    reason : str
        Why, to follow the key.
    """

    keys: tuple[str, ...]
    holds: Callable[[Variant, int], bool]
    reason: str


def _is_opened_otherwise(variant: Variant, session: int) -> bool:
    later = variant.opening.later if session > 1 else None
    return "lowest_trump" not in (variant.opening.first, later)


IDLE = (
    Idleness(
        ("opening.later",),
        lambda variant, session: session == 1,
        "decides nothing in single deals, only later in a session",
    ),
    Idleness(
        ("opening.no_trump",),
        _is_opened_otherwise,
        "decides nothing where the lowest trump does not open",
    ),
    Idleness(
        ("attack.first_scope",),
        lambda variant, session: variant.attack.first_limit >= variant.attack.limit,
        "decides nothing while first_limit is no lower than limit",
    ),
    Idleness(
        ("throw_in.window", "throw_in.order", "throw_in.on_pickup"),
        lambda variant, session: variant.throw_in.who == "none",
        "decides nothing where nobody throws in",
    ),
    Idleness(
        ("throw_in.order",),
        lambda variant, session: variant.throw_in.who == "attacker",
        "decides nothing where only one seat throws in",
    ),
    Idleness(
        ("transfer.cards", "transfer.first_bout"),
        lambda variant, session: variant.transfer.mode == "none",
        "decides nothing without transfers",
    ),
    Idleness(
        ("pass_card.per_bout",),
        lambda variant, session: not variant.pass_card.enabled,
        "decides nothing without pass cards",
    ),
    Idleness(
        ("draw.first", "draw.defender", "trump_exchange"),
        lambda variant, session: variant.players * HAND_SIZE == variant.deck,
        "decides nothing where the hands take the whole pack",
    ),
)


def idle_reason(variant: Variant, key: str, session: int = 1) -> str | None:
    """Return why an option decides nothing beside the others of a variant, None if it may decide.

    Parameters
    ----------
    variant : Variant
        The variant.
    key : str
        Dotted key of the option.
    session : int
        Deals in a session.

    >>> idle_reason(Variant(), "pass_card.per_bout")
    'decides nothing without pass cards'
    """
    return next((idle.reason for idle in IDLE if key in idle.keys and idle.holds(variant, session)), None)
