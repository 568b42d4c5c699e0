"""`network`: what a network says of the leaf, at once; no simulation (AlphaZero: Silver et al. 2017).

With `playouts` λ above 0 the result z of a simulation is mixed in as AlphaGo did (Silver et al. 2016):

    V = (1 - λ) v + λ z

Priors of `select=puct` are the network's as well.
"""

from spielbaum.linked import network, rules
from spielbaum.params import Param
from spielbaum.rules import TERMINAL, inlined

PARAMS = (
    Param("net", "", "the network, a file or the name of one"),
    Param("playouts", 0.0, "how much the result of a simulation counts beside the network's value", low=0, high=1),
)
NETWORK = True


def objection(game, values):
    if not game.has("features"):
        return f"value=network needs a rule 'features', which {game.name} does not have"
    return "" if values["net"] else "value=network needs a network; give net=FILE"


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
