"""Runs in a bucket are the runs that a folder would hold, and survive as much."""

import json
import re
from pathlib import Path

import pytest

from simcli import Run, compare
from simcli.api import play as play_all
from simcli.errors import InputError
from simcli.runs.conduct import conduct
from simcli.runs.listing import list_runs
from simcli.runs.orders import Order
from simcli.runs.outcome import Outcome
from simcli.runs.plan import Match
from simcli.runs.pool import Pool
from simcli.runs.repair import repair_run
from simcli.runs.report import Silent
from simcli.runs.store import s3
from simcli.runs.store.location import Location, S3Url
from simcli.runs.store.store import store_at
from simcli.runs.verify import verify_run
from tests.cli.test_run import Simcli, simcli
from tests.runs.conftest import Play, match_of

__all__ = ["simcli"]

QUESTION = """
name: question
title: A question
question: Do late transfers matter?
variants: [classic, late-transfer]
bots: [lowest]
players: [4]
deals: 2000
"""

pytestmark = pytest.mark.usefixtures("small_parts")


def played(place: Location, match: Match, deals: int, *, workers: int = 1, fresh: bool = False) -> Outcome:
    with Pool(workers) as pool:
        return conduct(Order(match, deals, place), pool, Silent(), fresh)


def names_in(place: Location) -> list[str]:
    return store_at(place).names()


def test_a_run_in_a_bucket_is_that_of_a_folder_byte_for_byte(bucket: S3Url, play: Play) -> None:
    there, here = played(bucket, match_of(), 1000), play(match_of(), 1000)
    assert there.digest == here.digest
    assert there.folder == bucket / here.folder.name
    names = [name for name in names_in(there.folder) if name != "run.yaml"]
    assert names == sorted(path.name for path in here.folder.iterdir() if path.name != "run.yaml")
    for name in names:
        assert store_at(there.folder).read(name) == (here.folder / name).read_bytes()


def test_a_stopped_run_goes_on_and_a_finished_one_grows(bucket: S3Url, play: Play) -> None:
    folder = played(bucket, match_of(), 1000).folder
    store = store_at(folder)
    store.remove("part-00001.parquet")
    store.remove("run.yaml")
    again = played(bucket, match_of(), 1000)
    assert again.played == 250
    assert played(bucket, match_of(), 1000).played == 0
    more = played(bucket, match_of(), 1500)
    assert (more.played, more.digest) == (500, play(match_of(), 1500).digest)


def test_a_fresh_run_takes_the_place_of_another(bucket: S3Url, play: Play) -> None:
    played(bucket, match_of(), 1000)
    fresh = played(bucket, match_of(), 300, fresh=True)
    assert (fresh.played, fresh.digest) == (300, play(match_of(), 300).digest)
    assert sum(name.startswith("part-") for name in names_in(fresh.folder)) == 3


@pytest.mark.usefixtures("always_processes")
def test_workers_write_their_own_parts(bucket: S3Url, play: Play) -> None:
    assert played(bucket, match_of(), 1000, workers=2).digest == play(match_of(), 1000).digest


@pytest.mark.parametrize("damage", ["cut short", "bit flipped", "of another run"])
def test_a_damaged_object_is_named_and_played_again(bucket: S3Url, play: Play, damage: str) -> None:
    folder = played(bucket, match_of(), 1000).folder
    store, name = store_at(folder), "part-00002.parquet"
    content = bytearray(store.read(name))
    if damage == "cut short":
        content = content[:100]
    elif damage == "bit flipped":
        content[len(content) // 2] ^= 1
    else:
        other = played(bucket, match_of(seed=2), 1000).folder
        content = bytearray(store_at(other).read(name))
    store.write(name, bytes(content))
    listed = {entry.folder: entry for entry in list_runs(bucket)}[str(folder)]
    assert listed.state == "damaged"
    assert re.match(rf"{re.escape(str(folder / name))}: ", listed.problems[0])
    with pytest.raises(InputError, match=rf"{name}.*mend it"):
        Run.open(str(folder))
    again = played(bucket, match_of(), 1000)
    assert (again.played, again.digest) == (250, play(match_of(), 1000).digest)


def test_a_damaged_run_is_verified_and_repaired(bucket: S3Url) -> None:
    before = played(bucket, match_of(), 1000)
    store = store_at(before.folder)
    assert verify_run(before.folder, 50).is_sound
    content = bytearray(store.read("part-00002.parquet"))
    content[len(content) // 2] ^= 1
    store.write("part-00002.parquet", bytes(content))
    store.remove("plan.yaml")
    assert not verify_run(before.folder, 50).is_sound
    with Pool(1) as pool:
        assert repair_run(before.folder, pool).is_sound
    assert verify_run(before.folder, 50).read == 1000
    assert played(bucket, match_of(), 1000).played == 0


def test_a_folder_of_something_else_is_left_alone(bucket: S3Url) -> None:
    order = Order(match_of(), 300, bucket)
    order.folder.store.write("notes.txt", b"mine")
    with pytest.raises(InputError, match=r"got notes\.txt – move it away"):
        played(bucket, match_of(), 300)
    assert names_in(order.folder.path) == ["notes.txt"]


def test_two_variants_compare_the_same_in_bucket_and_folder(bucket: S3Url, tmp_path: Path) -> None:
    there, here = (
        play_all(["classic", "late-transfer"], 2000, lineups="lowest", workers=1, out=out)
        for out in (str(bucket), tmp_path)
    )
    by_name, by_url = compare(here).to_dict(), compare([str(run.folder) for run in there]).to_dict()
    for key in ("positions", "differences", "verdicts", "measures"):
        assert by_name[key] == by_url[key]
    assert there[0].scan().collect().equals(here[0].scan().collect())
    assert there[0].record(7) == here[0].record(7)


def test_counts_in_place_of_rows_are_those_of_a_folder(bucket: S3Url, tmp_path: Path, simcli: Simcli) -> None:
    asked = {"lineups": "lowest", "workers": 1, "summary": True}
    there, here = (
        play_all(["classic", "late-transfer"], 2000, out=out, **asked)  # type: ignore[arg-type]
        for out in (str(bucket), tmp_path)
    )
    assert [run.digest for run in there] == [run.digest for run in here]
    folder = there[0].folder
    by_name, by_url = compare(here).to_dict(), compare([str(folder)]).to_dict()
    assert by_name["differences"] == by_url["differences"]
    names = [name for name in names_in(folder) if name.endswith(".json.gz")]
    assert names
    for name in names:
        assert store_at(folder).read(name) == (Path(str(here[0].folder)) / name).read_bytes()
    assert [(each.folder, each.state) for each in list_runs(bucket)] == [(str(folder), "finished")]
    store_at(folder).write(names[0], store_at(folder).read(names[0])[:-9])
    assert [each.state for each in list_runs(bucket)] == ["damaged"]
    with pytest.raises(InputError, match=names[0]):
        compare([str(folder)])
    assert "DAMAGED" in simcli("verify", str(folder)).out
    assert simcli("verify", "--repair", str(folder)).code == 0
    assert compare([str(folder)]).to_dict()["differences"] == by_url["differences"]


def test_a_part_is_not_fetched_again_for_its_next_rows(
    bucket: S3Url, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played(bucket, match_of(), 300).folder
    store, fetched = store_at(folder), []
    body = s3._body
    monkeypatch.setattr(s3, "_body", lambda *given: fetched.append(body(*given)) or fetched[-1])
    first, again = (store.scan("part-00000.parquet").collect() for _ in range(2))
    assert len(fetched) == 1
    assert first.equals(again)
    store.write("part-00000.parquet", store.read("part-00001.parquet"))
    assert store.scan("part-00000.parquet").collect()["deal"][0] == 100


def test_commands_take_urls(bucket: S3Url, simcli: Simcli, tmp_path: Path) -> None:
    out = ["--out", str(bucket)]
    words = ["--bots", "lowest", "-n", "2000", "--workers", "1"]
    folders = []
    for variant in ("classic", "late-transfer"):
        told = json.loads(simcli("run", variant, *words, *out, "--json").out)
        folders.append(told[0]["folder"])
    assert folders[0] == f"{bucket}/classic-p4-lowest-s1"
    listed = json.loads(simcli("runs", str(bucket), "--json").out)
    assert [(entry["folder"], entry["state"]) for entry in listed] == [(each, "finished") for each in folders]
    assert "sound" in simcli("verify", *folders, "--sample", "50").out
    assert "deal 3 of seed 1" in simcli("replay", folders[0], "--deal", "3").out
    assert "late-transfer" in simcli("compare", *folders).out
    page = tmp_path / "page.html"
    simcli("report", *folders, "-o", str(page), "--workers", "1")
    assert "late-transfer" in page.read_text()
    Path("question.yaml").write_text(QUESTION)
    told = json.loads(simcli("experiment", "question.yaml", *out, "--dry-run", "--json").out)
    assert told["missing"] == 0
    assert simcli("report", "question.yaml", *out, "-o", str(page), "--workers", "1").code == 0
    plan = ("plan", "classic", "late-transfer", "--bots", "lowest", "--workers", "1", "--json")
    planned = json.loads(simcli(*plan, *out).out)
    assert f"--out {bucket}" in planned["command"]
