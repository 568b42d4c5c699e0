"""The page of sources: what it names is there."""

from __future__ import annotations

import pathlib
import re

import pytest

from spielbaum.experiments import names
from tests.docs.pages import page

ROOT = pathlib.Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "spielbaum"
SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
FOLDERS = re.compile(r"Files are in `(.+?)` and tests in `(.+?)`")
TEST = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
FILE = re.compile(r"`([\w/]+\.(?:py|toml))`|`((?:search|web|tests|components|neat|mcts)/?[\w/]*)`")
SECTIONS = dict(SECTION.findall(page("sources.md")))
WORKS = {title: text for title, text in SECTIONS.items() if FOLDERS.search(text)}


def found(path: str, *folders: pathlib.Path) -> bool:
    return any((folder / path).exists() for folder in folders)


def test_every_work_has_its_table_and_its_departures():
    assert list(WORKS) == ["Quick Civ", "Scotland Yard", "Latrunculi", "spe_ed", "The lecture"]
    rows = [row.split("|")[1].strip() for row in SECTIONS["Departures"].splitlines() if row.startswith("| ")]
    assert [work for work in rows if work] == ["work", "Quick Civ", "Scotland Yard", "Latrunculi", "spe_ed", "lecture"]
    for row in SECTIONS["Departures"].splitlines():
        if row.startswith("| "):
            assert len(re.split(r"(?<!\\)\|", row)) == 6 and row.split("|")[4].strip(), row


@pytest.mark.parametrize("work", WORKS)
def test_the_tests_that_it_names_exist(work):
    _, folder = FOLDERS.findall(WORKS[work])[0]
    named = TEST.findall(WORKS[work])
    assert len(named) > 10
    for file, test in named:
        path = ROOT / file if file.startswith("tests/") else ROOT / folder / file
        assert path.is_file() and f"\ndef {test}(" in path.read_text("utf-8"), f"{file}::{test}"


@pytest.mark.parametrize("work", WORKS)
def test_the_files_that_it_names_exist(work):
    folder, _ = FOLDERS.findall(WORKS[work])[0]
    named = [file or place for file, place in FILE.findall(WORKS[work])]
    assert len(named) > 5
    assert [name for name in named if not found(name, ROOT / folder, PACKAGE, ROOT)] == []


def test_the_experiments_that_it_names_exist():
    known = names()
    named = re.findall(r"`((?:quick-civ|scotland-yard|latrunculi|spe_ed|connect-four)/[\w.-]+)`", page("sources.md"))
    assert len(named) > 5 and [name for name in named if name not in known] == []
