from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t as student

from simcli.analysis.compare import compare
from simcli.analysis.crossed import design
from simcli.analysis.factorial import ContrastRow, contrast_estimate, contrasts, ranked
from simcli.analysis.found import Table
from simcli.analysis.paired import tango
from simcli.analysis.sequences import confidence_sequence, sequence_half_width
from simcli.analysis.together import Together
from simcli.bots.lineup import parse_lineup
from simcli.errors import InputError
from simcli.rules.variant import Variant
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of

ALPHA = 0.025  # the first look's part of 5 %
CELLS = ("0", "1", "drawn", "stalled")
ENDS = (0, 1, "drawn", "stalled")
REFERENCE = {"draw": "late", "window": "short"}
PART = {  # draw: late, early, never; window: short, long – and never × long is no variant
    "classic": {},
    "early": {"draw": "early"},
    "never": {"draw": "never"},
    "long": {"window": "long"},
    "early-long": {"draw": "early", "window": "long"},
}


def match(name: str, seed: int = 1, session: int = 1, players: int = 2, teams: object = "none") -> Match:
    variant = Variant(name=name, players=players, teams=teams)  # type: ignore[arg-type]
    return Match(variant, parse_lineup("lowest", players), seed, session)


def outcomes(names: Mapping[str, object], n: int) -> dict[str, np.ndarray]:
    """Return made-up cells of n deals per variant: mostly those of the first, some other ones."""
    rng = np.random.default_rng(5)
    first = rng.choice(4, n, p=[0.5, 0.4, 0.07, 0.03])
    found = {}
    for place, name in enumerate(names):
        changed = rng.random(n) < 0.1 * place
        found[name] = np.where(changed, rng.choice(4, n, p=[0.2, 0.7, 0.05, 0.05]), first)
    return found


def table_of(tmp_path: Path, cells: Mapping[str, np.ndarray], session: int = 1) -> Table:
    paths = [
        run_of(tmp_path, match(name, session=session), [Dealt(ENDS[cell]) for cell in column], parts=60)
        for name, column in cells.items()
    ]
    return compare(paths).tables[0]


@pytest.fixture(scope="module")
def cells() -> dict[str, np.ndarray]:
    return outcomes(PART, 500)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, cells: dict[str, np.ndarray]) -> dict[int, Table]:
    """Return the same deals, once single and once in sessions of 7: 71 of them, and one of 3 deals."""
    return {session: table_of(tmp_path_factory.mktemp("runs"), cells, session) for session in (1, 7)}


def row(rows: tuple[ContrastRow, ...], factor: str, value: object, cell: str) -> ContrastRow:
    (found,) = (each for each in rows if (each.factor, each.value, each.cell) == (factor, value, cell))
    return found


def per_deal(cells: Mapping[str, np.ndarray], signs: list[dict[str, int]], cell: str) -> np.ndarray:
    """Return the contrast of every deal, from all rows: the slow and obvious way."""
    place = CELLS.index(cell)
    simple = [sum(sign * (cells[name] == place) for name, sign in each.items()) for each in signs]
    return np.mean(simple, axis=0)


MAIN = {
    ("draw", "early"): [{"early": 1, "classic": -1}, {"early-long": 1, "long": -1}],
    ("draw", "never"): [{"never": 1, "classic": -1}],
    ("window", "long"): [{"long": 1, "classic": -1}, {"early-long": 1, "early": -1}],
}
CROSSED = {("draw × window", "early × long"): [{"early-long": 1, "early": -1, "long": -1, "classic": 1}]}


@pytest.mark.parametrize("session", [1, 7])
def test_effects_are_those_of_every_deals_contrast(
    tables: dict[int, Table], cells: dict[str, np.ndarray], session: int
) -> None:
    rows = contrasts(tables[session], PART, REFERENCE, workers=2)
    effects = {**MAIN, **CROSSED}
    assert [(each.factor, each.value) for each in rows[::4]] == list(effects)
    for (factor, value), signs in effects.items():
        for cell in CELLS:
            found, values = row(rows, factor, value, cell), per_deal(cells, signs, cell)
            simple = [per_deal(cells, [each], cell).mean() for each in signs]
            assert found.effect == pytest.approx(values.mean(), abs=1e-12)
            assert found.simple_low == pytest.approx(min(simple), abs=1e-12)
            assert found.simple_high == pytest.approx(max(simple), abs=1e-12)
            assert (found.n_simple, found.n) == (len(signs), 500)
            assert found.simple_low <= found.effect + 1e-12
            assert found.effect <= found.simple_high + 1e-12


def test_the_interval_is_students_with_two_more_deals(
    tables: dict[int, Table], cells: dict[str, np.ndarray]
) -> None:
    found = row(contrasts(tables[1], PART, REFERENCE), "window", "long", "1")
    values = per_deal(cells, MAIN["window", "long"], "1")
    variance = (((values - values.mean()) ** 2).sum() + 2) / 499
    half = student.isf(ALPHA / 16 / 2, 499) * np.sqrt(variance / 500)
    assert found.interval.low == pytest.approx(values.mean() - half, abs=1e-12)
    assert found.interval.high == pytest.approx(values.mean() + half, abs=1e-12)
    assert (found.interval.kind, found.interval.level) == ("t", 1 - ALPHA)
    assert found.interval.family == "4 contrasts × 4 cells"


def test_the_interval_in_sessions_is_students_of_their_totals(
    tables: dict[int, Table], cells: dict[str, np.ndarray]
) -> None:
    found = row(contrasts(tables[7], PART, REFERENCE), "draw", "early", "0")
    values = per_deal(cells, MAIN["draw", "early"], "0")
    totals = np.array([values[first : first + 7].sum() for first in range(0, 500, 7)])
    variance = (((totals - totals.mean()) ** 2).sum() + 2) / 71
    half = student.isf(ALPHA / 16 / 2, 71) * np.sqrt(variance / 72) * 72 / 500
    assert found.interval.high - found.effect == pytest.approx(half, rel=1e-9)
    assert found.effect - found.interval.low == pytest.approx(half, rel=1e-9)
    assert found.interval.kind == "t of session totals"


def test_an_effect_of_two_variants_has_the_interval_of_their_difference(
    tables: dict[int, Table], cells: dict[str, np.ndarray]
) -> None:
    found = row(contrasts(tables[1], PART, REFERENCE), "draw", "never", "0")
    b = int(((cells["never"] == 0) & (cells["classic"] != 0)).sum())
    c = int(((cells["never"] != 0) & (cells["classic"] == 0)).sum())
    expected = tango(b, c, 500, ALPHA, 16)
    assert (found.interval.low, found.interval.high) == (expected.low, expected.high)
    assert found.interval.kind == "Tango"


def test_one_option_at_a_time_gives_main_effects_only(tables: dict[int, Table]) -> None:
    factors = {name: PART[name] for name in ("classic", "early", "never", "long")}
    rows = contrasts(tables[1], factors, REFERENCE)
    assert {(each.factor, each.value, each.n_simple) for each in rows} == {
        ("draw", "early", 1),
        ("draw", "never", 1),
        ("window", "long", 1),
    }


def test_interactions_may_be_left_out(tables: dict[int, Table]) -> None:
    rows = contrasts(tables[1], PART, REFERENCE, interactions=False)
    assert {each.order for each in rows} == {1}
    assert rows[0].interval.family == "3 contrasts × 4 cells"


def test_variants_that_differ_in_no_single_option_have_no_contrasts(tables: dict[int, Table]) -> None:
    factors = {name: PART[name] for name in ("never", "early-long")}
    assert contrasts(tables[1], factors, REFERENCE) == ()


def test_a_full_crossing_of_three_options_averages_over_the_other_two() -> None:
    names = [f"{a}{b}{c}" for a in "01" for b in "01" for c in "01"]
    factors = {name: dict(zip("xyz", name, strict=True)) for name in names}
    found = {each.factor: each for each in design(factors, dict.fromkeys("xyz", "0"))}
    assert set(found) == {"x", "y", "z", "x × y", "x × z", "y × z"}
    y = dict(zip(names, found["y"].weights.tolist(), strict=True))
    assert y == {name: 0.25 if name[1] == "1" else -0.25 for name in names}
    crossed = dict(zip(names, found["x × z"].weights.tolist(), strict=True))
    assert crossed == {name: 0.5 if name[0] == name[2] else -0.5 for name in names}
    assert [len(found[key].simple) for key in ("x", "x × z")] == [4, 2]


def test_rows_become_plain_data(tables: dict[int, Table]) -> None:
    data = contrasts(tables[1], PART, REFERENCE)[0].as_mapping()
    assert list(data) == [
        "players", "lineup", "factor", "value", "reference", "order", "cell", "effect", "low", "high",
        "level", "kind", "family", "simple_low", "simple_high", "n_simple", "n", "verdict",
    ]  # fmt: skip
    assert (data["factor"], data["value"], data["reference"]) == ("draw", "early", "late")


def test_the_verdict_compares_the_interval_with_the_margin(tmp_path: Path) -> None:
    cells = {"classic": np.zeros(400, int), "early": np.ones(400, int)}
    factors = {name: PART[name] for name in cells}
    table = table_of(tmp_path, cells)
    found = {each.cell: each.verdict for each in contrasts(table, factors, REFERENCE, margin=0.1)}
    assert found == {"0": "changes", "1": "changes", "drawn": "inside", "stalled": "inside"}
    found = {each.cell: each.verdict for each in contrasts(table, factors, REFERENCE, margin=0.001)}
    assert found["drawn"] == "undecided"


def test_ranked_contrasts_begin_with_the_largest_effect(tables: dict[int, Table]) -> None:
    rows = contrasts(tables[1], PART, REFERENCE)
    order = list(ranked(rows))
    assert len(order) == 4
    sizes = [abs(each.effect) for each in order]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == max(abs(each.effect) for each in rows)


def test_only_deals_that_all_runs_have_count(tmp_path: Path) -> None:
    cells = outcomes(PART, 300)
    shorter = {**cells, "long": cells["long"][:200]}
    rows = contrasts(table_of(tmp_path, shorter), PART, REFERENCE)
    cut = {name: column[:200] for name, column in cells.items()}
    assert {each.n for each in rows} == {200}
    expected = per_deal(cut, MAIN["draw", "early"], "1").mean()
    assert row(rows, "draw", "early", "1").effect == pytest.approx(expected, abs=1e-12)


def test_shared_first_places_are_a_cell_of_the_first_out(tmp_path: Path) -> None:
    deals = {
        "classic": [Dealt(1, places=(1, 2)), Dealt("drawn", places=(1, 1)), Dealt("stalled")] * 4,
        "early": [Dealt(0, places=(2, 1)), Dealt("drawn", places=(1, 1)), Dealt("stalled")] * 4,
    }
    paths = [run_of(tmp_path, match(name), each) for name, each in deals.items()]
    comparison = compare(paths, outcome="first_out")
    table, view = comparison.tables[0], comparison.view
    rows = contrasts(table, {name: PART[name] for name in deals}, REFERENCE, view=view)
    effects = {each.cell: each.effect for each in rows}
    assert effects == {"0": -1 / 3, "1": 1 / 3, "drawn": 0, "stalled": 0, "shared": 0}
    expected = comparison.differences.row(0, named=True)
    assert (rows[0].interval.low, rows[0].interval.high) == (expected["low"], expected["high"])
    assert rows[0].interval.family == "1 contrast × 4 cells"


# ------------------------------------------------------------------------------------ little to go by


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("sequential", [False, True])
def test_few_deals_leave_finite_intervals(n: int, sequential: bool) -> None:
    counted = Together(4, 4, 1)
    counted.add_cells(np.zeros((4, n), np.uint8))
    factors: dict[str, dict[str, object]] = {"a": {}, "b": {"x": 1}, "c": {"y": 1}, "d": {"x": 1, "y": 1}}
    for contrast in design(factors, {"x": 0, "y": 0}):
        effect, interval = contrast_estimate(contrast, counted, 0, 0.05, 12, sequential=sequential)
        assert effect == 0
        assert -contrast.order <= interval.low < 0 < interval.high <= contrast.order


def test_one_deal_is_enough_for_rows(tmp_path: Path) -> None:
    rows = contrasts(table_of(tmp_path, outcomes(PART, 1)), PART, REFERENCE)
    assert {(each.interval.low, each.interval.high) for each in rows if each.order == 1} == {(-1.0, 1.0)}
    assert {each.verdict for each in rows} == {"undecided"}


def test_equal_play_has_no_effect_and_an_interval_of_some_width(tmp_path: Path) -> None:
    cells = dict.fromkeys(PART, outcomes(PART, 200)["classic"])
    for each in contrasts(table_of(tmp_path, cells), PART, REFERENCE):
        assert each.effect == each.simple_low == each.simple_high == 0
        assert each.interval.low < 0 < each.interval.high


def test_after_an_early_stop_the_sequence_holds() -> None:
    counted = Together(2, 4, 1)
    cells = outcomes(dict.fromkeys(("classic", "other")), 300)
    counted.add_cells(np.array([cells["classic"], cells["other"]], np.uint8))
    (contrast,) = design({"classic": {}, "other": {"x": 1}}, {"x": 0})
    _, interval = contrast_estimate(contrast, counted, 0, 0.05, 4, sequential=True)
    b, c = (int(((cells[one] == 0) & (cells[two] != 0)).sum()) for one, two in (
        ("other", "classic"), ("classic", "other")))  # fmt: skip
    expected = confidence_sequence(b, c, 300, 0.05, 4)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert interval.kind == expected.kind


def test_after_an_early_stop_in_sessions_the_sequence_has_their_variance(
    cells: dict[str, np.ndarray],
) -> None:
    counted = Together(5, 4, 7)
    counted.add_cells(np.array(list(cells.values()), np.uint8))
    contrast = design(PART, REFERENCE)[0]
    effect, interval = contrast_estimate(contrast, counted, 0, 0.05, 16, sequential=True)
    _, ordinary = contrast_estimate(contrast, counted, 0, 0.05, 16)
    error = (ordinary.high - effect) / student.isf(0.05 / 16 / 2, 71)
    half = float(sequence_half_width(error * error * 500, 500, 0.05, 16))
    assert interval.high == pytest.approx(min(1.0, effect + half), rel=1e-9)
    assert interval.low == pytest.approx(max(-1.0, effect - half), rel=1e-9)


# ------------------------------------------------------------------------------------ refusals


def refused(table: Table, factors: Mapping[str, Mapping[str, object]]) -> str:
    with pytest.raises(InputError) as error:
        contrasts(table, factors, REFERENCE)
    return str(error.value)


def test_what_cannot_be_contrasted_is_named(tmp_path: Path) -> None:
    table = table_of(tmp_path, outcomes(dict.fromkeys(("classic", "early")), 40))
    assert "never: expected a variant of the table (classic, early), got none" in refused(
        table, {"classic": {}, "never": {"draw": "never"}}
    )
    assert "early: expected draw or window, got drew" in refused(
        table, {"classic": {}, "early": {"drew": "early"}}
    )
    assert "early: expected values of its own, got those of classic" in refused(
        table, {"classic": {}, "early": {"draw": "late"}}
    )
    assert "expected variants, got none" in refused(table, {})


def test_runs_of_another_seed_are_refused(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match("classic"), [Dealt(0)] * 20),
        run_of(tmp_path, match("early", seed=2), [Dealt(1)] * 20),
    ]
    message = refused(compare(paths).tables[0], {"classic": {}, "early": {"draw": "early"}})
    assert "expected seed 1, got 2 – leave it out" in message


# ------------------------------------------------------------------------------------ simulated


def _patterns(rare: float) -> np.ndarray:
    """Return the chances of the 16 joint outcomes of a crossing of two rules, the last bit the reference."""
    rng = np.random.default_rng(3)
    usual = np.zeros(16)
    usual[0], usual[15] = 0.75, 0.25
    other = rng.dirichlet(np.ones(16))
    return (1 - rare) * usual + rare * other


@pytest.mark.slow
@pytest.mark.parametrize("rare, n", [(0.3, 2000), (0.003, 2000)])
def test_simulated_contrasts_cover_as_often_as_they_say(rare: float, n: int) -> None:
    rng = np.random.default_rng(20_262)
    chances = _patterns(rare)
    bits = (np.arange(16)[:, np.newaxis] >> np.arange(4) & 1).astype(float)
    factors: dict[str, dict[str, object]] = {"a": {}, "b": {"x": 1}, "c": {"y": 1}, "d": {"x": 1, "y": 1}}
    effects = design(factors, {"x": 0, "y": 0})
    truths = [float(chances @ bits @ each.weights) for each in effects]
    covered = np.zeros(3)
    for drawn in rng.multinomial(n, chances, size=10_000):
        counted = Together(4, 1, 1, n_deals=n, n_sessions=n)
        counted.totals[0] = drawn @ bits
        counted.products[0] = bits.T @ (drawn[:, np.newaxis] * bits)
        for i, (contrast, truth) in enumerate(zip(effects, truths, strict=True)):
            _, interval = contrast_estimate(contrast, counted, 0, 0.05, 1)
            covered[i] += not interval.excludes(truth)
    coverage = covered / 10_000
    assert coverage.min() > 0.93, coverage
    if rare > 0.1:
        assert coverage.max() < 0.97, coverage
