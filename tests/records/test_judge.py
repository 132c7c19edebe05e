"""What an input holds is told by its ending, in a pipe by its first character."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path

import pytest

from simcli.errors import InputError
from simcli.records.judge import judge, load_file, load_stdin, load_stream
from simcli.records.record import record_line
from simcli.records.recordfile import RecordFile
from simcli.records.replay import replay
from simcli.records.scenario import Scenario
from simcli.records.sitting import Sitting, sitting_at_scenario
from simcli.rules.load import load_variant
from tests.records.test_record import run_of

SCENARIO = b"trump: D\nhands: [9C 6D, 9D KC]\nsteps: [0 attack 9C]\n"


@pytest.fixture(scope="module")
def records() -> bytes:
    run = run_of(load_variant("duel"), "random", 1)
    return "".join(record_line(record) + "\n" for record in replay(run, range(2))).encode()


@pytest.mark.parametrize("before", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_stream_is_read_as_what_its_first_character_says(before: bytes, records: bytes) -> None:
    scenario = load_stream(io.BytesIO(before + SCENARIO), "<stdin>")
    assert isinstance(scenario, Scenario)
    assert scenario.where == "<stdin>"
    loaded = load_stream(io.BytesIO(before + records), "<stdin>")
    assert isinstance(loaded, RecordFile)
    assert [record.line for record in loaded.records] == [1 + before.count(b"\n"), 2 + before.count(b"\n")]
    assert [verdict.where for verdict in judge(loaded)] == ["<stdin>"] * 2


WRONG_STREAMS = {
    b"": "<stdin>: expected a scenario or records, got nothing",
    b" \n\n": "<stdin>: expected a scenario or records, got nothing",
    b"# long\n" * 20_000: "<stdin>: expected at most 64 KiB, got more",
    b" " * 70_000: "<stdin>: expected at most 64 KiB, got more",
    b"trump: \xff": "<stdin>:1: expected UTF-8 text, got the byte 0xff",
    b"trump: X\nhands: [9C, 9D]\nsteps: []": "<stdin>:1: trump: expected the trump suit",
}


@pytest.mark.parametrize("content", WRONG_STREAMS, ids=list(WRONG_STREAMS.values()))
def test_stream_of_nothing_that_can_be_judged_is_refused(content: bytes) -> None:
    with pytest.raises(InputError) as caught:
        load_stream(io.BytesIO(content), "<stdin>")
    assert str(caught.value).startswith(WRONG_STREAMS[content])


def test_records_in_a_stream_are_not_limited_to_the_size_of_a_scenario(records: bytes) -> None:
    loaded = load_stream(io.BytesIO(records * 20), "<stdin>")
    assert isinstance(loaded, RecordFile)
    assert len(records) * 20 > 64 * 1024
    assert len(loaded.records) == 40


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_pipe_given_as_a_path_is_read_once(tmp_path: Path, records: bytes) -> None:
    for number, (content, load, kind) in enumerate(
        [
            (SCENARIO, load_file, Scenario),
            (records, load_file, RecordFile),
            (SCENARIO, sitting_at_scenario, Sitting),
        ]
    ):
        pipe = tmp_path / f"pipe-{number}"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=(content,))
        writer.start()
        assert isinstance(load(pipe), kind)
        writer.join(timeout=10)
        assert not writer.is_alive()


def test_closed_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match=r"<stdin>: .* got a closed standard input"):
        load_stdin()
