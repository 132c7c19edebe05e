"""What is done about a run folder whose files are not what they were written as."""

import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest
import yaml

from simcli.errors import InputError
from simcli.runs import identity
from simcli.runs.listing import list_runs
from simcli.runs.partfile import METADATA_KEY
from tests.runs.conftest import Notes, Play, match_of

pytestmark = pytest.mark.usefixtures("small_parts")

SUMS = "parts.sha256"
PART = "part-00001.parquet"


def flip_a_bit(path: Path) -> None:
    """Alter one bit in the data of a column, which no checksum of Parquet's own covers."""
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)


def altered(path: Path) -> None:
    """Write a part again with other rows and the same description of itself."""
    about = pl.read_parquet_metadata(path)
    frame = pl.read_parquet(path).with_columns(bouts=pl.col("bouts") + 1)
    frame.write_parquet(path, metadata={key: about[key] for key in about if key.startswith(METADATA_KEY)})


def kept(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def states(folder: Path) -> list[str]:
    return [run.state for run in list_runs(folder.parent)]


def test_sha256sum_finds_every_part_as_the_list_says(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    play(match_of(), 2500)
    if shutil.which("sha256sum") is None:
        pytest.skip("there is no sha256sum")
    done = subprocess.run(
        ["sha256sum", "--check", SUMS], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [f"{path.name}: OK" for path in sorted(folder.glob("*.parquet"))]


def test_a_single_altered_bit_is_noticed_and_the_part_played_again(play: Play, notes: Notes) -> None:
    before = play(match_of(), 1000)
    files = kept(before.folder)
    flip_a_bit(before.folder / PART)
    assert states(before.folder) == ["damaged"]
    after = play(match_of(), 1000)
    assert notes.said == [
        f"{before.folder / PART}: its bytes are not those that were written; it is played again"
    ]
    assert (after.digest, after.summary) == (before.digest, before.summary)
    assert {name: content for name, content in kept(after.folder).items() if name != "run.yaml"} == {
        name: content for name, content in files.items() if name != "run.yaml"
    }
    assert states(before.folder) == ["finished"]


@pytest.mark.parametrize("harm", [flip_a_bit, altered])
def test_a_part_without_a_checksum_is_checked_by_its_rows(harm: object, play: Play, notes: Notes) -> None:
    before = play(match_of(), 1000)
    (before.folder / SUMS).unlink()
    assert callable(harm)
    harm(before.folder / PART)
    assert play(match_of(), 1000).digest == before.digest
    assert len(notes.said) == 1
    assert notes.said[0].startswith(f"{before.folder / PART}: ")


@pytest.mark.parametrize("text", [None, "", "no sums at all\n", "\ufffd"])
def test_checksums_that_are_lost_are_written_again(text: str | None, play: Play, notes: Notes) -> None:
    folder = play(match_of(), 1000).folder
    before = kept(folder)
    (folder / SUMS).unlink()
    if text is not None:
        (folder / SUMS).write_text(text)
    assert play(match_of(), 1000).played == 0
    assert kept(folder) == before
    assert notes.said == []


def test_a_list_of_runs_leaves_their_folders_alone(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    (folder / SUMS).unlink()
    (folder / "run.yaml").write_text("")
    before = kept(folder)
    assert states(folder) == ["damaged"]
    assert kept(folder) == before


@pytest.mark.parametrize(
    "old, new, told",
    [
        ("", None, "expected keys and values, got none"),
        ("seed: 1", "seed: 2", "expected what plan.yaml says, got another seed"),
        ("digest: ", "digest: 0", "digest: expected the digest of the parts"),
        ("seconds: ", "seconds: x", "seconds: expected a number of seconds"),
        ("start: ", "begin: ", "start: expected a date and a time"),
    ],
)
def test_a_damaged_report_is_named_and_written_again(
    old: str, new: str | None, told: str, play: Play, notes: Notes
) -> None:
    folder = play(match_of(), 1000).folder
    path = folder / "run.yaml"
    before = yaml.safe_load(path.read_text())
    path.write_text("" if new is None else path.read_text().replace(old, new))
    assert states(folder) == ["damaged"]
    outcome = play(match_of(), 1000)
    assert outcome.played == 0
    assert len(notes.said) == 1
    assert notes.said[0].startswith(str(path))
    assert told in notes.said[0]
    assert notes.said[0].endswith("; it is written again")
    after = yaml.safe_load(path.read_text())
    assert list(after) == list(before)
    own = {"start", "seconds", "played", "deals_per_s"}
    unreadable = own if new is None else {key for key in own if key in told}
    assert {key: after[key] for key in after if key not in unreadable} == {
        key: before[key] for key in before if key not in unreadable
    }
    assert states(folder) == ["finished"]


@pytest.mark.parametrize("name", [PART, "run.yaml", "plan.yaml", SUMS, "run.lock", ".run.yaml.1.tmp"])
@pytest.mark.parametrize("fresh", [False, True])
def test_a_folder_in_place_of_a_file_is_one_message(name: str, fresh: bool, play: Play) -> None:
    folder = play(match_of(), 1000).folder
    (folder / name).unlink(missing_ok=True)
    (folder / name).mkdir()
    names = set(kept_names(folder))
    with pytest.raises(InputError) as caught:
        play(match_of(), 1000, fresh=fresh)
    assert str(caught.value).startswith(f"{folder / name}: expected a file of a run, got something else")
    assert len(str(caught.value).splitlines()) == 1
    assert set(kept_names(folder)) == names


def kept_names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_a_plan_of_another_engine_is_refused_before_anything_is_said(
    play: Play, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = play(match_of(), 1000).folder
    plan = folder / "plan.yaml"
    plan.write_text(plan.read_text().replace(identity.engine_signature(), "0ddba115"))
    with pytest.raises(InputError, match=r"the engine that began this run, .* \(signature 0ddba115\), got"):
        play(match_of(), 1000)
    assert notes.said == []


def test_a_link_to_nowhere_is_no_results_folder(play: Play, tmp_path: Path) -> None:
    (tmp_path / "results").symlink_to("nowhere")
    with pytest.raises(
        InputError, match="results: expected a folder, got a link to nowhere, which is not there"
    ):
        play(match_of(), 100)


def test_parts_behind_links_are_parts(play: Play, tmp_path: Path) -> None:
    folder = play(match_of(), 1000).folder
    (folder / PART).rename(tmp_path / "elsewhere.parquet")
    (folder / PART).symlink_to(tmp_path / "elsewhere.parquet")
    assert play(match_of(), 1000).played == 0


def test_a_folder_whose_name_is_no_text_is_read_like_any_other(play: Play, tmp_path: Path) -> None:
    folder = play(match_of(), 1000, results="odd\udcff").folder
    assert play(match_of(), 1000, results="odd\udcff").played == 0
    (folder / SUMS).unlink()
    assert states(folder) == ["finished"]
