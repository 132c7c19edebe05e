"""The options by which a run stops early, as people write them on the command line."""

from __future__ import annotations

from simcli.rules.numbers import whole_number
from simcli.rules.points import share_of_points
from simcli.runs.orders import UNTIL_HALF_WIDTH, stopping_rule
from simcli.runs.plan import MAX_DEALS
from simcli.runs.stopping import LARGEST_THRESHOLD, LOOK, StoppingRule


def stopping_rule_of(
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
    return stopping_rule(
        None if half_width is None else share_of_points(half_width, UNTIL_HALF_WIDTH, LARGEST_THRESHOLD),
        margin,
        None if max_deals is None else whole_number(max_deals, "--max-deals", LOOK, MAX_DEALS),
        has_deals=deals is not None,
    )
