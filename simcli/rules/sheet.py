"""The rule sheet of a variant, for players, and what two variants do otherwise, in words.

What the value of an option means stands beside the option, in the model. Here are the rules that hold at
every table, and which options say anything at a table (docs/rules.md 1 to 6).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from simcli.rules.conflicts import HAND_SIZE, conflicts
from simcli.rules.idle import idle_reason
from simcli.rules.options import Value
from simcli.rules.texts import Count, Text
from simcli.rules.variant import COMPARED, MAX_PLAYERS, MIN_PLAYERS, Variant, option_value

Sentences = Iterator[str]


@dataclass(frozen=True)
class SheetSection:
    """Hold one part of a rule sheet: its title and its sentences, in order."""

    title: str
    sentences: tuple[str, ...]


def rule_sheet(variant: Variant, *, is_played: bool = False) -> tuple[SheetSection, ...]:
    """Return the rules of a table as its players would read them.

    Each option is expressed in one sentence; what has no effect at this table is left out.

    Parameters
    ----------
    variant : Variant
        Its rules.
    is_played : bool
        Whether it comes from a run, whose `players` says how many played and not how many usually do.
    """
    parts = (
        ("Setting up", partial(_setting_up, has_usual=not is_played)),
        ("Who opens", _opening),
        ("Attacking", _attacking),
        ("Defending", _defending),
        ("Transferring", _transferring),
        ("Throwing in", _throwing_in),
        ("Picking up", _picking_up),
        ("Drawing", _drawing),
        ("Leaving and the end", _ending),
        ("Partners", _partners),
        ("Later deals", _later_deals),
    )
    sections = (SheetSection(title, tuple(sentences(variant))) for title, sentences in parts)
    return tuple(section for section in sections if section.sentences)


def differences_in_words(variant: Variant, other: Variant) -> tuple[str, ...]:
    """Return what is otherwise in a variant than in another, one sentence a difference.

    >>> from simcli.rules.variant import Transfer
    >>> podkidnoy = Variant(name="podkidnoy", transfer=Transfer(mode="none"))
    >>> differences_in_words(podkidnoy, Variant(name="classic"))
    ('Transfers are not allowed; in classic they are allowed only before the first cover.',)

    Pack and rules are compared, as in `differences`, and names and table sizes are not. An option that has
    no effect in a variant is not said of it: how many cards make a transfer is nothing where none is allowed.
    """
    return tuple(_differences(variant, other))


def has_effect(variant: Variant, key: str) -> bool:
    """Return whether an option can decide anything at a table of this variant, given its other options.

    >>> has_effect(Variant(), "pass_card.per_bout"), has_effect(Variant(), "attack.first_limit")
    (False, False)
    """
    if key == "attack.first_limit":
        return _lower_limit(variant)
    if key == "pass_card.enabled":
        return _transfers(variant)
    if key == "end.objective":
        return _single_players(variant)  # with teams it is the last team that loses
    tables = (variant.model_copy(update={"players": size}) for size in table_sizes(variant))
    return any(idle_reason(table, key, MANY_DEALS) is None for table in tables)


def table_sizes(variant: Variant) -> tuple[int, ...]:
    """Return with how many players a variant can be played.

    >>> table_sizes(Variant(deck=24))
    (2, 3, 4)
    """
    sizes = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    return tuple(size for size in sizes if not conflicts(variant.model_copy(update={"players": size})))


def sizes_text(variant: Variant, *, has_usual: bool = True) -> str:
    """Return with how many players a variant can be played, in words, and if wanted with how many usually.

    >>> sizes_text(Variant()), sizes_text(Variant(teams=3, players=6))
    ('two to six players, usually four', 'six players')
    """
    sizes = table_sizes(variant)
    if len(sizes) == 1:
        return f"{Count(sizes[0]):player}"
    usual = f", usually {Count(variant.players)}" if has_usual else ""
    return f"{_range(sizes)} players{usual}"


def _lower_limit(variant: Variant) -> bool:
    return variant.attack.first_limit < variant.attack.limit


def _throw_ins(variant: Variant) -> bool:
    return variant.throw_in.who != "none"


def _several_throw_in(variant: Variant) -> bool:
    return variant.throw_in.who in ("all", "neighbours")


def _transfers(variant: Variant) -> bool:
    return variant.transfer.mode != "none"


def _shows(variant: Variant) -> bool:
    return variant.pass_card.enabled


def _stock(variant: Variant) -> bool:
    return table_sizes(variant) != (_whole_pack(variant),)


def _whole_pack(variant: Variant) -> int:
    """Return how many hands take the whole pack."""
    return variant.deck // HAND_SIZE


def _single_players(variant: Variant) -> bool:
    return variant.teams == "none"


MANY_DEALS = 2
"""Deals after which a session has later ones too."""

_TEXTS = {option.key: option for option in COMPARED}


def _text(variant: Variant, key: str) -> Text:
    return _TEXTS[key].text(option_value(variant, key))


def _rule(variant: Variant, key: str) -> str:
    """Return the rule that an option states, as a sentence."""
    return f"{_text(variant, key).rule}."


def _setting_up(variant: Variant, *, has_usual: bool) -> Sentences:
    yield f"The game is for {sizes_text(variant, has_usual=has_usual)}."
    yield _rule(variant, "teams")
    yield _rule(variant, "deck")
    yield (
        "Shuffle the pack and deal the cards one at a time, clockwise from the dealer's left neighbour, "
        f"until each player has {Count(HAND_SIZE)}."
    )
    if _stock(variant):
        yield (
            "Turn up the next card: its suit is trumps. Put it face up under the stock, where it is the last "
            "card to be drawn."
        )
    if _whole_pack(variant) in table_sizes(variant):
        dealt = f"With {Count(_whole_pack(variant)):player} there is" if _stock(variant) else "There is"
        yield (
            f"{dealt} no stock: the last card dealt, the dealer's, is shown to name the trump suit and goes "
            "back into the dealer's hand."
        )
    yield (
        "A card beats every lower card of its own suit, and a trump beats every card that is not a trump; "
        "nothing else beats anything."
    )
    if _stock(variant):
        yield _rule(variant, "trump_exchange")


def _range(sizes: tuple[int, ...]) -> str:
    """Return some numbers of players in words.

    >>> _range((2, 3, 4)), _range((4, 6))
    ('two to four', 'four or six')
    """
    words = [f"{Count(size)}" for size in sizes]
    if len(sizes) > 2 and sizes[-1] - sizes[0] == len(sizes) - 1:
        return f"{words[0]} to {words[-1]}"
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _opening(variant: Variant) -> Sentences:
    yield "To open is to lead the first bout of a deal."
    yield "The dealer of the first deal is drawn by lot."
    yield _rule(variant, "opening.first")
    if variant.opening.first == "lowest_trump":
        yield _rule(variant, "opening.no_trump")


def _attacking(variant: Variant) -> Sentences:
    yield (
        "A bout is one attack and the defence against it: the attacker leads, and the next "
        f"{_opponent(variant)} clockwise is the defender."
    )
    yield _rule(variant, "attack.lead")
    yield _rule(variant, "attack.limit")
    if _lower_limit(variant):
        yield f"{_early_limit(variant).rule}."
    earlier = (
        "; those covered before a late transfer are not counted" if variant.transfer.mode == "late" else ""
    )
    yield (
        "Nor may there be more attack cards than the defender had cards in hand when the defence began, with "
        f"the first cover or the declaration of a pick-up{earlier}."
    )


def _opponent(variant: Variant) -> str:
    return "player" if _single_players(variant) else "opponent"


def _early_limit(variant: Variant) -> Text:
    """Return the lower limit and where it holds: two options, one rule."""
    limit, scope = _text(variant, "attack.first_limit"), _text(variant, "attack.first_scope")
    return Text(None, f"{limit.rule} {scope.rule}", f"{limit.beside} {scope.beside}")


def _defending(variant: Variant) -> Sentences:
    transfers = ", transfers the attack" if _transfers(variant) else ""
    yield (
        "As long as an attack card is uncovered, the defender covers one with a card that beats "
        f"it{transfers} or picks up."
    )
    yield (
        "Attack cards may be covered in any order, and nobody has to cover: even a defender who could beat "
        "everything may pick up."
    )
    ended = " and nobody can or will throw in any more" if _throw_ins(variant) else ""
    yield (
        f"When every attack card is covered{ended}, the attack is beaten: all cards on the table are "
        "discarded for the rest of the deal, and the defender leads the next bout."
    )
    yield "If the player who should lead has left the deal, the next one clockwise leads."


def _transferring(variant: Variant) -> Sentences:
    yield _rule(variant, "transfer.mode")
    if not _transfers(variant):
        return
    late = variant.transfer.mode == "late"
    yield (
        f"When all {'uncovered ' if late else ''}attack cards are of one rank, the defender may add a card "
        f"of that rank: the defender is now the attacker, and the next {_opponent(variant)} clockwise has to "
        "defend."
    )
    yield _rule(variant, "transfer.cards")
    yield _rule(variant, "transfer.first_bout")
    yield (
        "The limit of the bout holds for transfers too, and the new defender must have at least as many "
        "cards in hand as there are then uncovered attack cards."
    )
    if late:
        yield (
            "Cards already covered stay on the table with their covers, and count towards the limit of the "
            "bout."
        )
    yield "An attack may be transferred back to the player who led it, and each new defence begins afresh."
    yield _rule(variant, "pass_card.enabled")
    if _shows(variant):
        yield (
            "A show adds no card to the table, but the new defender must have at least as many cards in hand "
            "as there are uncovered attack cards; everybody has now seen the shown card."
        )
        yield _rule(variant, "pass_card.per_bout")


def _throwing_in(variant: Variant) -> Sentences:
    yield _rule(variant, "throw_in.who")
    if not _throw_ins(variant):
        return
    yield "To throw in is to add an attack card of a rank that lies on the table, as an attack or as a cover."
    yield _rule(variant, "throw_in.window")
    if _several_throw_in(variant):
        yield _rule(variant, "throw_in.order")
    yield (
        "One player at a time adds one or more cards, or passes; after cards have been added, the defender "
        "answers before anybody adds more."
    )
    transferred = ", the attack is transferred" if _transfers(variant) else ""
    last_round = variant.throw_in.on_pickup
    yield (
        "A player who has passed may not throw in again until a new rank comes to the table"
        f"{transferred}{' or the defender declares a pick-up' if last_round else ''}."
    )


def _picking_up(variant: Variant) -> Sentences:
    yield "A pick-up is declared once and cannot be taken back."
    if _throw_ins(variant):
        yield _rule(variant, "throw_in.on_pickup")
        if variant.throw_in.on_pickup:
            yield "In that round everybody who may throw in has one turn, and the limits hold as before."
    yield (
        "The defender takes all cards on the table, the covers too, and the next player clockwise leads the "
        "next bout."
    )


def _drawing(variant: Variant) -> Sentences:
    if not _stock(variant):
        yield "There is no stock, so nobody draws."
        return
    yield (
        "After each bout, while there is stock, each player in turn draws all the cards that are missing "
        f"from a hand of {Count(HAND_SIZE)}."
    )
    yield _rule(variant, "draw.first")
    yield _rule(variant, "draw.defender")


def _ending(variant: Variant) -> Sentences:
    yield "Once the stock is empty, a player without cards leaves the deal after the bout."
    yield _rule(variant, "end.tie")
    alone, loses = _single_players(variant), variant.end.objective == "last_loses"
    if alone:
        yield _rule(variant, "end.objective")
    else:
        yield "The deal is over when only one team still has players with cards, and that team loses."
    if not loses:
        yield "If several players share the first place, the deal is drawn."
    elif variant.end.tie == "shared":
        yield "If nobody is left, the deal is drawn."
    else:
        yield f"If nobody is left, the final defender{'' if alone else chr(39) + 's team'} loses."
    yield _rule(variant, "end.stall_bouts")


def _partners(variant: Variant) -> Sentences:
    if _single_players(variant):
        return
    yield "Partners win and lose together, and never attack each other."
    if variant.throw_in.who == "neighbours":
        yield "The players on either side who may throw in are the nearest opponents of the defender."
    elif _throw_ins(variant):
        yield "The defender's partners may not throw in."
    yield (
        "The loser, who deals next, is the first player of the losing team with cards, counted clockwise "
        "from the last defender, who comes first."
    )


def _later_deals(variant: Variant) -> Sentences:
    yield "Deals may be played one by one or in a session, one after another at the same table."
    if variant.end.objective == "last_loses":
        yield "The loser is the next dealer; after a drawn or stalled deal the same player deals again."
    else:
        yield (
            "The winner's left neighbour is the next dealer; after a drawn or stalled deal the same player "
            "deals again."
        )
    yield _rule(variant, "opening.later")
    if variant.opening.later == "attack_loser":
        yield "If nobody lost, it is the dealer's left neighbour who opens."
    if variant.opening.later == "lowest_trump" != variant.opening.first:
        yield _rule(variant, "opening.no_trump")


def _differences(variant: Variant, other: Variant) -> Sentences:
    name = other.name if other.name != variant.name else "the other"
    for option in COMPARED:
        key = option.key
        if key == "attack.first_limit":
            yield from _early_limit_difference(variant, other, name)
        if key.startswith("attack.first_") or not has_effect(variant, key):
            continue
        ours, theirs = option_value(variant, key), option_value(other, key)
        if _is_same(ours, theirs):
            continue
        if has_effect(other, key):
            yield _beside(_text(variant, key), _text(other, key), name)
        else:
            yield _rule(variant, key)


def _is_same(value: Value, other: Value) -> bool:
    return type(value) is type(other) and value == other


def _beside(text: Text, other_text: Text, name: str) -> str:
    return f"{text.rule}; in {name} {other_text.beside}."


def _early_limit_difference(variant: Variant, other: Variant, name: str) -> Sentences:
    ours, theirs = _early(variant), _early(other)
    if ours != theirs:
        yield _beside(ours, theirs, name)


_NO_LOWER_LIMIT = Text(
    None, "There is no lower limit for the first bouts of a deal", "there is no lower limit"
)


def _early(variant: Variant) -> Text:
    return _early_limit(variant) if _lower_limit(variant) else _NO_LOWER_LIMIT
