"""`network`: what a network says of the leaf, at once; no simulation (AlphaZero: Silver et al. 2017).

With `playouts` λ above 0 the result z of a simulation is mixed in as AlphaGo did (Silver et al. 2016):

    V = (1 - λ) v + λ z

Priors of `select=puct` are the network's as well.
"""

from spielbaum.linked import rules
from spielbaum.networks import files
from spielbaum.networks.kernels import network
from spielbaum.networks.net import with_net
from spielbaum.params import Param
from spielbaum.rules import TERMINAL, inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host

PARAMS = (
    Param("net", "", "the network, a file or the name of one", file=True),
    Param("playouts", 0.0, "how much the result of a simulation counts beside the network's value", low=0, high=1),
)


class NetworkHost(Host):
    """The kernel finds the net among what it sees of the game."""

    def __init__(self, game, values, record):
        super().__init__(game, values, record)
        self.net = files.load(values["net"], game)

    def context(self, context):
        return with_net(context, self.net)

    def value_hook(self):
        return "returns"


def objection(game, values):
    return None if values["net"] else "value=network needs a network; give net=FILE"


COMPONENT = Component(
    "value",
    params=PARAMS,
    provides={"network", "results"},
    needs=("a rule 'features'",),
    objection=objection,
    host=NetworkHost,
)


@inlined
def ask(t, s, p, out):
    """Everybody's value of a position, the result where the game is over."""
    mover = rules.player(t, s)
    if mover == TERMINAL:
        rules.returns(t, s, out)
    else:
        network.values(t, s, mover, p.players, out)


@inlined
def priors(t, s, mover, work, n):
    """How likely the network thinks each of n actions."""
    network.priors(t, s, mover, work.buffer, n, work.priors)


@inlined
def value_of(t, s, work, p):
    """Of the end of a simulation."""
    ask(t, s, p, work.result)
