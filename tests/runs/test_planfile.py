from pathlib import Path

import pytest

from simcli.errors import InputError
from simcli.runs.plan import Plan, Stretch
from simcli.runs.planfile import load_plan, yaml_text
from tests.runs.conftest import game_of

PLANS = [
    Plan(game_of(), (Stretch(1000, 1000),), {"version": "1.2", "signature": "12345e67", "sources": "00e1"}),
    Plan(
        game_of("partners", "random,lowest,random,lowest", seed=2**63 - 1, session=1000),
        (Stretch(10_000, 5000), Stretch(20_000, 10_000)),
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
        ("seed: 1", "seed: -1", "seed"),
        ("session: 1", "session: 0", "session"),
        ("lineup: lowest", "lineup: lowset", "lowset"),
        ("- 1000", "- many", "deals"),
        ("limit: 6", "limit: 60", "attack.limit"),
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
