import errno
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
import yaml

from simcli import __version__
from simcli.bots.thrifty_sets import weights_of_set
from simcli.errors import InputError, RunError
from simcli.records.replay import other_engine
from simcli.runs import identity, partfile
from simcli.runs import play as playing
from simcli.runs.columns import frame_of_rows
from simcli.runs.conduct import conduct
from simcli.runs.digest import digest_text
from simcli.runs.orders import Order, make_orders
from simcli.runs.partfile import METADATA_KEY, scan_part
from simcli.runs.planfile import load_plan
from simcli.runs.pool import Pool
from simcli.runs.store import local
from tests.runs.conftest import Notes, Play, match_of, rows_in
from tests.runs.test_columns import batch

pytestmark = pytest.mark.usefixtures("small_parts")


def part(folder: Path, index: int = 1) -> Path:
    return folder / f"part-{index:05d}.parquet"


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


def test_the_rows_are_those_of_one_batch_whatever_the_parts(play: Play) -> None:
    outcome = play(match_of(session=10), 2000, workers=2)
    assert len(files(outcome.folder)) > 1
    assert rows_in(outcome.folder).equals(frame_of_rows(batch(n=2000, session=10), 0, 10, 4))


@pytest.mark.usefixtures("always_processes")
def test_processes_and_part_sizes_leave_rows_and_digest_alone(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_of("simultaneous", "random,lowest,random,lowest", session=4)
    in_processes = play(match, 4000, workers=2, results="two")
    monkeypatch.setattr(playing, "MAX_SLICE", 12)
    in_small_slices = play(match, 4000, workers=1, results="one")
    assert len(files(in_processes.folder)) != len(files(in_small_slices.folder))
    assert rows_in(in_processes.folder).equals(rows_in(in_small_slices.folder))
    assert in_processes.digest == in_small_slices.digest


def test_deals_that_open_a_session_are_those_played_alone(play: Play) -> None:
    chained = rows_in(play(match_of(session=5), 500).folder).filter(pl.col("deal_in_session") == 0)
    alone = rows_in(play(match_of(), 500).folder).filter(pl.col("deal") % 5 == 0)
    other = [name for name in alone.columns if "session" not in name]
    assert chained.select(other).equals(alone.select(other))


def test_the_loser_of_a_deal_deals_the_next_of_its_session(play: Play) -> None:
    rows = rows_in(play(match_of(session=50), 500).folder)
    pairs = rows.with_columns(before=pl.col("loser").shift(), dealt=pl.col("dealer").shift())
    later = pairs.filter(pl.col("deal_in_session") > 0)
    assert later.filter(pl.col("dealer") != pl.coalesce("before", "dealt")).height == 0


def test_a_missing_part_is_played_again_byte_for_byte(play: Play) -> None:
    match = match_of()
    before = play(match, 1000)
    kept = files(before.folder)
    part(before.folder).unlink()
    after = play(match, 1000)
    assert after.played == sum(pl.read_parquet(kept[name]).height for name in ["part-00001.parquet"])
    assert files(after.folder) == kept
    assert (after.digest, after.summary) == (before.digest, before.summary)


def test_a_finished_run_is_summed_up_without_playing(play: Play) -> None:
    before = play(match_of(), 1000)
    report = (before.folder / "run.yaml").read_bytes()
    after = play(match_of(), 1000)
    assert after.played == 0
    assert (after.digest, after.summary) == (before.digest, before.summary)
    assert (before.folder / "run.yaml").read_bytes() == report


def test_more_deals_play_only_those_that_are_missing(play: Play) -> None:
    first = play(match_of(), 1000)
    kept = files(first.folder)
    longer = play(match_of(), 2500)
    assert longer.played == 1500
    assert files(longer.folder).items() > kept.items()
    assert longer.digest == play(match_of(), 2500, results="at once").digest
    assert yaml.safe_load((longer.folder / "run.yaml").read_text())["deals"] == [1000, 2500]


def test_a_number_declared_before_still_has_its_table(play: Play) -> None:
    first = play(match_of(), 1000)
    play(match_of(), 2500)
    again = play(match_of(), 1000)
    assert again.played == 0
    assert (again.digest, again.summary) == (first.digest, first.summary)


def test_fewer_deals_than_were_ever_declared_are_refused(play: Play) -> None:
    play(match_of(), 1000)
    with pytest.raises(InputError, match=r"--deals: expected 1,000 as this run was declared.*got 900"):
        play(match_of(), 900)


def test_a_broken_session_is_refused_with_the_numbers_next_to_it(play: Play) -> None:
    with pytest.raises(InputError, match=r"--deals: .* such as 990 or 1,000, got 999"):
        play(match_of(session=10), 999)


def test_part_metadata_tell_what_scanning_the_rows_tells(play: Play) -> None:
    match = match_of("regular")
    folder = play(match, 500).folder
    for path in sorted(folder.glob("*.parquet")):
        about = json.loads(pl.read_parquet_metadata(path)[METADATA_KEY])
        span = partfile.Part(about["part"], about["first"], about["end"])
        scanned = scan_part(path, match, span)
        assert about["digest"] == digest_text(scanned.digest)
        assert about["summary"] == scanned.summary.as_mapping()
        assert about["variant"]["end"]["objective"] == "first_out_wins"


def test_a_truncated_part_is_named_and_played_again(play: Play, notes: Notes) -> None:
    before = play(match_of(), 1000)
    kept = files(before.folder)
    part(before.folder).write_bytes(kept["part-00001.parquet"][:-100])
    after = play(match_of(), 1000)
    assert [str(part(before.folder)) in text and "again" in text for text in notes.said] == [True]
    assert files(after.folder) == kept


def test_a_part_that_miscounts_itself_is_named_and_played_again(play: Play, notes: Notes) -> None:
    before = play(match_of(), 1000)
    kept = files(before.folder)
    altered = kept["part-00001.parquet"].replace(b'"stalled": 0', b'"stalled": 7')
    assert altered != kept["part-00001.parquet"]
    part(before.folder).write_bytes(altered)
    after = play(match_of(), 1000)
    assert "its description of itself is damaged" in notes.said[0]
    assert after.summary == before.summary
    assert files(after.folder) == kept


@pytest.mark.parametrize("foreign", ["another seed", "another range"])
def test_a_part_of_another_run_is_named_and_played_again(foreign: str, play: Play, notes: Notes) -> None:
    before = play(match_of(), 1000)
    kept = files(before.folder)
    other = play(match_of(seed=2), 1000).folder if foreign == "another seed" else before.folder
    shutil.copy(part(other, 0), part(before.folder))
    after = play(match_of(), 1000)
    assert "belongs to another run" in notes.said[0]
    assert after.digest == before.digest
    assert files(after.folder) == kept


def test_another_plan_in_the_folder_is_refused_and_the_difference_told(play: Play) -> None:
    folder = play(match_of("five-card-opening"), 200).folder
    folder.rename(folder.with_name(match_of().folder_name))
    with pytest.raises(InputError, match=r"attack\.first_limit 5 there, 6 here"):
        play(match_of(), 200)


def test_fresh_starts_again_over_another_plan(play: Play) -> None:
    folder = play(match_of("five-card-opening"), 200).folder
    folder.rename(folder.with_name(match_of().folder_name))
    outcome = play(match_of(), 100, fresh=True)
    assert outcome.played == 100
    assert rows_in(outcome.folder).equals(rows_in(play(match_of(), 100, results="clean").folder))


@pytest.mark.parametrize("fresh", [False, True])
def test_a_folder_with_other_contents_is_refused_and_left_alone(
    fresh: bool, play: Play, tmp_path: Path
) -> None:
    folder = tmp_path / "results" / match_of().folder_name
    folder.mkdir(parents=True)
    (folder / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match=r"letter\.txt"):
        play(match_of(), 100, fresh=fresh)
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


def test_parts_without_a_plan_are_refused(play: Play) -> None:
    folder = play(match_of(), 100).folder
    (folder / "plan.yaml").unlink()
    with pytest.raises(InputError, match=r"expected a plan\.yaml"):
        play(match_of(), 100)


def test_a_results_folder_that_is_a_file_is_refused(play: Play, tmp_path: Path) -> None:
    (tmp_path / "results").write_text("")
    with pytest.raises(InputError, match="expected a folder, got a file"):
        play(match_of(), 100)


def test_another_engine_does_not_go_on_with_a_run(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = play(match_of(), 1000).folder
    monkeypatch.setattr(identity, "engine_signature", lambda: "0ddba115")
    assert play(match_of(), 1000).played == 0
    part(folder).unlink()
    expected = r"expected to go on with the engine that began this run, .*, got .* \(signature 0ddba115\)"
    with pytest.raises(InputError, match=expected):
        play(match_of(), 1000)
    with pytest.raises(InputError, match=expected):
        play(match_of(), 2000)


def test_an_engine_of_other_sources_and_version_that_plays_the_same_goes_on_and_both_are_named(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = play(match_of(), 1000)
    rows, kept, first = rows_in(before.folder), files(before.folder), identity.engine_identity()
    monkeypatch.setattr(identity, "__version__", "99.0")
    monkeypatch.setattr("simcli.engine.jit.source_hash", lambda: "f" * 64)
    part(before.folder).unlink()
    after = play(match_of(), 1000)
    assert after.played > 0
    assert rows_in(after.folder).equals(rows)
    assert after.digest == before.digest
    assert {name for name, content in files(after.folder).items() if content != kept[name]} == {
        "part-00001.parquet"
    }
    about = yaml.safe_load((after.folder / "run.yaml").read_text())
    assert about["engine"] == first
    other = {"version": "99.0", "signature": first["signature"], "sources": "f" * 16}
    assert about["other_engines"] == [other]
    assert json.loads(pl.read_parquet_metadata(part(after.folder))[METADATA_KEY])["engine"] == other
    assert play(match_of(), 1000).played == 0
    longer = play(match_of(), 2000)
    assert yaml.safe_load((longer.folder / "run.yaml").read_text())["other_engines"] == [other]


def test_a_run_by_tuned_weights_is_not_gone_on_with_by_others(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuned = match_of("podkidnoy", "thrifty:weights=own,thrifty", players=2)
    folder = play(tuned, 200).folder
    engine = yaml.safe_load((folder / "plan.yaml").read_text())["engine"]
    assert engine == identity.engine_identity(["podkidnoy"]) != identity.engine_identity(["classic"])
    assert json.loads(pl.read_parquet_metadata(part(folder, 0))[METADATA_KEY])["engine"] == engine
    usual = weights_of_set(0)
    monkeypatch.setattr("simcli.bots.thrifty_sets.weights_of_set", lambda number: usual)
    assert play(tuned, 200).played == 0
    expected = rf"this run, .*, weights {engine['weights']}\), got .*, weights [0-9a-f]{{8}}\)"
    with pytest.raises(InputError, match=expected):
        play(tuned, 400)
    assert other_engine(load_plan(folder / "plan.yaml")) is not None


def test_the_plan_names_version_signature_and_sources_of_the_engine(play: Play) -> None:
    folder = play(match_of(), 100).folder
    for name in ("plan.yaml", "run.yaml"):
        engine = yaml.safe_load((folder / name).read_text())["engine"]
        assert list(engine) == ["version", "signature", "sources"]
        assert engine["version"] == __version__
        assert engine["signature"] == identity.engine_signature()


def test_what_a_killed_run_left_behind_is_swept_away(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    part(folder).unlink()
    (folder / ".part-00001.parquet.99.tmp").write_bytes(b"half")
    play(match_of(), 1000)
    assert not list(folder.glob(".*"))


def test_run_yaml_is_written_last_and_is_itself_a_plan(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    write = partfile.write_whole

    def noted(path: Path, content: bytes) -> None:
        order.append(path.name)
        write(path, content)

    monkeypatch.setattr(local, "write_whole", noted)
    folder = play(match_of(), 300).folder
    assert (order[0], order[-1]) == ("plan.yaml", "run.yaml")
    assert all(name.startswith("part") for name in order[1:-1])
    about = yaml.safe_load((folder / "run.yaml").read_text())
    plan = yaml.safe_load((folder / "plan.yaml").read_text())
    assert about.items() > plan.items()
    assert set(about) - set(plan) == {"digest", "platform", "start", "seconds", "played", "deals_per_s"}


def test_a_disk_that_fills_up_keeps_the_complete_parts(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    write = partfile.write_whole

    def full(path: Path, content: bytes) -> None:
        if path.name == "part-00002.parquet":
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(local, "write_whole", full)
        with pytest.raises(RunError, match="the disk is full – complete parts stay"):
            play(match_of(), 1000)
    outcome = play(match_of(), 1000)
    assert 0 < outcome.played < 1000
    assert outcome.digest == play(match_of(), 1000, results="at once").digest


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 64 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if done.returncode:
        pytest.skip("mounting a small disk needs rights that this user does not have")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_really_full_leaves_nothing_half_written(tiny_disk: Path, notes: Notes) -> None:
    with Pool(1) as pool, pytest.raises(RunError, match="the disk is full"):
        conduct(Order(match_of(), 5000, tiny_disk), pool, notes)
    folder = tiny_disk / match_of().folder_name
    written = sorted(path.name for path in folder.iterdir())
    assert "plan.yaml" in written
    assert not [name for name in written if name.endswith(".tmp")]
    for path in folder.glob("*.parquet"):
        assert pl.read_parquet(path).height > 0


def test_two_rules_under_one_name_are_refused(tmp_path: Path) -> None:
    own = tmp_path / "classic.yaml"
    own.write_text("name: classic\nattack: {limit: 5}\n")
    with pytest.raises(InputError, match=r"two with different rules .*attack\.limit 6 there, 5 here"):
        orders_for("classic", str(own), results=tmp_path)


def test_a_variant_named_twice_is_played_once(tmp_path: Path) -> None:
    assert len(orders_for("classic", "classic", "duel", results=tmp_path)) == 2


def test_the_problems_of_all_variants_are_told_together(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        orders_for("klassic", "duel", "advanced-standard", results=tmp_path, players=6)
    text = str(caught.value)
    assert "did you mean classic?" in text
    assert "advanced-standard: players" in text


def orders_for(*variants: str, results: Path, players: int | None = None) -> list[Order]:
    return make_orders(
        variants, bots="lowest", seed=1, session=1, deals=100, players=players, results=results, fresh=False
    )
