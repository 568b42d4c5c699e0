"""Experiments: files that say what was published, played again and set beside it."""

from __future__ import annotations

import pytest

from spielbaum.cli import main
from spielbaum.errors import SpielbaumError
from spielbaum.experiments import files, is_study, load_experiment, names
from spielbaum.experiments.files import has, renamed

SMALL = """
title = "Three in a row"
source = "Nobody"
game = "tic-tac-toe"
games = 40
quick = 4
seed = 3
seat = "O"

[[cells]]
group = "random"
name = "random against random"
seats = { X = "random", O = "random" }
published = "29 %"

[[cells]]
group = "search"
name = "search against random"
seats = { X = "random", O = "mcts:iterations=40" }
swap = true
"""


@pytest.fixture
def small(tmp_path) -> str:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return str(path)


def is_of_tuner(name: str) -> bool:
    return has(name, "surfaces") or has(name, "sizes")


def is_played(name: str) -> bool:
    return not is_study(name) and not is_of_tuner(name) and not has(name, "mistakes")


@pytest.mark.parametrize("name", [name for name in names() if is_played(name)])
def test_every_experiment_can_be_played(name):
    experiment = load_experiment(name, quick=True)
    assert experiment.cells and all(cell.plan.games >= 2 for cell in experiment.cells)
    assert len({(cell.group, cell.name) for cell in experiment.cells}) == len(experiment.cells)
    assert len({cell.plan for cell in experiment.cells}) == len(experiment.cells)


def test_games_from_one_position_begin_with_openings_unless_the_file_says_otherwise(small, tmp_path):
    assert {cell.plan.opening for cell in load_experiment(small).cells} == {4}
    (tmp_path / "plain.toml").write_text(SMALL.replace("seed = 3", "opening = 0"))
    assert {cell.plan.opening for cell in load_experiment(str(tmp_path / "plain.toml")).cells} == {0}
    (tmp_path / "dice.toml").write_text(
        SMALL.replace("tic-tac-toe", "pig").replace("X", "first").replace("O", "second")
    )
    assert {cell.plan.opening for cell in load_experiment(str(tmp_path / "dice.toml")).cells} == {0}


def test_a_file_says_what_is_played_and_how_often(small):
    first, second = load_experiment(small).cells
    assert first.plan.agents == ("random", "random") and first.plan.games == 40 and not first.plan.rotate
    assert second.plan.rotate and second.seat == 1
    assert [cell.plan.games for cell in load_experiment(small, quick=True).cells] == [4, 4]
    assert [cell.plan.games for cell in load_experiment(small, games=7).cells] == [7, 7]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 3", "sead = 3", "unknown field 'sead' for small.toml; did you mean 'seed'"),
        ('title = "Three in a row"', "", "small.toml needs 'title'"),
        ("swap = true", "sawp = true", "unknown field 'sawp' for cell 2 of small.toml"),
        ('{ X = "random", O = "random" }', '{ X = "random" }', "cell 1 of small.toml: seats must name all of X, O"),
        ("mcts:iterations=40", "mtcs", "did you mean 'mcts'"),
        ("seed = 3", "seed = [", "small.toml is not TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path, old, new, message):
    assert SMALL.count(old) == 1
    (tmp_path / "small.toml").write_text(SMALL.replace(old, new))
    with pytest.raises(SpielbaumError, match=message):
        load_experiment(str(tmp_path / "small.toml"))


def test_an_unknown_experiment_is_answered_with_the_nearest():
    with pytest.raises(SpielbaumError, match=r"unknown experiment 'latrunculi/6\.3'; did you mean 'latrunculi/6\.2'"):
        load_experiment("latrunculi/6.3")


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("latrunculi/6.99", "latrunculi/6."), ("quick-civ/8.1", "quick-civ/7.1"), ("quick-civ/levls", "quick-civ/levels")],
)
def test_an_unknown_number_is_answered_with_the_nearest_of_its_source(wrong, near):
    with pytest.raises(SpielbaumError, match=f"did you mean '{near}"):
        load_experiment(wrong)


def test_old_names_lead_to_experiments():
    assert {new.split(" --")[0] for new in renamed().values()} <= set(names())


def test_an_old_name_is_answered_with_the_new_one(tmp_path, monkeypatch, capsys):
    (tmp_path / "renamed.toml").write_text(
        '"latrunculi/5.1" = "latrunculi/6.2"\n"latrunculi/6.2" = "latrunculi/levels"\n'
    )
    monkeypatch.setattr(files, "RENAMED", tmp_path / "renamed.toml")
    assert main(("reproduce", "latrunculi/5.1")) == 2
    assert capsys.readouterr().err == "unknown experiment 'latrunculi/5.1'; it is 'latrunculi/6.2' now\n"
    assert main(("reproduce", "latrunculi/6.2", "--group", "nobody")) == 2
    assert "note: what was called latrunculi/6.2 before is latrunculi/levels now" in capsys.readouterr().err
