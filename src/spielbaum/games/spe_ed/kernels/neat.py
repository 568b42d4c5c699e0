"""Nets that play spe_ed: one decision, and whole games against simple opponents, by which nets are bred."""

from spielbaum.compile.link import kernel
from spielbaum.games.spe_ed.neat.net import answer
from spielbaum.games.spe_ed.policies import survives
from spielbaum.games.spe_ed.rules import ANSWERS, lasted
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import DICE, FIRST_KEY, TERMINAL, mix_seed, rule, seat_seed, stream_of

NOW, BLANK = range(2)  # the states: the game, and one of zeros
ROUNDS, RETURN, DEAD_END = range(3)  # what is told of a game


@kernel
def choose(t, states, player, net, values):
    """What a net answers."""
    return answer(t.tables, states[0], player, net, values)


@kernel
def contest(t, states, seeds, policies, weights, net, values, rng, results, out):
    """Games of a net against policies, one for each seed: rounds it lasted, its return, whether it ended in a dead end.

    The net sits in each seat in turn; all others of a game follow the same policy.
    """
    for game in range(len(seeds)):
        seat, which = game % t.tables.players, policies[game % len(policies)]
        out[game, DEAD_END] = play(t, states, seeds[game], seat, which, weights, net, values, rng)
        rules.returns(t, states[NOW], results)
        out[game, ROUNDS] = lasted(states[NOW], seat)
        out[game, RETURN] = results[seat]


@rule
def play(t, states, seed, seat, which, weights, net, values, rng):
    """Play until the net's place is known; whether it is out and had no move left that it could have lived through."""
    rng[0] = stream_of(mix_seed(mix_seed(FIRST_KEY, seed), DICE))
    states[NOW] = states[BLANK]
    hooks.start(t, states[NOW], rng)
    s, stuck = states[NOW], False
    rng[0] = stream_of(mix_seed(FIRST_KEY, seat_seed(seed, seat)))
    while True:
        player = rules.player(t, s)
        if player == TERMINAL or s.died[seat] > 0:
            return stuck and s.died[seat] > 0
        if player == seat:
            action = answer(t.tables, s, player, net, values)
            stuck = not has_a_way_out(t.tables, s, player)
        else:
            action = rules.policy_of(t, s, player, which, weights, rng)
        rules.play(t, s, action, rng)


@rule
def has_a_way_out(t, s, player):
    """Whether some move would be lived through if nobody else moved."""
    for action in range(ANSWERS):
        if survives(t, s, player, action):
            return True
    return False
