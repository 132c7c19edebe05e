from pathlib import Path

import pytest

from simcli.report.verdicts import headline
from tests.analysis.test_compare import losers, pair

BEFORE = losers(*([0] * 300 + [1] * 300))
AFTER = losers(*([0] * 300 + [1] * 150 + ["drawn"] * 150))


@pytest.mark.parametrize(
    "margin, told",
    [
        (0.1, "changes the deal by more than the margin of 10 points"),
        (0.5, "does not change the deal by more than the margin of 50 points"),
        (0.25, "is undecided"),
    ],
)
def test_a_headline_says_what_a_single_variant_does_or_does_not(
    margin: float, told: str, tmp_path: Path
) -> None:
    comparison = pair(tmp_path, BEFORE, AFTER, margin=margin)
    assert headline(comparison, comparison.tables[0]) == f"Against classic, other {told}."
