from collections.abc import Sequence
from pathlib import Path

import pytest

from simcli.analysis.compare import compare
from simcli.analysis.comparison import Comparison
from simcli.analysis.robustness import robustness
from simcli.bots.lineup import parse_lineup
from simcli.rules.variant import Variant
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of

LINEUPS = ("thrifty", "lowest", "random")
MORE, NONE, LESS = [1] * 400, [0, 1] * 200, [0] * 400


def match(name: str, lineup: str, **rules: object) -> Match:
    return Match(Variant(name=name, players=2, **rules), parse_lineup(lineup, 2), 1, 1)  # type: ignore[arg-type]


def comparison(tmp_path: Path, *after: Sequence[int], **rules: object) -> Comparison:
    """Return a comparison in several line-ups; under the baseline positions 0 and 1 lose in turn."""
    paths = []
    for lineup, losers in zip(LINEUPS, after, strict=False):
        paths.append(run_of(tmp_path, match("classic", lineup), [Dealt(seat) for seat in NONE]))
        paths.append(run_of(tmp_path, match("other", lineup, **rules), [Dealt(seat) for seat in losers]))
    return compare(paths)


LATE = {"transfer": {"mode": "late"}}


def test_a_finding_is_followed_through_all_lineups(tmp_path: Path) -> None:
    found = comparison(tmp_path, MORE, NONE, LESS, **LATE)
    rows = robustness(found)
    assert [row.lineup for row in rows] == list(LINEUPS)
    assert [row.agreement for row in rows] == ["shown", "not shown", "opposite"]
    assert {(row.shown, row.not_shown, row.opposite, row.lineups) for row in rows} == {(1, 1, 1, 3)}
    cell = found.verdicts["cell"][0]
    assert {row.cell for row in rows} == {cell}
    expected = found.differences.filter(cell=cell)
    assert [row.difference for row in rows] == expected["difference"].to_list()
    assert [row.interval.low for row in rows] == expected["low"].to_list()


def test_it_counts_as_the_findings_do(tmp_path: Path) -> None:
    found = comparison(tmp_path, NONE, LESS, MORE, **LATE)
    rows = robustness(found)
    (finding,) = [each for each in found.findings if each.cell == rows[0].cell]
    assert (finding.shown, finding.not_shown, finding.opposite) == (
        rows[0].shown,
        rows[0].not_shown,
        rows[0].opposite,
    )
    assert [row.agreement for row in rows] == ["not shown", "shown", "opposite"]


@pytest.mark.parametrize("after", [(NONE,), (NONE, NONE)])
def test_what_is_shown_nowhere_is_not_shown_anywhere(tmp_path: Path, after: Sequence[Sequence[int]]) -> None:
    rows = robustness(comparison(tmp_path, *after, **LATE))
    assert [row.agreement for row in rows] == ["not shown"] * len(after)
    assert rows[0].as_mapping()["not_shown"] == len(after)


def test_the_same_rules_have_no_finding(tmp_path: Path) -> None:
    assert robustness(comparison(tmp_path, NONE, NONE)) == ()
