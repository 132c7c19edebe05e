"""Narrow terminals: whatever the width, no number and no name is cut or left out."""

import io
import json
import re
from collections.abc import Callable

import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text

from simcli.cli.narrow import print_table
from tests.cli.test_run import Simcli, simcli

__all__ = ["simcli"]

WIDTHS = (30, 40, 60, 80)
RUN = ("run", "regular", "--bots", "lowest", "-n", "1k")


def printed(table: Table, width: int) -> list[str]:
    text = io.StringIO()
    print_table(table, Console(file=text, width=width))
    return [line.rstrip() for line in text.getvalue().splitlines()]


def rates() -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("", min_width=20)
    table.add_column("lost", justify="right")
    table.add_column("95 % interval", justify="right")
    table.add_column("", no_wrap=True)
    table.add_row("1  defends first", "25.00 %", "24.00 – 26.00", Text("%"))
    return table


def test_a_table_that_fits_keeps_its_least_widths() -> None:
    assert printed(rates(), 80)[1] == "1  defends first      25.00 %  24.00 – 26.00  %"


def test_a_name_is_folded_before_a_number_is() -> None:
    assert printed(rates(), 40)[1:] == ["1  defends   25.00 %  24.00 – 26.00  %", "first"]


def test_a_row_becomes_a_list_where_its_numbers_do_not_fit() -> None:
    assert printed(rates(), 30) == [
        "1  defends first %",
        "  lost           25.00 %",
        "  95 % interval  24.00 – 26.00",
    ]


def test_without_headings_the_cells_stand_together_below_the_first() -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(3):
        table.add_column("", no_wrap=True)
    table.add_row("came into play", "12 %", "of deals, 11.1–12.9")
    assert printed(table, 30) == ["came into play", "  12 % of deals, 11.1–12.9"]


@pytest.fixture
def at_widths(simcli: Simcli, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return a function that gives a command on terminals of several widths."""

    def outputs(*words: str) -> list[str]:
        texts = []
        for width in WIDTHS:
            monkeypatch.setenv("COLUMNS", str(width))
            texts.append(simcli(*words).out)
        return texts

    return outputs


def test_a_run_shows_every_rate_and_interval_at_every_width(at_widths: Callable[..., list[str]]) -> None:
    narrow, *others, wide = at_widths(*RUN)
    numbers = re.findall(r"\d+\.\d\d %|\d+\.\d\d – \d+\.\d\d", wide)
    assert len(numbers) > 12
    for text in (narrow, *others):
        assert sorted(re.findall(r"\d+\.\d\d %|\d+\.\d\d – \d+\.\d\d", text)) == sorted(numbers)


def test_a_list_of_runs_breaks_no_name_at_any_width(
    simcli: Simcli, at_widths: Callable[..., list[str]]
) -> None:
    simcli(*RUN)
    simcli("run", "advanced-standard", "--players", "2", "--bots", "random,lowest", "-n", "100")
    digests = [run["digest"][:8] for run in json.loads(simcli("runs", "--json").out)]
    for text in at_widths("runs"):
        words = text.split()
        assert all(word in words for word in ("regular", "advanced-standard", "1,000", "100", *digests))
        assert words.count("finished") == 2


def test_a_comparison_has_the_same_numbers_at_every_width(
    simcli: Simcli, at_widths: Callable[..., list[str]]
) -> None:
    compare = ("compare", "classic", "regular", "--bots", "lowest", "-n", "1k")
    simcli(*compare)
    *others, wide = (sorted(re.findall(r"[+−]?\d+\.\d+", text)) for text in at_widths(*compare))
    assert len(wide) > 50
    for numbers in others:
        assert numbers == wide
