"""`spielbaum analyse`: what a search found, for people and for programs."""

from __future__ import annotations

import contextlib
import pathlib
import re

import pytest

import spielbaum
from spielbaum.cli.play import seat_agents
from tests.cli.conftest import PENNIES
from tests.told import complaints


def test_a_winning_move_is_found_and_proven(run, quick_win):
    answer = run("analyse", "connect-four", "--moves", " ".join(quick_win[:-1]), "--agent", "alphabeta:depth=3")
    assert answer.code == 0
    assert f"plays {quick_win[-1]}" in answer.out and "proven" in answer.out


def test_json_holds_the_whole_report(run, connect_four, quick_win):
    moves = ",".join(quick_win[:2])
    answer = run("analyse", "connect-four", "--moves", moves, "--agent", "mcts:iterations=200", "--seed", "3", "--json")
    report = answer.json
    assert (report["game"], report["moves"], report["seed"]) == ("connect-four", quick_win[:2], 3)
    assert report["algorithm"] == "mcts" and report["nodes"] == 200
    assert {edge["move"] for edge in report["edges"]} == set(connect_four.new().moves)
    assert set(report["edges"][0]) == {"action", "move", "visits", "value", "prior", "exact", "proven"}
    assert set(report) >= {"line", "principal_variation", "depth", "seconds", "per_second", "memory", "table_hits"}


def test_the_table_shows_each_root_action_once(run, connect_four):
    out = run("analyse", "connect-four", "--agent", "minimax:depth=2").out
    first_words = [line.split()[0] for line in out.splitlines() if "%" in line]
    assert sorted(first_words) == sorted(connect_four.new().moves)


@pytest.mark.parametrize(
    ("spec", "heading", "value"),
    [
        ("mcts:iterations=50", "chance to win", r"\b\d+\.\d%$"),
        ("alphabeta:depth=3", "threats", r"[+-]\d\.\d\d$"),
        ("minimax:depth=2", "threats", r"[+-]\d\.\d\d$"),
    ],
)
def test_values_are_told_in_the_unit_in_which_the_agent_thinks(run, spec, heading, value):
    answer = run("analyse", "connect-four", "--agent", spec)
    head, *lines = answer.out[answer.out.index("move ") :].splitlines()
    assert heading in head
    assert all(re.search(value, line) for line in lines if line[:1] in set("abcdefg"))
    unit = run("analyse", "connect-four", "--agent", spec, "--json").json["unit"]
    assert unit["name"] == ("chance" if heading.startswith("chance") else heading)


def test_the_same_seed_gives_the_same_report(run):
    reports = [run("analyse", "connect-four", "--agent", "alphabeta:depth=4", "--json").json for _ in range(2)]
    assert reports[0]["edges"] == reports[1]["edges"]


def test_a_finished_game_has_nothing_to_search(run, quick_win):
    answer = run("analyse", "connect-four", "--moves", " ".join(quick_win))
    assert answer.code == 2 and "the game is over" in answer.err


@pytest.mark.parametrize(
    ("texts", "moves"),
    [(["d d e"], ["d", "d", "e"]), (["d,d, e"], ["d", "d", "e"]), (["d D", "e,"], ["d", "d", "e"]), ([], [])],
)
def test_moves_are_separated_by_spaces_or_commas(run, texts, moves):
    given = [word for text in texts for word in ("--moves", text)]
    answer = run("analyse", "connect-four", "--agent", "mcts:iterations=10", "--json", *given)
    assert answer.json["moves"] == moves


def test_the_wrong_one_of_several_moves_is_named(run):
    answer = run("analyse", "connect-four", "--moves", "d d x e")
    (complaint,) = complaints(answer.err)
    assert answer.code == 2 and complaint.startswith("move 3: move 'x' is not legal for yellow here; legal: a b c")


# --- which agent, and how many moves ------------------------------------------------------------

WIDE = str(pathlib.Path(__file__).parents[1] / "small" / "wide.py")


def test_who_analyses_is_who_plays(run, monkeypatch):
    asked = []
    monkeypatch.setattr("spielbaum.cli.analyse.search", lambda state, specs, seed: asked.append(specs) or 1 / 0)
    for game in ("connect-four", PENNIES, "pig"):
        with contextlib.suppress(ZeroDivisionError):
            run("analyse", game)
    played = [seat_agents(spielbaum.load(game), [])[1] for game in ("connect-four", PENNIES, "pig")]
    assert [specs[0] for specs in asked] == played == ["medium", "ismcts:iterations=5000", "medium"]


def test_an_opponent_that_does_not_search_is_replaced_by_one_that_does(run):
    report = run("analyse", "pig", "--json").json
    assert report["agent"] == "mcts:iterations=5000" and report["nodes"] == 5000


def test_a_wide_game_is_not_listed_in_full(run):
    asked = ("analyse", WIDE, "--agent", "mcts:iterations=300,expand=all")
    lines = run(*asked).out.splitlines()
    assert sum("%" in line for line in lines) == 20
    assert any(line.startswith("and 1,380 more with ") for line in lines)
    assert sum("%" in line for line in run(*asked, "--top", "3").out.splitlines()) == 3
    assert len(run(*asked, "--json").json["edges"]) == 1400
    assert len(run(*asked, "--json", "--top", "3").json["edges"]) == 3


def test_the_share_of_simulations_that_were_cut_off_is_told(run):
    asked = ("analyse", WIDE, "--agent")
    assert run(*asked, "mcts:iterations=300", "--json").json["cut_off"] == 0.0
    cut = run(*asked, "mcts:iterations=300,limit=3", "--json").json["cut_off"]
    assert 0.9 < cut <= 1.0
    assert f"{cut:.1%} of simulations cut off" in run(*asked, "mcts:iterations=300,limit=3").out
    assert run(*asked, "mcts:iterations=300,value=evaluation", "--json").json["cut_off"] is None
    assert run("analyse", "connect-four", "--agent", "alphabeta:depth=2", "--json").json["cut_off"] is None
