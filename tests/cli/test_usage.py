"""What the parser cannot read is told in one line as all other input errors are."""

import pytest

from simcli.cli.main import EXIT_INPUT
from tests.cli.test_run import Simcli, simcli

__all__ = ["simcli"]

SHOW = "simcli variants show"


@pytest.mark.parametrize(
    "words, line",
    [
        ("run --playrs 3", "simcli run: expected one of its options, got --playrs – did you mean --players?"),
        (
            "run x --bogus",
            "simcli run: expected one of its options, got --bogus – simcli run --help names them",
        ),
        ("run x -z", "simcli run: expected one of its options, got -z – simcli run --help names them"),
        ("--bogus", "simcli: expected one of its options, got --bogus – simcli --help names them"),
        ("run", "simcli run: expected VARIANT…, got none – for example: simcli run classic"),
        (
            "report",
            "simcli report: expected RUN… or EXPERIMENT, got none – for example: "
            "simcli report results/*-p4-thrifty-s1 -o report.html",
        ),
        ("variants show", f"{SHOW}: expected VARIANT, got none – for example: {SHOW} classic"),
        (
            "variants show a b",
            f"{SHOW}: expected VARIANT and no more, got b, too – for example: {SHOW} classic",
        ),
        (
            "variants list a",
            "simcli variants list: expected no argument, got a, too – for example: simcli variants list",
        ),
        (
            "compare classic --format makrdown",
            "--format: expected table, json, csv, markdown or parquet, got makrdown – did you mean markdown?",
        ),
        ("compare classic --by seats", "--by: expected players or bots, got seats"),
        (
            "replay --deal",
            "--deal: expected I behind it, got none – for example: "
            "simcli replay results/classic-p4-thrifty-s1 --deal 0",
        ),
        ("run classic --json=3", "--json: expected no value, got one"),
        ("replai", "simcli: expected one of its commands, got replai – did you mean replay?"),
        ("show classic", "simcli: expected one of its commands, got show – did you mean variants show?"),
        ("solve", "simcli: expected one of its commands, got solve – simcli --help names them"),
        (
            "variants shwo classic",
            "simcli variants: expected one of its commands, got shwo – did you mean show?",
        ),
        ("referee -i --players x", "--players: expected a whole number from 2 to 6, got x"),
    ],
)
def test_a_command_that_cannot_be_read_is_one_line(words: str, line: str, simcli: Simcli) -> None:
    result = simcli(*words.split())
    assert (result.code, result.out, result.err) == (EXIT_INPUT, "", f"{line}\n")


@pytest.mark.parametrize("group", ["", "variants"])
def test_a_group_without_a_command_shows_its_help(group: str, simcli: Simcli) -> None:
    result = simcli(*group.split())
    assert result.code == EXIT_INPUT
    assert result.err.startswith("Usage: ")
    assert "Commands:" in result.err


def test_a_group_tells_every_command_in_a_whole_sentence(simcli: Simcli) -> None:
    for words in (["--help"], ["variants", "--help"]):
        out = simcli(*words).out
        assert "..." not in out
        assert "To begin with:\n\n    simcli variants list\n" in out


def test_the_usage_line_has_no_signs_of_the_parser(simcli: Simcli) -> None:
    for command, line in (
        ("run", "run [OPTIONS] VARIANT…"),
        ("compare", "compare [OPTIONS] RUN…|VARIANT…"),
        ("bench", "bench [OPTIONS] [VARIANT…]"),
    ):
        assert simcli(command, "--help").out.splitlines()[0].endswith(f" {line}")
