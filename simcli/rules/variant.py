"""A variant: every rule on which tables differ, as one frozen, checked value (docs/rules.md 7)."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from simcli.errors import Problem, input_error, refusal
from simcli.rules.conflicts import conflicts
from simcli.rules.options import RuleOption, Value, rule_options

DEFAULT_LIMIT = 6
MIN_PLAYERS, MAX_PLAYERS = 2, 6
UNNAMED = "unnamed"
NAME_PATTERN = r"^[A-Za-z0-9_-]+$"
NAME_LENGTH = 64


class Block(BaseModel):
    """Base of the variant and its parts: frozen, no unknown keys, no silent conversions."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Opening(Block):
    """Who opens a deal (docs/rules.md 2)."""

    first: Literal["lowest_trump", "dealer_left", "random"] = Field(
        "lowest_trump",
        description="Who opens the first deal of a session: the holder of the lowest trump in any hand, "
        "the dealer's left neighbour, or a uniformly random seat.",
    )
    no_trump: Literal["dealer_left", "random"] = Field(
        "dealer_left", description="Who opens when the lowest trump decides but no hand holds a trump."
    )
    later: Literal["dealer_left", "attack_loser", "lowest_trump"] = Field(
        "dealer_left",
        description="Who opens later deals of a session: the dealer's left neighbour, the loser's right "
        "neighbour (so that the loser defends first), or the lowest trump as in a first deal.",
    )


def _first_limit(validated: dict[str, Any]) -> int:
    return int(validated.get("limit", DEFAULT_LIMIT))


class Attack(Block):
    """The lead and the number of attacks in a bout (docs/rules.md 3)."""

    lead: Literal["one", "several"] = Field(
        "several", description="Whether the lead is one card or may be several cards of one rank."
    )
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=36, description="Most attack cards in a bout.")
    first_limit: int = Field(
        default_factory=_first_limit,
        ge=1,
        le=36,
        description="Most attack cards in the bouts named by first_scope, not above limit; "
        "equals limit when omitted.",
    )
    first_scope: Literal["first_bout", "until_first_discard"] = Field(
        "first_bout",
        description="Where first_limit applies: in the deal's first bout only, or in every bout until a "
        "defence has succeeded once in the deal.",
    )


class ThrowIn(Block):
    """Who may add attacks, when, and in which order (docs/rules.md 3.4)."""

    who: Literal["all", "neighbours", "attacker", "none"] = Field(
        "all",
        description="Who may throw in: every active seat but the defender, only the nearest active seats "
        "(opponents, with teams) before and after the defender, only the attacker, or nobody.",
    )
    window: Literal["from_lead", "after_cover", "when_beaten"] = Field(
        "after_cover",
        description="When cards may be thrown in: before each response of the defender, from the first "
        "cover of the bout on, or only when no attack is uncovered.",
    )
    order: Literal["clockwise", "simultaneous"] = Field(
        "clockwise",
        description="Who is asked first: clockwise from the attacker, or a fresh random order each window "
        "(players racing to throw).",
    )
    on_pickup: bool = Field(
        True,
        description="Whether there is one last round of throw-ins after the defender declares a pick-up.",
    )


class Transfer(Block):
    """Whether the defender may pass the attack on (docs/rules.md 4)."""

    mode: Literal["none", "early", "late"] = Field(
        "early",
        description="When an attack may be transferred: never, while no attack is covered, or as long as an "
        "attack is uncovered.",
    )
    cards: Literal["one", "several"] = Field(
        "several", description="Whether a transfer is one card or may be several cards of the attack's rank."
    )
    first_bout: bool = Field(True, description="Whether transfers are allowed in the deal's first bout.")


class PassCard(Block):
    """Transfer by showing the trump of the attack's rank (docs/rules.md 4)."""

    enabled: bool = Field(
        False,
        description="Whether the trump of the attack's rank may be shown and kept to pass the attack on.",
    )
    per_bout: int = Field(1, ge=1, le=36, description="How often each seat may show a pass card in one bout.")


class Draw(Block):
    """The order in which hands are filled up (docs/rules.md 5)."""

    first: Literal["original_attacker", "final_attacker", "join_order"] = Field(
        "original_attacker",
        description="Who draws first, clockwise: the seat that led the bout, or the seat that was attacker "
        "when it closed; or seats in the order in which they joined the attack.",
    )
    defender: Literal["last", "last_unless_original", "in_turn"] = Field(
        "last_unless_original",
        description="When the final defender draws: always last, last unless it led the bout, or in its "
        "ordinary place.",
    )


class End(Block):
    """How a deal ends (docs/rules.md 6)."""

    objective: Literal["last_loses", "first_out_wins"] = Field(
        "last_loses", description="Whether the last seat holding cards loses or the first seat to leave wins."
    )
    tie: Literal["shared", "defender_last"] = Field(
        "shared",
        description="What seats share that leave after the same bout: one place, or one place but the final "
        "defender comes after the others.",
    )
    stall_bouts: int = Field(
        100, ge=1, le=1000, description="Number of bouts taken in a row after which the deal is stalled."
    )


class Variant(Block):
    """One table's agreements, complete: every key of a variant file has a value.

    A `Variant` is resolved: what ``extends`` brought in is merged, and ``attack.first_limit`` is a number.
    """

    name: str = Field(
        UNNAMED,
        max_length=NAME_LENGTH,
        pattern=NAME_PATTERN,
        description="Identifier of the variant: letters, digits, - and _.",
    )
    title: str = Field("", max_length=200, description="Title for people.")
    summary: str = Field("", max_length=500, description="One line on what this table agrees.")
    players: int = Field(4, ge=MIN_PLAYERS, le=MAX_PLAYERS, description="Default table size.")
    max_players: int = Field(6, ge=MIN_PLAYERS, le=MAX_PLAYERS, description="Largest table size.")
    deck: Literal[24, 36, 52] = Field(36, description="Cards in the pack: 9 to ace, 6 to ace, or 2 to ace.")
    opening: Opening = Field(Opening(), description="Who opens a deal.")
    attack: Attack = Field(Attack(), description="The lead and the number of attacks in a bout.")
    throw_in: ThrowIn = Field(ThrowIn(), description="Who may add attacks, when, and in which order.")
    transfer: Transfer = Field(Transfer(), description="Whether the defender may pass the attack on.")
    pass_card: PassCard = Field(PassCard(), description="Transfer by showing the trump of the attack's rank.")
    draw: Draw = Field(Draw(), description="The order in which hands are filled up.")
    trump_exchange: Literal["none", "lowest"] = Field(
        "none",
        description="Whether the lowest trump of the pack may be swapped for the exposed one before a lead.",
    )
    end: End = Field(End(), description="How a deal ends.")
    teams: Literal["none", 2, 3] = Field(
        "none",
        description="Partnership: none, two teams of alternating seats, or three teams of opposite seats.",
    )

    @model_validator(mode="after")
    def _agreements_fit_together(self) -> Self:
        found = conflicts(self)
        if found:
            raise ValueError("; ".join(f"{conflict.keys[0]}: {conflict.message}" for conflict in found))
        return self


TABLE_KEYS = ("name", "title", "summary", "players", "max_players", "deck")
"""Keys that name or seat a variant; all others are rule options."""

RULE_OPTIONS: tuple[RuleOption, ...] = rule_options(Variant, skip=frozenset(TABLE_KEYS))
"""Every rule option in the order of a variant file."""


def option_value(variant: Variant, key: str) -> Value:
    """Return the value of an option such as ``"attack.limit"``.

    >>> option_value(Variant(), "throw_in.window")
    'after_cover'
    """
    value: Any = variant
    for part in key.split("."):
        value = getattr(value, part)
    return value  # type: ignore[no-any-return]


def seat(variant: Variant, players: int | None = None) -> Variant:
    """Return the variant at a table of `players`, its own default size if None.

    Raises
    ------
    InputError
        The variant cannot be played by so many.
    """
    if players is None or players == variant.players:
        return variant
    where = variant.name
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise refusal(where, f"expected {MIN_PLAYERS} to {MAX_PLAYERS}, got {players}", key="players")
    seated = variant.model_copy(update={"players": players})
    found = conflicts(seated)
    if found:
        raise input_error([Problem(where, None, "players", conflict.message) for conflict in found])
    return seated
