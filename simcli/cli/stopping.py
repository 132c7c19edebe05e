"""The options by which a run stops early, as people write them on the command line."""

from __future__ import annotations

from simcli.cli.numbers import whole_number
from simcli.cli.points import share_of_points
from simcli.errors import refusal
from simcli.runs.plan import MAX_DEALS
from simcli.runs.stopping import LARGEST_THRESHOLD, LOOK, StoppingRule, deals_for_any_half_width

UNTIL_HALF_WIDTH = "--until-half-width"
UNTIL_DECIDED = "--until-decided"


def stopping_rule(
    half_width: str | None, margin: float | None, max_deals: str | None, deals: str | None
) -> StoppingRule | None:
    """Return the rule that the options stand for, None if none of them is given.

    Parameters
    ----------
    half_width, max_deals, deals : str or None
        ``--until-half-width``, ``--max-deals`` and ``--deals`` as given.
    margin : float or None
        The margin of the verdicts with ``--until-decided``, else None.

    Raises
    ------
    InputError
        The options do not go together, or one cannot be used.
    """
    if half_width is None and margin is None:
        if max_deals is not None:
            raise refusal(
                "--max-deals", f"expected {UNTIL_HALF_WIDTH} or {UNTIL_DECIDED} with it, got neither"
            )
        return None
    option = UNTIL_DECIDED if half_width is None else UNTIL_HALF_WIDTH
    if half_width is not None and margin is not None:
        raise refusal(UNTIL_DECIDED, f"expected one rule for stopping, got {UNTIL_HALF_WIDTH} as well")
    if deals is not None:
        raise refusal("--deals", f"expected none with {option} – --max-deals says how many at most")
    most = None if max_deals is None else _looks(max_deals)
    if half_width is not None:
        width = share_of_points(half_width, option, LARGEST_THRESHOLD)
        return StoppingRule("half-width", width, most or deals_for_any_half_width(width, MAX_DEALS))
    if most is None or margin is None:
        raise refusal(option, "expected --max-deals with it, for a verdict may never come")
    if margin > LARGEST_THRESHOLD:
        raise refusal("--margin", f"expected up to {LARGEST_THRESHOLD * 100:g} points with {option}")
    return StoppingRule("decided", margin, most)


def _looks(text: str) -> int:
    """Return a number of deals at which a run is looked at."""
    most = whole_number(text, "--max-deals", LOOK, MAX_DEALS)
    if most % LOOK:
        raise refusal(
            "--max-deals",
            f"expected a multiple of {LOOK:,}, as runs are looked at every {LOOK:,} deals, got {most:,} – "
            f"{most // LOOK * LOOK:,} is one",
        )
    return most
