"""What an experiment plays: its variants, its cells, what is compared with what, what is left out."""

from math import prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.analysis.leftout import LeftOut
from simcli.errors import InputError
from simcli.experiments.design import Design, design_of
from simcli.experiments.experiment import Experiment
from simcli.experiments.load import load_experiment
from simcli.rules.canonical import differences, rules_hash
from simcli.rules.load import load_variant
from simcli.rules.variant import RULE_OPTIONS, option_value

CHOICES = [option for option in RULE_OPTIONS if option.values is not None and option.key != "teams"]


def designed(folder: Path, text: str) -> Design:
    path = folder / "x.yaml"
    path.write_text(f"name: x\nquestion: Why?\n{text}", encoding="utf-8")
    return design_of(load_experiment(path))


def names(design: Design) -> list[str]:
    return [treatment.name for treatment in design.treatments]


def told(design: Design) -> list[str]:
    return [str(gone) for gone in design.left_out]


def test_variants_are_played_at_every_table_with_every_line_up(tmp_path: Path) -> None:
    design = designed(tmp_path, "variants: [classic, podkidnoy]\nplayers: [2, 3]\nbots: [thrifty, lowest]\n")
    assert {cell.key for cell in design.cells} == {
        (name, players, bots)
        for name in ("classic", "podkidnoy")
        for players in (2, 3)
        for bots in ("thrifty", "lowest")
    }
    assert [group.baseline for group in design.groups] == ["classic"]
    assert design.left_out == ()


def test_without_players_each_variant_has_its_own_table_and_the_baseline_all_of_them(tmp_path: Path) -> None:
    design = designed(tmp_path, "variants: [classic, duel, short-pack, podkidnoy]\n")
    assert sorted(cell.key[:2] for cell in design.cells) == [
        ("classic", 2), ("classic", 3), ("classic", 4), ("duel", 2), ("podkidnoy", 4), ("short-pack", 3),
    ]  # fmt: skip


def test_a_variant_that_cannot_be_seated_is_named_with_the_tables(tmp_path: Path) -> None:
    design = designed(tmp_path, "variants: [classic, partners, advanced-standard]\nplayers: [2, 3, 4, 5]\n")
    assert told(design) == [
        "partners, 2, 3 and 5 players: needs 4 or 6 players with 2 teams",
        "advanced-standard, 5 players: needs at most 4 players",
    ]


def test_a_line_up_for_each_seat_plays_at_its_tables_only(tmp_path: Path) -> None:
    design = designed(
        tmp_path, "variants: [classic, podkidnoy]\nplayers: [2, 3]\nbots: [lowest, 'thrifty,lowest']\n"
    )
    assert sorted(cell.key[1:] for cell in design.cells if cell.name == "classic") == [
        (2, "lowest"), (2, "thrifty,lowest"), (3, "lowest"),
    ]  # fmt: skip
    assert told(design)[0] == ("classic, 3 players: the line-up thrifty,lowest has 2 bots")


def test_a_table_without_its_baseline_is_not_played(tmp_path: Path) -> None:
    design = designed(tmp_path, "variants: [advanced-standard, podkidnoy]\nplayers: [4, 5]\n")
    assert {cell.players for cell in design.cells} == {4}
    assert "podkidnoy, 5 players: its baseline advanced-standard cannot be played there" in told(design)


def test_the_same_rules_are_played_once_and_named(tmp_path: Path) -> None:
    design = designed(
        tmp_path,
        "variants: [podkidnoy, {name: mine, extends: podkidnoy}]\n"
        "vary: {transfer.mode: every}\nplayers: [3]\n",
    )
    assert names(design) == ["podkidnoy", "classic", "classic_transfer-late"]
    assert told(design) == [
        "mine: the same rules as podkidnoy",
        "classic_transfer-none: the same rules as podkidnoy",
    ]


def test_a_variant_that_stands_for_a_varied_one_has_its_factors(tmp_path: Path) -> None:
    design = designed(tmp_path, "variants: [podkidnoy, duel]\nvary: {transfer.mode: every}\nplayers: [2]\n")
    factors = {treatment.name: treatment.factors for treatment in design.treatments}
    assert factors == {
        "podkidnoy": {"transfer.mode": "none"},
        "duel": {},
        "classic": {"transfer.mode": "early"},
        "classic_transfer-late": {"transfer.mode": "late"},
    }
    assert design.reference == {"transfer.mode": "early"}


def test_a_contradiction_is_left_out_and_named(tmp_path: Path) -> None:
    design = designed(tmp_path, "vary: {transfer.mode: every, pass_card.enabled: every}\nplayers: [2, 3]\n")
    assert len({cell.name for cell in design.cells}) == 5
    assert told(design) == [
        "classic_transfer-none_pass-card: needs transfer.mode early or late with pass_card.enabled true"
    ]


@given(st.lists(st.sampled_from(CHOICES), min_size=1, max_size=3, unique=True))
def test_a_crossed_design_has_every_combination_once(options: list) -> None:  # type: ignore[type-arg]
    vary = {option.key: option.values for option in options}
    design = design_of(
        Experiment(name="x", question="?", base=load_variant("classic"), vary=vary, players=(2,), session=10)
    )
    factors = {tuple(sorted(each.factors.items())) for each in design.treatments}
    assert len(factors) == len(design.treatments) == prod(len(option.values) for option in options)
    for treatment in design.treatments:
        values = {key: option_value(treatment.variant, key) for key in vary}
        assert values == treatment.factors


@given(st.lists(st.sampled_from(CHOICES), min_size=1, max_size=6, unique=True))
def test_one_at_a_time_changes_one_option(options: list) -> None:  # type: ignore[type-arg]
    vary = {option.key: option.values for option in options}
    classic = load_variant("classic")
    design = design_of(
        Experiment(
            name="x", question="?", base=classic, vary=vary, design="one_at_a_time", players=(2,), session=10
        )
    )
    changed = [[key for key, _, _ in differences(each.variant, classic)] for each in design.treatments]
    assert sorted(map(len, changed)) == [0] + [1] * (len(changed) - 1)
    asked = sum(len(option.values) - 1 for option in options)
    assert (
        len(changed) - 1 + len([gone for gone in design.left_out if "decides nothing" in gone.reason])
        == asked
    )


def test_an_option_with_nothing_to_decide_is_left_out_one_at_a_time(tmp_path: Path) -> None:
    text = "design: one_at_a_time\nvary: {opening.later: every, pass_card.per_bout: [1, 2]}\nplayers: [3]\n"
    design = designed(tmp_path, text)
    assert names(design) == ["classic"]
    assert told(design)[-1] == "classic_per-bout-2: pass_card.per_bout decides nothing without pass cards"
    assert names(designed(tmp_path, f"{text}session: 10\n")) == [
        "classic", "classic_later-attack-loser", "classic_later-lowest-trump",
    ]  # fmt: skip


def test_who_is_out_first_is_counted_apart(tmp_path: Path) -> None:
    text = "variants: [classic, podkidnoy, regular, transferable]\nplayers: [3]\n"
    groups = [[cell.name for cell in group.cells] for group in designed(tmp_path, text).groups]
    assert groups == [["classic", "podkidnoy"], ["classic", "regular", "transferable"]]
    (group,) = designed(tmp_path, f"{text}outcome: first_out\n").groups
    assert len(group.cells) == 4


def test_each_pair_is_compared_by_itself(tmp_path: Path) -> None:
    design = designed(tmp_path, "pairs: [[podkidnoy, classic], [classic, late-transfer]]\nplayers: [2, 3]\n")
    assert [group.baseline for group in design.groups] == ["podkidnoy", "classic"]
    assert len(design.cells) == 6


def test_a_bridge_leads_there_option_by_option_and_takes_each_back(tmp_path: Path) -> None:
    design = designed(tmp_path, "bridge: [advanced-transfer]\nplayers: [4]\n")
    there, back = design.groups
    classic, goal = load_variant("classic"), load_variant("advanced-transfer")
    keys = [key for key, _, _ in differences(goal, classic)]
    assert there.baseline == "classic"
    assert back.baseline == "advanced-transfer"
    steps = [cell.variant for cell in there.cells if cell.name not in ("classic", goal.name)]
    assert [[key for key, _, _ in differences(each, classic)] for each in steps] == [[key] for key in keys]
    taken = [cell.variant for cell in back.cells[1:]]
    assert [[key for key, _, _ in differences(each, goal)] for each in taken] == [[key] for key in keys]


def test_every_set_of_rules_of_a_bridge_is_played_once() -> None:
    design = design_of(load_experiment("sources"))
    hashes = [rules_hash(treatment.variant) for treatment in design.treatments]
    assert len(set(hashes)) == len(hashes)


def test_what_is_left_out_everywhere_names_no_tables() -> None:
    assert str(LeftOut("mine", (), "why")) == "mine: why"
    assert str(LeftOut("mine", (2, 3), "why")) == "mine, 2 and 3 players: why"


def test_a_paths_starts_at_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "mine.yaml").write_text("name: mine\nextends: classic\ndeck: 52\n")
    path = tmp_path / "deep" / "x.yaml"
    path.write_text("name: x\nquestion: Why?\nvariants: [classic, ../mine.yaml]\n")
    monkeypatch.chdir("/")
    assert names(design_of(load_experiment(path))) == ["classic", "mine"]


def test_a_local_experiment_goes_before_the_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    path = tmp_path / "experiments" / "house-rules.yaml"
    path.write_text("name: ours\nquestion: Why?\nvariants: [classic]\n")
    assert load_experiment("house-rules").name == "ours"


def test_two_variants_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected one variant called classic, got two with different rules"):
        designed(tmp_path, "variants: [classic, {name: classic, deck: 52}]\n")
