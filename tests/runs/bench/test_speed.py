import pytest

from simcli.errors import InputError, problems_of
from simcli.runs.bench.player import Player
from simcli.runs.bench.speed import SAMPLES, default_tables, make_matches, measure_speeds
from simcli.runs.bench.steps import Quiet
from simcli.runs.bench.triggers import measure_triggers
from tests.runs.conftest import match_of

TINY_S = 0.002
USUAL = (2, 3, 4, 6)


def test_a_sample_counts_all_deals_and_takes_its_time() -> None:
    sample = Player(match_of()).sample(TINY_S)
    assert sample.cpu_s >= TINY_S
    assert sample.decisions > 10 * sample.deals > 0
    assert sample.deals_per_s == sample.deals / sample.cpu_s


def test_a_player_goes_on_with_the_next_deals() -> None:
    player = Player(match_of())
    first, second = player.sample(TINY_S), player.sample(TINY_S)
    assert player.n_played == first.deals + second.deals


def test_every_lineup_plays_at_every_table() -> None:
    matches = make_matches(["classic"], [], ["lowest", "random"], USUAL)
    assert [(match.lineup.text, match.players) for match in matches] == [
        (bot, players) for bot in ("lowest", "random") for players in USUAL
    ]


def test_of_the_usual_tables_only_those_are_measured_that_the_variant_seats() -> None:
    assert [match.players for match in make_matches(["partners"], [], ["lowest"], USUAL)] == [4, 6]
    assert [match.players for match in make_matches(["partners"], [], ["lowest"], (3,))] == [4]


def test_a_table_asked_for_must_be_one_that_the_variant_seats() -> None:
    with pytest.raises(InputError, match="partners: players"):
        make_matches(["partners"], [3], ["lowest"], USUAL)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        make_matches(["clasic", "partnerz"], [4], ["lowest"], USUAL)
    assert len(problems_of(caught.value)) == 2
    with pytest.raises(InputError) as caught:
        make_matches(["classic"], [2, 4], ["lowst", "randm"], USUAL)
    assert len(problems_of(caught.value)) == 2
    with pytest.raises(InputError) as caught:
        default_tables(["clasic", "partnerz"], "lowest")
    assert len(problems_of(caught.value)) == 2


def test_the_speed_of_a_table_names_the_table() -> None:
    (speed,) = measure_speeds([match_of(bots="random", players=3)], SAMPLES * TINY_S, Quiet())
    assert (speed.variant, speed.players, speed.bots) == ("classic", 3, "random")
    assert speed.ns_per_decision * speed.decisions * speed.deals_per_s == pytest.approx(1e9)


def test_only_variants_that_watch_options_have_a_cost_of_watching() -> None:
    costs = measure_triggers([match_of("classic"), match_of("podkidnoy")], TINY_S, Quiet())
    assert [(cost.variant, cost.watched) for cost in costs] == [("podkidnoy", 1)]
    assert costs[0].cost > -1
