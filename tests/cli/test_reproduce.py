"""`spielbaum reproduce`: ours beside theirs."""

from __future__ import annotations

import pathlib

import pytest

from spielbaum.errors import SpielbaumError
from spielbaum.experiments import load_experiment, names
from tests.experiments.test_experiments import SMALL

TABLE = """
title = "Who begins at tic-tac-toe"
game = "tic-tac-toe"
games = 60
seat = "X"
seats = { X = "{column}", O = "{row}" }
rows = ["random"]
columns = { chance = "random", search = "mcts:iterations=30" }

[[groups]]
name = "all"
published = [[58.5, ""]]
"""


@pytest.fixture
def place(tmp_path) -> tuple[str, ...]:
    (tmp_path / "small.toml").write_text(SMALL)
    return str(tmp_path / "small.toml"), "--store", str(tmp_path / "games.db"), "--workers", "1"


def test_our_figures_stand_beside_the_published_ones(run, place):
    answer = run("reproduce", *place)
    assert answer.code == 0
    for words in ("Three in a row", "Nobody", "random against random", "29 %", "score of O", "95 % interval"):
        assert words in answer.out


def test_cells_are_counted_from_the_side_that_the_table_is_about(run, place):
    data = run("reproduce", *place, "--json").json
    plain, searching = data["cells"]
    assert plain["score"] < 0.5 < searching["score"]  # the second side is worse off, unless it thinks
    assert plain["published"] == "29 %" and plain["games"] == 40
    assert sum(plain["endings"].values()) == 40


def test_it_goes_on_where_it_was(run, place):
    first = run("reproduce", *place, "--quick", "--json").json
    assert [cell["games"] for cell in first["cells"]] == [4, 4]
    whole = run("reproduce", *place, "--json").json
    assert [cell["games"] for cell in whole["cells"]] == [40, 40]
    assert [cell["run"] for cell in whole["cells"]] == [cell["run"] for cell in first["cells"]]


def test_without_a_name_the_experiments_are_listed(run):
    assert "latrunculi/6.2" in run("reproduce").out.splitlines()
    answer = run("reproduce", "latrunculi/62")
    assert answer.code == 2 and "did you mean 'latrunculi/6.2'" in answer.err


def test_every_experiment_can_be_planned():
    for name in names():
        experiment = load_experiment(name, quick=True)
        assert experiment.cells and all(cell.plan.games >= 2 for cell in experiment.cells)


def test_a_table_is_played_and_written_as_a_report(run, tmp_path: pathlib.Path):
    (tmp_path / "table.toml").write_text(TABLE)
    report = tmp_path / "report.html"
    arguments = ("reproduce", str(tmp_path / "table.toml"), "--workers", "1", "--store", str(tmp_path / "games.db"))
    answer = run(*arguments, "--json", "-o", str(report))
    cells = answer.json["cells"]
    assert [(cell["row"], cell["column"]) for cell in cells] == [("random", "chance"), ("random", "search")]
    assert cells[0]["published"] == "58.5" and cells[1]["score"] > cells[0]["score"]
    page = report.read_text()
    assert "wins in %" in page and "58.5" in page
    printed = run(*arguments).out
    assert "published 58.5" in printed and "search" in printed


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("[[58.5,", "[[58.5, 1,"), "published needs 1 rows of 2"),
        (('X = "{column}", ', ""), "seats must name all of X, O"),
        (("rows =", "lines ="), "lines"),
    ],
)
def test_a_wrong_table_is_refused_in_one_line(tmp_path: pathlib.Path, change: tuple[str, str], complaint: str):
    (tmp_path / "table.toml").write_text(TABLE.replace(*change))
    with pytest.raises(SpielbaumError, match=complaint):
        load_experiment(str(tmp_path / "table.toml"))
