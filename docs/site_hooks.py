"""What the site needs besides the pages as they are: mkdocs calls these functions by their names.

The pages are written to be read in the repository, where they link to code, tests and variant files. The
site has the variants and experiments as files, CONTRIBUTING.md and CHANGELOG.md as pages, and index.md in
place of README.md; a link to anything else outside docs/ becomes plain text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
FILES = ("variants", "experiments")
FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
BAR = re.compile(r"`([^`\n]*)\\\|([^`\n]*)`")
NESTED = re.compile(r"^ {3}(?=\S)", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")


def on_files(files: Any, config: Any) -> Any:
    """Add what lies outside docs/ and belongs to the site."""
    for name, uri in PAGES.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / name)))
    for folder in FILES:
        for path in sorted((ROOT / folder).glob("*.yaml")):
            files.append(File.generated(config, f"{folder}/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Let the links of a page lead to what the site has, and Markdown be read as elsewhere.

    Below a number, three spaces are enough for most readers; the one of the site wants four. It also shows
    the backslash before a bar in the code of a table.
    """
    here = {uri: name for name, uri in PAGES.items()}.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def linked(found: re.Match[str]) -> str:
        target = site_link(found[2], here, page.file.src_uri)
        return found[1] if target is None else f"[{found[1]}]({target})"

    parts = FENCED.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(linked, plain(part)) for part in parts)


def plain(text: str) -> str:
    r"""Return text between blocks of code as the site reads it.

    >>> plain("1. a\n   - b")
    '1. a\n    - b'
    >>> plain("| `a \\| b` |")
    '| <code>a &#124; b</code> |'
    """
    return BAR.sub(r"<code>\1&#124;\2</code>", NESTED.sub(" " * 4, text))


def site_link(link: str, page: str, uri: str) -> str | None:
    """Return where a link leads on the site, None if the site does not have it.

    Parameters
    ----------
    link : str
        As the page has it.
    page : str
        Path of the page in the repository.
    uri : str
        Path of the page on the site.

    >>> site_link("../tests/oracle.py", "docs/x.md", "x.md") is None
    True
    >>> site_link("../../CHANGELOG.md", "docs/how-to/x.md", "how-to/x.md")
    '../changelog.md'
    >>> site_link("docs/rules.md#4-transfer", "CONTRIBUTING.md", "contributing.md")
    'rules.md#4-transfer'
    """
    path, hash_mark, anchor = link.partition("#")
    if "://" in path or not path:
        return link
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    if target == "README.md":
        place = "index.md"
    elif target.startswith("docs/"):
        place = target.removeprefix("docs/")
    elif target in PAGES:
        place = PAGES[target]
    elif target.split("/")[0] in FILES and target.endswith(".yaml"):
        place = target
    else:
        return None
    return posixpath.relpath(place, posixpath.dirname(uri) or ".") + hash_mark + anchor
