"""`shared`: the others' moves are drawn once for a node, and all its children share the draw.

So children are compared against the same behaviour, and differ by what they do themselves.
"""

from spielbaum.linked import answers, rules
from spielbaum.rules import inlined, mix, stream_of
from spielbaum.search.mcts.work import NOW

OWN_ONLY = True


def work(game):
    return [("plan", "u8"), ("path_dice", "u8")]  # the seed of a decision, and the dice of the node


@inlined
def depart(work, p):
    work.path_dice = work.plan


@inlined
def step(t, states, work, action, p, rng):
    dice = rng[0]
    rng[0] = stream_of(work.path_dice)
    rules.play(t, states[NOW], action, rng)
    answers.answer(t, states, work, p, rng)
    rng[0] = dice
    work.path_dice = mix(work.path_dice, action)
