"""`simcli verify` finds whatever is wrong with a run, and `--repair` plays no more again than it must."""

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml

from simcli.bots.batch import N_COLUMNS, O_BOUTS, Rows
from simcli.cli.main import main
from simcli.errors import InputError, RunError
from simcli.runs import identity
from simcli.runs import repair as repairing
from simcli.runs.partfile import METADATA_KEY, part_bytes, record_of_rows, rows_of_content
from simcli.runs.plan import Part
from simcli.runs.pool import Pool
from simcli.runs.repair import repair_run
from simcli.runs.verify import Verified, verify_run
from tests.runs.conftest import Play, match_of
from tests.runs.test_damage import PART, SUMS, altered, flip_a_bit, kept
from tests.runs.test_lock import holder_of

pytestmark = pytest.mark.usefixtures("small_parts")


def repaired(folder: Path, **options: int) -> Verified:
    with Pool(1) as pool:
        return repair_run(folder, pool, **options)


def without_report(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return files without the one that says when and how long."""
    return {name: content for name, content in files.items() if name != "run.yaml"}


def span_of(path: Path) -> Part:
    about = json.loads(pl.read_parquet_metadata(path)[METADATA_KEY])
    return Part(about["part"], about["first"], about["end"])


def rewritten(path: Path, change: Callable[[Rows], None]) -> None:
    """Alter the rows of a part, and all that it says of them as well."""
    part, match = span_of(path), match_of()
    rows = rows_of_content(path.read_bytes())
    assert rows.shape == (N_COLUMNS, part.n_deals)
    change(rows)
    path.write_bytes(part_bytes(rows, match, identity.engine_identity(), record_of_rows(rows, match, part)))


def longer_bouts(rows: Rows) -> None:
    rows[O_BOUTS] += 1


def a_longer_deal(rows: Rows) -> None:
    rows[O_BOUTS, 7] += 1


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def replaced(path: Path) -> None:
    shutil.copy(path.with_name("part-00000.parquet"), path)


def of_another_schema(path: Path) -> None:
    about = pl.read_parquet_metadata(path)
    frame = pl.read_parquet(path).with_columns(pl.col("bouts").cast(pl.UInt32))
    frame.write_parquet(path, metadata={key: about[key] for key in about if key.startswith(METADATA_KEY)})


def with_a_column_more(path: Path) -> None:
    about = pl.read_parquet_metadata(path)
    frame = pl.read_parquet(path).with_columns(mood=pl.lit(1))
    frame.write_parquet(path, metadata={key: about[key] for key in about if key.startswith(METADATA_KEY)})


def of_another_engine(path: Path) -> None:
    part, match = span_of(path), match_of()
    rows = rows_of_content(path.read_bytes())
    engine = {**identity.engine_identity(), "signature": "0ddba115"}
    path.write_bytes(part_bytes(rows, match, engine, record_of_rows(rows, match, part)))


DAMAGE: list[tuple[Callable[[Path], None], str]] = [
    (truncated, "it is cut short or damaged, or was not written by simcli"),
    (flip_a_bit, "its rows are damaged|its rows are not those that it was written with|its bytes are not"),
    (altered, "its rows are not those that it was written with"),
    (replaced, "it belongs to another run"),
    (of_another_schema, "its columns are not those of a part, or not of their types"),
    (with_a_column_more, "its columns are not those of a part, or not of their types"),
    (of_another_engine, r"it was played by another engine, .* \(signature 0ddba115\), expected"),
    (Path.unlink, "it is missing, though the run is complete"),
]


@pytest.mark.parametrize("has_sums", [True, False])
@pytest.mark.parametrize("harm, told", DAMAGE, ids=lambda value: getattr(value, "__name__", ""))
def test_damage_is_named_and_just_that_part_played_again(
    harm: Callable[[Path], None], told: str, has_sums: bool, play: Play
) -> None:
    folder = play(match_of(), 1000).folder
    before = kept(folder)
    if not has_sums:
        (folder / SUMS).unlink()
    harm(folder / PART)
    harmed = kept(folder)

    found = verify_run(folder, sample=0)
    assert not found.is_sound
    faults = [fault for fault in found.faults if fault.part is not None]
    assert [(fault.file, fault.part) for fault in faults] == [(str(folder / PART), 1)]
    assert re.search(told, faults[0].reason), faults[0].reason
    assert kept(folder) == harmed

    done = repaired(folder)
    assert done.is_sound
    assert done.read == 1000
    assert all(fault.repaired for fault in done.faults)
    assert kept(folder) == before
    assert verify_run(folder).faults == ()


def test_only_deals_that_are_played_again_betray_rows_altered_with_their_digest(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    before = kept(folder)
    for name in (SUMS, "run.yaml"):
        (folder / name).unlink()
    rewritten(folder / PART, a_longer_deal)
    wrong = span_of(folder / PART).first + 7
    assert not [fault for fault in verify_run(folder, sample=0).faults if fault.part is not None]
    found = verify_run(folder, sample=1000)
    assert found.faults[0].reason == f"deal {wrong} was played again and went another way"
    assert found.faults[0].part == 1
    assert found.replayed == 1000 - span_of(folder / PART).n_deals
    assert repaired(folder, sample=1000).is_sound
    assert without_report(kept(folder)) == without_report(before)


def test_a_small_sample_finds_a_part_that_is_wrong_throughout(play: Play) -> None:
    folder = play(match_of(), 200).folder
    (folder / SUMS).unlink()
    rewritten(folder / "part-00000.parquet", longer_bouts)
    assert "played again and went another way" in verify_run(folder, sample=120).faults[0].reason


def test_a_sound_run_is_left_as_it_is(play: Play) -> None:
    folder = play(match_of(session=4), 1000).folder
    before = kept(folder)
    found = verify_run(folder, sample=50)
    assert (found.faults, found.read, found.absent) == ((), 1000, 0)
    assert found.replayed == 52  # whole sessions
    assert repaired(folder, sample=50).faults == ()
    assert kept(folder) == before


def test_sessions_are_played_again_from_their_first_deal(play: Play) -> None:
    folder = play(match_of(session=10), 500).folder
    assert verify_run(folder, sample=500).replayed == 500


def test_deals_that_are_not_played_yet_are_no_damage(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    for name in ("run.yaml", PART, "part-00003.parquet"):
        (folder / name).unlink()
    found = verify_run(folder, sample=10)
    assert found.is_sound
    assert found.absent == 1000 - found.read > 0
    assert repaired(folder).absent == found.absent
    assert not (folder / PART).exists()
    flip_a_bit(folder / "part-00002.parquet")
    assert repaired(folder).is_sound
    assert not (folder / PART).exists()
    assert not (folder / "run.yaml").exists()


@pytest.mark.parametrize(
    "name, old, new, told",
    [
        ("run.yaml", None, None, "it is missing, though all parts are there"),
        ("run.yaml", "digest: ", "digest: 0", "digest: expected the digest of the parts"),
        ("run.yaml", "seed: 1", "seed: 2", "expected what plan.yaml says, got another seed"),
        (SUMS, "part-00001", "part-0001", "1 of its lines say nothing"),
        (SUMS, None, "", "it lacks the checksums of 4 parts"),
        (SUMS, None, None, "it lacks the checksums of 4 parts"),
        ("plan.yaml", None, None, "it is missing"),
        ("plan.yaml", "seed: 1", "seed: x", "expected a whole number"),
        ("plan.yaml", None, "", "expected keys and values, got none"),
    ],
)
def test_other_files_are_named_and_written_again(
    name: str, old: str | None, new: str | None, told: str, play: Play
) -> None:
    folder = play(match_of(), 1000).folder
    before = kept(folder)
    path = folder / name
    text = path.read_text()
    path.unlink()
    if new is not None:
        path.write_text(new if old is None else text.replace(old, new))
    found = verify_run(folder, sample=0)
    (fault,) = found.faults
    assert (fault.file, fault.part) == (str(path), None)
    assert told in fault.reason
    done = repaired(folder)
    assert done.is_sound
    assert verify_run(folder, sample=0).faults == ()
    if name == "run.yaml" and new is None:
        assert without_report(kept(folder)) == without_report(before)
    else:
        assert kept(folder) == before
    assert play(match_of(), 1000).played == 0


def test_a_wrong_checksum_has_its_part_played_again(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    before = kept(folder)
    lines = (folder / SUMS).read_text().splitlines()
    lines[1] = "0" * 64 + lines[1][64:]
    (folder / SUMS).write_text("\n".join(lines) + "\n")
    (fault,) = verify_run(folder, sample=0).faults
    assert (fault.part, fault.reason) == (1, "its bytes are not those that were written")
    assert repaired(folder).is_sound
    assert kept(folder) == before


@pytest.mark.parametrize("absent", [(), (1,), (0, 2)])
def test_a_plan_is_restored_from_the_parts_alone(absent: tuple[int, ...], play: Play) -> None:
    folder = play(match_of("late-transfer"), 1000).folder
    play(match_of("late-transfer"), 2500)
    plan = yaml.safe_load((folder / "plan.yaml").read_text())
    for name in ("plan.yaml", "run.yaml", *(f"part-{index:05d}.parquet" for index in absent)):
        (folder / name).unlink()
    assert not verify_run(folder, sample=0).is_sound
    assert repaired(folder, sample=0).is_sound
    restored = yaml.safe_load((folder / "plan.yaml").read_text())
    own = {"deals", "part_deals"}
    assert {key: restored[key] for key in restored if key not in own} == {
        key: plan[key] for key in plan if key not in own
    }
    assert play(match_of("late-transfer"), 2500).digest == (
        play(match_of("late-transfer"), 2500, results="at once").digest
    )


def test_a_plan_that_everything_else_contradicts_is_the_one_that_is_wrong(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    folder = folder.rename(folder.with_name("copy"))
    before = kept(folder)
    plan = folder / "plan.yaml"
    plan.write_text(plan.read_text().replace("seed: 1", "seed: 2"))
    (fault,) = verify_run(folder, sample=0).faults
    assert (fault.file, fault.reason) == (
        str(plan),
        "all parts are of another plan (seed 1 there, 2 here)",
    )
    assert repaired(folder).is_sound
    assert kept(folder) == before


def test_parts_of_two_runs_do_not_say_a_plan(play: Play) -> None:
    folder, other = play(match_of(), 1000).folder, play(match_of(seed=2), 1000).folder
    for name in ("plan.yaml", "run.yaml"):
        (folder / name).unlink()
    shutil.copy(other / PART, folder / PART)
    with pytest.raises(InputError, match=r"parts of one run, got part-00000\.parquet and part-00001\.parq"):
        verify_run(folder)
    with pytest.raises(InputError, match=r"of two – put plan\.yaml back"):
        repaired(folder)


def test_the_only_part_does_not_outvote_plan_and_report(play: Play) -> None:
    folder, other = play(match_of(), 100).folder, play(match_of(seed=2), 100).folder
    before = kept(folder)
    shutil.copy(other / "part-00000.parquet", folder)
    moved = folder.rename(folder.with_name("moved"))
    (fault,) = verify_run(moved, sample=0).faults
    assert fault.part == 0
    assert repaired(moved).is_sound
    assert kept(moved) == before


def test_a_part_that_the_plan_has_no_place_for_is_named_and_left_to_its_owner(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    shutil.copy(folder / PART, folder / "part-00009.parquet")
    (fault,) = repaired(folder).faults
    assert (fault.reason, fault.repaired) == ("plan.yaml has no such part – move it away", False)
    assert (folder / "part-00009.parquet").exists()


def test_a_run_copied_elsewhere_and_renamed_is_repaired_there(play: Play, tmp_path: Path) -> None:
    folder = play(match_of(), 1000).folder
    copy = tmp_path / "elsewhere" / "my run"
    shutil.copytree(folder, copy)
    before = kept(copy)
    flip_a_bit(copy / PART)
    assert repaired(copy).is_sound
    assert kept(copy) == before


def test_another_engine_reads_but_neither_plays_again_nor_repairs(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = play(match_of(), 1000).folder
    monkeypatch.setattr(identity, "engine_signature", lambda: "0ddba115")
    found = verify_run(folder)
    assert (found.is_sound, found.read, found.replayed) == (True, 1000, 0)
    assert found.skipped is not None
    assert "(signature 0ddba115)" in found.skipped
    flip_a_bit(folder / PART)
    before = kept(folder)
    assert not verify_run(folder).is_sound
    with pytest.raises(InputError, match="use that version of simcli"):
        repaired(folder)
    assert kept(folder) == before


def test_a_run_that_is_played_is_read_but_not_repaired(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    (folder / "run.yaml").unlink()
    (folder / SUMS).unlink()
    with holder_of(folder) as other:
        found = verify_run(folder, sample=0)
        assert found.is_sound
        assert found.holder == f"process {other.pid}"
        with pytest.raises(InputError, match="is being played by another simcli"):
            repaired(folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_not_repaired(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    flip_a_bit(folder / PART)
    folder.chmod(0o555)
    with pytest.raises((InputError, RunError), match="cannot"):
        repaired(folder)
    folder.chmod(0o755)


def test_a_repair_that_fails_leaves_the_rest_as_it_was(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = play(match_of(), 1000).folder
    flip_a_bit(folder / PART)
    before = kept(folder)

    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("simcli.runs.store.local.write_whole", full)
    with pytest.raises(RunError, match="the disk is full"):
        repaired(folder)
    assert kept(folder) == before


def test_the_sample_is_drawn_from_the_whole_run(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = play(match_of(), 1000).folder
    played: list[int] = []
    verify = sys.modules["simcli.runs.verify"]
    original = verify.play_rows

    def noted(match: object, first: int, rows: Rows, is_wanted: object) -> bool:
        played.append(first)
        return bool(original(match, first, rows, is_wanted))

    monkeypatch.setattr(verify, "play_rows", noted)
    assert verify_run(folder, sample=200).replayed == 200
    assert len(set(played)) == 200
    assert np.ptp(played) > 700
    assert repairing.DEFAULT_SAMPLE == 1000


# ------------------------------------------------------------------------------------ the command


@pytest.fixture
def verify(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., object]:
    """Return a function that gives `simcli verify`: exit code, output, notices."""

    def given(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["simcli", "verify", *map(str, words)])
        with pytest.raises(SystemExit) as caught:
            main()
        return int(caught.value.code or 0), *capsys.readouterr()

    return given


def test_the_exit_code_says_whether_all_is_sound(play: Play, verify: Callable[..., object]) -> None:
    folder, other = play(match_of(), 1000).folder, play(match_of(seed=2), 100).folder
    assert verify(folder, other, "--sample", 20) == (
        0,
        f"{folder}: sound\n  1,000 of 1,000 deals read, every row\n  20 deals played again, all the same\n"
        f"{other}: sound\n  100 of 100 deals read, every row\n  20 deals played again, all the same\n",
        "",
    )
    flip_a_bit(folder / PART)
    code, out, _ = verify(folder, other, "--sample", 0)  # type: ignore[misc]
    assert code == 1
    assert out.startswith(f"{folder}: DAMAGED\n  ")
    assert f"  {folder / PART}: its " in out
    assert f"{other}: sound" in out
    code, out, notices = verify(folder, "--sample", 0, "--repair", "--workers", 1)  # type: ignore[misc]
    assert code == 0
    assert out.startswith(f"{folder}: repaired\n  1,000 of 1,000 deals read")
    assert "; repaired\n" in out
    assert f"{folder / PART}: played again\n" in notices


def test_json_says_the_same(play: Play, verify: Callable[..., object]) -> None:
    folder = play(match_of(), 1000).folder
    truncated(folder / PART)
    code, out, _ = verify(folder, "--json", "--sample", 0)  # type: ignore[misc]
    (found,) = json.loads(out)
    assert code == 1
    assert list(found) == [
        "folder", "deals", "read", "absent", "replayed", "skipped", "holder", "faults", "summary", "sound"
    ]  # fmt: skip
    assert (found["deals"], found["sound"], found["holder"]) == (1000, False, None)
    assert found["faults"] == [
        {
            "file": str(folder / PART),
            "reason": "it is cut short or damaged, or was not written by simcli",
            "part": 1,
            "repaired": False,
        }
    ]


@pytest.mark.parametrize(
    "words, told",
    [
        (("nowhere",), "expected the folder of a run, there is none"),
        ((".",), "got one without plan.yaml – `simcli runs` lists runs"),
        ((".", "--sample", "-1"), "--sample"),
        ((".", "--workers", "2"), "--workers: expected --repair with it"),
    ],
)
def test_what_cannot_be_verified_exits_with_2(
    words: tuple[str, ...], told: str, verify: Callable[..., object], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    code, out, notices = verify(*words)  # type: ignore[misc]
    assert (code, out) == (2, "")
    assert told in notices
