"""Quick Civ with everything affordable: builds per second, waits not counted, and iterations of its search."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels import quick_civ_actions as template
from benchmarks.result import Result, medians, rate
from spielbaum.agents import make
from spielbaum.game import Game, State, buffer_size, load
from spielbaum.rules import random_stream

PLENTY = 1_000_000_000
GAMES, ROUNDS = 50, 100
OPENING = 40  # rounds after which the search is measured
MOVES = 20
SEED = 1


def rich(game: Game) -> State:
    """The beginning of a game in which everybody can afford everything."""
    state = game.new(SEED)
    state.array["stock"][0, :, :2] = PLENTY
    return state


def builds(how: str) -> Result:
    """Actions per second of processor time: `sample` draws them without a list, `list` with, `apply` knows them."""
    game = load("quick-civ", map=SEED)
    kernels: Any = game.kernels.link(template)
    states, rng = np.zeros(2, game.rules.STATE), random_stream(SEED)
    states[0] = rich(game).record
    choices = np.zeros((GAMES, ROUNDS, game.players), np.int64)
    buffer = np.zeros(buffer_size(game.module), np.int64)
    arguments = game.context, states, choices, buffer, rng
    played = kernels.sampled(*arguments, GAMES)

    def drawn() -> float:
        kernel = kernels.listed if how == "list" else kernels.sampled
        return float(kernel(*arguments, GAMES))

    def applied() -> float:
        kernels.applied(game.context, states, choices, rng)
        return float(played)

    measured = applied if how == "apply" else drawn
    measured()
    return Result(f"quick-civ/{how}", medians(lambda: rate(measured))[0], "actions/s")


def iterations() -> Result:
    """Iterations per second of `vanilla` in the middle of a game between greedy players."""
    game = load("quick-civ", map=SEED)
    state, greedy = game.new(SEED), [make("greedy", game, seat) for seat in range(game.players)]
    while state.array["rounds"][0] < OPENING:
        state.play(greedy[state.player].act(state))
    agent = make("vanilla", game, SEED)
    agent.act(state)

    def searched() -> float:
        return float(sum(iterations_of(agent, state) for _ in range(MOVES)))

    return Result("quick-civ/mcts", medians(lambda: rate(searched))[0], "iterations/s")


def iterations_of(agent: Any, state: State) -> int:
    """How many iterations one decision takes."""
    agent.act(state)
    return int(agent.search.iterations)
