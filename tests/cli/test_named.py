"""Agents of one's own on the command line: every command takes them, and says where they come from."""

from __future__ import annotations

import pathlib

import pytest

import spielbaum
from spielbaum.cli.warm import kernels_of

TEXT = """[agents.tic-tac-toe]
# slow but sure
mine = "mcts:c=0.8,iterations=30"

[agents.kuhn-poker]
mine = "random"
"""


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch) -> pathlib.Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SPIELBAUM_TOML", raising=False)
    path = tmp_path / "spielbaum.toml"
    path.write_text(TEXT)
    return path


def test_agents_say_where_they_come_from(run):
    sources = {agent["name"]: agent["from"] for agent in run("agents", "tic-tac-toe", "--json").json}
    assert (sources["mine"], sources["hard"], sources["mcts"]) == ("spielbaum.toml:3", "tic-tac-toe", "built in")
    assert "spielbaum.toml:3" in run("agents", "tic-tac-toe").out
    one = run("agents", "tic-tac-toe", "mine", "--json").json
    assert (one["kind"], one["means"]) == ("mcts", "mine=mcts:c=0.8,iterations=30")
    assert {param["name"]: param["default"] for param in one["params"]}["c"] == 0.8


@pytest.mark.parametrize(
    "command",
    [
        ("play", "tic-tac-toe", "--seat", "X=mine", "--seat", "O=random", "--seed", "1"),
        ("match", "tic-tac-toe", "--seat", "X=mine", "--seat", "O=random", "-n", "2"),
        ("match", "tic-tac-toe", "--agents", "1*mine,1*random", "-n", "2"),
        ("tournament", "tic-tac-toe", "random", "mine", "-n", "2"),
        ("analyse", "tic-tac-toe", "--agent", "mine"),
    ],
)
def test_commands_take_a_name_and_record_what_it_meant(run, command):
    assert "mine=mcts:c=0.8,iterations=30" in run(*command, "--json").out


def test_exploit_takes_a_name(run):
    assert run("exploit", "kuhn-poker", "mine", "--searches", "1", "--json").json["agent"] == "mine=random"


def test_warm_knows_agents_of_a_variant_of_their_own(file):
    file.write_text('[agents.tic-tac-toe]\nmine = "mcts:select=puct"\n')
    found = kernels_of(spielbaum.load("tic-tac-toe"))
    assert found["mine"].startswith("mine=mcts:select=puct,")


def test_tuning_records_what_the_name_meant(run):
    """And refuses a name for the winner that it could not write, before the first game."""
    command = ("tune", "tic-tac-toe", "--agent", "mine", "--vary", "c", "--games", "4", "--test", "0")
    assert run(*command, "--apply", "hard").err.startswith("'hard' is an agent of tic-tac-toe already")
    answer = run(*command, "--json").json
    assert answer["best"]["species"] == "mcts:c=0.8,iterations=30"


def test_a_stored_game_is_replayed_when_the_file_has_gone(run, file):
    run("match", "tic-tac-toe", "--seat", "X=mine", "--seat", "O=random", "-n", "2")
    file.unlink()
    assert "mine=mcts:c=0.8,iterations=30" in run("show", "1").out
    assert run("replay", "1", "0").code == 0
    assert run("verify").code == 0


def test_a_file_that_is_wrong_is_told_in_one_line(run, file):
    file.write_text('[agents.tic-tac-toe]\nmine = "mcts:cc=1"\n')
    told = "spielbaum.toml:2: unknown parameter 'cc' for mcts in tic-tac-toe; did you mean 'c'?\n"
    for command in (("agents", "tic-tac-toe"), ("match", "tic-tac-toe", "--seat", "X=mine", "--seat", "O=random")):
        answer = run(*command)
        assert (answer.code, answer.out, answer.err) == (2, "", told)
    file.write_text("[agents.tictactoe]\n")
    answer = run("play", "tic-tac-toe", "--seat", "X=random", "--seat", "O=random")
    assert (answer.code, answer.err[:38]) == (2, "spielbaum.toml:1: unknown game 'tictac")
