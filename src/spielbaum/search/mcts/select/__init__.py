"""Phase 1, select: which child to go down to.

A selection is a file here. It says how a child scores, with Q its mean value for the mover, n its visits and N
those of its parent:

    explore(visits, p)                            what the score needs of N, computed once per node
    score(e, mean, inverse_visits, explore, p)    for an edge e with mean Q and 1/n

or chooses in a way of its own:

    choose(tree, node, path_index, work, p, rng)  an edge of the node, which becomes that number on the path

A function takes what it needs of these by name. A selection may also say `wanders(p, rng)`, whether this time a random
child is taken; `UNVISITED_FIRST = False`, if children that were never tried get no precedence; and `on_backup`, what a
backed-up value changes besides Q and n.
Children are shuffled once when they are made, so the first of equals is a random one. In open-loop trees only
children that are legal now are eligible, and N is how often the child was (Cowling, Powley & Whitehouse 2012).
"""

from spielbaum.params import Param

DEFAULT, HELP = "ucb1", "how to go down the tree"
C = Param(
    "c",
    1.4,
    "exploration constant of ucb1, ucb1-tuned and puct",
    low=0,
    tune=(0.1, 4.0),
    log=True,
    when="select=ucb1|ucb1-tuned|puct",
)
GAMMA = Param(
    "gamma",
    0.3,
    "share of uniform exploration of exp3 and regret-matching",
    low=0,
    high=1,
    tune=(0.02, 0.9),
    when="select=exp3|regret-matching",
)
