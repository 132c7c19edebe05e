"""The experiments that ship: each loads, plays what it says, and answers."""

from pathlib import Path

import pytest

from simcli.experiments.conduct import conduct_experiment
from simcli.experiments.design import design_of
from simcli.experiments.load import load_experiment
from simcli.experiments.planning import plan_experiment
from simcli.rules.canonical import differences
from simcli.rules.load import load_variant
from simcli.rules.shelf import EXPERIMENTS
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import RULE_OPTIONS
from simcli.runs.pool import Pool
from simcli.runs.report import Silent

NAMES = EXPERIMENTS.shipped_names()
CELLS = {
    "adapted": 24,
    "bot-panel": 96,
    "draw-order": 36,
    "house-rules": 91,
    "one-at-a-time": 96,
    "opening-advantage": 12,
    "sessions": 9,
    "six-or-five": 15,
    "skill": 192,
    "sources": 112,
    "standard-or-transfer": 18,
    "table-size": 5,
    "transfer-rules": 51,
}
LEFT_OUT = {
    "house-rules": {"partners", "advanced-standard", "advanced-transfer", "short-pack"},
    "one-at-a-time": {
        "classic_later-attack-loser",
        "classic_later-lowest-trump",
        "classic_first-scope-until-first-discard",
        "classic_per-bout-2",
    },
    "sources": {"advanced-transfer_cards-several", "transferable_cards-several"},
}
DEALS_IN_TEN_MINUTES = 40_000_000  # at a modest 70,000 deals a second
PUBLISHED = ("simultaneous", "duel", "advanced-standard", "advanced-transfer", "regular", "transferable")


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_experiment_asks_a_question_and_plays_what_it_says(name: str) -> None:
    experiment = load_experiment(name)
    design = design_of(experiment)
    assert experiment.name == name
    assert experiment.title
    assert experiment.question.endswith("?")
    assert len(design.cells) == CELLS[name]
    assert {gone.variant for gone in design.left_out} == LEFT_OUT.get(name, set())
    assert len(design.cells) * experiment.deals <= DEALS_IN_TEN_MINUTES


def test_house_rules_has_every_shipped_variant() -> None:
    assert {variant.name for variant in load_experiment("house-rules").variants} == set(shipped_names())


def test_skill_has_every_shipped_variant_and_moves_the_better_player_round() -> None:
    experiment = load_experiment("skill")
    assert {variant.name for variant in experiment.variants} == set(shipped_names())
    lineups = {cell.lineup.text for cell in design_of(experiment).cells}
    assert len(lineups) == 8
    assert all(lineup.split(",").count("counting") == 1 for lineup in lineups)


def test_one_at_a_time_has_every_option_but_teams() -> None:
    varied = load_experiment("one-at-a-time").vary
    assert set(varied) == {"deck", *(option.key for option in RULE_OPTIONS)} - {"teams"}
    for option in RULE_OPTIONS:
        if option.values is not None and option.key != "teams":
            assert varied[option.key] == option.values


def test_transfer_rules_are_sixteen_tables_and_one_without() -> None:
    design = design_of(load_experiment("transfer-rules"))
    crossed = [treatment for treatment in design.treatments if treatment.factors]
    assert len(crossed) == 16
    assert [each.name for each in design.treatments if not each.factors] == ["podkidnoy"]


def test_sources_bridge_from_classic_to_every_published_rule_set() -> None:
    experiment = load_experiment("sources")
    assert {variant.name for variant in experiment.bridge} == set(PUBLISHED)
    classic, groups = load_variant("classic"), design_of(experiment).groups
    for name in PUBLISHED:
        (group,) = (each for each in groups if each.baseline == name)
        n_steps = len(differences(load_variant(name), classic))
        assert len({cell.name for cell in group.cells}) == 1 + n_steps


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_experiment_answers(name: str, tmp_path: Path) -> None:
    experiment = load_experiment(name).with_deals(200)
    with Pool(1) as pool:
        result = conduct_experiment(plan_experiment(experiment, tmp_path), pool, Silent())
    assert len(result.runs) == CELLS[name]
    tables = [table for comparison in result.comparisons for table in comparison.tables]
    judged = {row.variant for table in tables for row in table.verdicts}
    alone = {"partners", *(comparison.baseline for comparison in result.comparisons)}
    assert judged | alone >= {treatment.name for treatment in result.treatments}
