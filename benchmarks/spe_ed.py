"""spe_ed: random games, the analyses of a position, and how fast Thor and Tyr search, each on one core."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.kernels import spe_ed_games
from benchmarks.result import Result, medians, rate
from spielbaum.agents import make
from spielbaum.game import Game, State, load
from spielbaum.games.spe_ed.kernels import voronoi as voronoi_template
from spielbaum.games.spe_ed.voronoi import VORONOI
from spielbaum.rules import DICE, random_stream

GAMES, POSITIONS, APART, REPEATS, ITERATIONS = 10_000, 50, 7, 200, 20_000
MICROSECONDS = 1e6


def random_games() -> Result:
    """Moves of all players per second in games of moves that are not deadly at once, 50x50, six players."""
    game = load("spe-ed", players=6, width=50, height=50)
    states, choices, rng = np.zeros(2, game.rules.STATE), np.zeros(6, np.int64), random_stream(1)
    play = game.kernels.link(spe_ed_games).at_random_to_the_end
    play(game.context, states, choices, rng, 1)
    value = medians(lambda: rate(lambda: float(play(game.context, states, choices, rng, GAMES))))[0]
    return Result("spe_ed/random", value, "moves/s")


def area() -> Result:
    """Microseconds for the areas around all heads, in positions of 60x60 and six Siegfrieds, beside union-find."""
    game = load("spe-ed", players=6, width=60, height=60)
    states, kernels = positions(game), game.kernels.link(spe_ed_games)

    def each(analyse: Callable[..., None], repeats: int) -> float:
        analyse(game.context, states, 0)

        def all_of_them() -> float:
            analyse(game.context, states, repeats)
            return repeats * POSITIONS

        return MICROSECONDS / rate(all_of_them)

    value, peer = medians(lambda: each(kernels.flooded, REPEATS), lambda: each(kernels.joined, REPEATS // 20))
    return Result("spe_ed/area", value, "µs", "by union-find", peer)


def voronoi() -> Result:
    """Microseconds to divide the board among six players, in those of the same positions in which all are active."""
    game = load("spe-ed", players=6, width=60, height=60)
    states, room = positions(game)[2:], np.zeros(1, VORONOI)
    everybody = states[(states["died"] == 0).all(axis=1)]
    run = game.kernels.link(voronoi_template).run
    run(game.context, everybody[:1], room, 1)

    def all_of_them() -> float:
        for i in range(len(everybody)):
            run(game.context, everybody[i : i + 1], room, REPEATS)
        return REPEATS * len(everybody)

    return Result("spe_ed/voronoi", MICROSECONDS / medians(lambda: rate(all_of_them))[0], "µs")


def thor() -> Result:
    """Iterations per second of Thor in positions of 60x60 with four players; its tree is empty at first."""
    return searching("thor")


def tyr() -> Result:
    """The same of Tyr, which divides the board once in each."""
    return searching("tyr")


def searching(player: str) -> Result:
    game = load("spe-ed", players=4, width=60, height=60)
    states = [as_state(game, record) for record in positions(game)[2::5]]
    running = [state for state in states if not state.over]

    def search() -> float:
        for state in running:
            make(f"{player}:iterations={ITERATIONS}", game, seed=1).act(state)
        return ITERATIONS * len(running)

    make(f"{player}:iterations=1", game, seed=1).act(running[0])
    return Result(f"spe_ed/{player}", medians(lambda: rate(search))[0], "iterations/s")


def positions(game: Game) -> np.ndarray:
    """Two states to work with, and then positions of games between Siegfrieds, from all times of a game."""
    states = np.zeros(POSITIONS + 2, game.rules.STATE)
    choices = np.zeros(game.module.PLAYERS, np.int64)
    game.kernels.link(spe_ed_games).snapshots(game.context, states, choices, random_stream(1), APART)
    return states


def as_state(game: Game, record: np.void) -> State:
    """A position as agents are given it."""
    state = State(game, np.array([record]), random_stream(0, DICE), None)
    game.kernels.game_api.open_round(game.context, state.array)
    return state
