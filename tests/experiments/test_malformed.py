"""Malformed experiment files: clear messages with file and line, in bounded time, never a traceback.

Each file in the folder `malformed` begins with the messages it must give, as comments; one that ends with …
is the beginning of its message.
"""

import contextlib
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcli.errors import InputError
from simcli.experiments.experiment import Experiment
from simcli.experiments.load import load_experiment
from simcli.rules.shelf import EXPERIMENTS
from tests.rules.test_malformed import GENERATED

MALFORMED = Path(__file__).parent / "malformed"
FILES = sorted(path.name for path in MALFORMED.glob("*.yaml"))
EXPECTED = re.compile(r"# ([\w/-]+\.yaml:.*)")
WHOLE_FILE = [
    name for name, (_, message) in GENERATED.items() if "players" not in message and "title" not in message
]


def messages_of(ref: str | Path) -> list[str]:
    """Return the messages about a file, which must take less than two seconds of computing."""
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        load_experiment(ref)
    assert time.process_time() - start < 2
    return str(caught.value).splitlines()


def is_meant(message: str, expected: str) -> bool:
    """Return whether a message is the expected one, or begins with what stands before …."""
    beginning = expected.removesuffix("…")
    return message == expected if beginning == expected else message.startswith(beginning)


def test_the_corpus_is_there() -> None:
    assert len(FILES) >= 80


@pytest.mark.parametrize("name", FILES)
def test_malformed_file_gives_the_messages_it_begins_with(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(MALFORMED)
    lines = Path(name).read_text(encoding="utf-8").splitlines()
    expected = [found[1] for found in map(EXPECTED.match, lines) if found]
    assert expected
    messages = messages_of(f"./{name}")
    assert len(messages) == len(expected)
    assert all(map(is_meant, messages, expected))


@pytest.mark.parametrize("name", WHOLE_FILE)
def test_what_is_no_file_that_a_person_wrote_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    content, _ = GENERATED[name]
    Path("x.yaml").write_bytes(content)
    messages = messages_of("x.yaml")
    assert len(messages) <= 21
    assert all(message.startswith(("x.yaml", "…")) and message.isprintable() for message in messages)
    assert all(len(message) < 500 for message in messages)


def test_a_huge_design_is_refused_before_it_is_made(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    limits = f"[{', '.join(map(str, range(1, 37)))}]"
    keys = ("attack.limit", "attack.first_limit", "pass_card.per_bout", "end.stall_bouts")
    varied = "".join(f"  {key}: {limits}\n" for key in keys)
    path.write_text(f"name: x\nquestion: Why?\nvary:\n{varied}")
    (message,) = messages_of(path)
    assert message.endswith("x.yaml:3: vary: expected at most 1,000 variants, got 1,679,616")


SHIPPED = [
    (EXPERIMENTS.shipped_folder() / f"{name}.yaml").read_bytes() for name in EXPERIMENTS.shipped_names()
]


@settings(max_examples=30)
@given(st.sampled_from(SHIPPED), st.integers(0, 900), st.integers(0, 20), st.binary(max_size=6))
def test_a_damaged_shipped_file_loads_or_gives_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, start: int, cut: int, patch: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged-experiment.yaml"
    path.write_bytes(content[:start] + patch + content[start + cut :])
    with contextlib.suppress(InputError):
        assert isinstance(load_experiment(path), Experiment)
