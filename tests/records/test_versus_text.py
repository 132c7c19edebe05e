"""Two courses of a deal in words: the common part once, the parting and its reason, both ends."""

from __future__ import annotations

from itertools import pairwise

import pytest

from simcli.records.text import record_text
from simcli.records.versus import Kind, Versus
from simcli.records.versus_text import versus_text
from simcli.rules.load import load_variant
from simcli.rules.variant import seat
from tests.records.test_versus import duels, rivals_of_classic

PARTING = "══ here they part "
ENDS = "══ how they end "


def sections(duel: Versus) -> list[str]:
    """Return the common part, the parting, both continuations and the ends."""
    text = versus_text(duel)
    common, rest = text.split(PARTING)
    rest, ends = rest.split(ENDS)
    parting, first, second = rest.split("\n── ")
    return [common, parting, first, second, ends]


def parted(first: str, second: str, *kinds: Kind, bots: str = "random", session: int = 1) -> list[Versus]:
    found = duels(first, second, bots=bots, deals=40, session=session)
    return [duel for duel in found if duel.parting and (not kinds or duel.parting.kind in kinds)]


@pytest.mark.parametrize("name", rivals_of_classic())
@pytest.mark.parametrize("session", [1, 4])
def test_no_line_is_wider_than_a_terminal(name: str, session: int) -> None:
    for bots in ("random", "thrifty"):
        for duel in duels("classic", name, bots=bots, deals=12, session=session):
            assert all(len(line) <= 80 for line in versus_text(duel).splitlines())


@pytest.mark.parametrize(
    "name", ["late-transfer", "draw-final-attacker", "simultaneous", "regular", "no-draws"]
)
def test_common_part_and_a_continuation_are_the_text_of_the_record(name: str) -> None:
    for duel in parted("classic", name):
        common, _, first, second, _ = sections(duel)
        for record, continuation in zip(duel.records, (first, second), strict=True):
            told = {line for line in (common + continuation).splitlines() if line.startswith("    seat ")}
            alone = {line for line in record_text(record).splitlines() if line.startswith("    seat ")}
            assert told == alone
            assert record_text(record).rstrip().splitlines()[-1] in continuation


def test_bouts_are_numbered_on() -> None:
    for duel in parted("classic", "late-transfer"):
        common, _, first, second, _ = sections(duel)
        for continuation in (first, second):
            text = common + continuation
            lines = [line.split()[1].rstrip(":") for line in text.splitlines() if line.startswith("Bout ")]
            numbers = [int(number) for number in lines]
            assert all(after - before in (0, 1) for before, after in pairwise(numbers))
            assert "Bout 1:" in common


def test_parting_names_what_only_one_allows_and_the_option() -> None:
    duel = parted("classic", "late-transfer", Kind.LEGAL)[0]
    _, parting, first, second, _ = sections(duel)
    assert f"Seat {duel.parting.moments[0].asked} may transfer " in parting
    assert "under late-transfer only." in parting
    assert "The reason:\n  transfer.mode: early in classic, late in late-transfer\n" in parting
    assert first.startswith("classic ─")
    assert second.startswith("late-transfer ─")
    assert first.splitlines()[1].endswith(" goes on:")


def test_parting_names_the_draw_that_differs() -> None:
    duel = parted("classic", "draw-final-attacker", Kind.OUTCOME)[0]
    _, parting, first, _, _ = sections(duel)
    assert "Under classic seat " in parting
    assert " draws " in parting
    assert first.splitlines()[1].endswith(" is over:")


def test_parting_names_the_seats_that_are_asked() -> None:
    duel = parted("classic", "simultaneous", Kind.ASKED)[0]
    first, second = (moment.asked for moment in duel.parting.moments)
    text = " ".join(sections(duel)[1].split())
    assert (
        f"Under classic seat {first} is asked next; under simultaneous seat {second} is asked next." in text
    )


def test_parting_names_the_seats_that_defend() -> None:
    duel = parted("neighbours-only", "partners", Kind.ROLES)[0]
    first, second = duel.parting.moments
    text = " ".join(sections(duel)[1].split())
    assert f"Under neighbours-only seat {first.attacker} attacks seat {first.defender}; under" in text
    assert f"partners seat {second.attacker} attacks seat {second.defender}." in text


def test_parting_at_the_opening_comes_before_any_bout() -> None:
    duel = parted("classic", "random-opening", Kind.OPENING)[0]
    common, parting, first, second, _ = sections(duel)
    assert "Bout" not in common
    assert " opens" not in common
    for record, continuation in zip(duel.records, (first, second), strict=True):
        assert f"seat {record['opener']} opens" in " ".join(parting.split())
        assert f"Bout 1: seat {record['opener']} attacks" in continuation


def test_a_later_deal_says_that_the_deal_before_had_ended_otherwise() -> None:
    duels = parted("classic", "draw-final-attacker", session=4)
    changed = [duel for duel in duels if duel.records[0]["previous"] != duel.records[1]["previous"]]
    same = [duel for duel in duels if duel.records[0]["deal_in_session"] and duel not in changed]
    assert changed
    assert same
    assert all("the deal before had ended otherwise." in versus_text(duel) for duel in changed)
    assert not any("had ended otherwise" in versus_text(duel) for duel in same)


def test_a_choice_is_said_to_come_from_knowing_the_rules() -> None:
    duel = parted("classic", "neighbours-only", Kind.CHOICE, bots="thrifty")[0]
    parting = sections(duel)[1]
    assert "may do the same under both, and does otherwise: it knows the rules." in parting
    assert "The rules differ in:\n  throw_in.who: all in classic, neighbours in neighbours-only\n" in parting


def test_ends_stand_side_by_side() -> None:
    duel = parted("classic", "late-transfer")[0]
    rows = sections(duel)[4].splitlines()[1:]
    assert rows[0].split() == ["classic", "late-transfer"]
    table = {row[:18].strip(): (row[18:49].strip(), row[49:].strip()) for row in rows[1:]}
    for column, record in enumerate(duel.records):
        assert table["places"][column] == " ".join(map(str, record["places"]))
        assert table["actions"][column] == str(sum("do" in event for event in record["events"]))
        assert table["bouts"][column] == str(sum("bout" in event for event in record["events"]))
        assert table["result"][column] == f"seat {record['loser']} loses"


def test_a_winner_a_draw_and_a_team_end_in_their_own_words() -> None:
    told = "\n".join(
        sections(duel)[4]
        for name in ("regular", "partners", "no-draws")
        for duel in parted("classic", name, bots="lowest")
    )
    for words in (" wins", "drawn", "seats 0 and 2 lose", "seats 1 and 3 lose"):
        assert words in told


def test_a_deal_that_does_not_part_is_told_once() -> None:
    duel = next(duel for duel in duels("classic", "draw-join-order") if duel.parting is None)
    text = versus_text(duel)
    assert PARTING not in text
    assert "The deal goes the same way under classic and draw-join-order.\n" in f"{text}\n"
    told = record_text(duel.records[0]).splitlines()[1:]
    assert text.splitlines()[1 : len(told) + 1] == told


def test_two_variants_of_one_name_are_numbered() -> None:
    other = seat(load_variant("late-transfer"), 4).model_copy(update={"name": "classic"})
    texts = [versus_text(duel) for duel in duels("classic", other) if duel.parting]
    assert texts
    assert all("early in classic (1), late in classic (2)" in text for text in texts)
