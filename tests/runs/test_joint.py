"""Folders of counts: interrupted, damaged, listed, made longer."""

from pathlib import Path

import pytest
import yaml

from simcli.analysis.counted import load_counted
from simcli.analysis.finished import FinishedRun
from simcli.analysis.joint import JointOrder, play_joint
from simcli.errors import InputError
from simcli.runs.board import Board, join_board
from simcli.runs.conduct import conduct_all
from simcli.runs.countsfile import read_counts
from simcli.runs.jointfolder import JointFolder, folder_at
from simcli.runs.jointmatch import JointMatch
from simcli.runs.listing import list_runs
from simcli.runs.partfile import DamagedPart
from simcli.runs.planfile import load_joint_plan, load_plan, yaml_text
from simcli.runs.play import played_part
from simcli.runs.pool import Pool
from tests.analysis.joint_runs import Asked, Counts, counts
from tests.runs.conftest import Notes, match_of

__all__ = ["counts"]

pytestmark = pytest.mark.usefixtures("small_parts")

PART = "part-00001.json.gz"


def joint_match(*others: str, seed: int = 1) -> JointMatch:
    base, *rest = (match_of(name, players=3, seed=seed) for name in ("classic", *others))
    variants = tuple(match.variant for match in rest)
    return JointMatch(base.variant, base.lineup, seed, 1, variants, "opener", "loss")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def again_without_its_list(folder: Path) -> None:
    """Leave the parts to what they say of themselves."""
    (folder / "parts.sha256").unlink()


def flipped(content: bytes) -> bytes:
    altered = bytearray(content)
    altered[len(content) // 2] ^= 1
    return bytes(altered)


def test_an_interrupted_run_goes_on_to_the_same_counts(tmp_path: Path, notes: Notes, counts: Counts) -> None:
    expected = files(counts(Asked(("classic", "podkidnoy")))[0].path)
    order = JointOrder(joint_match("podkidnoy"), 900, tmp_path / "again")
    kept: dict[str, bytes] = {}

    def interrupted(runs: object) -> None:
        raise KeyboardInterrupt

    with Pool(1) as pool, pytest.raises(KeyboardInterrupt):
        list(conduct_all([order], pool, notes, onlooker=interrupted))
    folder = order.folder.path
    kept = files(folder)
    assert 0 < len(kept) < len(expected)
    assert list_runs(tmp_path / "again")[0].state == "unfinished"
    with pytest.raises(InputError, match=r"expected a finished run, got .* of 900 deals"):
        load_counted(folder)
    before = {name: (folder / name).stat().st_mtime_ns for name in kept}
    with Pool(1) as pool:
        (outcome,) = play_joint([order], pool, notes)
    assert outcome.played == 900 - sum(part.n_deals for part in outcome.runs[0].parts[: len(kept)])
    assert files(folder) == expected
    assert {name: (folder / name).stat().st_mtime_ns for name in before} == before


def test_what_is_finished_is_not_played_again(counts: Counts) -> None:
    before = counts(Asked())[0].path
    stamps = {path: path.stat().st_mtime_ns for path in before.iterdir()}
    counts(Asked())
    assert {path: path.stat().st_mtime_ns for path in before.iterdir()} == stamps


def test_a_fresh_run_starts_from_nothing(counts: Counts) -> None:
    runs = counts(Asked())
    shorter = counts(Asked(deals=300), fresh=True)
    assert runs[0].path == shorter[0].path
    assert [run.deals for run in load_counted(shorter[0].path)] == [300, 300]


@pytest.mark.parametrize("with_list", [True, False])
@pytest.mark.parametrize(
    "damage",
    [flipped, lambda content: content[:-20], lambda content: b"", lambda content: content + content],
    ids=["a bit", "cut short", "empty", "twice"],
)
def test_damage_is_named_and_played_again(
    damage: object, with_list: bool, counts: Counts, notes: Notes
) -> None:
    folder = counts(Asked())[0].path
    expected = files(folder)
    (folder / PART).write_bytes(damage(expected[PART]))
    if not with_list:
        again_without_its_list(folder)
    assert list_runs(folder.parent)[0].state == "damaged"
    with pytest.raises(InputError, match=f"{PART}: it"):
        load_counted(folder)
    counts(Asked())
    assert any(PART in text and text.endswith("it is played again") for text in notes.said)
    assert files(folder) == expected


def test_a_part_of_another_table_is_noticed(counts: Counts, notes: Notes) -> None:
    folder = counts(Asked())[0].path
    expected = files(folder)
    other = counts(Asked(seed=2))[0].path
    (folder / PART).write_bytes((other / PART).read_bytes())
    again_without_its_list(folder)
    counts(Asked())
    assert any("belongs to another run (seed 2, expected 1)" in text for text in notes.said)
    assert files(folder) == expected


def test_a_part_of_another_range_is_noticed(counts: Counts) -> None:
    folder = JointFolder(counts(Asked())[0].path)
    plan = folder.plan()
    assert plan is not None
    first, second, *_ = plan.parts()
    folder.part_path(second).write_bytes(folder.part_path(first).read_bytes())
    with pytest.raises(DamagedPart, match="first 0, expected"):
        read_counts(folder.store, plan, second)


def test_more_deals_play_only_those_that_are_missing(counts: Counts) -> None:
    short = files(counts(Asked())[0].path)
    runs = counts(Asked(deals=1500))
    assert [run.plan.declared for run in runs] == [(900, 1500)] * 2
    assert short.items() <= files(runs[0].path).items()


def test_a_number_that_was_never_declared_is_refused(counts: Counts) -> None:
    counts(Asked())
    with pytest.raises(InputError, match="--deals: expected 900 as this run was declared"):
        counts(Asked(deals=500))


def test_the_plan_comes_back_from_its_file(counts: Counts) -> None:
    folder = counts(Asked(("classic", "podkidnoy", "late-transfer"), frame="dealer"))[0].path
    plan = load_joint_plan(folder / "plan.yaml")
    assert isinstance(plan.match, JointMatch)
    assert [variant.name for variant in plan.match.variants] == ["classic", "podkidnoy", "late-transfer"]
    assert (plan.match.frame, plan.match.outcome) == ("dealer", "loss")
    assert (folder / "plan.yaml").read_text() == yaml_text(plan.as_mapping())
    assert load_joint_plan(folder / "run.yaml") == plan


@pytest.mark.parametrize(
    "key, value, message",
    [
        ("frame", "moon", "frame: expected opener, dealer or seat, got moon"),
        ("outcome", 3, "outcome: expected loss or first_out, got 3"),
        ("variants", [], "variants: expected a list of variants"),
        ("seed", -1, "seed: expected a whole number"),
        ("format", "simcli-run/1", "format: expected simcli-summary/1"),
    ],
)
def test_a_plan_that_says_something_else_is_refused(
    key: str, value: object, message: str, counts: Counts
) -> None:
    path = counts(Asked())[0].path / "plan.yaml"
    path.write_text(yaml_text({**yaml.safe_load(path.read_text()), key: value}))
    with pytest.raises(InputError, match=message):
        load_joint_plan(path)


def test_a_plan_of_counts_is_no_plan_of_rows(counts: Counts) -> None:
    with pytest.raises(InputError, match="this folder holds counts without rows"):
        load_plan(counts(Asked())[0].path / "plan.yaml")


def test_a_results_folder_lists_counts_beside_rows(tmp_path: Path, notes: Notes, counts: Counts) -> None:
    Asked().rows(tmp_path, notes)
    counts(Asked())
    listed = {Path(entry.folder).name: entry for entry in list_runs(tmp_path)}
    joint = listed["SUMMARY-classic+late-transfer-p3-lowest-s1"]
    assert (joint.variant, joint.state, joint.done, joint.summary) == (
        "classic + late-transfer", "finished", 900, True,
    )  # fmt: skip
    assert not listed["classic-p3-lowest-s1"].summary
    assert type(folder_at(Path(joint.folder))) is JointFolder


def test_the_report_must_say_what_the_parts_say(counts: Counts) -> None:
    folder = counts(Asked())[0].path
    path = folder / "run.yaml"
    path.write_text(path.read_text().replace("seed: 1\n", "seed: 2\n"))
    with pytest.raises(InputError, match=r"run\.yaml: expected what plan\.yaml says, got another seed"):
        load_counted(folder)
    counts(Asked())
    assert load_counted(folder)


def test_names_of_many_variants_are_cut_and_told_apart() -> None:
    names = ["late-transfer", "podkidnoy", "no-draws", "pass-card", "full-pack"]
    long, longer = joint_match(*names).folder_name, joint_match(*names, "transferable").folder_name
    assert long != longer
    assert max(len(long), len(longer)) < 100
    assert joint_match(*reversed(names)).folder_name == long


def test_another_match_differs_in_words() -> None:
    here, there = joint_match("podkidnoy"), joint_match("late-transfer", seed=2)
    assert here.differences(there) == [
        "variants classic, late-transfer there, classic, podkidnoy here",
        "seed 2 there, 1 here",
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("always_processes")
def test_worker_processes_count_the_same(tmp_path: Path, notes: Notes, counts: Counts) -> None:
    expected = counts(Asked(deals=2000))
    found = Asked(deals=2000).counts(tmp_path / "workers", notes, workers=2)
    assert _told(found) == _told(expected)


def _told(runs: list[FinishedRun]) -> list[tuple[str, object]]:
    return [(run.digest, run.summary) for run in runs]


def test_a_part_can_be_sent_back_in_place_of_being_written(counts: Counts) -> None:
    folder = JointFolder(counts(Asked())[0].path)
    plan = folder.plan()
    assert plan is not None
    order = JointOrder(plan.match, 900, folder.path.parent)
    part = next(iter(plan.parts()))
    join_board(Board(1))  # the last pool of this process has ended its own
    played = played_part(order.task(plan, part, folder))
    assert played is not None
    assert played.content == folder.part_path(part).read_bytes()
    record = folder.read_part(folder.store, plan, part, played.record.checksum)
    assert record == played.record
