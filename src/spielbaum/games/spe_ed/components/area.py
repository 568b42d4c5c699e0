"""`area`: the share of all free cells that the searching player can reach, at once; nobody else's is looked at."""

from spielbaum.games.spe_ed.evaluate import AREA, worth
from spielbaum.rules import inlined
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.value.difference import EvaluationHost

COMPONENT = Component("value", provides={"at-once"}, requires={"own-only"}, host=EvaluationHost)


@inlined
def value_of(t, s, work, p):
    work.result[p.me] = worth(t.tables, s, p.me, AREA, t.scratch[0])
