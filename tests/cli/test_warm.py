"""`spielbaum warm`: nobody waits for a compiler afterwards."""

from __future__ import annotations

import subprocess
import sys

from tests.cli.conftest import PENNIES


def test_after_warming_nothing_is_left_to_compile(run):
    warmed = run("warm", "connect-four", "--json").json
    assert {kernel["kernel"] for kernel in warmed["kernels"]} == {"mcts", "alphabeta", "minimax", "perft"}
    for agent in ("mcts:iterations=10", "ismcts:iterations=10", "alphabeta:depth=2", "minimax:depth=2"):
        command = [sys.executable, "-m", "spielbaum", "analyse", "connect-four", "--agent", agent]
        process = subprocess.run(command, capture_output=True, text=True)
        assert (process.returncode, process.stderr) == (0, "")


def test_only_kernels_that_fit_the_game_are_compiled(run):
    warmed = run("warm", PENNIES, "--json").json
    assert [kernel["kernel"] for kernel in warmed["kernels"]] == ["mcts"]


def test_a_second_time_all_is_ready(run):
    run("warm", "connect-four")
    answer = run("warm", "connect-four")
    assert answer.code == 0 and "compiled" not in answer.out and answer.out.count("ready") == 4
