"""`spielbaum games` and `spielbaum agents`: what there is to choose from."""

from __future__ import annotations

import pathlib

from spielbaum.agents.registry import AGENT_TYPES
from spielbaum.game import names
from tests.cli.conftest import PENNIES

MAZE = str(pathlib.Path(PENNIES).with_name("maze.py"))


def test_every_game_stands_in_the_table(run):
    answer = run("games")
    assert answer.code == 0 and answer.err == ""
    assert all(name in answer.out for name in names())


def test_games_as_json_say_what_a_game_is(run):
    games = {game["name"]: game for game in run("games", "--json").json}
    assert list(games) == names()
    four = games["connect-four"]
    assert four["players"] == len(four["seats"]) == 2
    assert not four["chance"] and not four["hidden"]
    assert "four in a row" in four["about"]


def test_one_game_shows_its_options(run):
    answer = run("games", MAZE)
    assert "players" in answer.out and "a whole number" in answer.out


def test_a_game_of_ones_own_is_known_by_its_path(run):
    pennies = run("games", PENNIES, "--json").json
    assert pennies["name"] == "pennies" and pennies["hidden"] and pennies["options"] == []


def test_general_agents_are_listed_without_a_game(run):
    assert [agent["name"] for agent in run("agents", "--json").json] == [kind.name for kind in AGENT_TYPES]
    assert "Monte Carlo tree search" in run("agents").out


def test_only_agents_that_fit_the_game_are_listed(run):
    assert "alphabeta" in run("agents", "connect-four").out
    assert "alphabeta" not in run("agents", PENNIES).out


def test_every_parameter_of_an_agent_is_listed(run):
    answer = run("agents", "connect-four", "mcts", "--json").json
    assert {param["name"] for param in answer["params"]} >= {
        "iterations",
        "select",
        "c",
        "expand",
        "simulate",
        "backup",
        "threads",
    }
    select = next(param for param in answer["params"] if param["name"] == "select")
    assert select["default"] == "ucb1" and "puct" in select["allowed"] and select["help"]


def test_parameters_show_what_a_specification_sets(run):
    params = run("agents", "connect-four", "mcts:c=0.5", "--json").json["params"]
    assert next(param["default"] for param in params if param["name"] == "c") == 0.5


def test_an_agent_without_parameters_says_so(run):
    assert "no parameters" in run("agents", "connect-four", "random").out
