"""Builds of Quick Civ as fast as they come: drawn without a list, drawn from the list of all, or only applied."""

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules
from spielbaum.rules import below, inlined


@kernel
def sampled(t, states, choices, buffer, rng, games):
    """Random games from states[0], all choices noted; how many actions were not to wait."""
    return play(t, states, choices, buffer, rng, games, False)


@kernel
def listed(t, states, choices, buffer, rng, games):
    """The same with all legal actions listed before each choice."""
    return play(t, states, choices, buffer, rng, games, True)


@inlined
def play(t, states, choices, buffer, rng, games, lists):
    played, s = 0, states[1]
    for game in range(games):
        states[1] = states[0]
        for number in range(choices.shape[1]):
            for i in range(s.round_count):
                if lists:
                    action = buffer[below(rng, rules.actions_of(t, s, i, buffer))]
                else:
                    action = rules.sample_of(t, s, i, rng)
                choices[game, number, i] = action
                played += action != hooks.ACTION_CODES - 1
            rules.resolve_round(t, s, choices[game, number], rng)
    return played


@kernel
def applied(t, states, choices, rng):
    """The games that were noted, once more."""
    s = states[1]
    for game in range(choices.shape[0]):
        states[1] = states[0]
        for number in range(choices.shape[1]):
            rules.resolve_round(t, s, choices[game, number], rng)
