"""Ladders: what is played for them, and that their numbers are those of rotated line-ups."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import simcli
from simcli.analysis.duels import DEFAULT_BOTS, PACKS, SLOW_PACKS, LadderPlan, plan_ladder
from simcli.analysis.finished import FinishedRun, load_finished
from simcli.analysis.ladder import Ladder, ladder_of
from simcli.analysis.rates import Interval
from simcli.analysis.rotation import strength
from simcli.analysis.shipped_ladder import shipped_ladder
from simcli.bots.lineup import parse_lineup
from simcli.bots.registry import BOTS
from simcli.errors import InputError
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant, seat
from simcli.runs.identity import engine_signature
from simcli.runs.marked import load_marked, marks
from tests.analysis.finished_runs import Dealt, run_of

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
FAST = ["random", "lowest", "thrifty"]


def plan(
    folder: Path, bots: list[str], players: int = 3, deals: int | None = 60, **rules: object
) -> LadderPlan:
    variant = Variant(name="hand", players=players, **rules)  # type: ignore[arg-type]
    return plan_ladder(bots, variant, deals=deals, seed=1, results=folder)


def made_up(planned: LadderPlan, folder: Path, deals: int) -> list[list[FinishedRun]]:
    """Return the runs of a plan with outcomes at random."""
    rng = np.random.default_rng(3)
    players = planned.variant.players
    ends = [*range(players), "drawn", "stalled"]

    def dealt() -> Dealt:
        if not planned.is_race:
            return Dealt(ends[rng.integers(len(ends))])
        first = int(rng.integers(players + 1))
        places = tuple(1 if place == first else 2 for place in range(players))
        return Dealt("won", places=places) if first < players else Dealt("drawn", places=(1, 1, 0))

    return [
        [load_finished(run_of(folder, order.match, [dealt() for _ in range(deals)])) for order in rotations]
        for rotations in planned.orders
    ]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ladder, Ladder]:
    """Return a ladder measured twice, in one results folder."""
    results = tmp_path_factory.mktemp("ladder")
    first, second = (simcli.ladder(FAST, deals=300, players=3, out=results, workers=1) for _ in range(2))
    return first, second


def test_the_shipped_bots_stand_in_their_order(measured: tuple[Ladder, Ladder]) -> None:
    ladder, _ = measured
    assert [rung.bot for rung in ladder.bots] == FAST[::-1]
    assert [rung.rank for rung in ladder.bots] == [1, 2, 3]
    assert ladder.bots[1].rating.value == 0
    assert ladder.bots[1].cost == 1
    assert all(rung.cost is not None and rung.cost > 1 for rung in ladder.bots if rung.bot != "lowest")


def test_a_second_call_plays_nothing_and_says_the_same(measured: tuple[Ladder, Ladder]) -> None:
    first, second = measured
    assert first.played == 6 * 3 * 300
    assert second.played == 0
    assert first.duels == second.duels
    assert [rung.rating for rung in first.bots] == [rung.rating for rung in second.bots]


def test_the_keys_are_plain_data(measured: tuple[Ladder, Ladder]) -> None:
    data = json.loads(json.dumps(measured[0].to_dict(), allow_nan=False))
    assert {row["packs"] for row in data["duels"]} == {300}
    assert data["bots"][0]["rating"]["level"] == 0.95
    assert data["engine"]["signature"] == engine_signature()


@pytest.mark.parametrize(
    "players, rules",
    [
        (2, {}),
        (3, {}),
        (4, {"teams": 2}),
        (3, {"end": {"objective": "first_out_wins"}}),
    ],
)
def test_its_differences_are_those_of_rotated_line_ups(
    tmp_path: Path, players: int, rules: dict[str, object]
) -> None:
    planned = plan(tmp_path, FAST, players, **rules)
    runs = made_up(planned, tmp_path, 60)
    ladder = ladder_of(planned, runs, [1.0, 1.0, 1.0])
    assert len(ladder.duels) == (6 if players == 3 else 3)
    by_pair = {
        (planned.bots[duel.one], planned.bots[duel.others]): rotations
        for duel, rotations in zip(planned.duels, runs, strict=True)
    }
    for row in ladder.duels:
        rotations = by_pair.get((row.one, row.others)) or by_pair[row.others, row.one]
        wanted = strength(rotations, row.one).difference
        assert row.difference.value == pytest.approx(wanted.value)
        assert isinstance(row.difference.interval, Interval)
        assert isinstance(wanted.interval, Interval)
        assert row.difference.interval.low == pytest.approx(wanted.interval.low)
        assert row.deals == sum(run.deals for run in rotations)


def test_pairs_may_differ_in_their_number_of_packs(tmp_path: Path) -> None:
    planned = plan(tmp_path, ["lowest", "thrifty"])
    first, second = (made_up(planned, tmp_path / str(n), n)[i] for i, n in enumerate((40, 90)))
    ladder = ladder_of(planned, [first, second], [1.0, 1.0])
    rows = {row.one: row for row in ladder.duels}
    assert (rows["lowest"].packs, rows["thrifty"].packs) == (40, 90)
    for row, runs in ((rows["lowest"], first), (rows["thrifty"], second)):
        assert row.difference.value == pytest.approx(strength(runs, row.one).difference.value)


def test_of_each_pair_one_sits_among_the_others_at_every_seat(tmp_path: Path) -> None:
    planned = plan(tmp_path, ["lowest", "thrifty"], 3)
    lineups = [[order.match.lineup.text for order in rotations] for rotations in planned.orders]
    assert lineups == [
        ["lowest,thrifty,thrifty", "thrifty,lowest,thrifty", "thrifty,thrifty,lowest"],
        ["thrifty,lowest,lowest", "lowest,thrifty,lowest", "lowest,lowest,thrifty"],
    ]


def test_partners_are_of_one_kind(tmp_path: Path) -> None:
    planned = plan_ladder(
        ["lowest", "thrifty"], seat(load_variant("partners"), 6), deals=60, seed=1, results=tmp_path
    )
    teams = planned.variant.teams
    assert teams != "none"
    (first, *_) = planned.orders
    assert len(first) == teams
    assert {order.match.lineup.bots.count("lowest") for order in first} == {6 // teams}


def test_what_takes_its_time_is_played_with_fewer_packs(tmp_path: Path) -> None:
    planned = plan(tmp_path, ["lowest", "thrifty", "montecarlo:2"], 2, deals=None)
    assert [{order.deals for order in rotations} for rotations in planned.orders] == [
        {PACKS},
        {SLOW_PACKS},
        {SLOW_PACKS},
    ]


def test_longer_runs_that_are_there_are_counted_whole(tmp_path: Path) -> None:
    variant = Variant(name="hand", players=2)
    simcli.run(variant, PACKS + 500, bots="thrifty,lowest", out=tmp_path, workers=1)
    planned = plan_ladder(["lowest", "thrifty"], variant, deals=None, seed=1, results=tmp_path)
    assert [order.deals for order in planned.orders[0]] == [PACKS + 500] * 2


def test_one_bot_by_two_names_counts_once(tmp_path: Path) -> None:
    planned = plan(tmp_path, ["montecarlo:64", "montecarlo:playouts=64", "montecarlo", "lowest"])
    assert planned.bots == ("montecarlo", "lowest")


def test_what_cannot_be_measured_is_refused_with_all_reasons(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        plan(tmp_path, ["lowset", "lowest,thrifty", "montecarlo:0"])
    text = str(caught.value)
    assert "did you mean lowest?" in text
    assert "expected one bot a word, got lowest,thrifty" in text
    assert "montecarlo: playouts: expected a whole number from 1" in text
    with pytest.raises(InputError, match="expected two different bots or more, got thrifty alone"):
        plan(tmp_path, ["thrifty", "thrifty:transfer=default"])
    with pytest.raises(InputError, match="deals: expected a whole number from 100"):
        simcli.ladder(FAST, deals=99, out=tmp_path)
    with pytest.raises(InputError, match="expected a list"):
        simcli.ladder("lowest", out=tmp_path)


def test_a_ladder_without_an_end_to_its_ratings_has_none(tmp_path: Path) -> None:
    planned = plan(tmp_path, ["thrifty", "random"], 2)
    runs = [
        [
            load_finished(
                run_of(tmp_path, order.match, [Dealt(order.match.lineup.bots.index("random"))] * 60)
            )
            for order in rotations
        ]
        for rotations in planned.orders
    ]
    ladder = ladder_of(planned, runs, [1.0, 1.0])
    assert [(rung.rating.value, rung.rank) for rung in ladder.bots] == [(None, None)] * 2
    assert ladder.duels[0].difference.value == pytest.approx(-1)
    assert ladder.duels[0].fitted is None


def test_the_ladder_that_ships_has_every_bot_and_is_of_this_engine() -> None:
    shipped = shipped_ladder()
    assert set(shipped.standings) == set(BOTS)
    assert shipped.signature == engine_signature()
    assert [each.measured_as for each in shipped.standings.values()] == [
        parse_lineup(each.measured_as, 1).text for each in shipped.standings.values()
    ]
    assert {each.measured_as for each in shipped.standings.values()} == set(DEFAULT_BOTS)


@pytest.mark.parametrize("variant", ["classic", "podkidnoy"])
@pytest.mark.parametrize("players", [2, 4])
def test_the_page_on_bots_shows_whole_ladders(variant: str, players: int) -> None:
    block = f"ladder {variant} p{players}"
    begin, end = marks(block)
    shown = load_marked(PAGE, block).split(begin)[1].split(end)[0]
    bots = [line.split(" | ")[0].removeprefix("| ") for line in shown.split("\n\n")[0].splitlines()[2:]]
    assert set(bots) == set(DEFAULT_BOTS)
    if (variant, players) == (shipped_ladder().variant, shipped_ladder().players):
        assert bots == [each.measured_as for each in shipped_ladder().standings.values()]
