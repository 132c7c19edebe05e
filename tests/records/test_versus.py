"""One deal under two variants: where they part is where they part, and the reason is the rule's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from simcli.bots.lineup import parse_lineup
from simcli.errors import InputError
from simcli.records.replay import replay
from simcli.records.versus import Ground, Kind, Parting, Versus, rival_of, versus
from simcli.rules.canonical import differences, resolved
from simcli.rules.load import load_variant, variant_from_mapping
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import Variant, seat
from simcli.runs.plan import Match
from tests.runs.conftest import match_of

DEALS = 20


def duels(
    first: str | Variant, second: str | Variant, *, bots: str = "random", deals: int = DEALS, session: int = 1
) -> Iterator[Versus]:
    variants = [load_variant(each) if isinstance(each, str) else each for each in (first, second)]
    run = Match(variants[0], parse_lineup(bots, variants[0].players), 1, session)
    yield from versus(run, rival_of(run, seat(variants[1], run.players)), range(deals))


def partings(*arguments: str | Variant, bots: str = "random", deals: int = DEALS) -> list[Parting]:
    found = [duel.parting for duel in duels(*arguments, bots=bots, deals=deals)]
    return [parting for parting in found if parting is not None]


def keys(parting: Parting) -> set[str]:
    return {each.key for each in parting.differences}


def rivals_of_classic() -> list[str]:
    classic = load_variant("classic")
    return [
        name
        for name in shipped_names()
        if (variant := load_variant(name)).deck == classic.deck and differences(variant, classic)
    ]


def with_options(**blocks: object) -> Variant:
    return variant_from_mapping({"name": "other", **blocks})


# ------------------------------------------------------------------------------------ where they part


@pytest.mark.parametrize("name", rivals_of_classic())
def test_records_agree_up_to_the_parting_and_not_beyond(name: str) -> None:
    for duel in duels("classic", name):
        first, second = (record["events"] for record in duel.records)
        if duel.parting is None:
            assert first == second
            assert all(duel.records[0][key] == duel.records[1][key] for key in ("opener", "loser", "places"))
            continue
        n = duel.parting.n_common
        assert first[:n] == second[:n]
        if duel.parting.kind is Kind.OPENING:
            assert n == 0
        elif duel.parting.kind is Kind.OUTCOME:
            assert first[n:] != second[n:] or duel.records[0]["result"] != duel.records[1]["result"]
        elif duel.parting.kind is Kind.ROLES:
            roles = [(moment.attacker, moment.defender) for moment in duel.parting.moments]
            assert roles[0] != roles[1]
        else:
            assert first[n] != second[n]
            assert "do" in first[n]
            assert "do" in second[n]


@pytest.mark.parametrize("name", rivals_of_classic())
def test_records_are_those_of_either_variant(name: str) -> None:
    classic = match_of("classic", "lowest")
    rival = rival_of(classic, seat(load_variant(name), 4))
    pairs = [duel.records for duel in versus(classic, rival, range(3, 5))]
    assert [first for first, _ in pairs] == list(replay(classic, range(3, 5)))
    assert [second for _, second in pairs] == list(replay(rival, range(3, 5)))


def test_a_variant_parts_from_none_with_the_same_rules() -> None:
    twin = load_variant("classic").model_copy(update={"name": "twin"})
    assert partings("classic", twin, deals=50) == []


def test_legal_actions_in_the_records_change_nothing() -> None:
    run = match_of("classic", "random")
    rival = rival_of(run, load_variant("late-transfer"))
    plain, legal = (list(versus(run, rival, range(5), legal=flag)) for flag in (False, True))
    assert [duel.parting for duel in plain] == [duel.parting for duel in legal]
    assert all("legal" in duel.records[0]["events"][0] for duel in legal)


# ------------------------------------------------------------------------------------ why

SINGLE = {
    "late-transfer": "transfer.mode",
    "podkidnoy": "transfer.mode",
    "pass-card": "pass_card.enabled",
    "draw-final-attacker": "draw.first",
    "draw-in-turn": "draw.defender",
    "neighbours-only": "throw_in.who",
    "random-opening": "opening.first",
    "first-bout-no-transfer": "transfer.first_bout",
    "five-card-opening": "attack.first_limit",
    "trump-six-exchange": "trump_exchange",
    "partners": "teams",
}


@pytest.mark.parametrize("name, key", SINGLE.items())
def test_reason_is_the_one_option_in_which_they_differ(name: str, key: str) -> None:
    # bots that do not read the rules part only where a rule has decided
    found = partings("classic", name, deals=60)
    assert found
    for parting in found:
        assert (keys(parting), parting.ground) == ({key}, Ground.NOW)


@pytest.mark.parametrize("name", [*rivals_of_classic(), "regular"])
def test_bots_that_do_not_read_rules_never_part_without_a_rule(name: str) -> None:
    for base in ("classic", "regular"):
        if differences(load_variant(base), load_variant(name)):
            for parting in partings(base, seat(load_variant(name), 4)):
                assert parting.kind is not Kind.CHOICE
                assert parting.ground is not Ground.KNOWN
                assert keys(parting)


def test_only_options_that_decide_at_that_moment_are_named() -> None:
    # both differ in transfer.mode and end.tie too, which no lead or draw has to do with
    found = partings("classic", "regular", deals=60)
    legal = [parting for parting in found if parting.kind is Kind.ASKED]
    assert legal
    assert all("throw_in.window" in keys(parting) for parting in legal)
    assert not any({"end.tie", "end.objective", "draw.first"} & keys(parting) for parting in found)


def test_an_option_that_is_not_classic_on_either_side_is_named() -> None:
    four, five = (with_options(attack={"limit": limit}) for limit in (4, 5))
    found = partings(four, five, deals=200)
    assert found
    assert all(keys(parting) <= {"attack.limit", "attack.first_limit"} for parting in found)
    assert all(parting.differences[0].values == (4, 5) for parting in found)


def test_a_transfer_that_only_one_allows_is_legal_under_it_only() -> None:
    legal = [parting for parting in partings("classic", "late-transfer") if parting.kind is Kind.LEGAL]
    assert legal
    for parting in legal:
        first, second = parting.moments
        extra = set(second.legal) - set(first.legal)
        assert extra
        assert all(action.startswith("transfer ") for action in extra)
        assert set(first.legal) < set(second.legal)
        assert first.asked == second.asked


def test_another_defender_is_the_work_of_the_teams() -> None:
    found = [each for each in partings("neighbours-only", "partners", deals=40) if each.kind is Kind.ROLES]
    assert found
    for parting in found:
        assert "teams" in keys(parting)
        assert parting.ground is Ground.NOW
        assert parting.moments[0].attacker == parting.moments[1].attacker


def test_another_draw_is_another_outcome() -> None:
    found = partings("classic", "draw-final-attacker", deals=60)
    assert {parting.kind for parting in found} == {Kind.OUTCOME}
    for parting in found:
        first, second = (moment.events for moment in parting.moments)
        assert first[0] == second[0]
        assert "draw" in first[1]


def test_a_place_that_only_the_tie_decides_parts_where_seats_leave() -> None:
    found = [duel for duel in duels("classic", "no-draws", bots="lowest", deals=60) if duel.parting]
    assert found
    for duel in found:
        assert keys(duel.parting) == {"end.tie"}
        assert duel.records[0]["places"] != duel.records[1]["places"]
        first, second = (moment.events for moment in duel.parting.moments)
        assert "leaves" in first[-1]
        assert [event for event in first if "leaves" not in event] == [
            event for event in second if "leaves" not in event
        ]
    assert ["drawn", "lost"] in [[record["result"] for record in duel.records] for duel in found]


def test_first_out_wins_ends_where_the_others_go_on() -> None:
    first_out = with_options(end={"objective": "first_out_wins"})
    found = partings("classic", first_out, bots="lowest")
    assert found
    for parting in found:
        assert (parting.kind, keys(parting)) == (Kind.OUTCOME, {"end.objective"})
        assert parting.moments[1].asked is None


def test_a_bot_that_reads_rules_may_choose_otherwise_by_itself() -> None:
    found = partings("classic", "neighbours-only", bots="thrifty", deals=40)
    chosen = [parting for parting in found if parting.kind is Kind.CHOICE]
    assert chosen
    for parting in chosen:
        first, second = parting.moments
        assert first.legal == second.legal
        assert (keys(parting), parting.ground) == ({"throw_in.who"}, Ground.KNOWN)


def test_a_later_deal_may_part_by_the_deal_before() -> None:
    found = [
        duel
        for duel in duels("classic", "draw-final-attacker", deals=40, session=4)
        if duel.parting and duel.parting.kind is Kind.OPENING
    ]
    assert found
    for duel in found:
        assert duel.records[0]["previous"] != duel.records[1]["previous"]
        assert duel.parting.ground is Ground.EARLIER
        assert keys(duel.parting) == {"draw.first"}


def test_another_pack_is_refused() -> None:
    run = match_of("classic")
    with pytest.raises(InputError, match=r"--vs: expected a variant with the 36 cards .* full-pack with 52"):
        rival_of(run, load_variant("full-pack"))


def test_a_rival_differs_in_the_variant_alone() -> None:
    run = match_of("classic", "lowest", seed=7, session=3)
    late = load_variant("late-transfer")
    assert rival_of(run, late) == replace(run, variant=late)


def with_values_of(variant: Variant, parting: Parting) -> Variant:
    """Return the second variant with the values that the first has of the options that are named."""
    mapping = resolved(variant)
    for each in parting.differences:
        block, _, key = each.key.rpartition(".")
        (mapping[block] if block else mapping)[key] = each.values[0]
    return variant_from_mapping(mapping)


def how_far(parting: Parting) -> tuple[int, int]:
    """Return how far two courses are the same: who is asked comes before what it may do."""
    return parting.n_common, list(Kind).index(parting.kind)


@pytest.mark.parametrize(
    "pair", [("classic", "regular"), ("simultaneous", "classic"), ("regular", "simultaneous")]
)
def test_without_the_options_that_are_named_they_do_not_part_in_that_way(pair: tuple[str, str]) -> None:
    first, second = (seat(load_variant(name), 4) for name in pair)
    run = Match(first, parse_lineup("random", 4), 1, 1)
    kinds = set()
    for duel in versus(run, rival_of(run, second), range(60)):
        assert duel.parting is not None
        index = duel.records[0]["deal"]
        rival = rival_of(run, with_values_of(second, duel.parting))
        later = next(versus(run, rival, range(index, index + 1))).parting
        assert later is None or how_far(later) > how_far(duel.parting)
        kinds.add(duel.parting.kind)
    assert len(kinds) > 1
