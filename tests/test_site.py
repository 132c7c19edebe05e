"""The site is built without a warning, has every page, and asks nothing of other servers."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.test_docs import ROOT

pytest.importorskip("material", reason="the site needs the extra docs")

PAGES = [path.relative_to(ROOT / "docs") for path in sorted((ROOT / "docs").rglob("*.md"))]
FETCHING = {"src", "srcset", "poster", "data", "action"}


class Requests(HTMLParser):
    """What a page fetches, and where it leads."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in FETCHING or (name == "href" and tag == "link"):
                self.fetched.append(value or "")
            elif name == "href" and tag == "a":
                self.links.append(value or "")


def read(page: Path) -> Requests:
    requests = Requests()
    requests.feed(page.read_text(encoding="utf-8"))
    return requests


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make docs` does; a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder


def pages_of(site: Path) -> Iterator[Path]:
    yield from sorted(site.rglob("*.html"))


def test_every_page_is_on_the_site(site: Path) -> None:
    wanted = {
        *(path.with_suffix(".html") for path in PAGES),
        Path("changelog.html"),
        Path("contributing.html"),
    }
    assert wanted <= {page.relative_to(site) for page in pages_of(site)}


def test_no_page_asks_anything_of_another_server(site: Path) -> None:
    fetched = [address for page in pages_of(site) for address in read(page).fetched]
    assert len(fetched) > 20
    assert not [address for address in fetched if re.match(r"(?:\w+:)?//", address)]
    for style in site.rglob("*.css"):
        assert not re.search(
            r"""(?:@import|url\()\s*["']?(?:https?:)?//""", style.read_text(encoding="utf-8")
        ), style


def test_every_link_within_the_site_leads_to_a_file_of_it(site: Path) -> None:
    for page in pages_of(site):
        if page.name == "404.html":  # written for the top of a server
            continue
        for link in read(page).links:
            path = link.partition("#")[0]
            if path and not re.match(r"\w+:", path):
                assert (page.parent / path).exists(), (page.name, link)


def test_variant_files_are_on_the_site_and_other_sources_are_text(site: Path) -> None:
    rules = (site / "rule-coverage.html").read_text(encoding="utf-8")
    assert (site / "variants" / "classic.yaml").is_file()
    assert "worked-example" in rules
    assert "../tests" not in rules


def test_points_below_numbered_rules_are_lists(site: Path) -> None:
    rules = (site / "rules.html").read_text(encoding="utf-8")
    begin = rules.index("In the first deal of a session")
    assert re.match(r"[^/]*</code>:(?:</p>)?\s*<ul>\s*<li>", rules[begin:])


def test_a_bar_in_the_code_of_a_table_has_no_backslash(site: Path) -> None:
    page = (site / "mutation.html").read_text(encoding="utf-8")
    assert "<code>|</code>" in page or "<code>&#124;</code>" in page
    assert "\\|" not in page


def test_examples_in_the_texts_of_functions_hold() -> None:
    import docs.site_hooks

    assert doctest.testmod(docs.site_hooks) == (0, 5)
