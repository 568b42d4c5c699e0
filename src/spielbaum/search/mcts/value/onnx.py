"""`onnx`: what any network says of the leaf, once it has said it; until then the leaf waits with a virtual loss.

An ONNX file is evaluated outside of the kernel, many leaves at once, and the search goes on meanwhile (asynchronous
policy and value MCTS: Silver et al. 2016). A leaf that waits counts as a visit that was lost, so that the next
iterations go elsewhere (Chaslot, Winands & van den Herik 2008). With w leaves waiting below an edge,

    Q = (total - w) / n

where n counts them and the total does not yet: nothing has to be taken back when the value arrives. See
`kernels/leaves.py`, which descends, and `waiting.py`, which hands leaves over.
"""

import math

from spielbaum.params import Param
from spielbaum.rules import inlined, rule
from spielbaum.search.mcts.value.network import PARAMS as OF_NETWORKS

PARAMS = (*OF_NETWORKS, Param("leaves", 16, "value=onnx: leaves that wait for the network at once", low=1, high=4096))
WAITS = True
EDGE = (("waiting", "i4"),)  # leaves below an edge whose values have not arrived
FITTING = {
    "select": ("puct",),
    "expand": ("all",),
    "expand-visits": (1,),
    "backup": ("mean",),
    "opponents": ("tree",),
    "transpositions": (False,),
    "rave": (0.0,),
    "threshold": (0,),
    "playouts": (0.0,),
}


def work(game):
    return [("logits", "f4", game.module.ACTION_CODES)]  # of the leaf whose value has arrived


def objection(game, values):
    if not game.has("planes"):
        return f"value=onnx needs a rule 'planes', which {game.name} does not have"
    if game.hidden or game.chance or game.simultaneous:
        return f"value=onnx needs turns, full information and no dice, not {game.name}"
    for name, fitting in FITTING.items():
        given = values.get(name, fitting[0])
        if given not in fitting:
            return f"value=onnx goes with {name}={'off' if fitting[0] is False else fitting[0]}, not {given}"
    return "" if values["net"] else "value=onnx needs a network; give net=FILE.onnx"


@inlined
def blend(mean, tree, edge, low, width, visits, p):
    e = tree.edges[edge]
    return mean - e.waiting / (e.visits * width) if e.waiting > 0 else mean


@rule
def priors(t, s, mover, work, n):
    """How likely the network thinks each of n actions, which add up to 1."""
    largest = -math.inf
    for i in range(n):
        largest = max(largest, float(work.logits[work.buffer[i]]))
    total = 0.0
    for i in range(n):
        work.priors[i] = math.exp(work.logits[work.buffer[i]] - largest)
        total += work.priors[i]
    for i in range(n):
        work.priors[i] /= total
