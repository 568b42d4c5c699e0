"""`epsilon-greedy`: with probability epsilon a random child, otherwise the one with the largest Q."""

from spielbaum.params import Param
from spielbaum.rules import inlined, uniform
from spielbaum.search.mcts.components import Component

COMPONENT = Component(
    "select",
    params=(
        Param(
            "epsilon",
            0.1,
            "share of random choices of epsilon-greedy",
            low=0,
            high=2,
            tune=(0.0, 1.0),
            when="select=epsilon-greedy",
        ),
    ),
)


@inlined
def wanders(p, rng):
    return uniform(rng) < p.epsilon


@inlined
def explore():
    return 0.0


@inlined
def score(mean):
    return mean
