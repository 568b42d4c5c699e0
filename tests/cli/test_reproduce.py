"""`spielbaum reproduce`: ours beside theirs."""

from __future__ import annotations

import pathlib

import pytest

from spielbaum.arena import executors
from spielbaum.errors import SpielbaumError
from spielbaum.experiments import load_experiment
from spielbaum.experiments.field import means, pairs
from spielbaum.worker_pool import WorkerProcess
from tests.experiments.test_experiments import SMALL

STUDY = """
title = "Hands"
searches = 20
iterations = [10, 20]
agents = { matching = "mcts:select=regret-matching,decide=mix", one = "mcts" }

[[positions]]
name = "even"
game = "rock-paper-scissors"
"""

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


FIELD = """
title = "Three at tic-tac-toe"
game = "tic-tac-toe"
games = 12
seat = "X"
parameters = { iterations = 2 }
full = { games = 20, iterations = 60 }
published = [["", 50, 10], [50, "", 20], [90, 80, ""]]
means = [30, 35, 85]

[field]
chance = "random"
little = "mcts:iterations={iterations}"
search = "mcts:iterations=60"

[[groups]]
name = "one"
means = [31, 36, 86]
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


def test_a_report_that_has_no_place_is_refused_before_the_first_game(run, place, tmp_path):
    answer = run("reproduce", *place, "-o", str(tmp_path / "nowhere" / "report.html"))
    assert answer.code == 2 and "there is no folder" in answer.err
    assert not (tmp_path / "games.db").exists()


def test_the_same_processes_play_one_cell_after_the_other(run, place, monkeypatch):
    alone = run("reproduce", *place, "--json").json["cells"]
    started = []

    class Counted(WorkerProcess):
        def __init__(self, *args, **settings):
            super().__init__(*args, **settings)
            started.append(self)

    monkeypatch.setattr(executors, "WorkerProcess", Counted)
    together = run("reproduce", *place[:-3], place[2] + ".2", "--workers", "2", "--json").json["cells"]
    assert len(started) == 2 and len(together) == 2
    assert [(cell["wins"], cell["length"]) for cell in together] == [(cell["wins"], cell["length"]) for cell in alone]
    assert not any(worker.running for worker in started)


def test_without_a_name_the_experiments_are_listed(run):
    assert "latrunculi/6.2" in run("reproduce").out.splitlines()
    answer = run("reproduce", "latrunculi/62")
    assert answer.code == 2 and "did you mean 'latrunculi/6.2'" in answer.err


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


def test_a_field_meets_with_sides_swapped_and_is_told_from_both_sides(run, tmp_path: pathlib.Path):
    (tmp_path / "field.toml").write_text(FIELD)
    report = tmp_path / "report.html"
    arguments = ("reproduce", str(tmp_path / "field.toml"), "--workers", "1", "--store", str(tmp_path / "games.db"))
    cells = run(*arguments, "--json", "-o", str(report)).json["cells"]
    assert [(cell["row"], cell["column"]) for cell in cells] == [
        ("chance", "little"),
        ("chance", "search"),
        ("little", "search"),
    ]
    field = load_experiment(str(tmp_path / "field.toml")).field
    assert field is not None
    scores = {(cell["row"], cell["column"]): cell["score"] for cell in pairs(cells, field)}
    assert scores["chance", "search"] < 0.5 < scores["search", "chance"]
    assert scores["chance", "search"] + scores["search", "chance"] == pytest.approx(1)
    of_search = [cell for cell in means(cells, field) if cell["row"] == "search"]
    assert [(cell["column"], cell["games"], cell["published"]) for cell in of_search] == [
        ("one", 24, "86"),
        ("all", 24, "85"),
    ]
    printed = run(*arguments).out
    assert "score of row against column" in printed and "86" in printed and "mean score" in report.read_text()


def test_a_part_of_a_field_is_played_with_other_parameters(tmp_path: pathlib.Path):
    (tmp_path / "field.toml").write_text(FIELD)
    name = str(tmp_path / "field.toml")
    part = load_experiment(name, parameters={"iterations": 7}).only(["one"], ["little"])
    assert [cell.plan.agents for cell in part.cells] == [
        ("random", "mcts:iterations=7"),
        ("mcts:iterations=7", "mcts:iterations=60"),
    ]
    whole = load_experiment(name, full=True)
    assert {cell.plan.games for cell in whole.cells} == {20}
    assert whole.cells[0].plan.agents[1] == "mcts:iterations=60"
    for wrong, complaint in (
        (lambda: load_experiment(name, parameters={"itrations": 7}), "did you mean 'iterations'"),
        (lambda: load_experiment(name).only([], ["litle"]), "did you mean 'little'"),
        (lambda: load_experiment(name).only(["two"], []), "unknown group 'two'"),
    ):
        with pytest.raises(SpielbaumError, match=complaint):
            wrong()


def test_a_study_is_printed_and_drawn(run, tmp_path):
    (tmp_path / "small.toml").write_text(STUDY)
    arguments = ("reproduce", str(tmp_path / "small.toml"), "--games", "2")
    for name in ("report.html", "picture.svg", "picture.png"):
        answer = run(*arguments, "-o", str(tmp_path / name))
        assert answer.code == 0 and (tmp_path / name).stat().st_size > 1000
    assert "exploitability after so many iterations" in answer.out and "matching" in answer.out
    assert run(*arguments, "--row", "even").code == 2


def test_mistakes_in_known_positions_are_counted(run, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "mine"\n[mistakes]\nluck = "random"\n[published]\nothers = { L1_R1 = 1.5 }\n')
    answer = run("reproduce", str(file), "--games", "3")
    assert "random" in answer.out and "others (published)" in answer.out and "1.5" in answer.out
    told = run("reproduce", str(file), "--games", "3", "--json").json
    assert len(told["shares"]) == 6 and {share["positions"] for share in told["shares"]} == {3}
    refused = run("reproduce", str(file), "--full")
    assert refused.code == 2 and "counts mistakes" in refused.err
