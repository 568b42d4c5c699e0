"""Monte Carlo tree search, linked with a game and with the components of one search."""

from spielbaum.compile.link import kernel
from spielbaum.search.mcts.kernels import iterate


@kernel
def run(t, tree, states, raw, works, settings, rng, iterations):
    """Iterate; the number of iterations done, fewer where the tree must grow first or nothing is left to search."""
    return iterate.iterate(t, tree, states, raw, works[0], settings[0], rng, iterations)
