"""From the root to a leaf: one decision after the other, or a round in which all movers decide at once.

descend(t, tree, states, raw, work, p, rng)    select and expand, playing along in NOW; the depth of the leaf
"""
