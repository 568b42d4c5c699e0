"""Nobody tells a detective where Mister X is: neither the arena nor the terminal.

That his station reaches no view, scene, message or page is tested beside each of these.
"""

from __future__ import annotations

import re
from typing import Any

import spielbaum
from spielbaum.agents import StatelessAgent, make
from spielbaum.arena.single import play_game
from spielbaum.cli import main
from spielbaum.games.scotland_yard.rules import MRX, UNKNOWN


class Witness(StatelessAgent):
    """Plays as another agent does and remembers where it saw Mister X."""

    def __init__(self, agent: Any):
        self.agent = agent
        self.seen: set[int] = set()

    def act(self, state: spielbaum.State, clock: Any = None, *, watch: Any = None) -> int:
        self.seen.add(int(state.record.at[MRX]))
        assert (state.history is None) is (state.player != MRX)
        return int(self.agent.act(state, clock))


def test_agents_of_detectives_never_see_mister_x():
    game = spielbaum.load("scotland-yard", players=4)
    agents = [Witness(make("chase", game, seed)) for seed in range(4)]
    for seed in range(5):
        play_game(game, agents, seed)
    assert [agent.seen == {UNKNOWN} for agent in agents] == [False, True, True, True]


def test_a_person_who_plays_detectives_in_the_terminal_is_not_told(monkeypatch, capsys):
    left = iter(["?", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(left))
    seats = ("--seat", "mrx=distance", "--seat", "detectives=human")
    assert main(("play", "scotland-yard", "--option", "players=3", "--seed", "3", *seats)) == 0
    out = capsys.readouterr().out
    assert "mrx (distance) has chosen" in out
    assert re.search(r"^mrx +\? ", out, re.MULTILINE)
