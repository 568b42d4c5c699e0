"""`onnx`: what any network says of the leaf, once it has said it; until then the leaf waits with a virtual loss.

An ONNX file is evaluated outside of the kernel, many leaves at once, and the search goes on meanwhile (asynchronous
policy and value MCTS: Silver et al. 2016). A leaf that waits counts as a visit that was lost, so that the next
iterations go elsewhere (Chaslot, Winands & van den Herik 2008). With w leaves waiting below an edge,

    Q = (total - w) / n

where n counts them and the total does not yet: nothing has to be taken back when the value arrives. See
`kernels/leaves.py`, which descends, and `batched_search_tree.py`, which hands leaves over.
"""

import math

from spielbaum.networks import onnx
from spielbaum.params import Param
from spielbaum.rules import inlined, rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.value.network import PARAMS as OF_NETWORKS

PARAMS = (*OF_NETWORKS, Param("leaves", 16, "value=onnx: leaves that wait for the network at once", low=1, high=4096))


class OnnxHost(Host):
    """Evaluates batches of leaves; see `batched_search_tree.py`."""

    def __init__(self, game, values, record):
        super().__init__(game, values, record)
        self.net = onnx.load(values["net"], game)

    def value_hook(self):
        return "returns"


def objection(game, values):
    if not values["net"]:
        return "value=onnx needs a network; give net=FILE.onnx"
    for name, fitting in (("expand-visits", 1), ("playouts", 0.0)):
        if values[name] != fitting:
            return f"value=onnx goes with {name}={fitting}, not {values[name]}"
    return None


COMPONENT = Component(
    "value",
    params=PARAMS,
    edge=(("waiting", "i4"),),  # leaves below an edge whose values have not arrived
    thread=lambda game, flags: [("logits", "f4", game.module.ACTION_CODES)],  # of the leaf whose value has arrived
    provides={"batched", "results"},
    requires={"puct", "no-precedence", "plain-mean", "all-decisions"},
    excludes={"shared-nodes", "amaf", "overrides-selection"},
    needs=("a rule 'planes'", "turns", "full information", "no dice"),
    objection=objection,
    host=OnnxHost,
)


@inlined
def mix_value(mean, e, width):
    return mean - e.onnx.waiting / (e.visits * width) if e.onnx.waiting > 0 else mean


@rule
def priors(work, own, n):
    """How likely the network thinks each of n actions, which add up to 1."""
    largest = -math.inf
    for i in range(n):
        largest = max(largest, float(own.logits[work.buffer[i]]))
    total = 0.0
    for i in range(n):
        work.priors[i] = math.exp(own.logits[work.buffer[i]] - largest)
        total += work.priors[i]
    for i in range(n):
        work.priors[i] /= total
