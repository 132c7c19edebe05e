from pathlib import Path

from simcli.analysis.finished import load_finished
from simcli.runs.folder import RunFolder
from tests.bench.summing import match_of, table_of, write_repeated_run


def test_a_repeated_run_is_a_finished_run_of_as_many_deals(tmp_path: Path) -> None:
    match = match_of("classic")
    once = load_finished(write_repeated_run(tmp_path / "once", match, 200, 200))
    run = load_finished(write_repeated_run(tmp_path / "often", match, 650, 200))
    assert (run.deals, len(run.parts)) == (650, 4)
    assert run.summary.sums["bouts"] > 3 * once.summary.sums["bouts"]
    assert RunFolder(run.path).sums_path.is_file()


def test_the_table_has_a_line_for_one_run_and_one_for_two(tmp_path: Path) -> None:
    lines = table_of(1000, tmp_path, repeats=1).splitlines()
    assert [line.split("|")[1:3] for line in lines[2:]] == [
        [" 1 × 1,000 ", " simcli compare RUN "],
        [" 2 × 1,000 ", " simcli compare RUN RUN "],
    ]
