"""A minute of thinking takes no more memory than it may, measured in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

GIGABYTE = 1 << 30
THINK = """
import json, resource, sys
import spielbaum
from spielbaum.agents import make

game = spielbaum.load("quick-civ", map=1)
state, players = game.new(1), [make("greedy", game, seat) for seat in range(4)]
while state.record.rounds < 40:
    state.play(players[state.player].act(state))
agent = make(sys.argv[1], game, 1)
agent.act(state)
print(json.dumps({"peak": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, "nodes": agent.report().nodes}))
"""


def thought(spec: str) -> dict[str, int]:
    """The peak of the resident memory of a process that thinks once in round 40, in bytes, and its nodes."""
    done = subprocess.run([sys.executable, "-c", THINK, spec], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_sixty_seconds_of_vanilla_stay_within_two_gigabytes():
    swift, long = thought("vanilla"), thought("vanilla:seconds=60,iterations=1000000000")
    assert long["nodes"] > 100 * swift["nodes"] and swift["peak"] < long["peak"] < 2 * GIGABYTE
