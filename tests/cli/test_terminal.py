"""Texts of others: what a store or a record holds is shown, and never acts on the terminal."""

from __future__ import annotations

import json
import sqlite3

import pytest

import spielbaum
from spielbaum.arena import Store, match
from spielbaum.arena.store import RUN, checksum
from spielbaum.cli import main

ACTING = "\x1b]0;owned\x07\x9b2J\u202e"


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "games.db") as opened:
        match(spielbaum.load("tic-tac-toe"), ["random", "random"], 2, store=opened)
    return tmp_path / "games.db"


def forge(path, change) -> None:
    """Change the plan of the first run, and make its checksum right."""
    with sqlite3.connect(path) as base:
        row = list(base.execute(f"SELECT {', '.join(RUN)} FROM runs").fetchone())
        row[RUN.index("plan")] = change(row[RUN.index("plan")])
        base.execute("UPDATE runs SET plan = ?, checksum = ?", (row[RUN.index("plan")], checksum(*row)))


def with_names(plan: str) -> str:
    return json.dumps(json.loads(plan) | {"agents": [f"a={ACTING}", "random"]})


@pytest.mark.parametrize("command", [["runs"], ["show", "1"], ["runs", "--json"], ["show", "1", "--json"], ["verify"]])
def test_names_in_a_store_do_not_act_on_the_terminal(store, capsys, command):
    forge(store, with_names)
    code = main([*command, "--store", str(store)])
    said = capsys.readouterr()
    assert code in (0, 1, 2) and said.out + said.err
    assert not set(ACTING[0] + "\x07\x9b\u202e") & set(said.out + said.err)


def test_what_a_complaint_quotes_does_not_act_on_the_terminal(capsys):
    assert main(["play", f"no{ACTING}game"]) == 2
    assert not set("\x1b\x07\x9b\u202e") & set(capsys.readouterr().err)


NO_PLANS = {
    "deep": lambda plan: "[" * 100_000,
    "digits": lambda plan: plan.replace('"seed": 0', f'"seed": {"9" * 5000}'),
    "a list": lambda plan: "[]",
    "agents that are numbers": lambda plan: json.dumps(json.loads(plan) | {"agents": [1, 2]}),
    "games that are a text": lambda plan: json.dumps(json.loads(plan) | {"games": "two"}),
    "agents that are not there": lambda plan: json.dumps(json.loads(plan) | {"groups": [[0, 7]]}),
}


@pytest.mark.parametrize("case", NO_PLANS)
def test_a_run_that_is_none_is_refused_in_one_line(store, capsys, case):
    forge(store, NO_PLANS[case])
    assert main(["show", "1", "--store", str(store)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "what is known about run 1 is no run" in said
    assert main(["verify", "--store", str(store)]) == 1
    assert "run 1 can't be read to its end" in capsys.readouterr().out


@pytest.mark.parametrize(
    "made", ["CREATE VIEW more AS SELECT 1", "CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END"]
)
def test_a_store_that_does_something_is_refused(store, capsys, made):
    with sqlite3.connect(store) as base:
        base.execute(made)
    assert main(["runs", "--store", str(store)]) == 2
    assert "its tables are not those of a store" in capsys.readouterr().err
