"""Somebody sets the clock of the machine: what is timed goes by a clock that nobody sets."""

from __future__ import annotations

import ast
import itertools
import pathlib
import time

import pytest

import spielbaum
from spielbaum.arena import TimeControl, match, summarize
from spielbaum.cli import main

SOURCE = pathlib.Path(spielbaum.__file__).parent
HOUR = 3600.0
WALL = {
    "time.time": {
        "compile/cache.py": "how long a folder was not used, beside the dates of files",
        "agents/warm_up.py": "when something was compiled, for people",
        "training/curves.py": "whether a training still writes, beside the date of its file",
        "web/store.py": "which of the stored games are old",
        "online/host.py": "the protocol has the server tell its time of day, by what it was at the start",
        "online/event_stream.py": "when a game began, for people",
    },
    "datetime.now": {
        "tune/records.py": "when a run began, for people",
        "arena/store.py": "when a run began, for people",
        "cli/reproduce.py": "the date of a summary, for people",
        "online/validation.py": "the name of a record",
        "online/game_store.py": "when a game ended, for people",
    },
}


def uses(text: str) -> set[str]:
    """The ways in which a file asks for the time of day."""
    calls = [node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    names = {
        f"{ast.unparse(call.value).rpartition('.')[2]}.{call.attr}" for call in calls if isinstance(call, ast.Attribute)
    }
    return names & {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today", "date.today"}


def test_the_time_of_day_is_asked_for_only_where_it_is_told_or_compared_with_dates_of_files():
    found = {path.relative_to(SOURCE).as_posix(): uses(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")}
    for way in {way for ways in found.values() for way in ways}:
        assert {name for name, ways in found.items() if way in ways} == set(WALL[way])


@pytest.fixture(params=[-HOUR, HOUR], ids=["back", "on"])
def jumping(request, monkeypatch):
    """Each time that somebody looks at the clock on the wall it was set by another hour."""
    begin, number = time.time(), itertools.count(1)
    monkeypatch.setattr(time, "time", lambda: begin + request.param * next(number))
    monkeypatch.setattr(time, "time_ns", lambda: int(1e9 * (begin + request.param * next(number))))


@pytest.mark.parametrize("spec", ["mcts:seconds=0.1", "alphabeta:seconds=0.1", "mcts:seconds=0.1,threads=2"])
def test_a_timed_search_thinks_and_ends(jumping, spec):
    game = spielbaum.load("connect-four")
    agent = spielbaum.agent(spec, game, seed=1)
    agent.act(game.new())
    assert agent.report().nodes > 100


@pytest.mark.parametrize("control", [TimeControl(per_move=5.0, lose=True), TimeControl(per_game=60.0, lose=True)])
def test_nobody_loses_a_match_on_time_because_the_clock_was_set(jumping, control, tmp_path):
    game = spielbaum.load("tic-tac-toe")
    run = match(game, ["mcts:iterations=50", "random"], 4, seed=1, control=control, store=tmp_path / "games.db")
    assert run.games == 4 and run.seconds >= 0
    assert summarize(run)["time"]["lost"] == summarize(run)["time"]["late"] == {"mcts:iterations=50": 0, "random": 0}


def test_a_tuning_run_plays_as_many_games_as_its_minutes_are_enough_for(jumping, tmp_path, capsys):
    arguments = ["--vary", "c", "--minutes", "0.05", "--store", str(tmp_path / "tune.db"), "--method", "spsa", "--json"]
    assert main(["tune", "tic-tac-toe", "--agent", "mcts:iterations=20", *arguments]) == 0
    assert '"games"' in capsys.readouterr().out
