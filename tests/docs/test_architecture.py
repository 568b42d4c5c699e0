"""The page "Architecture" names files that are there, and packages in the order in which they import each other."""

from __future__ import annotations

import re

from tests.docs.pages import page
from tests.test_imports import PACKAGE, graph

TEXT = page("architecture.md")
PLACES = (PACKAGE, PACKAGE / "tune", PACKAGE / "web", PACKAGE / "web/static/js")


def test_every_file_that_it_names_is_there():
    named = {name.removeprefix("static/js/") for name in re.findall(r"`([\w/]+\.(?:py|js))`", TEXT)}
    assert len(named) > 25
    places = [*PLACES, PACKAGE / "search/mcts"]
    assert {name for name in named if not any((place / name).exists() for place in places)} == set()


def test_packages_import_those_above_them_in_its_table():
    rows = re.findall(r"^\| (`.*?) \| .* \| .*\|$", TEXT.partition("## One move")[0], re.M)
    order = {name: number for number, row in enumerate(rows) for name in re.findall(r"`(\w+)/?`", row)}
    edges = graph()
    packages = {part for part in edges if (PACKAGE / part).is_dir()}
    assert packages <= order.keys()
    upwards = [(part, other) for part in packages for other in edges[part] & order.keys() if order[other] > order[part]]
    assert upwards == []
