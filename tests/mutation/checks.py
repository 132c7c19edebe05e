"""What a mutant has to get past: the tests of the rules, the quickest first, as plain calls.

Scenarios come first, then the tests of deal, opening, sessions and the like that need no compiler, the counts
of action sequences, the endings for two, deals that engine and oracle play against each other, the behaviour
signature. Tests that draw thousands of deals to tell a fair draw from an unfair one follow where chance comes
in, those of triggers and reasons for what concerns these.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from simcli.records.referee import settle
from simcli.records.scenario import Scenario, load_scenario
from simcli.runs.signature import Seating, differences, read_table
from tests.mutation.mutator import Mutant
from tests.oracle_variants import SHIPPED, resolve
from tests.perft_table import Table, count_by_engine, read_tables
from tests.test_endings import walk_all
from tests.test_oracle_agrees import play_drawn_positions, play_drawn_rules, play_shipped

TESTS = Path(__file__).parent.parent

#: the stages, in this order
STAGES = (
    "scenarios",
    "engine tests",
    "perft",
    "endings",
    "oracle",
    "signature",
    "chance",
    "triggers",
    "reasons",
)

#: files under tests/engine that need neither the compiler nor minutes
ENGINE_TESTS = (
    "test_places.py",
    "test_partners.py",
    "test_trace.py",
    "test_next_deal.py",
    "test_known_cards.py",
    "test_recalled_bouts.py",
    "test_seats.py",
    "test_sessions.py",
    "test_deal_and_opening.py",
    "test_racing.py",
    "test_triggers.py",
    "test_reasons.py",
)
STAGE_OF_FILE = {"test_triggers.py": "triggers", "test_reasons.py": "reasons"}
N_CHUNKS = 8
CHUNK = 25  # drawn rules, and drawn positions, of a chunk


@dataclass(frozen=True)
class Check:
    """One test, which raises if it notices something.

    Attributes
    ----------
    stage : str
        One of `STAGES`.
    name : str
        A scenario, a test, a perft file or a set of deals.
    run : callable
        The test.
    """

    stage: str
    name: str
    run: Callable[[], object]


def play_scenario(scenario: Scenario) -> None:
    """Let the referee settle a scenario."""
    verdict = settle(scenario)
    assert verdict.ok, verdict.failure


def scenario_checks() -> list[Check]:
    """Return all scenarios."""
    files = sorted((TESTS / "scenarios").glob("*.yaml"))
    return [Check("scenarios", path.stem, partial(play_scenario, load_scenario(path))) for path in files]


class _Collector:
    """Keep the tests that pytest collects."""

    def __init__(self) -> None:
        self.items: list[pytest.Function] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Take the tests over, as functions with their parameters."""
        self.items = [item for item in session.items if isinstance(item, pytest.Function)]


def stage_of(item: pytest.Function) -> str:
    """Return the stage of a test under tests/engine.

    Tests of chance draw very many deals: to see how they spread, or for a rare one.
    """
    name = item.name
    is_rare = "is_uniform" in item.obj.__code__.co_names or "a_trump" in name or "no_trump" in name
    return STAGE_OF_FILE.get(item.path.name, "chance" if is_rare else "engine tests")


def engine_checks() -> list[Check]:
    """Return the tests of `ENGINE_TESTS`, one a set of parameters."""
    collector = _Collector()
    files = [str(TESTS / "engine" / name) for name in ENGINE_TESTS if (TESTS / "engine" / name).exists()]
    status = pytest.main(["--collect-only", "-p", "no:terminal", *files], plugins=[collector])
    assert status == pytest.ExitCode.OK
    checks = []
    for item in collector.items:
        if any(mark.args[0] for mark in item.iter_markers("skipif")):
            continue
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        assert set(item.fixturenames) <= set(parameters), f"{item.nodeid}: wants a fixture"
        checks.append(Check(stage_of(item), item.name, partial(item.obj, **parameters)))
    return checks


def count_again(table: Table) -> None:
    """Compare the engine's counts with those of a file."""
    for row in table.rows:
        assert count_by_engine(table, row, table.depth) == table.counts[row], row


def perft_checks() -> list[Check]:
    """Return the counts under tests/perft."""
    return [Check("perft", table.path.stem, partial(count_again, table)) for table in read_tables()]


def ending_checks() -> list[Check]:
    """Return some drawn endings, fewer than the tests walk."""
    sizes = [{4: 200}, {6: 120}, {10: 40}, {8: 8}]
    return [Check("endings", f"of {next(iter(size))} cards", partial(walk_all, 0, size)) for size in sizes]


def oracle_checks() -> list[Check]:
    """Return sessions of every shipped variant, and deals and positions by drawn rules."""
    checks = []
    for number in range(N_CHUNKS):
        seeds = range(number * CHUNK, (number + 1) * CHUNK)
        checks.append(Check("oracle", f"positions {number}", partial(play_drawn_positions, seeds)))
        checks.append(Check("oracle", f"drawn rules {number}", partial(play_drawn_rules, seeds)))
    for name in SHIPPED:
        players = resolve(name)["players"]
        checks.append(Check("oracle", name, partial(play_shipped, name, players, range(1))))
    return checks


def play_signature(seating: Seating) -> None:
    """Compare the first deals of a line of the behaviour signature."""
    assert list(differences(read_table(), [seating], quick=True)) == []


def signature_checks() -> list[Check]:
    """Return lines of the behaviour signature: each shipped variant, single actions and whole turns."""
    bots = ("random", "lowest")
    seatings = [Seating(name, bot, resolve(name)["players"]) for bot in bots for name in SHIPPED]
    return [
        Check("signature", f"{seating.variant}, {seating.bot}", partial(play_signature, seating))
        for seating in seatings
    ]


MAKERS = {
    "scenarios": scenario_checks,
    "engine tests": engine_checks,
    "perft": perft_checks,
    "endings": ending_checks,
    "oracle": oracle_checks,
    "signature": signature_checks,
}


def all_checks(stages: Sequence[str] = STAGES) -> list[Check]:
    """Return every check of some stages, stage by stage."""
    makers = dict.fromkeys(MAKERS.get(stage, engine_checks) for stage in stages)
    return [check for maker in makers for check in maker() if check.stage in stages]


#: where chance comes in, beside the whole of `deal`: who of the racing seats is asked
CHANCE = ("draw_seat", "ask_thrower", "next_asked")


def stages_for(mutant: Mutant) -> tuple[str, ...]:
    """Return the stages that have something to say about a mutant: those of the rules, and its own."""
    is_drawn = mutant.module == "deal" or mutant.function in CHANCE
    is_noted = mutant.module == "triggers" or mutant.notes_only or mutant.function == "next_asked"
    is_told = mutant.module in ("reasons", "view")
    own = zip(("chance", "triggers", "reasons"), (is_drawn, is_noted, is_told), strict=True)
    return (*MAKERS, *(stage for stage, wanted in own if wanted))


@dataclass(frozen=True)
class Timed:
    """A check and the seconds of processor time it takes when nothing is broken."""

    check: Check
    seconds: float


def timed(checks: list[Check]) -> list[Timed]:
    """Run all checks on the engine as it is, each stage's quickest first.

    Whatever fails here fails at once, since then nothing could be said about mutants.
    """
    measured = []
    for check in checks:
        start = time.process_time()
        try:
            check.run()
        except BaseException as error:
            raise SystemExit(f"{check.stage}: {check.name} fails without any mutant: {error}") from error
        measured.append(Timed(check, time.process_time() - start))
    return sorted(measured, key=lambda each: (STAGES.index(each.check.stage), each.seconds))
