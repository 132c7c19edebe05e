"""A variant: every rule on which tables differ, as one frozen, checked value (docs/rules.md 7)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from simcli.errors import Problem, input_error, refusal
from simcli.rules.conflicts import conflicts
from simcli.rules.options import RuleOption, Value, option_of, rule_options
from simcli.rules.texts import Text

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

    first: Annotated[
        Literal["lowest_trump", "dealer_left", "random"],
        Text(
            "lowest_trump",
            "The holder of the lowest trump in any hand opens the first deal, with any card",
            "the holder of the lowest trump opens it",
        ),
        Text(
            "dealer_left",
            "The dealer's left neighbour opens the first deal",
            "the dealer's left neighbour opens it",
        ),
        Text(
            "random",
            "The player who opens the first deal is drawn by lot, whatever cards anybody holds",
            "that player is drawn by lot",
        ),
    ] = Field(
        "lowest_trump",
        description="Who opens the first deal of a session: the holder of the lowest trump in any hand, "
        "the dealer's left neighbour, or a uniformly random seat.",
    )
    no_trump: Annotated[
        Literal["dealer_left", "random"],
        Text(
            "dealer_left",
            "If no hand holds a trump, the dealer's left neighbour opens",
            "the dealer's left neighbour opens then",
        ),
        Text(
            "random",
            "If no hand holds a trump, the player who opens is drawn by lot",
            "lots are drawn then",
        ),
    ] = Field("dealer_left", description="Who opens when the lowest trump decides but no hand holds a trump.")
    later: Annotated[
        Literal["dealer_left", "attack_loser", "lowest_trump"],
        Text(
            "dealer_left",
            "In later deals of a session the dealer's left neighbour opens",
            "the dealer's left neighbour opens",
        ),
        Text(
            "attack_loser",
            "In later deals of a session the loser's right neighbour opens, so that the loser is the "
            "first to defend",
            "the loser's right neighbour opens",
        ),
        Text(
            "lowest_trump",
            "In later deals of a session the holder of the lowest trump opens",
            "the holder of the lowest trump opens",
        ),
    ] = Field(
        "dealer_left",
        description="Who opens later deals of a session: the dealer's left neighbour, the loser's right "
        "neighbour (so that the loser defends first), or the lowest trump as in a first deal.",
    )


def _first_limit(validated: dict[str, Any]) -> int:
    return int(validated.get("limit", DEFAULT_LIMIT))


class Attack(Block):
    """The lead and the number of attacks in a bout (docs/rules.md 3)."""

    lead: Annotated[
        Literal["one", "several"],
        Text("one", "The lead is a single card", "it is a single card"),
        Text(
            "several",
            "The lead is one card or several of the same rank",
            "it may be several cards of the same rank",
        ),
    ] = Field("several", description="Whether the lead is one card or may be several cards of one rank.")
    limit: Annotated[
        int,
        Text(None, "A bout has at most {n:attack card}", "at most {n}"),
    ] = Field(DEFAULT_LIMIT, ge=1, le=36, description="Most attack cards in a bout.")
    first_limit: Annotated[
        int,
        Text(None, "At most {n:attack card} may be played", "at most {n:attack card} may be played"),
    ] = Field(
        default_factory=_first_limit,
        ge=1,
        le=36,
        description="Most attack cards in the bouts named by first_scope, not above limit; "
        "equals limit when omitted.",
    )
    first_scope: Annotated[
        Literal["first_bout", "until_first_discard"],
        Text("first_bout", "in the first bout of a deal", "in the first bout of a deal"),
        Text(
            "until_first_discard",
            "in a bout until an attack has been beaten for the first time in the deal",
            "until an attack has been beaten",
        ),
    ] = Field(
        "first_bout",
        description="Where first_limit applies: in the deal's first bout only, or in every bout until a "
        "defence has succeeded once in the deal.",
    )


class ThrowIn(Block):
    """Who may add attacks, when, and in which order (docs/rules.md 3.4)."""

    who: Annotated[
        Literal["all", "neighbours", "attacker", "none"],
        Text("all", "Every player except the defender may throw in", "every player except the defender may"),
        Text(
            "neighbours",
            "Only the nearest player on either side of the defender may throw in",
            "only the nearest player on either side of the defender may",
        ),
        Text("attacker", "Only the attacker may throw in", "only the attacker may"),
        Text("none", "Nobody may throw in", "nobody may"),
    ] = Field(
        "all",
        description="Who may throw in: every active seat but the defender, only the nearest active seats "
        "(opponents, with teams) before and after the defender, only the attacker, or nobody.",
    )
    window: Annotated[
        Literal["from_lead", "after_cover", "when_beaten"],
        Text(
            "from_lead",
            "Cards may be thrown in from the lead on, before each answer of the defender",
            "from the lead on",
        ),
        Text(
            "after_cover",
            "Cards may be thrown in from the first cover of the bout on, before each further answer of "
            "the defender",
            "only from the first cover on",
        ),
        Text(
            "when_beaten",
            "Cards may be thrown in only when every attack card is covered",
            "only when every attack card is covered",
        ),
    ] = Field(
        "after_cover",
        description="When cards may be thrown in: before each response of the defender, from the first "
        "cover of the bout on, or only when no attack is uncovered.",
    )
    order: Annotated[
        Literal["clockwise", "simultaneous"],
        Text(
            "clockwise",
            "The attacker has the first chance to throw in, then the others clockwise",
            "the attacker has the first chance, then the others clockwise",
        ),
        Text(
            "simultaneous",
            "Players race to throw in, and whoever is quickest comes first",
            "players race, and whoever is quickest comes first",
        ),
    ] = Field(
        "clockwise",
        description="Who is asked first: clockwise from the attacker, or a fresh random order each window "
        "(players racing to throw).",
    )
    on_pickup: Annotated[
        bool,
        Text(
            False,
            "Once the defender has declared a pick-up, nothing more is thrown in",
            "nothing more is thrown in",
        ),
        Text(
            True,
            "Once the defender has declared a pick-up, there is one last round of throwing in",
            "there is one last round of throwing in",
        ),
    ] = Field(
        True,
        description="Whether there is one last round of throw-ins after the defender declares a pick-up.",
    )


class Transfer(Block):
    """Whether the defender may pass the attack on (docs/rules.md 4)."""

    mode: Annotated[
        Literal["none", "early", "late"],
        Text("none", "Transfers are not allowed", "they are not allowed"),
        Text(
            "early",
            "Transfers are allowed as long as no attack card is covered",
            "they are allowed only before the first cover",
        ),
        Text(
            "late",
            "Transfers are allowed as long as one attack card is uncovered, even if others are covered",
            "they are allowed as long as one attack card is uncovered",
        ),
    ] = Field(
        "early",
        description="When an attack may be transferred: never, while no attack is covered, or as long as an "
        "attack is uncovered.",
    )
    cards: Annotated[
        Literal["one", "several"],
        Text("one", "A transfer is made with a single card", "only with a single one"),
        Text(
            "several",
            "A transfer may be made with several cards of the attack's rank",
            "it may be made with several",
        ),
    ] = Field(
        "several", description="Whether a transfer is one card or may be several cards of the attack's rank."
    )
    first_bout: Annotated[
        bool,
        Text(False, "Nothing may be transferred in the deal's first bout", "it may not"),
        Text(
            True,
            "An attack may be transferred in the deal's first bout too",
            "an attack may be transferred then too",
        ),
    ] = Field(True, description="Whether transfers are allowed in the deal's first bout.")


class PassCard(Block):
    """Transfer by showing the trump of the attack's rank (docs/rules.md 4)."""

    enabled: Annotated[
        bool,
        Text(
            False,
            "A transfer takes a card from the hand: it is not enough to show a trump",
            "a card has to be played",
        ),
        Text(
            True,
            "A defender who holds the trump of the attack's rank may transfer by showing it, and keeps it"
            " in the hand",
            "showing the trump of the attack's rank is enough",
        ),
    ] = Field(
        False,
        description="Whether the trump of the attack's rank may be shown and kept to pass the attack on.",
    )
    per_bout: Annotated[
        int,
        Text(
            None,
            "Each player may show a trump in this way at most {n:times} in a bout",
            "at most {n:times}",
        ),
    ] = Field(1, ge=1, le=36, description="How often each seat may show a pass card in one bout.")


class Draw(Block):
    """The order in which hands are filled up (docs/rules.md 5)."""

    first: Annotated[
        Literal["original_attacker", "final_attacker", "join_order"],
        Text(
            "original_attacker",
            "Players draw clockwise, beginning with the one who led the bout",
            "they draw clockwise from the one who led the bout",
        ),
        Text(
            "final_attacker",
            "Players draw clockwise, beginning with the one who was the attacker when the bout ended",
            "they begin with the one who was the attacker when it ended",
        ),
        Text(
            "join_order",
            "Players draw in the order in which they joined the attack, then the others clockwise from "
            "the one who led the bout",
            "they draw in the order in which they joined the attack",
        ),
    ] = Field(
        "original_attacker",
        description="Who draws first, clockwise: the seat that led the bout, or the seat that was attacker "
        "when it closed; or seats in the order in which they joined the attack.",
    )
    defender: Annotated[
        Literal["last", "last_unless_original", "in_turn"],
        Text("last", "The final defender always draws last", "always last"),
        Text(
            "last_unless_original",
            "The final defender draws last, but one who led the bout draws in turn",
            "last, unless it was that player who led the bout",
        ),
        Text(
            "in_turn",
            "The final defender draws in turn, like everybody else",
            "in turn, like everybody else",
        ),
    ] = Field(
        "last_unless_original",
        description="When the final defender draws: always last, last unless it led the bout, or in its "
        "ordinary place.",
    )


class End(Block):
    """How a deal ends (docs/rules.md 6)."""

    objective: Annotated[
        Literal["last_loses", "first_out_wins"],
        Text(
            "last_loses",
            "The last player left with cards loses the deal",
            "the last player left with cards loses it",
        ),
        Text(
            "first_out_wins",
            "The first player to leave wins the deal, and it is over",
            "the first player to leave wins it",
        ),
    ] = Field(
        "last_loses", description="Whether the last seat holding cards loses or the first seat to leave wins."
    )
    tie: Annotated[
        Literal["shared", "defender_last"],
        Text("shared", "Players who leave after the same bout share a place", "all of them share it"),
        Text(
            "defender_last",
            "Players who leave after the same bout share a place, but a final defender among them comes "
            "after the others",
            "a final defender among them comes after the others",
        ),
    ] = Field(
        "shared",
        description="What seats share that leave after the same bout: one place, or one place but the final "
        "defender comes after the others.",
    )
    stall_bouts: Annotated[
        int,
        Text(
            None,
            "After {n:pick-up} in a row the deal is stalled: it ends without a loser or a winner",
            "after {n}",
        ),
    ] = Field(
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
    deck: Annotated[
        Literal[24, 36, 52],
        Text(24, "The pack has 24 cards, nine (lowest) to ace (highest)", "it has 24, nine to ace"),
        Text(36, "The pack has 36 cards, six (lowest) to ace (highest)", "it has 36, six to ace"),
        Text(52, "The pack has 52 cards, two (lowest) to ace (highest)", "it has 52, two to ace"),
    ] = Field(36, description="Cards in the pack: 9 to ace, 6 to ace, or 2 to ace.")
    opening: Opening = Field(Opening(), description="Who opens a deal.")
    attack: Attack = Field(Attack(), description="The lead and the number of attacks in a bout.")
    throw_in: ThrowIn = Field(ThrowIn(), description="Who may add attacks, when, and in which order.")
    transfer: Transfer = Field(Transfer(), description="Whether the defender may pass the attack on.")
    pass_card: PassCard = Field(PassCard(), description="Transfer by showing the trump of the attack's rank.")
    draw: Draw = Field(Draw(), description="The order in which hands are filled up.")
    trump_exchange: Annotated[
        Literal["none", "lowest"],
        Text("none", "Nobody may swap a card for the exposed trump", "nobody may"),
        Text(
            "lowest",
            "Before each lead, as long as there is stock, the holder of the lowest trump of the pack may "
            "swap it for the exposed trump",
            "the holder of the lowest trump may",
        ),
    ] = Field(
        "none",
        description="Whether the lowest trump of the pack may be swapped for the exposed one before a lead.",
    )
    end: End = Field(End(), description="How a deal ends.")
    teams: Annotated[
        Literal["none", 2, 3],
        Text("none", "Everybody plays alone", "everybody plays alone"),
        Text(2, "Two teams play, their members in alternate seats", "two teams play"),
        Text(3, "Three teams of two play, partners opposite each other", "three teams of two play"),
    ] = Field(
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

COMPARED: tuple[RuleOption, ...] = (option_of("deck", Variant.model_fields["deck"]), *RULE_OPTIONS)
"""All that makes two variants different: the pack and the rule options."""


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
