import shutil
from pathlib import Path

import polars as pl
import pytest

from simcli.analysis.compare import compare
from simcli.analysis.finished import load_all_finished, load_finished
from simcli.errors import InputError
from simcli.runs.identity import engine_identity
from simcli.runs.partfile import METADATA_KEY, checksum_of, part_bytes, record_of_rows
from simcli.runs.plan import Part
from tests.analysis.finished_runs import rows_of, run_of
from tests.analysis.test_compare import losers, match, other

DEALS = losers(*[0, 1, "drawn"] * 10)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return run_of(tmp_path, match(), DEALS, parts=10)


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_finished(path)
    return str(caught.value)


def test_a_finished_run_knows_its_deals_and_counts(run: Path) -> None:
    loaded = load_finished(run)
    assert (loaded.deals, loaded.summary.decided, loaded.summary.drawn) == (30, (10, 10), 10)
    assert [part.first for part in loaded.parts] == [0, 10, 20]


def test_parts_are_found_by_the_deals_they_hold(run: Path) -> None:
    loaded = load_finished(run)
    assert [part.index for part in loaded.parts_in(9, 11)] == [0, 1]
    assert [part.index for part in loaded.parts_in(10, 20)] == [1]
    assert list(loaded.parts_in(30, 40)) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert refused(tmp_path / "nothing").endswith("nothing: expected the folder of a run, there is none")


def test_a_folder_whose_name_is_no_text_is_read_like_any_other(tmp_path: Path) -> None:
    odd = run_of(tmp_path / "odd\udcff", match(), DEALS, parts=10)
    assert compare([odd]).tables[0].variants[0].deals == len(DEALS)


def test_an_empty_folder_is_no_run(tmp_path: Path) -> None:
    assert "got one without plan.yaml" in refused(tmp_path)


def test_a_run_with_a_part_missing_is_unfinished(run: Path) -> None:
    (run / "part-00001.parquet").unlink()
    assert "expected a finished run, got 20 of 30 deals" in refused(run)


def test_a_run_without_its_report_is_unfinished(run: Path) -> None:
    (run / "run.yaml").unlink()
    assert "expected a finished run, got one without run.yaml" in refused(run)


def test_a_part_cut_short_is_named(run: Path) -> None:
    part = run / "part-00002.parquet"
    part.write_bytes(part.read_bytes()[:-100])
    assert refused(run).startswith(f"{part}: it is cut short")


def test_a_part_whose_bytes_are_not_those_that_were_written_is_refused(run: Path) -> None:
    part = run / "part-00002.parquet"
    (run / "parts.sha256").write_text(f"{checksum_of(b'other bytes')}  {part.name}\n")
    assert refused(run).startswith(f"{part}: its bytes are not those that were written")


def test_a_report_without_its_figures_is_refused(run: Path) -> None:
    text = (run / "run.yaml").read_text()
    (run / "run.yaml").write_text(text.replace("seconds: 1.0", "seconds: a few"))
    assert "run.yaml: seconds: expected a number of seconds, got a few" in refused(run)


def test_a_foreign_parquet_file_is_named(run: Path) -> None:
    part = run / "part-00000.parquet"
    pl.DataFrame({"deal": range(10)}).write_parquet(part)
    assert "was not written by simcli" in refused(run)


def test_a_part_of_another_run_is_named(run: Path, tmp_path: Path) -> None:
    foreign = run_of(tmp_path / "elsewhere", other(), DEALS, parts=10)
    shutil.copy(foreign / "part-00001.parquet", run / "part-00001.parquet")
    assert "part-00001.parquet: it belongs to another run (rules" in refused(run)


def test_a_report_on_another_plan_is_refused(run: Path, tmp_path: Path) -> None:
    shutil.copy(run_of(tmp_path / "elsewhere", other(), DEALS, parts=10) / "run.yaml", run / "run.yaml")
    assert "run.yaml: expected what plan.yaml says, got another variant and rules" in refused(run)


def test_a_report_with_another_digest_is_refused(run: Path) -> None:
    text = (run / "run.yaml").read_text()
    digest = load_finished(run).digest
    (run / "run.yaml").write_text(text.replace(digest, digest[::-1]))
    assert "run.yaml: digest: expected the digest of the parts" in refused(run)


def test_a_part_that_the_plan_does_not_have_is_named(run: Path) -> None:
    shutil.copy(run / "part-00002.parquet", run / "part-00003.parquet")
    assert "part-00003.parquet besides" in refused(run)


def rewritten(part: Path, frame: pl.DataFrame) -> str:
    """Write a part again with other rows and the same description of itself; return its line of checksums."""
    about = pl.read_parquet_metadata(part)
    frame.write_parquet(part, metadata={key: about[key] for key in about if key.startswith(METADATA_KEY)})
    return f"{checksum_of(part.read_bytes())}  {part.name}\n"


def test_rows_other_than_the_part_says_are_refused(run: Path) -> None:
    part = run / "part-00001.parquet"
    line = rewritten(part, pl.read_parquet(part).with_columns(bouts=pl.col("bouts") + 1))
    assert f"{part}: its rows are not those that it was written with" in refused(run)
    (run / "parts.sha256").write_text(line)
    load_finished(run)
    with pytest.raises(InputError, match="expected the rows that its parts say they hold"):
        compare([run])


def test_a_part_without_a_column_is_named(run: Path) -> None:
    part = run / "part-00001.parquet"
    line = rewritten(part, pl.read_parquet(part).drop("trace"))
    assert f"{part}: its rows are damaged" in refused(run)
    (run / "parts.sha256").write_text(line)
    with pytest.raises(InputError, match=r"part-00001\.parquet: expected the outcome columns of a run"):
        compare([run])


def test_the_faults_of_all_runs_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_all_finished([tmp_path / "one", tmp_path / "two"])
    assert [line.split(":")[0][-3:] for line in str(caught.value).splitlines()] == ["one", "two"]


def test_a_run_named_twice_is_compared_once(run: Path) -> None:
    assert len(load_all_finished([run, run / ".." / run.name])) == 1


def test_a_declared_size_of_a_longer_run_can_be_looked_at(tmp_path: Path) -> None:
    path = run_of(tmp_path, match(), DEALS, parts=10, declared=(20, 30))
    loaded = load_finished(path, 20)
    assert (loaded.deals, loaded.look, loaded.summary.deals) == (20, 1, 20)
    assert load_finished(path).look == 2
    with pytest.raises(InputError, match=r"declared with \(20, 30\), got 25"):
        load_finished(path, 25)


def test_a_declared_size_is_complete_even_if_the_extension_is_not(tmp_path: Path) -> None:
    path = run_of(tmp_path, match(), DEALS, parts=10, declared=(20, 30))
    (path / "run.yaml").unlink()
    (path / "part-00002.parquet").unlink()
    assert load_finished(path, 20).deals == 20


def test_runs_of_engines_that_play_otherwise_do_not_belong_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = run_of(tmp_path, match(), DEALS)
    older = {**engine_identity(), "signature": "00000000"}
    monkeypatch.setattr("tests.analysis.finished_runs.engine_identity", lambda: older)
    theirs = run_of(tmp_path, other(), DEALS)
    with pytest.raises(InputError, match="expected runs of one engine"):
        compare([mine, theirs])


def test_a_part_that_holds_the_wrong_deals_is_named(run: Path) -> None:
    rows = rows_of(DEALS)[:, 10:20].copy()
    wrong = Part(1, 0, 10)
    content = part_bytes(rows, match(), engine_identity(), record_of_rows(rows, match(), wrong))
    (run / "part-00001.parquet").write_bytes(content)
    assert "part-00001.parquet: it belongs to another run (first 0, expected 10)" in refused(run)
