"""Which node a decision belongs to.

find(t, tree, states, raw, work, edge, mover, p, rng)    the node of the decision that an edge has led to, new or known;
                                                         -1 for a leaf
view_key(t, states, raw, work, mover)                    where rounds are searched as rounds and nodes found by views:
                                                         the key of what a mover sees
"""
