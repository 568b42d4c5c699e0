"""`area-div-enemies`: the cells that the searching player can reach, divided by those that its enemies can, at once.

Team Valhalla's aggressive evaluation. Their report keeps Thor to `area`: what enemies can reach depends on the moves
that were drawn for them, so that no plan lasts.
"""

from spielbaum.games.spe_ed.evaluate import AREA_DIV_ENEMIES, worth
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.value.difference import EvaluationHost

COMPONENT = Component("value", provides={"at-once"}, requires={"own-only"}, host=EvaluationHost)


@inlined
def value_of(t, s, work, p):
    work.result[p.me] = worth(t.tables, s, p.me, AREA_DIV_ENEMIES, t.scratch[0])
