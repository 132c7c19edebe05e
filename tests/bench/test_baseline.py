"""A slower engine is noticed whatever the machine, and chance is not."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from simcli.cli.main import main
from simcli.errors import InputError
from simcli.runs.bench import baseline as baselines
from simcli.runs.bench import calibration
from simcli.runs.bench.baseline import (
    Baseline,
    Line,
    compare_baselines,
    load_baseline,
    measure_baseline,
    save_baseline,
)
from simcli.runs.bench.player import Player, Sample
from simcli.runs.bench.steps import Quiet
from tests.runs.conftest import match_of

LINE = Line("classic", 4, "lowest", 4000.0, 0.002)
BEFORE = Baseline({"processor": "abacus"}, (LINE,))


@pytest.mark.parametrize(
    "ratio, error, verdict",
    [
        (4000.0, 0.002, "same"),
        (3900.0, 0.002, "same"),  # within the least noise of 3 %
        (3800.0, 0.002, "slower"),
        (4200.0, 0.002, "faster"),
        (3800.0, 0.02, "same"),  # 5 % is chance where the error is 2 %
        (3000.0, 0.02, "slower"),
    ],
)
def test_only_what_chance_does_not_explain_is_a_change(ratio: float, error: float, verdict: str) -> None:
    (compared,) = compare_baselines(BEFORE, Baseline({}, (replace(LINE, ratio=ratio, error=error),)))
    assert compared.verdict == verdict


def test_lines_are_found_by_their_table() -> None:
    other = replace(LINE, players=3)
    assert compare_baselines(BEFORE, Baseline({}, (other,))) == []
    assert [each.now for each in compare_baselines(BEFORE, Baseline({}, (other, LINE)))] == [LINE]


def test_a_machine_that_is_slower_at_everything_has_the_same_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    ratios = []
    for slowness in (1.0, 7.0):
        monkeypatch.setattr(baselines, "calibrated", lambda slowness=slowness: 2e8 / slowness)
        monkeypatch.setattr(
            Player, "sample", lambda self, cpu_s, slowness=slowness: Sample(1000, 1, slowness * 1e-2)
        )
        ratios.append(measure_baseline([match_of()], 0.01, 1, Quiet()).lines[0].ratio)
    assert ratios[0] == pytest.approx(ratios[1]) == pytest.approx(1000 / 1e-2 / 2e8 * 1e6)


def test_the_fixed_work_is_the_same_with_and_without_compiling() -> None:
    import numpy as np
    from numba import njit

    tables = np.zeros(64, dtype=np.uint64), np.zeros(64, dtype=np.uint64)
    with np.errstate(over="ignore"):
        plain = calibration._work(2000, tables[0])
    assert njit(calibration._work)(2000, tables[1]) == plain
    assert (tables[0] == tables[1]).all()
    assert tables[0].sum() > 500


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    save_baseline(tmp_path / "b.json", BEFORE)
    assert load_baseline(tmp_path / "b.json") == BEFORE


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"format": "simcli-baseline/1", "machine": {}, "lines": [{"ratio": 1}]}',
             '{"format": "other/1", "machine": {}, "lines": []}']
)  # fmt: skip
def test_other_files_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError, match="expected a file that `simcli bench --save` wrote, got another"):
        load_baseline(tmp_path / "b.json")


def given(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["simcli", "bench", *words])
    with pytest.raises(SystemExit) as caught:
        main()
    return int(caught.value.code or 0), *capsys.readouterr()


def test_the_command_exits_with_1_if_a_line_is_slower_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--players", "4", "--bots", "lowest", "--seconds", "0.05"]
    code, out, _ = given([*options, "--save", "b.json"], monkeypatch, capsys)
    assert code == 0
    assert out.splitlines()[1].split()[:3] == ["classic", "4", "lowest"]
    saved = json.loads(Path("b.json").read_text())
    saved["lines"][0] |= {"ratio": saved["lines"][0]["ratio"] * 10, "error": 0.0}
    Path("fast.json").write_text(json.dumps(saved))
    code, out, _ = given([*options, "--against", "fast.json"], monkeypatch, capsys)
    assert code == 1
    assert out.splitlines()[1].endswith("SLOWER")
    assert "\n1 of 1 lines slower beyond the noise\n" in out
    assert all(len(line) <= 80 for line in out.splitlines())
    saved["lines"][0]["ratio"] /= 100
    Path("slow.json").write_text(json.dumps(saved))
    code, out, _ = given([*options, "--against", "slow.json", "--json"], monkeypatch, capsys)
    assert code == 0
    (line,) = json.loads(out)
    assert list(line) == ["variant", "players", "bots", "before", "now", "change", "noise", "verdict"]
    assert line["verdict"] == "faster"


@pytest.mark.parametrize(
    "words, told",
    [
        (["--save", "b.json", "--runs"], "--save: expected it without --runs"),
        (["--against", "b.json", "--all"], "--against: expected it without --all"),
        (["--against", "b.json"], "expected a saved baseline, got: No such file"),
        (["--against", "two.json", "--players", "2"], "expected a line that is measured now, got none"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_is_measured(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    save_baseline(Path("two.json"), BEFORE)
    code, out, err = given(words, monkeypatch, capsys)
    assert (code, out) == (2, "")
    assert told in err
