"""Equilibria of small games of two in which both move at once, and how far strategies are from one.

What one wins the other loses, so a round is a matrix game: the entry of a joint action is the value of the round that
it leads to. Backward induction solves the last rounds first, each with a linear program (von Neumann 1928; Lisý,
Bošanský, Lanctot et al. 2013 search such games by the same recursion):

    maximise v  subject to  Σ_i x_i·A_ij ≥ v for each column j,  x ≥ 0,  Σ x = 1

The exploitability of strategies x and y is what a best answer to each of them gains, halved:

    (max_i (A·y)_i - min_j (x·A)_j) / 2

It is 0 in an equilibrium and nowhere else. In a game of several rounds A holds the solved values of the rounds that
follow, so that it tells what the first choice alone gives away, when all later ones are made as well as can be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.game import State

EVEN = 1e-9  # values that differ by less are the same


@dataclass(frozen=True)
class Equilibrium:
    """A solved round. `payoff` is what the first player gets for each own action (rows) and each of the second."""

    value: float
    actions: tuple[list[int], list[int]]
    payoff: np.ndarray
    strategies: tuple[np.ndarray, np.ndarray]


def equilibrium(state: State) -> Equilibrium:
    """Solve a position of a game of two without chance and hidden information.

    One of the two may have no choice in a round, as in a game in turns; its only action is then -1.
    """
    check(state)
    return solved(state, {})


def check(state: State) -> None:
    """Refuse games that backward induction does not solve, and positions that are half a round."""
    game = state.game
    if game.players != 2:
        raise SpielbaumError(f"only games of two are solved; {game.name} has {game.players} players")
    if game.hidden:
        raise SpielbaumError(f"only games in which both see everything are solved; {game.name} hides something")
    if state.over:
        raise SpielbaumError(f"{game.name} is over; a position with a choice is needed")
    if state.asked:
        raise SpielbaumError("a round is solved as a whole; give a position in which nobody has chosen yet")


def solved(state: State, known: dict[bytes, float]) -> Equilibrium:
    actions, payoff = matrix(state, known)
    value, first = optimum(payoff)
    _, second = optimum(-payoff.T)
    return Equilibrium(value, actions, payoff, (first, second))


def matrix(state: State, known: dict[bytes, float]) -> tuple[tuple[list[int], list[int]], np.ndarray]:
    """The actions of both players, and the value for the first of what each joint action leads to."""
    asked = state.player
    mine = state.actions
    after = [played(state, action) for action in mine]
    both = len(state.movers) == 2
    theirs = after[0].actions if both else [-1]
    values = [[value_of(played(one, action) if both else one, known) for action in theirs] for one in after]
    payoff = np.array(values)
    return ((mine, theirs), payoff) if asked == 0 else ((theirs, mine), payoff.T)


def played(state: State, action: int) -> State:
    """The position after an action."""
    after = state.copy().play(action)
    if not np.array_equal(after.rng, state.rng):
        raise SpielbaumError(f"only games without chance are solved; {state.game.name} rolls dice")
    return after


def value_of(state: State, known: dict[bytes, float]) -> float:
    """The value of a position for the first player, solved once."""
    if state.over:
        first, second = state.returns
        if abs(first + second) > EVEN:
            raise SpielbaumError("only games in which one wins what the other loses are solved")
        return first
    key = state.array.tobytes()
    if key not in known:
        known[key] = matrix_value(matrix(state, known)[1])
    return known[key]


def matrix_value(payoff: np.ndarray) -> float:
    """The value of a matrix game for the row player; most rounds need no mixing."""
    low, high = float(payoff.min(axis=1).max()), float(payoff.max(axis=0).min())
    return low if high - low < EVEN else optimum(payoff)[0]


def optimum(payoff: np.ndarray) -> tuple[float, np.ndarray]:
    """The value of a matrix game for the row player, and a strategy that secures it.

    >>> value, strategy = optimum(np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]))
    >>> round(value, 6) + 0.0, strategy.round(3).tolist()
    (0.0, [0.333, 0.333, 0.333])
    """
    from scipy.optimize import linprog

    rows, columns = payoff.shape
    found = linprog(
        c=[*[0.0] * rows, -1.0],
        A_ub=np.hstack([-payoff.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*[1.0] * rows, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, 1)] * rows, (None, None)],
    )
    strategy = np.maximum(found.x[:rows], 0.0)
    return float(found.x[rows]) + 0.0, strategy / strategy.sum()


def exploitability(payoff: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """What best answers to two strategies gain on average over an equilibrium.

    >>> pennies = np.array([[1.0, -1], [-1, 1]])
    >>> exploitability(pennies, np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    0.0
    >>> exploitability(pennies, np.array([1.0, 0]), np.array([0.5, 0.5]))
    0.5
    """
    return float(np.max(payoff @ second) - np.min(first @ payoff)) / 2
