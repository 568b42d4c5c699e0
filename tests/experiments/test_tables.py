"""Experiments at tables of more than two: one against several others, leagues, and places."""

from __future__ import annotations

import json
import pathlib
from collections import Counter

import pytest

from spielbaum.cli import main
from spielbaum.errors import SpielbaumError
from spielbaum.experiments import load_experiment

AGAINST = """
title = "One who keeps clear of lines"
source = "Nobody"
game = "spe_ed"
games = 12
quick = 6
options = { players = 6, width = 12, height = 12 }
parameters = { opponent = "random" }
full = { games = 60, options = { players = 6 } }

[[cells]]
name = "one against five"
agents = "1*siegfried,5*{opponent}"
published = "50 %"
published_place = "2"
"""

LEAGUE = """
title = "Three who do not search"
game = "spe_ed"
games = 6
options = { width = 12, height = 12 }
parameters = { seconds = 5 }
seconds_per_move = "{seconds}"
league = ["random", "siegfried", "siegfried-code", "brunhilde:depth=1"]

[[groups]]
name = "two at a table"
options = { players = 2 }

[[groups]]
name = "three at a table"
options = { players = 3 }
tables = 4
"""


@pytest.fixture
def reproduced(tmp_path, capsys, monkeypatch):
    """A function that plays an experiment and answers what is printed."""
    monkeypatch.setenv("COLUMNS", "160")

    def play(text: str, *arguments: str) -> str:
        file = tmp_path / "experiment.toml"
        file.write_text(text)
        store = ("--store", str(tmp_path / "games.db"), "--workers", "1")
        assert main(("reproduce", str(file), *store, *arguments)) == 0
        return capsys.readouterr().out

    return play


def test_one_against_five_is_told_with_places_beside_the_published_ones(reproduced, tmp_path: pathlib.Path):
    (cell,) = json.loads(reproduced(AGAINST, "--json", "-o", str(tmp_path / "report.html")))["cells"]
    mean, low, high = cell["place"]
    assert cell["games"] == 12 and 1 <= mean < 3.5 and low < mean < high
    assert (cell["published"], cell["published_place"]) == ("50 %", "2")
    printed = reproduced(AGAINST)
    assert f"{mean:.2f} ± {high - mean:.2f}" in printed and "published place" in printed
    assert f'<td class="number">{mean:.2f} ± {high - mean:.2f}</td>' in (tmp_path / "report.html").read_text()


def test_every_seat_is_taken_in_turn_and_full_games_have_other_options(tmp_path: pathlib.Path):
    (tmp_path / "against.toml").write_text(AGAINST)
    name = str(tmp_path / "against.toml")
    (cell,) = load_experiment(name).cells
    assert cell.plan.agents == ("siegfried", "random") and dict(cell.plan.options) == {"width": 12, "height": 12}
    seats = cell.plan.tasks(range(12)).seats.tolist()
    assert Counter(row.index(0) for row in seats) == dict.fromkeys(range(6), 2)
    (whole,) = load_experiment(name, full=True).cells
    assert whole.plan.games == 60 and dict(whole.plan.options) == {}


def test_a_league_is_rated_with_errors_at_every_size_of_its_tables(reproduced, tmp_path: pathlib.Path):
    data = json.loads(reproduced(LEAGUE, "--json", "-o", str(tmp_path / "report.html")))["groups"]
    two, three = data["two at a table"], data["three at a table"]
    assert two["games"] == 6 * 6 and three["games"] == 4 * 6
    assert all(rating["error"] > 0 and "elo" in rating for rating in two["ratings"])
    assert all(rating["error"] > 0 and "openskill" in rating for rating in three["ratings"])
    assert len(three["agents"]["brunhilde:depth=1"]["places"]) == 3 and "place" not in two["agents"]["random"]
    assert two["time"]["seconds_per_move"] == 5
    assert (tmp_path / "report.html").read_text().count("Ratings") >= 2
    printed = reproduced(LEAGUE, "--group", "three at a table")
    assert "openskill" in printed and "two at a table" not in printed


def test_everybody_of_a_league_meets_equally_often(tmp_path: pathlib.Path):
    (tmp_path / "league.toml").write_text(LEAGUE)
    _, three = load_experiment(str(tmp_path / "league.toml")).cells
    met = Counter(agent for group in three.plan.groups for agent in group)
    assert len(three.plan.groups) == 4 and set(met.values()) == {3}


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        (AGAINST, "5*{opponent}", "4*{opponent}", r"the agents take 1 \+ 4 = 5"),
        (AGAINST, 'agents = "1*', 'agents = "', "COUNT"),
        (AGAINST, "agents =", "seats = {}\nagents =", "cell 1 of small.toml needs either 'seats' or 'agents'"),
        (AGAINST, "published_place", "publishedplace", "did you mean 'published_place'"),
        (LEAGUE, "tables = 4", "table = 4", "did you mean 'tables'"),
        (LEAGUE, '"{seconds}"', '"soon"', "seconds_per_move='soon' is not possible"),
        (LEAGUE, "players = 3", "players = 5", "needs at least 5 agents, not 4"),
        (LEAGUE, '"random"', '"radnom"', "did you mean 'random'"),
    ],
)
def test_wrong_files_are_refused_in_one_line(tmp_path: pathlib.Path, text, old, new, message):
    assert old in text
    (tmp_path / "small.toml").write_text(text.replace(old, new))
    with pytest.raises(SpielbaumError, match=message):
        load_experiment(str(tmp_path / "small.toml"))


def test_the_report_of_team_valhalla_is_set_beside_our_games():
    cells = load_experiment("spe_ed/thor-vs-odins").cells
    assert [cell.plan.agents[0] for cell in cells[:3]] == [
        "thor:iterations=500",
        "thor:c=1.414214,iterations=500",
        "thor:evaluation=area_div_enemies,iterations=500",
    ]
    for cell in cells:
        assert cell.plan.games == 200 and dict(cell.plan.options) == {}
        assert cell.plan.lineup[1] == "5*odin:depth=2"
    assert (cells[0].published, cells[0].place) == ("50 %", "2")
    two, six = load_experiment("spe_ed/exploration").cells
    assert [spec.split(",")[0] for spec in two.plan.agents] == ["thor:c=0", "thor:c=1.414214"]
    assert six.plan.size == 6 and six.plan.shared
    two, six = load_experiment("spe_ed/league").cells
    assert (two.plan.size, six.plan.size) == (2, 6) and two.plan.control == six.plan.control
