"""`random`: a uniformly random child."""

from spielbaum.rules import inlined

UNVISITED_FIRST = False


@inlined
def wanders(p, rng):
    return True


@inlined
def explore(visits, p):
    return 0.0


@inlined
def score(e, mean, share, explore, p):
    return mean
