"""Games for tests of players: whole or in part, by seed, with what happened in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import spielbaum
from spielbaum.agents import make
from spielbaum.game import Game, State
from spielbaum.games.quick_civ.rules import WAIT
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS


@dataclass
class Course:
    """A game as far as it was played: all builds as (round, player, tile, building), and tiles after each round."""

    state: State
    builds: list[tuple[int, int, int, int]] = field(default_factory=list)
    tiles: list[np.ndarray] = field(default_factory=list)

    def share(self, wanted: Callable[[int], bool], rounds: range) -> float:
        """The share of builds in some rounds whose building is as wanted."""
        chosen = [building for number, _, _, building in self.builds if number in rounds]
        return sum(map(wanted, chosen)) / len(chosen)


def civ(**options) -> Game:
    return spielbaum.load("quick-civ", **options)


def play_on(state: State, specs: list[str], rounds: int, seed: int) -> Course:
    """Let agents play so many rounds, one in each seat."""
    agents = [make(spec, state.game, 10 * seed + seat) for seat, spec in enumerate(specs)]
    course, number = Course(state), int(state.record.rounds)
    last = number + rounds
    while not state.over and state.record.rounds < last:
        player, number = state.player, int(state.record.rounds)
        action = agents[player].act(state)
        if action != WAIT:
            course.builds.append((number + 1, player, action // KINDS, action % KINDS))
        state.play(action)
        if state.record.rounds > number:
            course.tiles.append(state.record.tiles.copy())
    return course


def is_cheap(building: int) -> bool:
    """One of those for 10, other than the city centre."""
    return BUILDINGS[building].price == 10 and building != 0
