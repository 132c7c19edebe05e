"""Examples of every command, shown below its help."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "run": (
        "simcli run classic",
        "simcli run classic podkidnoy --players 3 -n 200k",
        "simcli run variants/my-table.yaml --bots thrifty,lowest,lowest,lowest",
    ),
    "compare": (
        "simcli compare classic late-transfer",
        "simcli compare results/classic-p4-thrifty-s1 results/podkidnoy-p4-thrifty-s1",
        "simcli compare classic late-transfer --position opener --brief",
        "simcli compare classic no-draws --until-decided --max-deals 2M",
        "simcli compare classic late-transfer --summary -n 100M",
        "simcli compare duel podkidnoy --players 2 --bots counting,lowest --rotate",
    ),
    "report": (
        "simcli report results/*-p4-thrifty-s1 -o report.html",
        "simcli report house-rules -o house-rules.html --json house-rules.json",
    ),
    "plan": (
        "simcli plan classic late-transfer",
        "simcli plan classic five-card-opening --margin 0.2pp",
    ),
    "replay": (
        "simcli replay results/classic-p4-thrifty-s1 --deal 0",
        "simcli replay --variant classic --deal 7 --vs late-transfer",
    ),
    "runs": ("simcli runs", "simcli runs results --json"),
    "verify": (
        "simcli verify results/classic-p4-thrifty-s1",
        "simcli verify results/* --sample 10k --repair",
    ),
    "referee": (
        "simcli referee --template > position.yaml",
        "simcli referee position.yaml",
        "simcli referee games.jsonl --quiet",
        "simcli referee --interactive --variant classic --players 3",
    ),
    "bench": ("simcli bench", "simcli bench classic podkidnoy --players 4"),
    "bots check": ("simcli bots check my_bot.py:choose", "simcli bots check my_bot.py:choose:k=2 --deals 10"),
    "bots ladder": (
        "simcli bots ladder",
        "simcli bots ladder thrifty counting my_bot.py:choose --players 3",
        "simcli bots ladder counting endgame --variant podkidnoy -n 5k",
    ),
    "bots tune": (
        "simcli bots tune --variant podkidnoy",
        "simcli bots tune --variant variants/my-table.yaml --players 4 -n 200",
    ),
    "variants list": ("simcli variants list",),
    "variants show": ("simcli variants show classic", "simcli variants show partners --markdown"),
    "variants diff": ("simcli variants diff late-transfer classic",),
    "variants check": ("simcli variants check variants/my-table.yaml",),
    "variants schema": ("simcli variants schema > variant.schema.json",),
    "variants hash": ("simcli variants hash classic variants/my-table.yaml",),
    "variants new": (
        "simcli variants new my-table",
        "simcli variants new my-table --from podkidnoy --set attack.first_limit=5",
    ),
    "experiment": (
        "simcli experiment --list",
        "simcli experiment opening-advantage --dry-run",
        "simcli experiment opening-advantage -n 1M",
    ),
    "init": ("simcli init", "simcli init my-question"),
}

FIRST_STEPS: dict[str, tuple[str, ...]] = {
    "simcli": (
        "simcli variants list",
        "simcli compare classic five-card-opening",
        "simcli variants new my-table",
        "simcli referee --template > position.yaml",
    ),
    "variants": (
        "simcli variants list",
        "simcli variants show classic",
        "simcli variants new my-table",
    ),
    "bots": ("simcli bots", "simcli bots check my_bot.py:choose", "simcli bots ladder"),
}
"""What to begin with, of each group of commands."""


def examples(command: str) -> str | None:
    """Return the examples of a command as the last part of its help, None if it has none."""
    if command not in EXAMPLES:
        return None
    return _listed("Example" if len(EXAMPLES[command]) == 1 else "Examples", EXAMPLES[command])


def first_steps(group: str) -> str:
    """Return what to begin with as the last part of a group's help."""
    return _listed("To begin with", FIRST_STEPS[group])


def _listed(heading: str, lines: tuple[str, ...]) -> str:
    # \b keeps the lines as they are.
    return "\n".join([f"{heading}:", "", "\b", *(f"  {line}" for line in lines)])
