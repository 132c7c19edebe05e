"""Compare the house rules of the card game Durak by playing millions of deals.

What researchers need is here, and is imported when it is first asked for: `run` plays deals in bulk and
returns a `Run`, `play` plays the runs of a comparison together, `compare` says what a rule changes,
`write_report` makes a page of it, `ladder` measures bots against each other, `Deal` plays a single deal by
hand, by bots or by a program, `load_variant` loads a `Variant`. docs/tutorial-python.md shows them at work.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcli.analysis.compare import compare as compare
    from simcli.api import Run as Run
    from simcli.api import Runs as Runs
    from simcli.api import ladder as ladder
    from simcli.api import play as play
    from simcli.api import run as run
    from simcli.deal import Deal as Deal
    from simcli.engine.game import IllegalAction as IllegalAction
    from simcli.errors import InputError as InputError
    from simcli.errors import RunError as RunError
    from simcli.report.write import write_report as write_report
    from simcli.rules.load import load_variant as load_variant
    from simcli.rules.variant import Variant as Variant

__version__ = "0.1.0"
__all__ = [
    "Deal",
    "IllegalAction",
    "InputError",
    "Run",
    "RunError",
    "Runs",
    "Variant",
    "__version__",
    "compare",
    "ladder",
    "load_variant",
    "play",
    "run",
    "write_report",
]

_HOMES = {
    "Deal": "simcli.deal",
    "IllegalAction": "simcli.engine.game",
    "InputError": "simcli.errors",
    "Run": "simcli.api",
    "RunError": "simcli.errors",
    "Runs": "simcli.api",
    "Variant": "simcli.rules.variant",
    "compare": "simcli.analysis.compare",
    "ladder": "simcli.api",
    "load_variant": "simcli.rules.load",
    "play": "simcli.api",
    "run": "simcli.api",
    "write_report": "simcli.report.write",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its home, once."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    """List the public names, whether they have been imported or not."""
    return sorted({*globals(), *_HOMES})
