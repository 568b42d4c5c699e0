"""`fixed`: after the same own actions the others always answer the same, as drawn when a child is made (Quick Civ).

Nothing is stored for it: the dice of an answer depend on the path alone.
"""

from spielbaum.linked import answers, rules
from spielbaum.rules import inlined, mix
from spielbaum.search.mcts.work import NOW

OWN_ONLY = True


def work(game):
    return [("plan", "u8"), ("path_dice", "u8")]  # the seed of a decision, and the dice on this path


@inlined
def depart(work, p):
    work.path_dice = work.plan


@inlined
def step(t, states, work, action, p, rng):
    dice = rng[0]
    rng[0] = mix(work.path_dice, action)
    rules.play(t, states[NOW], action, rng)
    answers.answer(t, states, work, p, rng)
    work.path_dice = rng[0]
    rng[0] = dice
