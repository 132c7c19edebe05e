"""The shipped files against the table in docs/rules.md 8, key by key."""

import pytest
import yaml

from simcli.errors import InputError
from simcli.rules.canonical import rules_hash
from simcli.rules.load import load_variant
from simcli.rules.newfile import SCHEMA_LINE
from simcli.rules.shipped import shipped_folder, shipped_names
from simcli.rules.variant import RULE_OPTIONS, option_value, seat

CLASSIC = {
    "players": 4,
    "max_players": 6,
    "deck": 36,
    "opening.first": "lowest_trump",
    "opening.no_trump": "dealer_left",
    "opening.later": "dealer_left",
    "attack.lead": "several",
    "attack.limit": 6,
    "attack.first_limit": 6,
    "attack.first_scope": "first_bout",
    "throw_in.who": "all",
    "throw_in.window": "after_cover",
    "throw_in.order": "clockwise",
    "throw_in.on_pickup": True,
    "transfer.mode": "early",
    "transfer.cards": "several",
    "transfer.first_bout": True,
    "pass_card.enabled": False,
    "pass_card.per_bout": 1,
    "draw.first": "original_attacker",
    "draw.defender": "last_unless_original",
    "trump_exchange": "none",
    "end.objective": "last_loses",
    "end.tie": "shared",
    "end.stall_bouts": 100,
    "teams": "none",
}

ADVANCED = {
    "max_players": 4,
    "attack.lead": "one",
    "throw_in.who": "neighbours",
    "throw_in.window": "from_lead",
    "throw_in.on_pickup": False,
    "draw.defender": "last",
}

FIRST_OUT = {
    "attack.lead": "one",
    "throw_in.window": "from_lead",
    "throw_in.on_pickup": False,
    "draw.first": "join_order",
    "draw.defender": "last",
    "end.objective": "first_out_wins",
    "end.tie": "defender_last",
}

DIFFERS = {
    "classic": {},
    "simultaneous": {
        "throw_in.window": "from_lead",
        "throw_in.order": "simultaneous",
        "attack.lead": "one",
        "transfer.cards": "one",
        "draw.defender": "last",
    },
    "duel": {
        "players": 2,
        "attack.lead": "one",
        "transfer.cards": "one",
        "throw_in.on_pickup": False,
        "draw.first": "final_attacker",
        "draw.defender": "last",
        "end.tie": "defender_last",
    },
    "advanced-standard": {**ADVANCED, "transfer.mode": "none"},
    "advanced-transfer": {**ADVANCED, "transfer.mode": "early", "transfer.cards": "one"},
    "regular": {**FIRST_OUT, "transfer.mode": "none"},
    "transferable": {**FIRST_OUT, "transfer.mode": "early", "transfer.cards": "one"},
    "podkidnoy": {"transfer.mode": "none"},
    "late-transfer": {"transfer.mode": "late"},
    "pass-card": {"pass_card.enabled": True},
    "five-card-opening": {"attack.first_limit": 5},
    "five-until-discard": {"attack.first_limit": 5, "attack.first_scope": "until_first_discard"},
    "draw-final-attacker": {"draw.first": "final_attacker"},
    "draw-join-order": {"draw.first": "join_order"},
    "draw-defender-last": {"draw.defender": "last"},
    "draw-in-turn": {"draw.defender": "in_turn"},
    "no-draws": {"end.tie": "defender_last"},
    "neighbours-only": {"throw_in.who": "neighbours"},
    "random-opening": {"opening.first": "random"},
    "first-bout-no-transfer": {"transfer.first_bout": False},
    "trump-six-exchange": {"trump_exchange": "lowest"},
    "partners": {"teams": 2},
    "short-pack": {"deck": 24, "players": 3},
    "full-pack": {"deck": 52, "players": 4},
}

TABLE_SIZES = {
    "advanced-standard": {2, 3, 4},
    "advanced-transfer": {2, 3, 4},
    "partners": {4, 6},
    "short-pack": {2, 3, 4},
}


def flat(mapping, prefix=""):
    for key, value in mapping.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def test_exactly_the_variants_of_the_rules_ship():
    assert set(shipped_names()) == set(DIFFERS)
    assert shipped_names()[0] == "classic"


@pytest.mark.parametrize("name", DIFFERS)
def test_shipped_variant_differs_from_classic_as_the_rules_say(name):
    variant = load_variant(name)
    assert variant.name == name
    assert {key: option_value(variant, key) for key in CLASSIC} == {**CLASSIC, **DIFFERS[name]}


def test_the_comparison_covers_every_rule_option():
    assert {option.key for option in RULE_OPTIONS} == set(CLASSIC) - {"players", "max_players", "deck"}


@pytest.mark.parametrize("name", DIFFERS)
def test_shipped_file_has_a_title_a_one_line_summary_and_names_its_source(name):
    variant = load_variant(name)
    assert variant.title
    assert variant.summary.endswith(".")
    assert len(variant.summary) <= 110
    text = (shipped_folder() / f"{name}.yaml").read_text(encoding="utf-8")
    assert text.startswith(f"{SCHEMA_LINE}\n# Source: ")


@pytest.mark.parametrize("name", [name for name in DIFFERS if name != "classic"])
def test_shipped_file_names_only_what_differs_from_what_it_extends(name):
    written = yaml.safe_load((shipped_folder() / f"{name}.yaml").read_text(encoding="utf-8"))
    variant, base = load_variant(name), load_variant(written["extends"])
    named = set(flat(written)) - {"name", "title", "summary", "extends"}
    differing = {key for key in CLASSIC if option_value(variant, key) != option_value(base, key)}
    # full-pack repeats the players because docs/rules.md 8 names them.
    assert named - {"players"} == differing - {"players"}


def test_classic_spells_out_every_key_but_first_limit():
    written = yaml.safe_load((shipped_folder() / "classic.yaml").read_text(encoding="utf-8"))
    assert set(flat(written)) - {"name", "title", "summary"} == set(CLASSIC) - {"attack.first_limit"}


def test_no_two_shipped_variants_play_by_the_same_rules():
    assert len({rules_hash(load_variant(name)) for name in DIFFERS}) == len(DIFFERS)


@pytest.mark.parametrize("name", DIFFERS)
@pytest.mark.parametrize("players", range(2, 7))
def test_shipped_variant_is_seated_at_exactly_the_tables_it_fits(name, players):
    variant = load_variant(name)
    if players in TABLE_SIZES.get(name, {2, 3, 4, 5, 6}):
        assert seat(variant, players).players == players
    else:
        with pytest.raises(InputError, match=f"{name}: players: expected"):
            seat(variant, players)
