"""Numbers as people write them: ``200k``, ``1_000_000``."""

from __future__ import annotations

import re

from simcli.errors import refusal
from simcli.rules.wording import printable

FACTORS = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}
PATTERN = re.compile(r"(-?[0-9]+(?:_[0-9]+)*)(\.[0-9]+)?([kKmMgG]?)")


def whole_number(text: str, option: str, low: int, high: int) -> int:
    """Return the whole number a text stands for.

    Parameters
    ----------
    text : str
        For example ``"200k"``, ``"1.5M"`` or ``"1_000_000"``.
    option : str
        Name of the option, for messages.
    low, high : int
        Bounds, both included.

    Raises
    ------
    InputError
        No whole number, or out of bounds.

    >>> [whole_number(text, "--deals", 1, 10**9) for text in ("200k", "1.5M", "1_000")]
    [200000, 1500000, 1000]
    """
    expected = f"expected a whole number from {low:,} to {high:,}"
    match = PATTERN.fullmatch(text.strip())
    if match is None:
        hint = "" if option != "--deals" else " – 200k, 5M and 1_000_000 are numbers, too"
        raise refusal(option, f"{expected}, got {printable(text) or 'nothing'}{hint}")
    digits, decimals, letter = match.group(1).replace("_", ""), match.group(2) or "", match.group(3)
    factor = FACTORS[letter.upper() if letter in "mMgG" else letter.lower()]
    places = len(decimals[1:])
    scaled = int(digits + decimals[1:]) * factor
    number, rest = divmod(scaled, int(10**places))
    if rest or not low <= number <= high:
        raise refusal(option, f"{expected}, got {printable(text)}")
    return number
