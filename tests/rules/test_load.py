"""Loading variants: names and paths, `extends`, variants inside other files, records."""

import os
from pathlib import Path

import pytest

from simcli.errors import InputError, problems_of
from simcli.rules import shelf
from simcli.rules.canonical import differences, resolved
from simcli.rules.load import MAX_EXTENDS, load_variant, load_variant_mapping, variant_from_mapping
from simcli.rules.shipped import is_path, locate_variant, shipped_folder, shipped_names
from simcli.rules.variant import Variant, option_value
from simcli.rules.yamlfile import parse_yaml


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty current directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def message_of(ref, **arguments):
    with pytest.raises(InputError) as caught:
        load_variant(ref, **arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    "ref, path",
    [("classic", False), ("a.yaml", True), ("a.yml", True), ("./a", True), ("a/b", True), (Path("a"), True)],
    ids=str,
)
def test_a_yaml_ending_or_a_slash_makes_a_path(ref, path):
    assert is_path(ref) is path


def test_a_name_finds_the_shipped_file_from_any_folder(folder):
    assert locate_variant("classic") == shipped_folder() / "classic.yaml"
    assert load_variant("classic").name == "classic"


def test_a_local_variants_folder_goes_before_the_shipped_files(folder):
    write("variants/classic.yaml", "name: mine\nplayers: 3\n")
    assert locate_variant("classic") == Path("variants/classic.yaml")
    assert load_variant("classic").name == "mine"


def test_a_local_file_of_a_shipped_name_may_extend_the_shipped_file(folder):
    write("variants/no-draws.yaml", "name: no-draws\nextends: no-draws\nplayers: 3\n")
    variant = load_variant("no-draws")
    assert (variant.players, variant.end.tie) == (3, "defender_last")


def test_shipped_files_extend_shipped_files_whatever_the_current_folder_holds(folder):
    write("variants/classic.yaml", "name: classic\ndeck: 52\n")
    assert load_variant("partners").deck == 36


def test_the_packed_folder_of_a_built_package_is_used_when_there_is_one(folder, monkeypatch):
    write("site/simcli/_data/variants/only.yaml", "name: only\n")
    monkeypatch.setattr(shelf, "PACKAGE", folder / "site" / "simcli")
    assert shipped_names() == ["only"]
    assert load_variant("only") == Variant(name="only")


def test_paths_start_from_the_given_folder(folder):
    write("deep/table.yaml", "name: deep\n")
    assert load_variant("table.yaml", base_dir=Path("deep")).name == "deep"
    assert load_variant("./table.yaml", base_dir=folder / "deep").name == "deep"
    absolute = folder / "deep" / "table.yaml"
    assert load_variant(absolute, base_dir=Path("elsewhere")).name == "deep"


@pytest.mark.parametrize(
    "text", ["name: x\n", "\ufeffname: x\n", "name: x\r\n", "---\nname: x\n...\n", "name: x"]
)
def test_every_way_to_write_a_plain_file_is_read(folder, text):
    Path("x.yaml").write_bytes(text.encode("utf-8"))
    assert load_variant("x.yaml") == Variant(name="x")


def test_unknown_name_lists_the_shipped_variants_and_the_nearest():
    message = message_of("clasic")
    assert message.startswith("clasic: unknown variant – did you mean classic? (shipped: classic, ")
    assert all(name in message for name in shipped_names())
    assert "a path ends in .yaml or .yml or has a slash" in message


@pytest.mark.parametrize("ref", ["", " ", "..", "two words", "a\nb", "a\0b", "x" * 5000, "дурак", "\udcff"])
def test_strange_names_are_unknown_variants(folder, ref):
    message = message_of(ref)
    assert "unknown variant" in message
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    "ref", ["a/\0", "x" * 5000 + "/y", "a\nb.yaml", "no/such/folder.yaml", "\udcff.yaml"]
)
def test_strange_paths_are_missing_files(folder, ref):
    message = message_of(ref)
    assert "expected a variant file, there is none" in message
    assert len(message.splitlines()) == 1


def test_a_missing_file_points_to_what_was_meant(folder):
    write("mine.yaml", "name: mine\n")
    write("variants/mine.yaml", "name: mine\n")
    assert "did you mean mine.yaml?" in message_of("mien.yaml")
    assert "did you mean variants/mine.yaml?" in message_of("variants/mine")
    assert "the shipped variant is called duel" in message_of("duel.yaml")


def test_extends_takes_over_what_is_not_named(folder):
    write("base.yaml", "name: base\ntitle: Base\nplayers: 3\nattack: {limit: 5, lead: one}\nteams: none\n")
    write("child.yaml", "name: child\nextends: base.yaml\nattack: {limit: 4}\n")
    variant = load_variant("child.yaml")
    assert (variant.name, variant.players, variant.attack.lead, variant.attack.limit) == (
        "child",
        3,
        "one",
        4,
    )


def test_title_and_summary_speak_of_their_own_file_only(folder):
    write("child.yaml", "name: child\nextends: classic\n")
    assert (load_variant("child.yaml").title, load_variant("child.yaml").summary) == ("", "")


def test_extends_starts_from_the_folder_of_the_file(folder):
    write("a/base.yaml", "name: base\ndeck: 52\n")
    write("b/child.yaml", "name: child\nextends: ../a/base.yaml\n")
    assert load_variant("b/child.yaml").deck == 52


def test_extends_goes_through_several_files_the_nearest_last(folder):
    write(
        "one.yaml",
        "name: one\nextends: podkidnoy\nplayers: 2\nthrow_in: {who: attacker, window: from_lead}\n",
    )
    write("two.yaml", "name: two\nextends: one.yaml\nthrow_in: {who: none}\n")
    found = differences(load_variant("two.yaml"), load_variant("classic"))
    assert found == [
        ("throw_in.who", "none", "all"),
        ("throw_in.window", "from_lead", "after_cover"),
        ("transfer.mode", "none", "early"),
    ]


def test_an_omitted_first_limit_equals_limit_after_extends(folder):
    write("child.yaml", "name: child\nextends: classic\nattack: {limit: 4}\n")
    assert load_variant("child.yaml").attack.first_limit == 4
    write("wide.yaml", "name: wide\nextends: five-card-opening\nattack: {limit: 8}\n")
    assert load_variant("wide.yaml").attack.first_limit == 5


def test_a_contradiction_may_span_files_and_is_reported_where_the_child_names_it(folder):
    write("base.yaml", "name: base\n\nplayers: 5\n")
    write("child.yaml", "name: child\nextends: base.yaml\ndeck: 24\n")
    assert (
        message_of("child.yaml")
        == "child.yaml:3: deck: expected at most 4 players with 24 cards (6 each), got 5"
    )


def test_a_child_may_mend_a_contradiction_of_defaults(folder):
    write("base.yaml", "name: base\nattack: {first_limit: 6}\n")
    write("child.yaml", "name: child\nextends: base.yaml\nattack: {limit: 4, first_limit: 3}\n")
    assert load_variant("child.yaml").attack.first_limit == 3


def test_errors_of_a_parent_name_its_file_and_line(folder):
    write("a/base.yaml", "name: base\n\nplayer: 3\n")
    write("child.yaml", "name: child\nextends: a/base.yaml\ndeck: 1\n")
    first, second = message_of("child.yaml").splitlines()
    assert first.startswith("child.yaml:3: deck: expected 24, 36 or 52, got 1")
    assert second.startswith("a/base.yaml:3: player: unknown key")


def test_a_loop_names_the_chain_of_files(folder):
    write("a.yaml", "name: a\nextends: b.yaml\n")
    write("b.yaml", "name: b\nextends: c/c.yaml\n")
    write("c/c.yaml", "name: c\nextends: ../b.yaml\n")
    assert message_of("a.yaml") == "c/c.yaml:2: extends: expected no loop, got b.yaml → c/c.yaml → b.yaml"


def test_a_loop_through_a_link_is_found(folder):
    write("a.yaml", "name: a\nextends: b.yaml\n")
    os.symlink("a.yaml", "b.yaml")
    assert "expected no loop, got a.yaml → b.yaml" in message_of("a.yaml")


def test_a_chain_may_be_as_long_as_the_limit_and_no_longer(folder):
    write("t0.yaml", "name: t0\ndeck: 52\n")
    for number in range(1, MAX_EXTENDS + 2):
        write(f"t{number}.yaml", f"name: t{number}\nextends: t{number - 1}.yaml\n")
    assert load_variant(f"t{MAX_EXTENDS}.yaml").deck == 52
    assert f"t1.yaml:2: extends: expected at most {MAX_EXTENDS} files" in message_of(
        f"t{MAX_EXTENDS + 1}.yaml"
    )


def test_all_problems_of_a_file_come_in_the_order_of_its_lines(folder):
    write(
        "x.yaml",
        "name: a b\nplayers: 9\nplayers: 3\nattack:\n  limt: 3\n  lead: two\nteams: 2\n"
        "end: {objective: first_out_wins}\ndraw: &d {first: me}\n",
    )
    with pytest.raises(InputError) as caught:
        load_variant("x.yaml")
    places = [(problem.line, problem.key) for problem in problems_of(caught.value)]
    assert places == [
        (1, "name"),
        (2, "players"),
        (3, "players"),
        (5, "attack.limt"),
        (6, "attack.lead"),
        (8, "end.objective"),
        (9, "draw"),
    ]


def test_a_wrong_value_is_not_reported_a_second_time_as_a_contradiction(folder):
    write("x.yaml", 'name: x\nplayers: "5"\nmax_players: 3\n')
    assert message_of("x.yaml").count("\n") == 0


@pytest.mark.parametrize(
    "text", ["players: &p 5\nmax_players: 3\n", "extends: !!str short-pack\nplayers: 5\nteams: 2\n"]
)
def test_a_value_that_could_not_be_read_is_not_judged_a_second_time(folder, text):
    write("x.yaml", f"name: x\n{text}")
    message = message_of("x.yaml")
    assert message.startswith("x.yaml:2: ")
    assert message.count("\n") == 0


def test_keys_inside_a_list_item_that_was_left_out_are_left_out(folder):
    write("x.yaml", "name: x\nattack: [&a {limit: 5}]\n")
    assert [line[:25] for line in message_of("x.yaml").splitlines()] == [
        "x.yaml:2: attack[0]: expe",
        "x.yaml:2: attack: expecte",
    ]


def inline(text):
    """Return the variant part of a scenario-like file."""
    return parse_yaml(text, "scene.yaml").at("variant")


def test_a_variant_inside_a_file_needs_no_name():
    variant = load_variant_mapping(inline("variant: {attack: {limit: 2}}\n"), Path())
    assert (variant.name, variant.attack.limit, variant.attack.first_limit) == ("unnamed", 2, 2)


def test_a_variant_inside_a_file_may_be_asked_for_a_name():
    with pytest.raises(InputError, match=r"scene.yaml:1: variant.name: expected a name"):
        load_variant_mapping(inline("variant: {deck: 52}\n"), Path(), name_required=True)


def test_a_variant_inside_a_file_extends_from_the_folder_of_the_file(folder):
    write("a/base.yaml", "name: base\ndeck: 52\n")
    part = inline("variant: {extends: base.yaml, teams: 2}\n")
    variant = load_variant_mapping(part, Path("a"))
    assert (variant.name, variant.deck, variant.teams) == ("unnamed", 52, 2)


def test_errors_of_a_variant_inside_a_file_name_the_whole_key_and_line():
    with pytest.raises(InputError, match=r"^scene.yaml:4: variant.attack.limit: expected 1 to 36, got 60$"):
        load_variant_mapping(inline("trump: D\nvariant:\n  attack:\n    limit: 60\n"), Path())
    with pytest.raises(InputError, match=r"^scene.yaml:2: variant: expected a block with .*, got a list$"):
        load_variant_mapping(inline("trump: D\nvariant: [a]\n"), Path())


def test_the_table_size_of_the_file_around_it_goes_before_that_of_the_mapping():
    part = inline("variant: {players: 4, teams: 3}\n")
    assert load_variant_mapping(part, Path(), players=6).players == 6
    with pytest.raises(
        InputError, match=r"scene.yaml:1: variant.teams: expected 6 players with 3 teams, got 4"
    ):
        load_variant_mapping(part, Path())
    with pytest.raises(
        InputError, match=r"scene.yaml:2: variant.players: expected at most 4 players with 24"
    ):
        load_variant_mapping(inline("trump: D\nvariant: {players: 5, deck: 24}\n"), Path(), players=6)


@pytest.mark.parametrize("mapping", [None, [], 3, "classic"], ids=str)
def test_a_record_without_a_mapping_is_refused(mapping):
    with pytest.raises(InputError, match=r"^record: expected a block with name, .*, got "):
        variant_from_mapping(mapping, "record")


def test_a_record_is_checked_as_strictly_as_a_file():
    with pytest.raises(InputError) as caught:
        variant_from_mapping({"players": 4.0, "deck": 36.0, "teams": 2.0, "extends": "classic", "end": None})
    keys = [problem.key for problem in problems_of(caught.value)]
    assert keys == ["players", "deck", "teams", "extends", "end"]


def test_contradictions_of_a_record_name_the_key():
    with pytest.raises(InputError, match=r"^record: players: expected at most 4 players with 24 cards"):
        variant_from_mapping({"players": 5, "deck": 24}, "record")


def test_a_record_may_leave_out_the_name_and_defaults():
    assert variant_from_mapping({}) == Variant()
    assert variant_from_mapping({"players": 3, "attack": {"limit": 5}}).attack.first_limit == 5


def test_the_plain_form_is_not_shared_with_the_variant():
    variant = load_variant("classic")
    resolved(variant)["attack"]["limit"] = 1
    assert option_value(variant, "attack.limit") == 6
