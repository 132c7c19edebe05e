"""What a bot can be set to, as people write it: ``playouts=64``, or ``64`` where it may be given bare."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from simcli.rules.wording import choice, did_you_mean, near_miss, printable

#: digits with the underscores that a number may have
DIGITS = re.compile(r"[0-9]+(_[0-9]+)*")


@dataclass(frozen=True)
class Parameter:
    """Describe one parameter of a bot: a word out of some, or a whole number in a range.

    Attributes
    ----------
    name : str
        Its name in a line-up.
    description : str
        What it does, in a sentence.
    default : str or int
        Its value where the line-up does not name it.
    words : tuple of str
        The words it may be; empty for a number. The code of a word is its index.
    low, high : int
        The range of a number.
    is_bare : bool
        Whether its value may stand without its name, first of all; one of a bot's at most.
    """

    name: str
    description: str
    default: str | int
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    is_bare: bool = False

    @property
    def expected(self) -> str:
        """Return in words what values it takes.

        >>> Parameter("playouts", "…", 64, low=1, high=4096).expected
        'a whole number from 1 to 4,096'
        """
        if self.words:
            return choice(self.words)
        return f"a whole number from {self.low:,} to {self.high:,}"

    @property
    def default_code(self) -> int:
        """Return the number that stands for the default."""
        code = self.code_of(str(self.default))
        assert code is not None
        return code

    def code_of(self, text: str) -> int | None:
        """Return the number that stands for a value as written, None if it is none.

        >>> Parameter("transfer", "…", "default", words=("default", "never")).code_of("never")
        1
        """
        if self.words:
            return self.words.index(text) if text in self.words else None
        # a number too long to be in range is not worked out
        if not DIGITS.fullmatch(text) or len(text) > 2 * len(f"{self.high:,}"):
            return None
        value = int(text)
        return value if self.low <= value <= self.high else None

    def text_of(self, code: int) -> str:
        """Return the value that a number stands for, as it is written."""
        return self.words[code] if self.words else str(code)


@dataclass
class Reader:
    """Read the parameters of one bot out of a line-up, noting all that is wrong with them.

    Attributes
    ----------
    bot : str
        Name of the bot.
    parameters : sequence of Parameter
        What it takes.
    faults : list of str
        What is wrong.
    """

    bot: str
    parameters: Sequence[Parameter]
    faults: list[str]

    def codes(self, parts: Sequence[str]) -> tuple[int, ...]:
        """Return the code of every parameter, given the parts of the text between colons."""
        if not self.parameters:
            if parts:
                rest = printable(":".join(parts)) or "a colon"
                self.faults.append(f"expected {self.bot} alone, it takes no parameters, got {rest}")
            return ()
        found: dict[str, int] = {}
        for index, part in enumerate(parts):
            self._read(part, index, found)
        return tuple(found.get(each.name, each.default_code) for each in self.parameters)

    def _read(self, part: str, index: int, found: dict[str, int]) -> None:
        name, equals, value = part.partition("=")
        if equals:
            parameter = next((each for each in self.parameters if each.name == name), None)
        else:
            parameter, value = self._bare_parameter(part, index), part
        if parameter is None:
            self.faults.append(self._unknown(part, name))
            return
        code = parameter.code_of(value)
        if code is None:
            got = printable(value) or "nothing"
            hint = did_you_mean(value, parameter.words)
            self.faults.append(
                f"{self.bot}: {parameter.name}: expected {parameter.expected}, got {got}{hint}"
            )
        elif parameter.name in found:
            self.faults.append(f"{self.bot}: {parameter.name}: expected one value, got a second one ({part})")
        else:
            found[parameter.name] = code

    def _bare_parameter(self, part: str, index: int) -> Parameter | None:
        """Return the parameter that a value without a name stands for: only the first one may be bare."""
        bare = next((each for each in self.parameters if each.is_bare), None)
        looks_like_value = bare is not None and (bare.code_of(part) is not None or part[:1].isdigit())
        return bare if index == 0 and looks_like_value else None

    def _unknown(self, part: str, name: str) -> str:
        names = [each.name for each in self.parameters]
        expected = choice([f"{name}=…" for name in names])
        meant = near_miss(name, names)
        hint = f" – did you mean {meant}=…?" if meant else ""
        return f"{self.bot}: expected {expected}, got {printable(part) or 'nothing'}{hint}"


def parameters_text(parameters: Sequence[Parameter], codes: Sequence[int]) -> str:
    """Return parameters as a line-up has them, defaults left out, each after a colon."""
    parts = []
    for parameter, code in zip(parameters, codes, strict=True):
        if code != parameter.default_code:
            value = parameter.text_of(code)
            parts.append(value if parameter.is_bare else f"{parameter.name}={value}")
    return "".join(f":{part}" for part in parts)
