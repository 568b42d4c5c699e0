"""`ucb1-tuned`: Q + C·sqrt(ln N / n · min(B, variance + sqrt(2 ln N / n))) (Auer, Cesa-Bianchi & Fischer 2002).

B is the largest variance possible: 1 for values from -1 to 1, 1/4 once they are normalised.
"""

import math

from spielbaum.linked import NORMALISED
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.select import C

COMPONENT = Component(
    "select",
    params=(C,),
    edge=(("squares", "f4"),),  # the sum of the squares of all values
)


@inlined
def explore(visits):
    return math.log(visits)


@inlined
def score(e, mean, explore, p):
    average = e.total / e.visits
    variance = e.ucb1_tuned.squares / e.visits - average * average
    variance += math.sqrt(2.0 * explore / e.visits)
    largest = 0.25 if NORMALISED else 1.0
    return mean + p.c * math.sqrt(explore / e.visits * max(0.0, min(largest, variance)))


@inlined
def on_backup(e, value, weight):
    e.ucb1_tuned.squares += value * value * weight


@inlined
def on_normalise(e):
    e.ucb1_tuned.squares = e.total * e.total
