"""`simcli verify` of folders of counts: damage is found, and no more is counted again than must be."""

import gzip
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simcli.analysis.recount import checks_of
from simcli.cli.main import main
from simcli.errors import InputError
from simcli.runs.partfile import checksum_of
from simcli.runs.pool import Pool
from simcli.runs.repair import repair_run
from simcli.runs.verify import Verified, verify_run
from tests.analysis.joint_runs import Asked, Counts, counts
from tests.runs.conftest import notes, small_parts

__all__ = ["counts", "notes", "small_parts"]

pytestmark = pytest.mark.usefixtures("small_parts")

PART = "part-00001.json.gz"
Told = dict[str, Any]


def checked(folder: Path, sample: int = 0) -> Verified:
    return verify_run(folder, sample, checks=checks_of(folder))


def repaired(folder: Path, sample: int = 0) -> Verified:
    with Pool(1) as pool:
        return repair_run(folder, pool, sample, checks=checks_of(folder))


def rewritten(path: Path, change: Callable[[Told, Told], None]) -> None:
    """Alter what a part says of itself and its counts, and the checksum with them."""
    about, told = (json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines())
    change(about, told)
    text = json.dumps(told, separators=(",", ":"))
    about["sha256"] = checksum_of(text.encode())
    path.write_bytes(gzip.compress(f"{json.dumps(about)}\n{text}\n".encode()))


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("p*")}


def one_more_alike(about: Told, told: Told) -> None:
    cell: Any = told["together"]
    while isinstance(cell, dict | list):
        parent, key = cell, next(iter(cell)) if isinstance(cell, dict) else 0
        cell = cell[key]
    parent[key] += 1


def of_fewer_deals(about: Told, told: Told) -> None:
    about["summaries"][1]["deals"] -= 1


def without_a_count(about: Told, told: Told) -> None:
    del told["hands"]


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def of_another_range(path: Path) -> None:
    shutil.copy(path.with_name("part-00000.json.gz"), path)


DAMAGE: list[tuple[Callable[[Path], None], str]] = [
    (cut_short, "it is cut short or damaged, or was not written by simcli"),
    (of_another_range, r"it belongs to another run \(first 0, expected \d+\)"),
    (Path.unlink, "it is missing, though the run is complete"),
    (lambda path: rewritten(path, without_a_count), "its counts are not those of this table"),
    (lambda path: rewritten(path, of_fewer_deals), "its counts are of another number of deals"),
]


def test_sound_counts_are_read_and_a_sample_of_their_parts_counted_again(counts: Counts) -> None:
    run = counts(Asked())[0]
    n_part = next(run.plan.parts()).n_deals
    found = checked(run.path, 1)
    assert found.is_sound
    assert found.summary
    assert (found.read, found.replayed) == (run.deals, n_part)
    assert checked(run.path, run.deals).replayed == run.deals
    assert checked(run.path).replayed == 0


@pytest.mark.parametrize("harm, told", DAMAGE)
def test_damaged_counts_are_named_and_just_that_part_counted_again(
    harm: Callable[[Path], None], told: str, counts: Counts
) -> None:
    folder = counts(Asked())[0].path
    before = bytes_of(folder)
    (folder / "parts.sha256").unlink()
    harm(folder / PART)
    found = checked(folder)
    reasons = {fault.file: fault.reason for fault in found.faults}
    assert re.fullmatch(told, reasons[str(folder / PART)])
    assert set(reasons) == {str(folder / PART), str(folder / "parts.sha256")}
    times = {
        name: (folder / name).stat().st_mtime_ns for name in before if name not in (PART, "parts.sha256")
    }
    assert repaired(folder).is_sound
    assert bytes_of(folder) == before
    assert {name: (folder / name).stat().st_mtime_ns for name in times} == times
    assert checked(folder).faults == ()


def test_counts_altered_with_all_that_is_said_of_them_are_found_by_counting_again(counts: Counts) -> None:
    run = counts(Asked())[0]
    before = bytes_of(run.path)
    rewritten(run.path / PART, one_more_alike)
    told = "its bytes are not those that were written"
    assert [fault.reason for fault in checked(run.path).faults] == [told]
    (run.path / "parts.sha256").unlink()
    told = "it was played again and came to other counts"
    assert told in [fault.reason for fault in checked(run.path, run.deals).faults]
    assert repaired(run.path, run.deals).is_sound
    assert bytes_of(run.path) == before


@pytest.mark.parametrize("content", [None, b"format: simcli-run/1\n", b"\xff\x00"])
def test_the_plan_of_counts_is_restored_from_their_report(content: bytes | None, counts: Counts) -> None:
    folder = counts(Asked())[0].path
    before = bytes_of(folder)
    if content is None:
        (folder / "plan.yaml").unlink()
    else:
        (folder / "plan.yaml").write_bytes(content)
    assert [Path(fault.file).name for fault in checked(folder).faults] == ["plan.yaml"]
    assert repaired(folder).is_sound
    assert bytes_of(folder) == before
    (folder / "plan.yaml").unlink()
    (folder / "run.yaml").unlink()
    with pytest.raises(InputError, match=r"expected a plan\.yaml or run\.yaml, got neither"):
        checked(folder)


def test_the_command_repairs_counts(
    counts: Counts, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = counts(Asked())[0]
    cut_short(run.path / PART)
    for options, code, state in ([], 1, "DAMAGED"), (["--repair", "--workers", "1"], 0, "repaired"):
        monkeypatch.setattr(sys, "argv", ["simcli", "verify", str(run.path), *options])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code == code
        assert f": {state}\n" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["simcli", "verify", str(run.path)])
    with pytest.raises(SystemExit):
        main()
    out = capsys.readouterr().out
    assert f"  {run.deals:,} of {run.deals:,} deals read, their counts\n" in out
    assert re.search(r"  [\d,]+ deals played again, all the same\n", out)
