"""Malformed scenarios: all problems at once, each with file, line, key and what is allowed.

Each file in the folder `malformed` begins with the messages it must give, as comments; "…" leaves the rest
of a message open.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.errors import InputError
from simcli.records.judge import judge, load_file
from simcli.records.scenario import load_scenario
from simcli.rules.load import load_variant
from simcli.rules.shipped import locate_shipped

MALFORMED = Path(__file__).parent / "malformed"
FILES = sorted(path.name for path in MALFORMED.glob("*.yaml"))
EXPECTED = re.compile(r"# ([\w-]+\.yaml:.*)")


def test_the_corpus_is_there() -> None:
    assert len(FILES) >= 60


@pytest.mark.parametrize("name", FILES)
def test_malformed_scenario_gives_the_messages_it_begins_with(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(MALFORMED)
    lines = Path(name).read_text(encoding="utf-8").splitlines()
    expected = [found[1] for found in map(EXPECTED.match, lines) if found]
    with pytest.raises(InputError) as caught:
        judge(load_file(Path(name)))
    messages = str(caught.value).splitlines()
    assert len(messages) == len(expected) > 0
    for message, wanted in zip(messages, expected, strict=True):
        beginning = wanted.removesuffix("…")
        assert message == wanted or (wanted != beginning and message.startswith(beginning))


MINIMAL = "trump: D\nhands: [9C 6D, 9D KC]\nsteps: []\n"


def test_omitted_keys_have_their_defaults(tmp_path: Path) -> None:
    path = tmp_path / "minimal.yaml"
    path.write_text(MINIMAL)
    scenario = load_scenario(path)
    assert scenario.variant.model_copy(update={"players": 4}) == load_variant(locate_shipped("classic"))
    assert (scenario.leader, scenario.first_bout, scenario.beaten_before) == (0, False, False)
    assert (scenario.stock, scenario.steps, scenario.name) == ((), (), "")


def test_inline_variant_needs_neither_name_nor_players(tmp_path: Path) -> None:
    path = tmp_path / "inline.yaml"
    path.write_text(f"variant: {{transfer: {{mode: late}}}}\n{MINIMAL}")
    variant = load_scenario(path).variant
    assert (variant.transfer.mode, variant.players) == ("late", 2)


@pytest.mark.parametrize("name", ["scenario", "scenario.txt", "scenario.toml"])
def test_file_of_another_kind_is_refused_by_its_ending(name: str) -> None:
    with pytest.raises(InputError, match="expected a scenario"):
        load_file(Path(name))


def test_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match=r"nowhere\.yaml: expected a file, there is none of this name"):
        load_file(Path("nowhere.yaml"))


VALUES = st.recursive(
    st.sampled_from(["9C", "9C 6D", "0 attack 9C", "true", "null", "5", "-1", '""', "classic", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.lists(
            st.tuples(st.sampled_from(["expect", "illegal", "seat", "legal", "a"]), inner), max_size=2
        ).map(lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}")
    ),
    max_leaves=6,
)
KEYS = ["variant", "trump", "stock", "hands", "leader", "first_bout", "steps", "name"]


@given(st.lists(st.tuples(st.sampled_from(KEYS), VALUES), max_size=6))
def test_whatever_a_file_says_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "any.yaml"
    path.write_text("".join(f"{key}: {value}\n" for key, value in pairs))
    told = ""
    try:
        judge(load_file(path))
    except InputError as error:
        told = str(error)
    assert not told or "any.yaml" in told
