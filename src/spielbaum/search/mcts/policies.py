"""Playout policies by name: `p`, `p/q` for own side and others, `p/q/r` for each seat, and weighted mixtures.

random                      uniformly random for all
safepath/greedy             own side safepath, the others greedy
safepath/greedy/random      in a game of three: one for each seat, in their order
0.9*greedy+0.1*random       a mixture; without weights all parts count the same
"""

from __future__ import annotations

import numpy as np

from spielbaum.errors import SpielbaumError, unknown
from spielbaum.game import Game

GENERAL = ("random", "greedy")


def policy_number(game: Game, name: str) -> int:
    """The number by which the kernels know a policy; a game's own one comes before a general one of that name."""
    if name not in game.policies:
        raise unknown("policy", name, game.policies, game.name)
    own = tuple(getattr(game.module, "POLICIES", ()))
    return len(GENERAL) + own.index(name) if name in own else GENERAL.index(name)


def parse_policies(game: Game, text: str) -> np.ndarray:
    """Cumulative weights of all policies for own side and others, or for each seat, f8[2 or seats, policies]."""
    groups = text.split("/")
    if len(groups) not in (1, 2, len(game.seats)):
        each = f" or one for each of {len(game.seats)} seats" if len(game.seats) > 2 else ""
        raise SpielbaumError(f"simulate={text} is not possible: give policies as 'own', 'own/others'{each}")
    if len(groups) == 1:
        groups = groups * 2
    return np.array([np.cumsum(parse_mixture(game, group)) for group in groups])


def parse_mixture(game: Game, text: str) -> np.ndarray:
    weights = np.zeros(len(GENERAL) + len(getattr(game.module, "POLICIES", ())))
    for part in text.split("+"):
        number, star, name = part.rpartition("*")
        try:
            weight = float(number) if star else 1.0
        except ValueError:
            weight = -1.0
        if not 0 < weight < float("inf"):
            raise SpielbaumError(f"{part!r} is not a weighted policy such as '0.9*random'")
        weights[policy_number(game, name.strip())] += weight
    weights /= weights.sum()
    weights[np.flatnonzero(weights)[-1]] += 1.0 - weights.sum()
    return weights


def parse_opponent_policy(game: Game, name: str) -> int:
    """The number of the policy that the others follow in the tree, -1 for that of simulations."""
    return policy_number(game, name) if name else -1


def parse_filters(game: Game, text: str) -> int:
    """The game's prunings joined by +, as a bit mask."""
    mask = 0
    for name in filter(None, (part.strip() for part in text.split("+"))):
        if name not in game.filters:
            raise unknown("filter", name, game.filters, game.name)
        mask |= 1 << game.filters.index(name)
    return mask


def parse_guess(game: Game, name: str) -> int:
    """The number of one of the game's ways to guess what is hidden, -1 for the plain way."""
    if not name:
        return -1
    if name not in game.guesses:
        raise unknown("guess", name, game.guesses, game.name)
    return game.guesses.index(name)
