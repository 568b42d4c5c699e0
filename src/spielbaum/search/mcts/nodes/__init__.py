"""Which node a decision belongs to.

    find(t, tree, states, raw, work, edge, mover, p, rng)    the node of the decision that an edge has led to, new or
                                                             known; -1 for a leaf

In a game of rounds `key(...)` is asked instead: see `descent/rounds.py`.
"""
