"""`spielbaum warm`: nobody waits for a compiler afterwards."""

from __future__ import annotations

import subprocess
import sys

from tests.cli.conftest import PENNIES

USE_ALL = """
from spielbaum.cli import main
for agent in ("mcts", "ismcts", "mcts:reuse=keep", "alphabeta:depth=2", "minimax:depth=2", "greedy"):
    assert main(["analyse", "connect-four", "--agent", agent]) == 0
main(["perft", "connect-four", "3"])
main(["play", "connect-four", "--seat", "yellow=decisive", "--seat", "red=mcts:iterations=100,reuse=keep"])
"""


def test_after_warming_nothing_is_left_to_compile(run):
    warmed = run("warm", "connect-four", "--json").json
    assert {kernel["kernel"] for kernel in warmed["kernels"]} >= {"mcts", "alphabeta", "minimax", "perft"}
    process = subprocess.run([sys.executable, "-c", USE_ALL], capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")
    assert "compiled" not in run("warm", "connect-four").out


def test_only_kernels_that_fit_the_game_are_compiled(run):
    warmed = run("warm", PENNIES, "--json").json
    assert [kernel["kernel"] for kernel in warmed["kernels"]] == ["ismcts", "mcts", "policies", "batch"]
