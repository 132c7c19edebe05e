"""`simcli variants`: what people see, what programs read, and what it never overwrites."""

import builtins
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simcli.rules.canonical import rules_hash
from simcli.rules.load import load_variant
from simcli.rules.newfile import SCHEMA_FILE, schema_text
from simcli.rules.sheet import differences_in_words, rule_sheet
from simcli.rules.shipped import shipped_names
from tests.cli.test_run import SIMCLI, Simcli, simcli
from tests.rules.test_malformed import GENERATED, MALFORMED

__all__ = ["simcli"]


def flat(text: str) -> str:
    return " ".join(text.split())


def own(name: str, text: str = "") -> Path:
    Path("variants").mkdir(exist_ok=True)
    path = Path("variants") / f"{name}.yaml"
    path.write_text(f"name: {name}\n{text}")
    return path


def test_the_list_names_every_shipped_variant_with_its_title(simcli: Simcli) -> None:
    result = simcli("variants", "list")
    assert result.code == 0
    for name in shipped_names():
        assert name in result.out
        assert load_variant(name).title.split()[0] in result.out
    assert max(map(len, result.out.splitlines())) <= 80


def test_the_list_begins_with_files_of_ones_own_and_shows_one_file_a_name(simcli: Simcli) -> None:
    own("zebra", "extends: podkidnoy\n")
    own("classic", "teams: 2\n")
    listed = json.loads(simcli("variants", "list", "--json").out)
    assert [entry["name"] for entry in listed[:2]] == ["classic", "zebra"]
    assert [entry["ships"] for entry in listed[:3]] == [False, False, True]
    assert len(listed) == len(shipped_names()) + 1
    assert listed[0]["differs"] == {"teams": 2}
    assert listed[0]["sizes"] == [4, 6]
    assert listed[1]["differs"] == {"transfer.mode": "none"}
    assert "variants/zebra.yaml" in simcli("variants", "list").out


def test_a_broken_file_of_ones_own_does_not_hide_the_others(simcli: Simcli) -> None:
    own("broken", "players: 9\n")
    result = simcli("variants", "list")
    assert result.code == 2
    assert "podkidnoy" in result.out
    assert result.err == "variants/broken.yaml:2: players: expected 2 to 6, got 9\n"


@pytest.mark.parametrize("name", shipped_names())
def test_a_sheet_says_all_its_sentences_at_80_columns(name: str, simcli: Simcli) -> None:
    out = simcli("variants", "show", name).out
    assert max(map(len, out.splitlines())) <= 80
    for section in rule_sheet(load_variant(name)):
        assert f"\n{section.title}\n" in out
        for sentence in section.sentences:
            assert sentence in flat(out)


def test_a_sheet_in_markdown_and_json_says_the_same(simcli: Simcli) -> None:
    sections = rule_sheet(load_variant("partners"))
    page = simcli("variants", "show", "partners", "--markdown").out
    assert page.startswith("# Transfer Durak, two against two\n\n")
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == [s.title for s in sections]
    sentences = [sentence for section in sections for sentence in section.sentences]
    assert [line[2:] for line in page.splitlines() if line.startswith("- ")] == sentences
    answer = json.loads(simcli("variants", "show", "partners", "--json").out)
    assert [tuple(part["sentences"]) for part in answer["sections"]] == [s.sentences for s in sections]
    assert answer["hash"] == rules_hash(load_variant("partners"))
    assert answer["rules"]["teams"] == 2


def test_a_sheet_is_one_or_the_other(simcli: Simcli) -> None:
    assert simcli("variants", "show", "partners", "--markdown", "--json").code == 2


def test_differences_come_in_words_and_as_keys(simcli: Simcli) -> None:
    out = simcli("variants", "diff", "duel", "classic").out
    for sentence in differences_in_words(load_variant("duel"), load_variant("classic")):
        assert sentence in flat(out)
    assert "players 2 4" in flat(out)
    assert "transfer.cards one several" in flat(out)
    answer = json.loads(simcli("variants", "diff", "duel", "classic", "--json").out)
    assert answer["keys"][0] == {"key": "players", "variant": 2, "other": 4}
    assert not answer["same_rules"]


def test_a_variant_is_the_same_as_itself(simcli: Simcli) -> None:
    assert simcli("variants", "diff", "duel", "duel").out == "duel and duel\nThey are the same rules.\n"


def test_rules_that_differ_without_effect_are_said_to(simcli: Simcli) -> None:
    path = own("ours", "extends: podkidnoy\ntransfer: {cards: one}\n")
    out = simcli("variants", "diff", str(path), "podkidnoy").out
    assert "what differs has no effect" in flat(out)
    assert "transfer.cards" in out


def test_check_names_good_files_and_every_problem_of_bad_ones(simcli: Simcli) -> None:
    good, bad = own("good"), own("bad", "players: 9\ndeck: 32\n")
    worse = own("worse", "attack: {limit: 60}\n")
    result = simcli("variants", "check", str(bad), str(good), str(worse), "classic")
    assert result.code == 2
    assert result.out == f"{good}: OK\nclassic: OK\n"
    assert [line.split(" ")[0] for line in result.err.splitlines()] == [
        f"{bad}:2:", f"{bad}:3:", f"{worse}:2:",
    ]  # fmt: skip
    assert simcli("variants", "check", str(good)).code == 0


def test_check_of_a_folder_checks_every_variant_file_in_it(simcli: Simcli) -> None:
    own("good"), own("bad", "players: 9\n")
    Path("variants", "notes.txt").write_text("no variant")
    result = simcli("variants", "check", "variants")
    assert (result.code, result.out) == (2, "variants/good.yaml: OK\n")
    assert result.err.startswith("variants/bad.yaml:2: players: ")
    Path("empty").mkdir()
    result = simcli("variants", "check", "empty")
    assert (result.code, result.err) == (
        2,
        "empty: expected variant files in it (.yaml or .yml), found none\n",
    )


def test_check_in_json_holds_every_problem(simcli: Simcli) -> None:
    own("good"), own("bad", "players: 9\n")
    result = simcli("variants", "check", "variants/good.yaml", "variants/bad.yaml", "--json")
    assert result.code == 2
    good, bad = json.loads(result.out)
    assert good == {"file": "variants/good.yaml", "ok": True, "problems": []}
    assert bad["problems"] == [
        {"file": "variants/bad.yaml", "line": 2, "key": "players", "message": "expected 2 to 6, got 9"}
    ]


def test_check_takes_a_file_whatever_its_ending(simcli: Simcli) -> None:
    Path("rules.txt").write_text("name: x\n")
    assert simcli("variants", "check", "rules.txt").out == "rules.txt: OK\n"


def test_check_says_of_what_is_no_file_that_it_is_none(simcli: Simcli) -> None:
    Path("folder.yaml").mkdir()
    Path("gone.yaml").symlink_to("nowhere.yaml")
    for odd in ("", "folder.yaml", "gone.yaml", "x" * 5000, "x" * 5000 + ".yaml", "a\x00b", "no/where.yaml"):
        result = simcli("variants", "check", odd)
        assert (result.code, result.out) == (2, "")
        assert len(result.err.splitlines()) == 1


def test_check_of_all_that_is_malformed_takes_little_memory(tmp_path: Path) -> None:
    files = sorted(map(str, MALFORMED.glob("*.yaml")))
    for name, (content, _) in GENERATED.items():
        files.append(str(tmp_path / f"{name.replace(' ', '-')}.yaml"))
        Path(files[-1]).write_bytes(content)
    watch = [sys.executable, "-m", "simcli.runs.bench.watch"]
    done = subprocess.run(
        [*watch, *SIMCLI, "variants", "check", *files], capture_output=True, text=True, check=True
    )
    seen = json.loads(done.stdout)
    assert seen["code"] == 2
    assert "Traceback" not in seen["error"]
    assert seen["peak_bytes"] < 300e6


def test_schema_prints_the_schema(simcli: Simcli) -> None:
    assert simcli("variants", "schema").out == schema_text()


def test_hash_is_equal_just_where_the_rules_are(simcli: Simcli) -> None:
    path = own("ours", "title: Ours\nplayers: 3\n")
    lines = simcli("variants", "hash", "classic", str(path), "podkidnoy").out.splitlines()
    hashes = [line.split("  ")[0] for line in lines]
    assert hashes[0] == hashes[1] != hashes[2]
    assert [line.split("  ")[1] for line in lines] == ["classic", "ours", "podkidnoy"]
    listed = json.loads(simcli("variants", "hash", "classic", "--json").out)
    assert listed == [{"variant": "classic", "hash": hashes[0]}]


def test_new_writes_a_file_that_can_be_used_by_its_name(simcli: Simcli) -> None:
    Path("variants").mkdir()
    result = simcli("variants", "new", "ours", "--from", "podkidnoy", "--set", "throw_in.who=attacker")
    assert result.code == 0
    written, after = result.err.splitlines()
    assert written == "written: variants/ours.yaml"
    assert after.endswith(" ours  says what its rules change")
    assert simcli(*shlex.split(after.split("  ")[0])[2:], "-n", "500", "--bots", "lowest").code == 0
    assert Path("variants", SCHEMA_FILE).read_text() == schema_text()
    assert json.loads(simcli("variants", "diff", "ours", "podkidnoy", "--json").out)["keys"] == [
        {"key": "throw_in.who", "variant": "attacker", "other": "all"}
    ]


def test_new_without_a_folder_of_variants_writes_here_or_where_it_is_told(simcli: Simcli) -> None:
    simcli("variants", "new", "ours", "--set", "teams=2")
    assert Path("ours.yaml").is_file()
    simcli("variants", "new", "ours", "--set", "teams=2", "--folder", "a/b")
    assert load_variant(Path("a/b/ours.yaml")).teams == 2


def test_new_overwrites_nothing(simcli: Simcli) -> None:
    path = own("ours")
    before = path.read_text()
    result = simcli("variants", "new", "ours", "--set", "teams=2")
    assert (result.code, result.err) == (
        2, "variants/ours.yaml: expected no such file yet, there is one – choose another name\n",
    )  # fmt: skip
    assert path.read_text() == before
    assert not Path("variants", SCHEMA_FILE).exists()


@pytest.mark.parametrize("name", ["a/b", "", "a b", "x" * 65, "ü", "a.yaml"])
def test_new_refuses_what_is_no_name(name: str, simcli: Simcli) -> None:
    result = simcli("variants", "new", name, "--set", "teams=2")
    assert result.code == 2
    assert "expected letters, digits, - and _" in result.err
    assert not list(Path().iterdir())


def test_new_needs_a_terminal_or_settings(simcli: Simcli) -> None:
    result = simcli("variants", "new", "ours")
    assert result.code == 2
    assert "expected a terminal to ask at, or --set KEY=VALUE" in result.err
    assert not list(Path().iterdir())


class Typist:
    """Somebody who answers questions by their last words."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answers: list[str]) -> None:
        self.prompts: list[str] = []
        self._answers: Iterator[str] = iter(answers)
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
        monkeypatch.setattr(builtins, "input", self)

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        try:
            return next(self._answers)
        except StopIteration:
            raise EOFError from None


def test_new_asks_and_keeps_what_return_keeps(simcli: Simcli, monkeypatch: pytest.MonkeyPatch) -> None:
    Typist(monkeypatch, ["Our table", "", "3", "", "2", "rest"])
    result = simcli("variants", "new", "ours")
    assert result.code == 0
    loaded = load_variant(Path("ours.yaml"))
    assert (loaded.title, loaded.players, loaded.deck, loaded.opening.first) == (
        "Our table",
        3,
        36,
        "dealer_left",
    )
    assert "Who opens the first deal of a session\n" in result.out
    assert "(as in classic)" in result.out


def test_new_asks_again_after_an_answer_that_is_none(simcli: Simcli, monkeypatch: pytest.MonkeyPatch) -> None:
    Typist(monkeypatch, ["", "", "7", "x", "5", "rest"])
    out = simcli("variants", "new", "ours").out
    assert "expected 2 to 6, got 7" in out
    assert "expected a whole number, 2 to 6, got x" in out
    assert load_variant(Path("ours.yaml")).players == 5


def test_new_asks_again_about_answers_that_do_not_fit(
    simcli: Simcli, monkeypatch: pytest.MonkeyPatch
) -> None:
    Typist(monkeypatch, ["", "", "6", "1", "rest", "4", "", "rest"])
    out = simcli("variants", "new", "ours").out
    assert "expected at most 4 players with 24 cards" in flat(out)
    loaded = load_variant(Path("ours.yaml"))
    assert (loaded.players, loaded.deck) == (4, 24)


def test_new_asks_only_what_matters(simcli: Simcli, monkeypatch: pytest.MonkeyPatch) -> None:
    Typist(monkeypatch, [""] * 40)
    out = simcli("variants", "new", "ours", "--from", "podkidnoy").out
    assert "Whether transfers are allowed in the deal's first bout" not in out
    assert "When an attack may be transferred" in out
    assert "How often each seat may show" not in out


def test_new_writes_nothing_if_the_answers_end(simcli: Simcli, monkeypatch: pytest.MonkeyPatch) -> None:
    Typist(monkeypatch, ["", ""])
    result = simcli("variants", "new", "ours")
    assert result.code == 2
    assert "nothing was written" in result.err
    assert not list(Path().iterdir())


def test_variant_commands_fit_a_narrow_terminal(simcli: Simcli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for words in (("list",), ("show", "pass-card"), ("diff", "regular", "classic")):
        out = simcli("variants", *words).out
        assert max(map(len, out.splitlines())) <= 40
