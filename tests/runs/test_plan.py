from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from simcli.runs.plan import MAX_PART, MIN_PART, Plan, Stretch, part_size
from tests.runs.conftest import match_of

ENGINE = {"version": "1", "signature": "b", "sources": "a"}

sessions = st.integers(1, 1000)
speeds = st.floats(1, 1e7)


@given(st.integers(1, 10**7), sessions, speeds, st.integers(1, 128))
def test_a_part_holds_whole_sessions_and_keeps_its_bounds(
    n_sessions: int, session: int, deals_per_s: float, workers: int
) -> None:
    deals = n_sessions * session
    size = part_size(deals, session, deals_per_s, workers)
    assert size % session == 0
    assert size <= MAX_PART
    assert size >= min(MIN_PART, deals)


def test_a_part_is_about_ten_seconds_of_play_in_a_long_run() -> None:
    assert 450_000 <= part_size(100_000_000, 1, 50_000.0, 2) <= 500_000


def test_every_worker_gets_several_parts_of_a_shorter_run() -> None:
    assert part_size(1_000_000, 1, 50_000.0, 2) == 125_000


def test_a_tiny_run_is_one_part() -> None:
    assert part_size(700, 7, 50_000.0, 8) == 700


@given(st.lists(st.integers(1, 200), min_size=1, max_size=4), st.integers(1, 50))
def test_the_parts_cover_every_deal_once_and_end_at_every_declared_number(
    steps: list[int], size: int
) -> None:
    ends = [sum(steps[: n + 1]) for n in range(len(steps))]
    plan = Plan(match_of(), tuple(Stretch(end, size) for end in ends), ENGINE)
    parts = list(plan.parts())
    assert [part.index for part in parts] == list(range(len(parts)))
    assert [deal for part in parts for deal in range(part.first, part.end)] == list(range(ends[-1]))
    assert set(ends) <= {part.end for part in parts}
    for end in ends:
        assert list(plan.parts(end)) == [part for part in parts if part.end <= end]


def test_declaring_more_deals_leaves_the_parts_alone() -> None:
    plan = Plan(match_of(), (Stretch(1000, 300),), ENGINE)
    longer = plan.extended(5000, 700)
    assert list(longer.parts())[:4] == list(plan.parts())


def test_the_folder_is_named_after_the_game() -> None:
    assert match_of().folder_name == "classic-p4-lowest-s1"
    mixed = match_of("duel", "random,lowest", seed=7, session=10)
    assert mixed.folder_name == "duel-p2-random+lowest-k10-s7"


def test_games_of_equal_rules_are_the_same_whatever_their_titles() -> None:
    match = match_of()
    retitled = replace(match, variant=match.variant.model_copy(update={"title": "Else"}))
    assert retitled.identity() == match.identity()


def test_differences_between_games_are_told_key_by_key() -> None:
    words = match_of(seed=2).differences(match_of("five-card-opening", "random"))
    assert words == [
        "attack.first_limit 5 there, 6 here",
        "lineup random there, lowest here",
        "seed 1 there, 2 here",
    ]
