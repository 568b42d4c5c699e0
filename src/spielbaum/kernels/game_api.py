"""What `Game` and `State` ask of the rules: start_game, look, advance, and what a seat may see."""

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL, random_stream


def examples(t):
    """Arguments for the kernels that every game of this kind needs; the others are compiled when they are."""
    states, rng = np.zeros(1, rules.STATE), random_stream(0)
    legal, results = np.zeros(1, np.int64), np.zeros(1)
    pairs = [(start_game, (t, states, rng)), (look, (t, states, legal, results)), (advance, (t, states, 0, rng))]
    return pairs + [(observe, (t, states, 0))] * (hooks.HIDES or hooks.ROUNDS)


@kernel
def start_game(t, states, rng):
    """Set up the first position in a state of zeros."""
    hooks.start(t, states[0], rng)


@kernel
def look(t, states, legal, results):
    """Whose decision it is, the legal actions and how many; the results when the game is over."""
    s = states[0]
    player = hooks.player(t, s)
    if player == TERMINAL:
        rules.returns(t, s, results)
        return player, 0
    return player, hooks.legal_of(t, s, player, legal)


@kernel
def advance(t, states, action, rng):
    """Play one action."""
    rules.play(t, states[0], action, rng)


@kernel
def observe(t, states, player):
    """Blank what the player may not see."""
    hooks.observe(t, states[0], player)


@kernel
def open_round(t, states):
    """Begin a round in a position that was set up."""
    rules.open_round(t, states[0])


@kernel
def determinize(t, states, player, rng):
    """Fill the blanks with one possibility."""
    hooks.determinize(t, states[0], player, rng)


@kernel
def guess(t, states, which, player, rng):
    """Fill the blanks with one possibility, as likely as this way of guessing has it."""
    hooks.guess(t, states[0], which, player, rng)


@kernel
def enumerate_worlds(t, states, player, number):
    """Fill the blanks with the possibility of this number; how many there are."""
    return hooks.enumerate_worlds(t, states[0], player, number)
