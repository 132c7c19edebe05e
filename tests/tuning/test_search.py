"""The search for weights: the same from the same seed, and nothing lost by Ctrl-C."""

import ast
import sys

import numpy as np
import pytest

from simcli.bots.thrifty_weights import WEIGHTS, Weights
from simcli.errors import InputError
from simcli.rules.load import load_variant
from simcli.rules.variant import seat
from simcli.runs.report import Silent
from simcli.tuning.botfile import Tuned, weights_source
from simcli.tuning.search import MEMBERS, Budget, Found, Search, refuse_without_cma
from simcli.tuning.tune import start_of, tables_of

TINY = Budget(generations=2, deals=100)
SPOILT = WEIGHTS._replace(turn=(-500,) * 9, throw=(0,) * 9)


def search(seed: int = 1, workers: int = 1, start: Weights = SPOILT, budget: Budget = TINY) -> Found:
    tables = tuple(seat(load_variant("podkidnoy"), players) for players in (2, 3))
    return Search(tables, start, budget, seed, workers, Silent()).run()


def test_the_same_seed_gives_the_same_weights_whatever_the_threads() -> None:
    state = np.random.get_state()[1].tolist()
    found = search()
    assert (found.generations, found.of, found.is_stopped) == (4, 4, False)
    assert search(workers=3) == found
    assert search(seed=2).weights != found.weights
    assert np.random.get_state()[1].tolist() == state, "the global generator was used"


def test_only_weights_with_a_say_are_moved() -> None:
    found = search()
    changed = {
        (name, stage)
        for name, row in found.weights._asdict().items()
        for stage in range(9)
        if row[stage] != getattr(SPOILT, name)[stage]
    }
    assert changed
    assert {stage for _, stage in changed} <= set(range(6))
    assert not {name for name, _ in changed} & {"pair", "transfer", "show"}


def test_what_comes_to_nothing_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "_rate", lambda *_: 0.5)
    assert search().weights == SPOILT


class Interrupts(Silent):
    """Press Ctrl-C once so many deals are played."""

    def __init__(self, deals: int) -> None:
        self.deals = deals

    def show(self, done: int) -> None:
        if done >= self.deals:
            raise KeyboardInterrupt


def test_ctrl_c_keeps_the_best_so_far() -> None:
    tables = (seat(load_variant("podkidnoy"), 2),)
    budget = Budget(generations=50, deals=100)
    found = Search(tables, SPOILT, budget, 1, 1, Interrupts(3 * MEMBERS * 100)).run()
    assert (found.generations, found.of, found.is_stopped) == (3, 50, True)
    assert found.weights != SPOILT


def test_the_clock_ends_the_search() -> None:
    found = search(budget=Budget(generations=10_000, deals=100, minutes=0.002))
    assert 0 < found.generations < 10_000
    assert not found.is_stopped


def test_without_the_optimiser_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(InputError, match=r"not installed – pip install 'simcli\[tune\]'$"):
        refuse_without_cma()


def test_weights_are_written_as_they_are_read() -> None:
    source = weights_source(WEIGHTS)
    call = ast.parse(source).body[0].value  # type: ignore[attr-defined]
    assert Weights(**{each.arg: ast.literal_eval(each.value) for each in call.keywords}) == WEIGHTS
    assert max(map(len, source.splitlines())) < 80


def test_a_stopped_search_says_so_in_its_file() -> None:
    text = Tuned("classic", Found(WEIGHTS, 3, 80, True), "simcli bots tune").source("my.py")
    assert "3 of 80 generations" in text
    assert "not tested" in text
    compile(text, "my.py", "exec")


@pytest.mark.parametrize("bot", ["thrifty:transfer=never", "counting", "", "thrifty:weights=x"])
def test_nothing_but_thrifty_and_its_weights_can_be_tuned(bot: str) -> None:
    with pytest.raises(InputError, match="--bot"):
        start_of(bot, load_variant("classic"))


def test_the_usual_tables_are_those_of_two_to_four_that_there_are() -> None:
    assert [table.players for table in tables_of(load_variant("classic"), [])] == [2, 3, 4]
    assert [table.players for table in tables_of(load_variant("partners"), [])] == [4]
    assert [table.players for table in tables_of(load_variant("classic"), [6, 5, 6])] == [5, 6]
    with pytest.raises(InputError):
        tables_of(load_variant("partners"), [3])
