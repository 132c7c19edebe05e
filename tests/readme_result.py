"""The results that README.md shows: what its own commands print.

    python -m tests.readme_result --write

runs the commands of the README and puts their output between the marks.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"

# what depends on the machine and the moment
TIME = r"\d[\d.]* (?:s|min|h|d)(?: \d+ \w+)?"
PASSING = (
    re.compile(r"(?<=deals) in [\d.]+ .*deals/s"),
    re.compile(rf"(?:(?<=deals, )|(?<=of each, )|(?<=played: )){TIME}(?=:| more|$)", re.MULTILINE),
)


@dataclass(frozen=True)
class Result:
    """Name a command of the README and where its output stands.

    Attributes
    ----------
    mark : str
        Name of the two marks around it.
    command : tuple of str
        The command without `simcli`.
    last : str or None
        How the last line begins that is shown; None to show all.
    """

    mark: str
    command: tuple[str, ...]
    last: str | None = None

    @property
    def begin(self) -> str:
        """Return the line before the output."""
        return f"<!-- {self.mark}: begin -->\n"

    @property
    def end(self) -> str:
        """Return the line after the output."""
        return f"<!-- {self.mark}: end -->\n"


RESULTS = (
    Result("result", ("run", "variants/classic.yaml")),
    Result("comparison", ("compare", "classic", "late-transfer"), last="● changes"),
)


def printed(result: Result) -> str:
    """Return what a command of the README prints, as at the top of a fresh checkout."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "variants").symlink_to(ROOT / "variants")
        command = [sys.executable, "-m", "simcli", *result.command]
        done = subprocess.run(
            command,
            cwd=work,
            env={**os.environ, "COLUMNS": "80", "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
            text=True,
        )
    return excerpt(done.stdout, result.last)


def excerpt(output: str, last: str | None) -> str:
    r"""Return output up to the line that begins with `last`, without spaces at the ends of lines.

    >>> excerpt("verdict  \n\nlegend: a\nnumbers\n", "legend")
    'verdict\n\nlegend: a\n'
    """
    lines = [line.rstrip() for line in output.strip().splitlines()]
    if last is not None:
        (end,) = (number for number, line in enumerate(lines, start=1) if line.startswith(last))
        lines = lines[:end]
    return "\n".join(lines) + "\n"


def shown(result: Result) -> str:
    """Return what the README shows of a command."""
    text = README.read_text(encoding="utf-8")
    return text[text.index(result.begin) + len(result.begin) : text.index(result.end)]


def block(output: str) -> str:
    """Return the output as the README shows it."""
    return f"```\n{output}```\n"


def lasting(text: str) -> str:
    """Return a text without what changes from machine to machine."""
    for passing in PASSING:
        text = passing.sub("", text)
    return text


def main() -> int:
    """Compare the README with its commands, or rewrite it."""
    parser = argparse.ArgumentParser(description="Check the results that README.md shows.")
    parser.add_argument("--write", action="store_true", help="put the present output into README.md")
    write = parser.parse_args().write
    is_current = True
    for result in RESULTS:
        fresh = block(printed(result))
        if write:
            text = README.read_text(encoding="utf-8")
            old, new = (result.begin + part + result.end for part in (shown(result), fresh))
            README.write_text(text.replace(old, new), encoding="utf-8")
        else:
            is_current = is_current and lasting(fresh) == lasting(shown(result))
    return int(not is_current)


if __name__ == "__main__":
    sys.exit(main())
