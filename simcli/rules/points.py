"""Differences of shares as people write them: ``0.5pp``."""

from __future__ import annotations

import re

from simcli.errors import refusal
from simcli.rules.wording import printable

PATTERN = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+) *(pp|points?|%)?")


def share_of_points(text: str, option: str, most: float = 1.0) -> float:
    """Return the share that a number of percentage points stands for.

    Parameters
    ----------
    text : str
        For example ``"0.5pp"``; the unit may be missing.
    option : str
        Name of the option, for messages.
    most : float
        The largest share, itself included unless it is 1.

    Raises
    ------
    InputError
        No number, or none between 0 and `most`.

    >>> share_of_points("0.5pp", "--margin"), share_of_points("1", "--margin")
    (0.005, 0.01)
    """
    match = PATTERN.fullmatch(text.strip())
    value = float(match[1]) / 100 if match else 0.0
    if match is None or not 0 < value < 1 or value > most:
        end = "below 100" if most == 1 else f"up to {most * 100:g}"
        raise refusal(
            option,
            f"expected points above 0 and {end} in plain digits, such as 0.5pp, "
            f"got {printable(text) or 'nothing'}",
        )
    return value
