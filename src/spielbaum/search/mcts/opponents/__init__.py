"""Whose decisions are in the tree: those of all players, or own ones only with the others played by their policy.

step(t, states, work, action, p, rng)    play an action of the tree in NOW, and what the others answer
"""

DEFAULT, HELP = "tree", "their decisions in the tree, drawn anew on every pass, once per path, or once per node"
