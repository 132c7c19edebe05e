"""What a command says when Ctrl-C has stopped it."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcli.runs.report import Report


def say_stopped(report: Report) -> None:
    """Tell that play was stopped, and the command that goes on with it."""
    report.say(f"stopped; complete parts stay. Go on with:\n  {same_command()}")


def same_command() -> str:
    """Return the present command without --fresh, which would throw away what is there."""
    return shlex.join(["simcli", *(word for word in sys.argv[1:] if word != "--fresh")])
