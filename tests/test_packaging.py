"""The files beside the code say of the project what the project says itself."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

from simcli.rules.shelf import EXPERIMENTS, VARIANTS, Shelf
from tests.test_docs import README, ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = "Programming Language :: Python :: "


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_the_workflow_is_the_projects_own_check_with_every_python_that_is_named() -> None:
    job = read_yaml(".github/workflows/check.yml")["jobs"]["check"]
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    classifiers = PROJECT["project"]["classifiers"]
    versions = [each.removeprefix(VERSION) for each in classifiers if re.match(rf"{VERSION}\d\.", each)]
    assert job["strategy"]["matrix"]["python"] == versions
    assert PROJECT["project"]["requires-python"] == f">={versions[0]}"


def test_the_readme_says_which_python_is_tested() -> None:
    versions = read_yaml(".github/workflows/check.yml")["jobs"]["check"]["strategy"]["matrix"]["python"]
    (tested,) = re.findall(r"Python (\S+) is tested", README)
    assert tested == versions[0]
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert set(re.findall(r"FROM python:([\d.]+)", image)) == {tested}


@pytest.mark.parametrize("shelf", [VARIANTS, EXPERIMENTS], ids=lambda shelf: shelf.folder)
def test_what_ships_is_in_both_archives(shelf: Shelf) -> None:
    targets = PROJECT["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["force-include"][shelf.folder] == f"simcli/_data/{shelf.folder}"
    assert f"/{shelf.folder}" in targets["sdist"]["include"]


def test_what_the_source_archive_names_is_there() -> None:
    named = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert [name for name in named if not (ROOT / name.lstrip("/")).exists()] == []


def test_the_citation_has_the_licence_and_the_authors_of_the_project() -> None:
    citation = read_yaml("CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["license"] == PROJECT["project"]["license"]
    assert citation["authors"] == PROJECT["project"]["authors"]
