"""What an unquoted word of a YAML file stands for."""

from __future__ import annotations

import re
from typing import Any

NULLS = ("", "~", "null", "Null", "NULL")
BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})(\.[0-9]{0,18}([eE][-+]?[0-9]{1,3})?|[eE][-+]?[0-9]{1,3})")


def scalar_value(text: str) -> Any:
    """Return the value of an unquoted word: None, a boolean, a number, or else the word itself.

    `yes`, `no`, `on` and `off` are words. So is everything that some readers take for a number and others
    do not: `010`, `0x10`, `1_000`, `1:30`.

    >>> [scalar_value(word) for word in ("4", "true", "yes", "~", "0x10", "1e3", "010")]
    [4, True, 'yes', None, '0x10', 1000.0, '010']
    """
    if text in NULLS:
        return None
    if text in BOOLEANS:
        return BOOLEANS[text]
    if INTEGER.fullmatch(text):
        return int(text)
    if NUMBER.fullmatch(text):
        return float(text)
    return text
