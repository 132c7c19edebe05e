"""New variant files: only what is otherwise, with comments, and good to load."""

from pathlib import Path

import pytest
import yaml

from simcli.errors import InputError
from simcli.rules.canonical import rules_hash
from simcli.rules.load import load_variant
from simcli.rules.newfile import KEYS, SCHEMA_LINE, setting, variant_file_text
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import RULE_OPTIONS, option_value

FITTING = {("attack.first_limit", 36): {"attack.limit": 36}, ("teams", 3): {"players": 6}}


def written(folder, base="classic", **values):
    path = folder / "ours.yaml"
    path.write_text(variant_file_text("ours", base, folder, values), encoding="utf-8")
    return path


def test_a_file_names_only_what_is_otherwise(tmp_path):
    values = {"transfer.mode": "late", "transfer.cards": "several", "players": 3, "title": "Ours: late"}
    path = written(tmp_path, **values)
    assert yaml.safe_load(path.read_text()) == {
        "name": "ours",
        "title": "Ours: late",
        "extends": "classic",
        "players": 3,
        "transfer": {"mode": "late"},
    }


def test_a_file_begins_with_its_schema_and_explains_every_key(tmp_path):
    text = written(tmp_path, **{"transfer.mode": "late", "attack.limit": 5}).read_text()
    assert text.startswith(f"{SCHEMA_LINE}\n# Everything that is not named here is as in classic.\n")
    for key in ("transfer.mode", "attack.limit"):
        option = next(option for option in RULE_OPTIONS if option.key == key)
        assert option.description in " ".join(text.replace("#", " ").split())
    assert "  mode: late  # none | early; in classic: early\n" in text
    assert "  limit: 5  # 1 to 36; in classic: 6\n" in text


@pytest.mark.parametrize("option", RULE_OPTIONS, ids=lambda option: option.key)
def test_every_option_can_be_set_to_each_of_its_values(option, tmp_path):
    for value in option.values or (option.low, option.high):
        path = written(tmp_path, **FITTING.get((option.key, value), {}), **{option.key: value})
        assert option_value(load_variant(path), option.key) == value


@pytest.mark.parametrize("name", shipped_names())
def test_a_file_without_a_word_of_its_own_plays_as_its_base(name, tmp_path):
    assert rules_hash(load_variant(written(tmp_path, name))) == rules_hash(load_variant(name))


def test_a_first_limit_that_is_the_bases_own_is_kept_where_the_limit_rises(tmp_path):
    loaded = load_variant(written(tmp_path, **{"attack.limit": 8, "attack.first_limit": 6}))
    assert (loaded.attack.limit, loaded.attack.first_limit) == (8, 6)


def test_a_first_limit_that_nobody_named_follows_the_limit(tmp_path):
    assert load_variant(written(tmp_path, **{"attack.limit": 4})).attack.first_limit == 4


def test_a_base_of_ones_own_is_named_by_its_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("variants").mkdir()
    Path("variants/base.yaml").write_text("name: base\nteams: 2\n")
    text = variant_file_text("ours", "base", Path("variants"), {})
    assert "extends: ./base.yaml\n" in text
    assert "extends: ../variants/base.yaml\n" in variant_file_text("ours", "base", Path("elsewhere"), {})


def test_values_that_do_not_fit_together_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"pass_card.enabled: expected transfer.mode early or late"):
        variant_file_text("ours", "podkidnoy", tmp_path, {"pass_card.enabled": True})


@pytest.mark.parametrize("name", ["true", "null", "12", "1e3", "-", "-0"])
def test_a_name_that_yaml_would_take_for_something_else_is_quoted(name, tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(variant_file_text(name, "classic", tmp_path, {}))
    assert load_variant(path).name == name


@pytest.mark.parametrize(
    "title", ["a: b", "# no", "'", '"', "(ü) – \\", "- x", "{}", "yes", "!", "How we play", " a ", "12:30"]
)
def test_any_title_survives(title, tmp_path):
    assert load_variant(written(tmp_path, title=title)).title == title


@pytest.mark.parametrize("key", KEYS)
def test_every_key_can_be_set_from_a_text(key):
    option = next((option for option in RULE_OPTIONS if option.key == key), None)
    if option and option.values:
        for value in option.values:
            assert setting(f"{key}={str(value).lower()}") == (key, value)
    elif option:
        assert setting(f"{key}={option.high}") == (key, option.high)


@pytest.mark.parametrize(
    "text, message",
    [
        ("transfer.mode", "transfer.mode: expected KEY=VALUE, got no value"),
        ("transfer.mode=lat", "did you mean late"),
        ("transfer.mod=late", "did you mean transfer.mode"),
        ("name=x", "a key of a variant file, got name"),
        ("players=9", "players: expected 2 to 6, got 9"),
        ("throw_in.on_pickup=yes", "write true"),
        ("title=a\nb", "one line"),
    ],
)
def test_a_wrong_setting_says_what_is_wrong(text, message):
    with pytest.raises(InputError, match=message):
        setting(text)


def test_a_title_without_pitfalls_needs_no_quotes(tmp_path):
    assert "\ntitle: How we play, with 24 cards\n" in written(
        tmp_path, title="How we play, with 24 cards"
    ).read_text(encoding="utf-8")
