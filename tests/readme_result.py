"""The result that README.md shows: what its own command prints.

    python -m tests.readme_result --write

plays the run of the README and puts its output between the marks.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- result: begin -->\n", "<!-- result: end -->\n"
COMMAND = ["run", "variants/classic.yaml"]

# what depends on the machine and the moment
PASSING = re.compile(r"(played +[\d,]+ deals) in .*")


def printed() -> str:
    """Return what the README's command prints, as at the top of a checkout."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "variants").symlink_to(ROOT / "variants")
        command = [sys.executable, "-m", "simcli", *COMMAND]
        done = subprocess.run(
            command,
            cwd=work,
            env={**os.environ, "COLUMNS": "80", "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
            text=True,
        )
    return done.stdout.strip() + "\n"


def shown() -> str:
    """Return what the README shows."""
    text = README.read_text(encoding="utf-8")
    return text[text.index(BEGIN) + len(BEGIN) : text.index(END)]


def block(output: str) -> str:
    """Return the output as the README shows it."""
    return f"```\n{output}```\n"


def lasting(text: str) -> str:
    """Return a text without what changes from machine to machine."""
    return PASSING.sub(r"\1", text)


def main() -> int:
    """Compare the README with its command, or rewrite it."""
    parser = argparse.ArgumentParser(description="Check the result that README.md shows.")
    parser.add_argument("--write", action="store_true", help="put the present output into README.md")
    write = parser.parse_args().write
    fresh = block(printed())
    if write:
        text = README.read_text(encoding="utf-8")
        README.write_text(text.replace(BEGIN + shown() + END, BEGIN + fresh + END), encoding="utf-8")
        return 0
    return int(lasting(fresh) != lasting(shown()))


if __name__ == "__main__":
    sys.exit(main())
