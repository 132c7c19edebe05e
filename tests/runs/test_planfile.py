from pathlib import Path

import pytest

from simcli.errors import InputError
from simcli.runs.plan import Plan, Stretch
from simcli.runs.planfile import load_plan, yaml_text
from simcli.runs.stopping import StoppingRule
from tests.runs.conftest import match_of

PLANS = [
    Plan(match_of(), (Stretch(1000, 1000),), {"version": "1.2", "signature": "12345e67", "sources": "00e1"}),
    Plan(
        match_of("partners", "random,lowest,random,lowest", seed=2**63 - 1, session=1000),
        (Stretch(10_000, 5000), Stretch(20_000, 10_000)),
        {"version": "1", "signature": "00000000", "sources": "12345678"},
    ),
    Plan(
        match_of(),
        (
            Stretch(40_000, 20_000, StoppingRule("half-width", 0.00125, 980_000), stopped=True),
            Stretch(50_000, 10_000),
            Stretch(100_000, 20_000, StoppingRule("decided", 0.005, 100_000)),
        ),
        {"version": "1", "signature": "00000000", "sources": "12345678"},
    ),
]


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_is_read_as_it_was_written(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(yaml_text(plan.as_mapping()))
    assert load_plan(path) == plan


@pytest.mark.parametrize(
    "old, new, key",
    [
        ("format: simcli-run/1", "format: simcli-run/9", "format"),
        ("\nplayers: 4", "\nplayers: 3", "players: expected 4, as the variant says, got 3"),
        ("seed: 1", "seed: -1", "seed"),
        ("session: 1", "session: 0", "session"),
        ("lineup: lowest", "lineup: lowset", "lowset"),
        ("- 1000", "- many", "deals"),
        ("limit: 6", "limit: 60", "attack.limit"),
        ("\nplayers: ", "\nplayers: 1", "players"),
        ("\nrules: ", "\nrules: 0", "rules"),
    ],
)
def test_a_spoilt_plan_is_refused_by_file_and_key(old: str, new: str, key: str, tmp_path: Path) -> None:
    text = yaml_text(PLANS[0].as_mapping())
    assert old in text
    path = tmp_path / "plan.yaml"
    path.write_text(text.replace(old, new))
    with pytest.raises(InputError) as caught:
        load_plan(path)
    assert key in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    "old, new",
    [
        ("rule: half-width", "rule: half-hearted"),
        ("half_width: 0.00125", "half_width: 0.6"),
        ("half_width: 0.00125", "margin: 0.00125"),
        ("max_deals: 980000", "max_deals: many"),
        ("stopped: true", "stopped: perhaps"),
        ("stopped: true", "stopped: null"),
        ("- deals: 40000", "- deals: 60000"),
    ],
)
def test_a_spoilt_rule_for_stopping_is_refused(old: str, new: str, tmp_path: Path) -> None:
    text = yaml_text(PLANS[2].as_mapping())
    assert old in text
    path = tmp_path / "plan.yaml"
    path.write_text(text.replace(old, new))
    with pytest.raises(InputError, match=r"plan\.yaml:\d+: stopping: expected "):
        load_plan(path)


def test_parts_end_at_looks_wherever_a_stretch_with_a_rule_begins() -> None:
    ends = [part.end for part in PLANS[2].parts()]
    assert ends == [20_000, 40_000, 50_000, 60_000, 80_000, 100_000]
