"""The log of compilations: every kernel that is compiled, once, and tables that add up to it."""

from __future__ import annotations

import json

import pytest

from spielbaum.cli import main
from tests.tiny import python, write_race

PLAY = "import spielbaum; print(spielbaum.load({path!r}).new().play(1).actions)"
COMMAND = "benchmarks.compilations"


def test_a_compilation_is_logged_once_and_loading_is_not(tmp_path, capsys):
    log, code = tmp_path / "log.jsonl", PLAY.format(path=str(write_race(tmp_path)))
    for _ in range(2):
        assert python(code, tmp_path / "cache", SPIELBAUM_COMPILE_LOG=str(log)).stdout == "[1, 2]\n"
    found = [json.loads(line) for line in log.read_text().splitlines()]
    assert sorted(line["kernel"] for line in found) == ["advance", "look", "start_game"]
    assert {(line["game"], line["template"]) for line in found} == {("mine", "game-api")}
    assert all(line["seconds"] > 0 and "test_a_compilation_is_logged" in line["test"] for line in found)
    assert main([str(log)], COMMAND) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("3 compilations, ") and "1  mine game-api" in printed


def test_a_log_that_can_not_be_written_is_told_once_and_costs_nothing_else(tmp_path):
    code = PLAY.format(path=str(write_race(tmp_path)))
    run = python(code, tmp_path / "cache", SPIELBAUM_COMPILE_LOG=str(tmp_path / "no" / "log"))
    assert run.stdout == "[1, 2]\n" and run.stderr.count("can't be written") == 1


@pytest.mark.parametrize("text", [None, "nonsense", "[1]", '{"game": "mine"}'], ids=["none", "words", "list", "other"])
def test_what_is_no_log_is_refused_in_one_line(tmp_path, capsys, text):
    file = tmp_path / "log.jsonl"
    if text is not None:
        file.write_text(text + "\n")
    assert main([str(file)], COMMAND) == 2
    assert capsys.readouterr().err.count("\n") == 1
