from pathlib import Path

import pytest

from simcli.errors import InputError, RunError
from simcli.runs.bench import yardstick as measuring
from simcli.runs.bench.steps import Quiet
from simcli.runs.bench.yardstick import (
    COMPILER,
    built_yardstick,
    can_compile,
    measure_ratios,
    yardstick_variants,
)

PROGRAM = r"""
#include <stdio.h>
int main(int argc, char **argv) {
  if (argv[4][0] == '9') return 3;
  printf("{\"loss\":[0.5,0.25],\"draw\":0.125,\"stalled\":%s,", argv[1]);
  printf("\"bouts\":10.5,\"plies\":70,\"transfers\":2,\"deals_per_s\":1000}");
}
"""

needs_compiler = pytest.mark.skipif(not can_compile(), reason=f"no {COMPILER}")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a stand-in for the yardstick: it answers at once."""
    path = tmp_path / "stand-in.c"
    path.write_text(PROGRAM)
    return path


@needs_compiler
def test_the_profile_counts_deals(source: Path) -> None:
    with built_yardstick(source) as yardstick:
        profile = yardstick.play(2, "lowest", 8)
    assert (profile.lost, profile.drawn, profile.stalled) == ((4, 2), 1, 2)
    assert profile.means == {"bouts": 10.5, "decisions": 70, "transfers": 2}
    assert not yardstick.program.exists()


@needs_compiler
def test_a_yardstick_that_fails_is_told(source: Path) -> None:
    with built_yardstick(source) as yardstick, pytest.raises(RunError, match="exit code 3"):
        yardstick.play(2, "lowest", 8, seed=9)


@needs_compiler
def test_a_source_that_cannot_be_built_is_told_with_the_reason(source: Path) -> None:
    source.write_text("int main( {")
    with pytest.raises(RunError, match=r"stand-in\.c: gcc cannot build it: .*error"), built_yardstick(source):
        pass


def test_without_a_source_there_is_no_yardstick(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"none\.c: expected the yardstick"),
        built_yardstick(tmp_path / "none.c"),
    ):
        pass


def test_without_a_compiler_there_is_no_yardstick(monkeypatch: pytest.MonkeyPatch, source: Path) -> None:
    monkeypatch.setattr(measuring, "COMPILER", "no-such-compiler")
    with pytest.raises(InputError, match="no-such-compiler to build it with"), built_yardstick(source):
        pass


def test_the_yardstick_plays_classic_with_its_own_window() -> None:
    beaten, shipped = yardstick_variants()
    assert (beaten.throw_in.window, shipped.throw_in.window) == ("when_beaten", "after_cover")
    back = beaten.throw_in.model_copy(update={"window": shipped.throw_in.window})
    assert beaten.model_copy(update={"throw_in": back}) == shipped


@needs_compiler
def test_every_bot_and_table_is_compared_with_both_windows(source: Path) -> None:
    with built_yardstick(source) as yardstick:
        ratios = measure_ratios(yardstick, 0.02, Quiet(), tables=(2, 3))
    assert [(one.bots, one.players, one.window) for one in ratios] == [
        (bot, players, window)
        for bot in ("lowest", "random")
        for players in (2, 3)
        for window in ("when_beaten", "after_cover")
    ]
    for one in ratios:
        assert one.yardstick_deals_per_s == 1000
        assert one.ratio == pytest.approx(one.deals_per_s / 1000)
        assert one.low <= one.ratio <= one.high
