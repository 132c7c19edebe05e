"""The YAML reader: what words stand for, where keys stand, what is left to the caller."""

import pytest

from simcli.errors import InputError
from simcli.rules.document import Mark, key_text
from simcli.rules.scalars import scalar_value
from simcli.rules.wording import choice, near_miss, shown
from simcli.rules.yamlfile import load_yaml, parse_yaml

TEXT = """\
name: a scene
hands: [9C 6D, 9D KC]
steps:
  - 0 attack 9C
  - expect: {seat: 2,
             legal: [pick_up]}
  - illegal: 2 transfer 9S
loser: null
"""


@pytest.mark.parametrize(
    "word, value",
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("FALSE", False),
        ("0", 0),
        ("-3", -3),
        ("+3", 3),
        ("4.0", 4.0),
        ("1e3", 1000.0),
        ("0.95", 0.95),
        ("-2.5E-1", -0.25),
    ],
)
def test_word_stands_for_a_value(word, value):
    found = scalar_value(word)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "word",
    [
        "yes",
        "no",
        "on",
        "off",
        "y",
        "n",
        "none",
        "nan",
        ".inf",
        "010",
        "00",
        "0x10",
        "0b1",
        "1_000",
        "1:30",
        "6D",
        "2026-01-01",
        "9" * 19,
        "9" * 5000,
        "1e1000",
        "tRue",
        "<<",
        "=",
        "\u0664",
    ],
)
def test_word_stands_for_itself(word):
    assert scalar_value(word) == word


def test_quoted_words_are_text():
    data = parse_yaml("a: '4'\nb: \"true\"\nc: |\n  1\nd: ''\n", "x").data
    assert data == {"a": "4", "b": "true", "c": "1\n", "d": ""}


def test_keys_are_always_text():
    assert parse_yaml("on: 1\n1: 2\n~: 3\ntrue: 4\n", "x").data == {"on": 1, "1": 2, "~": 3, "true": 4}


def test_document_knows_the_line_of_every_key_item_and_value():
    document = parse_yaml(TEXT, "x.yaml")
    assert document.marks["steps",] == Mark("x.yaml", 3, 4)
    assert document.marks["steps", 0] == Mark("x.yaml", 4, 4)
    assert document.marks["steps", 1, "expect", "seat"].line == 5
    assert document.marks["steps", 1, "expect", "legal", 0].line == 6
    assert document.marks["loser",].line == 8
    assert document.data["steps"][1] == {"expect": {"seat": 2, "legal": ["pick_up"]}}


def test_problem_stands_at_the_nearest_key_in_the_file():
    document = parse_yaml(TEXT, "x.yaml")
    assert str(document.problem(("steps", 2, "illegal"), "no")) == "x.yaml:7: steps[2].illegal: no"
    assert (
        str(document.problem(("steps", 1, "expect", "table"), "no")) == "x.yaml:5: steps[1].expect.table: no"
    )
    assert str(document.problem(("trump",), "no")) == "x.yaml:1: trump: no"


def test_part_of_a_document_keeps_lines_and_whole_keys():
    part = parse_yaml(TEXT, "x.yaml").at("steps", 1, "expect")
    assert part.data == {"seat": 2, "legal": ["pick_up"]}
    assert str(part.problem(("legal", 0), "no")) == "x.yaml:6: steps[1].expect.legal[0]: no"
    assert str(part.problem((), "no")) == "x.yaml:5: steps[1].expect: no"


def test_faults_that_do_not_stop_the_reading_are_left_to_the_caller():
    document = parse_yaml("a: 1\na: 2\nb: [&x 3, 4]\nc: !t 5\n", "x.yaml")
    assert document.data == {"a": 1, "b": [None, 4]}
    assert [problem.line for problem in document.problems] == [2, 3, 4]
    with pytest.raises(InputError, match=r"x.yaml:2: a: expected each key once"):
        document.check()


def test_a_sound_document_passes_its_check():
    document = parse_yaml(TEXT, "x.yaml")
    assert document.check() is document


def test_joiners_and_symbols_are_plain_text(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text("title: ♠♥ 👩\u200d👧 a\u200cb\n", encoding="utf-8")
    assert load_yaml(path).data["title"].startswith("♠♥")


def test_a_file_can_go_by_another_name(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text("a: 1\n- b\n")
    with pytest.raises(InputError, match=r"^shown\.yaml:2: "):
        load_yaml(path, "shown.yaml")


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "nothing"),
        (True, "true"),
        (4, "4"),
        ("4", '"4"'),
        ("all", "all"),
        ("", '""'),
        ({}, "a block of keys"),
        ([], "a list"),
        ("a\u202eb", r"a\u202eb"),
        ("x" * 60, "x" * 40 + "…"),
    ],
)
def test_values_are_shown_as_a_file_would_spell_them(value, text):
    assert shown(value) == text


@pytest.mark.parametrize(
    "word, meant",
    [
        ("sevral", "several"),
        ("SEVERAL", "several"),
        ("first-limit", "first_limit"),
        ("first", "first_limit"),
        ("zzz", None),
        ("last_trump", None),
        ("general", None),
        (4, None),
        ("s" * 5000, None),
    ],
)
def test_near_misses_are_found(word, meant):
    assert near_miss(word, ["one", "several", "first_limit"]) == meant


def test_choices_read_as_an_enumeration():
    assert choice(["one"]) == "one"
    assert choice(("none", 2, 3)) == "none, 2 or 3"


def test_paths_read_as_dotted_keys():
    assert key_text(()) == ""
    assert key_text(("steps", 3, "expect")) == "steps[3].expect"
