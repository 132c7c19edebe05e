"""Pages of Markdown in which a command writes between two marks of its own, and nowhere else."""

from __future__ import annotations

from pathlib import Path

from simcli.errors import refusal
from simcli.rules.wording import printable_path


def marks(block: str) -> tuple[str, str]:
    r"""Return the lines between which a block stands.

    >>> marks("bench")
    ('<!-- bench: begin -->\n', '<!-- bench: end -->\n')
    """
    return f"<!-- {block}: begin -->\n", f"<!-- {block}: end -->\n"


def load_marked(path: Path, block: str) -> str:
    """Return the page that a file holds, one with nothing but the marks where there is no file.

    Raises
    ------
    InputError
        The file cannot be read, or has no place for the block.
    """
    begin, end = marks(block)
    if not path.exists():
        return begin + end
    where = printable_path(path)
    try:
        page = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise refusal(where, "expected a page of Markdown, got something that cannot be read") from None
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        lines = f"{begin.strip()} and {end.strip()}"
        raise refusal(where, f"expected the lines {lines}, got a page without – add them, or name a new file")
    return page


def with_block(page: str, block: str, text: str) -> str:
    """Return a page with what stands between the marks of a block replaced by a text."""
    begin, end = marks(block)
    before, rest = page.split(begin)
    return before + begin + text + end + rest.split(end)[1]
