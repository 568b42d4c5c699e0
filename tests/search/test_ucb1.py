"""UCB1 is written once, and all searches that choose by it share it."""

from __future__ import annotations

import math
import pathlib
import re

import pytest

import spielbaum
from spielbaum.search.kernels import ucb1

SOURCE = pathlib.Path(spielbaum.__file__).parent
TABLE = pathlib.Path(__file__).parents[2] / "docs" / "search.md"
FORMULA = re.compile(r"sqrt\(math\.log\(")


@pytest.mark.parametrize(("c", "mean", "n", "visits"), [(1.4, 0.25, 3, 20), (0.0, -1.0, 7, 9), (0.3, 0.0, 1, 1)])
def test_it_is_the_formula(c, mean, n, visits):
    score = ucb1.score(mean, 1 / n, ucb1.exploration(c, visits))
    assert score == pytest.approx(mean + c * math.sqrt(math.log(visits) / n))


def test_nobody_writes_it_again():
    again = [file.name for file in SOURCE.rglob("*.py") if FORMULA.search(file.read_text())]
    sharing = [file.name for file in SOURCE.rglob("*.py") if "ucb1.exploration(" in file.read_text()]
    assert again == []
    assert sorted(sharing) == ["any_policy.py", "duel.py", "planning.py", "scripts.py", "ucb1.py", "ucb1_living.py"]


def test_the_searches_that_are_no_tree_search_are_listed_with_their_reasons():
    listed = re.findall(r"^\| `(games/\S+)` \|", TABLE.read_text(), re.M)
    assert all((SOURCE / file).exists() for file in listed)
    own_trees = {str(file.relative_to(SOURCE)) for file in SOURCE.glob("games/*/kernels/*.py") if has_tree(file)}
    assert own_trees <= set(listed)


def has_tree(file):
    """Whether a kernel keeps nodes of its own with their visits."""
    return "visits" in file.read_text()
