"""Malformed variant files: one clear message each, in bounded time and memory, never a traceback.

Each file in the folder `malformed` begins with the messages it must give, as comments.
"""

import contextlib
import gzip
import os
import random
import re
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.errors import InputError
from simcli.rules.load import load_variant
from simcli.rules.shipped import shipped_folder, shipped_names
from simcli.rules.textfile import MAX_BYTES
from simcli.rules.yamlfile import parse_yaml

MALFORMED = Path(__file__).parent / "malformed"
FILES = sorted(path.name for path in MALFORMED.glob("*.yaml"))
EXPECTED = re.compile(r"# ([\w-]+\.yaml:.*)")


def messages_of(path):
    """Return the messages about a file, which must take less than two seconds of computing."""
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        load_variant(path)
    assert time.process_time() - start < 2
    return str(caught.value).splitlines()


def test_the_corpus_is_there():
    assert len(FILES) >= 100


@pytest.mark.parametrize("name", FILES)
def test_malformed_file_gives_the_messages_it_begins_with(name, monkeypatch):
    monkeypatch.chdir(MALFORMED)
    lines = Path(name).read_text(encoding="utf-8").splitlines()
    expected = [found[1] for found in map(EXPECTED.match, lines) if found]
    assert expected
    assert messages_of(f"./{name}") == expected


DEEP = "".join("  " * level + "a:\n" for level in range(25))

GENERATED = {
    "empty": (b"", "x.yaml: expected keys and values, got none"),
    "only a mark": ("\ufeff".encode(), "x.yaml: expected keys and values, got none"),
    "only blank lines": (b"\n\n  \n", "x.yaml: expected keys and values, got none"),
    "two marks": (
        "\ufeff\ufeffname: x".encode(),
        r"x.yaml:1: expected plain text, got the character U\+FEFF",
    ),
    "UTF-16": (
        "name: x".encode("utf-16"),
        "x.yaml: expected UTF-8 text, got UTF-16 – save the file as UTF-8",
    ),
    "UTF-16 big": ("\ufeffname: x".encode("utf-16-be"), "x.yaml: expected UTF-8 text, got UTF-16"),
    "UTF-32": (
        "name: x".encode("utf-32"),
        "x.yaml: expected UTF-8 text, got UTF-32 – save the file as UTF-8",
    ),
    "UTF-32 big": ("\ufeffname: x".encode("utf-32-be"), "x.yaml: expected UTF-8 text, got UTF-32"),
    "Windows Cyrillic": (
        "name: x\ntitle: Дурак".encode("cp1251"),
        "x.yaml:2: expected UTF-8 text, got the byte 0xc4",
    ),
    "compressed": (gzip.compress(b"name: x", mtime=0), "x.yaml:1: expected UTF-8 text, got the byte 0x8b"),
    "UTF-16 unmarked": (
        "name: x".encode("utf-16-le"),
        r"x.yaml:1: expected plain text, got the character U\+0000",
    ),
    "Latin-1": (b"name: x\ntitle: caf\xe9\n", "x.yaml:2: expected UTF-8 text, got the byte 0xe9"),
    "surrogate": (b"name: \xed\xa0\x80", "x.yaml:1: expected UTF-8 text, got the byte 0xed"),
    "zero byte": (b"name: x\n\0", r"x.yaml:2: expected plain text, got the character U\+0000 \(control"),
    "escape code": (b"name: \x1b[31mx", r"x.yaml:1: expected plain text, got the character U\+001B"),
    "C1": ("name: x\u0085".encode(), r"x.yaml:1: expected plain text, got the character U\+0085"),
    "line separator": (
        "name: x\u2028".encode(),
        r"x.yaml:1: expected plain text, .* U\+2028 \(line separator\)",
    ),
    "direction": ("name: x # \u202e".encode(), r"x.yaml:1: .* U\+202E \(right-to-left override\)"),
    "direction mark": ("name: x\n\ntitle: \u200fa".encode(), r"x.yaml:3: .* U\+200F \(right-to-left mark\)"),
    "isolate": ("name: x\ntitle: \u2067a".encode(), r"x.yaml:2: .* U\+2067 \(right-to-left isolate\)"),
    "zero width": ("na\u200bme: x".encode(), r"x.yaml:1: .* U\+200B \(zero width space\)"),
    "noncharacter": (
        "name: x\ntitle: \uffff".encode(),
        "x.yaml:2: expected plain text, got a character that YAML",
    ),
    "carriage returns": (b"name: x\rplayers: 9\r", "x.yaml:2: players: expected 2 to 6, got 9"),
    "random bytes": (random.Random(1).randbytes(5000), "x.yaml:1: expected UTF-8 text, got the byte"),
    "PNG": (b"\x89PNG\r\n\x1a\n" + bytes(100), "x.yaml:1: expected UTF-8 text, got the byte 0x89"),
    "ZIP": (b"PK\x03\x04" + bytes(100), r"x.yaml:1: expected plain text, got the character U\+0003"),
    "too large": (b"name: x" + b" " * MAX_BYTES, "x.yaml: expected at most 64 KiB, got more"),
    "deep lists": (b"name: " + b"[" * 60_000, "x.yaml:1: expected at most 20 levels of nesting, got more"),
    "deep blocks": (DEEP.encode(), "x.yaml:21: expected at most 20 levels of nesting, got more"),
    "deep flow blocks": (b"{a: " * 15_000, "x.yaml:1: expected at most 20 levels of nesting"),
    "deep dashes": (b"- " * 30_000, "x.yaml:1: expected at most 20 levels of nesting"),
    "deep question marks": (b"? " * 30_000, "x.yaml:1: expected at most 20 levels of nesting"),
    "deep in a key": (b"? " + b"[" * 10 + b"]" * 10 + b"\n: " + b"[" * 25, "x.yaml:2: expected at most 20"),
    "many values": (b"name: [" + b"a," * 30_000 + b"]", "x.yaml:1: expected a file that a person could"),
    "many keys": (
        b"name: x\n" + b"".join(b"attack%d: 1\n" % n for n in range(4500)),
        "x.yaml:2: attack0: unknown key",
    ),
    "one key many times": (b"name: x\n" * 4500, "x.yaml:2: name: expected each key once"),
    "many anchors": (b"name: [" + b"&a a," * 4000 + b"]", r"x.yaml:1: name\[0\]: .* the anchor &a"),
    "many digits": (b"name: x\nplayers: " + b"9" * 60_000, "x.yaml:2: players: .*, 2 to 6, got 9{40}…$"),
    "long word": (
        b"name: x\ntransfer: {mode: " + b"e" * 60_000 + b"}",
        "x.yaml:2: transfer.mode: .* got e{40}…$",
    ),
    "long key": (b"x" * 900 + b": 1", "x.yaml: name: expected a name"),
    "endless key": (b"x" * 60_000 + b": 1", "x.yaml:1: expected YAML, got"),
    "long title": (
        b"name: x\ntitle: '" + b"a\n" * 30_000 + b"'",
        "x.yaml:2: title: expected at most 200 char",
    ),
    "long anchor": (
        b"name: &" + b"a" * 60_000 + b" x",
        "x.yaml:1: name: expected a plain value, got the anchor &a",
    ),
    "comment only": (b"#" * 60_000, "x.yaml: expected keys and values, got none"),
    "future YAML": (b"%YAML 3.0\n---\nname: x\n", "x.yaml:1: expected YAML, got"),
    "directive twice": (b"%YAML 1.1\n%YAML 1.1\n---\nname: x\n", "x.yaml:2: expected YAML, got"),
    "block scalar header": (b"name: x\nsummary: |99\n a\n", "x.yaml:2: expected YAML, got"),
    "tab before a key": (b"name: x\n\tplayers: 4\n", "x.yaml:2: expected YAML, got a tab in the indentation"),
    "escaped surrogate": (
        b'name: x\ntitle: "\\ud800"\n',
        r"x.yaml:2: title: expected plain text, .* U\+D800",
    ),
    "escaped beyond Unicode": (
        b'name: x\ntitle: "\\UFFFFFFFF"\n',
        "x.yaml:2: expected YAML, got an escape or",
    ),
    "escape without a character": (
        b'name: x\ntitle: "\\U00110000"\n',
        "x.yaml:2: expected YAML, got an escape or",
    ),
    "endless version": (
        b"%YAML 1." + b"1" * 9000 + b"\n---\nname: x\n",
        "x.yaml:1: expected YAML, got an escape or",
    ),
    "long tag handle": (
        b"name: !" + b"a" * 60_000 + b"!b x\n",
        "x.yaml:1: expected YAML, got this: found undefined",
    ),
}


@pytest.mark.parametrize("name", GENERATED)
def test_generated_malformed_file_gives_one_clear_message(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content, expected = GENERATED[name]
    Path("x.yaml").write_bytes(content)
    messages = messages_of("x.yaml")
    assert re.match(expected, messages[0])
    assert len(messages) <= 21
    assert all(len(message) < 400 and message.isprintable() for message in messages)


@pytest.mark.parametrize("name", ["many values", "many anchors", "deep lists"])
def test_malformed_file_takes_little_memory(name, tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes(GENERATED[name][0])
    tracemalloc.start()
    try:
        with pytest.raises(InputError):
            load_variant(path)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


def test_what_is_no_regular_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkdir("folder.yaml")
    os.mkfifo("pipe.yaml")
    os.symlink("loop.yaml", "loop.yaml")
    os.symlink("nothing.yaml", "dangling.yaml")
    assert messages_of("folder.yaml") == ["folder.yaml: expected a file, got a folder"]
    assert messages_of("pipe.yaml") == ["pipe.yaml: expected a file, got something else"]
    assert messages_of("loop.yaml")[0].startswith("loop.yaml: expected a readable file, got: ")
    assert messages_of("dangling.yaml") == ["dangling.yaml: expected a file, there is none of this name"]
    assert messages_of("/dev/zero") == ["/dev/zero: expected a file, got something else"]


def test_an_unreadable_file_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "x.yaml"
    path.write_text("name: x\n")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert messages_of(path) == [f"{path}: expected a readable file, got: Permission denied"]


def test_a_file_name_cannot_break_a_message(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a\n\x1b[2Jb\u202e.yaml").write_text("name: x\nplayers: 9\n")
    message = messages_of("a\n\x1b[2Jb\u202e.yaml")
    assert message == [r"a\n\x1b[2Jb\u202e.yaml:2: players: expected 2 to 6, got 9"]


@given(st.one_of(st.text(max_size=200), st.text(alphabet="ab:,[]{}&*!|>'\"%@`#?-\n\t ", max_size=60)))
def test_any_text_is_a_document_or_an_input_error(text):
    with contextlib.suppress(InputError):
        assert isinstance(parse_yaml(text, "x.yaml").data, dict)


SHIPPED = [(shipped_folder() / f"{name}.yaml").read_bytes() for name in shipped_names()]


@given(st.sampled_from(SHIPPED), st.integers(0, 2000), st.integers(0, 20), st.binary(max_size=6))
def test_a_damaged_shipped_file_loads_or_gives_an_input_error(tmp_path_factory, content, start, cut, patch):
    path = tmp_path_factory.getbasetemp() / "damaged.yaml"
    path.write_bytes(content[:start] + patch + content[start + cut :])
    with contextlib.suppress(InputError):
        assert load_variant(path).name
