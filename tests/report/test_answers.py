"""Plain sentences: does losing breed losing, and has the opener luck of the seat or of the hand."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from simcli.analysis.compare import compare
from simcli.analysis.further import further
from simcli.bots.lineup import parse_lineup
from simcli.report.answers import answers
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant, seat
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of


def told(results: Path, runs: Sequence[tuple[Variant, list[Dealt]]], session: int = 1) -> list[str]:
    folders = [
        run_of(results, Match(seat(variant, 2), parse_lineup("lowest", 2), 1, session), deals)
        for variant, deals in runs
    ]
    comparison = compare(folders, runs[0][0].name, by="players")
    return list(answers([comparison], further([comparison])))


def opener_loses(share: float, n: int = 4000) -> list[Dealt]:
    return [Dealt(0 if (deal * 7919) % n < share * n else 1, trace=deal % 5) for deal in range(n)]


@pytest.mark.parametrize(
    "by_lot, by_hand, end",
    [
        (0.5, 0.4, "It is the hand; the seat is not shown to matter."),
        (0.4, 0.4, "It is the seat; the hand is not shown to matter."),
        (0.4, 0.35, "It is more the seat than the hand."),
        (0.46, 0.3, "It is far more the hand than the seat."),
        (0.4, 0.55, "It is more the hand than the seat, and they pull in opposite directions."),
        (0.5, 0.5, "Neither is shown to matter."),
    ],
)
def test_luck_of_the_opener_is_of_the_seat_or_of_the_hand(
    by_lot: float, by_hand: float, end: str, tmp_path: Path
) -> None:
    runs = [("random-opening", by_lot), ("classic", by_hand)]
    (sentence,) = told(tmp_path, [(load_variant(name), opener_loses(share)) for name, share in runs])
    assert f"an opener drawn by lot loses {100 * by_lot:.1f} % where 50.0 % is fair" in sentence
    assert f"who opens by the lowest trump {100 * by_hand:.1f} %" in sentence
    assert sentence.endswith(end)


def test_only_lots_tell_the_seat_from_the_hand(tmp_path: Path) -> None:
    runs = [("classic", 0.4), ("random-opening", 0.5)]
    assert not told(tmp_path, [(load_variant(name), opener_loses(share)) for name, share in runs])


def test_a_variant_that_differs_in_more_says_nothing_of_the_hand(tmp_path: Path) -> None:
    runs = [("random-opening", 0.4), ("podkidnoy", 0.5)]
    assert not told(tmp_path, [(load_variant(name), opener_loses(share)) for name, share in runs])


@pytest.mark.parametrize(
    "losers, end",
    [
        ([0] * 10, "losing breeds losing."),
        ([0, 1] * 5, "losing keeps from losing again."),
    ],
)
def test_losing_breeds_losing_or_keeps_from_it(losers: list[int], end: str, tmp_path: Path) -> None:
    sessions = [losers if number % 2 else [1 - loser for loser in losers] for number in range(200)]
    deals = [Dealt(loser) for session in sessions for loser in session]
    (sentence,) = told(tmp_path, [(load_variant("classic"), deals)], session=10)
    assert sentence.startswith("Two lowest players, Classic: who lost a deal loses the next one in ")
    assert sentence.endswith(end)


@pytest.mark.parametrize(
    "before, after, end",
    [
        (0.8, 0.7, "it survives"),
        (0.8, 0.5, "adapted players do not show it"),
        (0.5, 0.8, "only adapted players show it"),
        (0.8, 0.2, "it turns round"),
    ],
)
def test_adapted_players_say_what_becomes_of_a_finding(
    before: float, after: float, end: str, tmp_path: Path
) -> None:
    folders = [
        run_of(tmp_path, Match(seat(load_variant(name), 2), parse_lineup(bots, 2), 1, 1), opener_loses(share))
        for bots, changed in (("thrifty", before), ("thrifty:weights=own", after))
        for name, share in (("classic", 0.5), ("podkidnoy", changed))
    ]
    comparison = compare(folders, "classic", by="bots")
    (sentence,) = answers([comparison], further([comparison]))
    assert sentence.startswith("Podkidnoy, two players, the opener: ")
    assert f"{100 * (before - 0.5):+.1f}".removeprefix("+") in sentence
    assert sentence.endswith(f": {end}.")


def test_line_ups_that_do_not_adapt_say_nothing_of_it(tmp_path: Path) -> None:
    folders = [
        run_of(tmp_path, Match(seat(load_variant(name), 2), parse_lineup(bots, 2), 1, 1), opener_loses(0.3))
        for bots in ("thrifty", "lowest")
        for name in ("classic", "podkidnoy")
    ]
    comparison = compare(folders, "classic", by="bots")
    assert not list(answers([comparison], further([comparison])))
