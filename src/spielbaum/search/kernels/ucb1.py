"""UCB1, by which searches choose between what has done well and what was hardly tried.

    Q + C·sqrt(ln N / n)

Q is the mean value of a choice, n how often it was made, N how often any was. Source: Auer, Cesa-Bianchi & Fischer
2002, "Finite-time Analysis of the Multiarmed Bandit Problem".
"""

import math

from spielbaum.rules import inlined


@inlined
def exploration(c, visits):
    """C² ln N: what the scores of all choices have in common."""
    return c * c * math.log(visits)


@inlined
def score(mean, inverse_visits, explore):
    """The score of a choice with the mean Q and 1/n = `inverse_visits`; `explore` is C² ln N."""
    return mean + math.sqrt(explore * inverse_visits)
