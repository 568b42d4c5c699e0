"""Rules that do not end cost the game in which they are met, without a limit of moves too; the line is told."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

import pytest

from tests.arena.test_run import stored_games
from tests.conftest import SMALL
from tests.patience import PATIENCE

STUCK = SMALL / "stuck.py"
HURRIED = """
import sys

from spielbaum import watchdog

watchdog.RULES = watchdog.SLICE = 1.0  # of its workers as well, which load this file again
if __name__ == "__main__":
    {}
"""
COMMAND = "from spielbaum.cli import main\n\n    sys.exit(main())"
NAMED = r"met rules that do not end: stuck: play does not end: after 1 s it was at stuck\.py:2[89], after ([01] ?)+"


def ran(folder: pathlib.Path, program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    script = folder / "program.py"
    script.write_text(HURRIED.format(program.strip()))
    command = [sys.executable, str(script), *map(str, arguments)]  # what never ends, ends with it
    return subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE)


@pytest.mark.parametrize("first", ["random", "mcts:iterations=100", "mcts:iterations=100,threads=2"])
def test_a_rule_that_does_not_end_costs_that_game_alone_whoever_plays(tmp_path, first):
    told, stored = [], []
    for workers in (1, 2):
        store = tmp_path / f"{workers}.db"
        options = ("--workers", workers, "--store", store, "--seed", 1, "-n", 2, "--json")
        seats = ("--seat", f"1={first}", "--seat", "2=random")
        done = ran(tmp_path, COMMAND, "match", STUCK, *seats, *options)
        assert done.returncode == 0, done.stderr
        told.append([(each["game"], each["agent"], each["reason"]) for each in json.loads(done.stdout)["forfeits"]])
        stored.append(stored_games(store))
    assert told[0] and [each[:2] for each in told[0]] == [each[:2] for each in told[1]]
    assert len(stored[0]) == len(stored[1]) == 2
    for _, _, reason in told[0] + told[1]:
        assert re.fullmatch(NAMED, reason), reason
        assert sum(int(move) + 1 for move in reason.rpartition("after ")[2].split()) == 6


@pytest.mark.parametrize("options", [(), ("--workers", 2), ("--move-limit", 1)])
def test_a_start_that_does_not_end_is_told_in_one_line(tmp_path, options):
    game = tmp_path / "stuck.py"
    game.write_text(
        STUCK.read_text() + "\n\n@rule\ndef start(s):\n    while s.n == 0:\n        s.mover = 1 - s.mover\n"
    )
    seats = ("--seat", "1=random", "--seat", "2=random")
    settling = "from spielbaum.arena import sandbox\n\n    sandbox.START_TIMEOUT = 5.0\n    "
    done = ran(tmp_path, settling + COMMAND, "match", game, *seats, "-n", 3, *options)
    assert done.returncode == 2
    line = done.stderr.splitlines()[-1]  # those before it tell of compilations, of two processes at once
    assert "Traceback" not in done.stderr and re.match(r"game \d ", line)
    assert "stuck: start does not end: after 1 s it was at stuck.py:4" in line


def test_with_strict_a_rule_that_does_not_end_stops_the_match_in_one_line(tmp_path):
    store = tmp_path / "games.db"
    seats = ("--seat", "1=random", "--seat", "2=mcts:iterations=2")
    done = ran(tmp_path, COMMAND, "match", STUCK, *seats, "-n", 5, "--strict", "--store", store)
    assert done.returncode == 2 and "met rules that do not end: stuck: play" in done.stderr.splitlines()[-1]
    assert "without --strict it forfeits that game alone" in done.stderr
