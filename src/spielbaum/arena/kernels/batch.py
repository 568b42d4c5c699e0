"""Whole games between policies inside one kernel call.

They are the games that `spielbaum.arena.single.play_game` plays with the same agents and seeds, action by
action: each policy sees what its seat may see and draws from a stream of its own.
"""

import numpy as np

from spielbaum.compile.link import kernel
from spielbaum.errors import GameError
from spielbaum.kernels import hooks
from spielbaum.kernels import policies as by
from spielbaum.linked import rules
from spielbaum.rules import DICE, FIRST_KEY, OPENING, TERMINAL, inlined, mix_seed, rule, seat_seed, stream_of

VIEW, TRIAL, NOW, BLANK = range(4)  # the states: what a policy sees, what it tries, the game, and a state of zeros
METRICS, ROUNDS = hooks.METRICS, hooks.ROUNDS
LISTED = not hasattr(rules, "sample")  # a random action comes from the list of the legal ones
NO_ROOM, ILLEGAL = -1, -2
ENDLESS = f"{hooks.NAME}: a game did not end within the most actions that a game may have"


@kernel
def play(t, states, work, tasks, policies, weights, out):
    """Play games until all are played or the room for actions is full; how many were played.

    A game in which a policy chose an illegal action has the length -1, and nothing of it is kept. `tasks` and `out`
    are tuples of arrays, see `spielbaum.arena.kernel_runner`.
    """
    seeds, agent_seeds, seats = tasks
    lengths, decisions, returns, actions, notes, noted, finals = out
    w = work[0]
    w.used, w.row = 0, 0
    for g in range(len(seeds)):
        w.game = g
        noted_before = w.row
        start_game(t, states, w, seeds[g], agent_seeds[g])
        opened = open_with(t, states, w, actions, seeds[g])
        length = play_on(t, states, w, seats[g], policies, weights, actions, decisions[g], notes, opened)
        if length == NO_ROOM:
            return g
        if length == ILLEGAL:
            w.row = noted_before
            lengths[g], noted[g] = -1, w.row
            continue
        w.used += length
        lengths[g], noted[g] = length, w.row
        rules.returns(t, states[NOW], w.result)
        for q in range(w.players):
            returns[g, q] = w.result[q]
        if len(finals) > 0:
            finals[g] = states[NOW]
    return len(seeds)


@inlined
def start_game(t, states, w, seed, agent_seed):
    """A new game, with its dice and its players' streams."""
    w.dice[0] = stream_of(mix_seed(mix_seed(FIRST_KEY, seed), DICE))
    for q in range(w.players):
        w.streams[q] = stream_of(mix_seed(FIRST_KEY, seat_seed(agent_seed, q)))
    states[NOW] = states[BLANK]
    hooks.start(t, states[NOW], w.dice)


@inlined
def open_with(t, states, w, actions, seed):
    """Random moves that take nothing and do not end the game; how many."""
    w.rng[0] = stream_of(mix_seed(mix_seed(FIRST_KEY, seed), OPENING))
    for ply in range(w.opening):
        if w.used + ply >= len(actions):
            return ply
        dice = w.dice[0]
        states[VIEW] = states[NOW]
        action = hooks.opening(t, states[VIEW], w.buffer, w.rng)
        if action == hooks.NO_OPENING:
            return ply
        rules.play(t, states[VIEW], action, w.dice)
        if rules.player(t, states[VIEW]) == TERMINAL:
            w.dice[0] = dice
            return ply
        states[NOW] = states[VIEW]
        actions[w.used + ply] = action
    return w.opening


@inlined
def play_on(t, states, w, seats, policies, weights, actions, decisions, notes, length):
    """Play to the end; the number of actions in all, NO_ROOM where they do not fit, ILLEGAL where one is."""
    s = states[NOW]
    before = TERMINAL
    for q in range(w.players):
        decisions[q] = 0
    while True:
        player = rules.player(t, s)
        if METRICS and (player == TERMINAL or (w.rounds and (before == TERMINAL or begins_round(s, player, before)))):
            note(t, s, w, notes)
        if player == TERMINAL:
            return length
        if w.used + length >= len(actions):
            return NO_ROOM
        if length >= w.limit:
            raise GameError(ENDLESS)
        agent = seats[player]
        w.rng[0] = w.streams[player]
        action = choose(t, states, w, player, policies[agent], weights[agent])
        w.streams[player] = w.rng[0]
        if not (LISTED and policies[agent] == by.UNIFORM) and not is_legal(t, s, player, action, w.buffer):
            return ILLEGAL
        actions[w.used + length] = action
        rules.play(t, s, action, w.dice)
        decisions[player] += 1
        length += 1
        before = player


@rule
def begins_round(s, player, before):
    """Whether all movers are asked anew; in a game in turns, whether the turn has come to a lower seat."""
    if ROUNDS:
        return s.round_asked == 0
    return player < before


@rule
def choose(t, states, w, player, which, weights):
    """The action of the player's policy, which knows what the player sees."""
    if which == by.UNIFORM:
        action = hooks.sample_of(t, states[NOW], player, w.buffer, w.rng)
    elif which == by.ONE_PLY:
        action = by.look_ahead(
            t, states, NOW, VIEW, TRIAL, player, w.buffer, w.spare, w.values, w.result, weights, w.rng
        )
    else:
        action = by.follow(hooks.policy_of, t, states, NOW, VIEW, player, which, weights, w.rng)
    return action


@rule
def is_legal(t, s, player, action, buffer):
    """Whether an action is among those that a player may choose."""
    for i in range(hooks.count_actions_of(t, s, player, buffer)):
        if buffer[i] == action:
            return True
    return False


@rule
def note(t, s, w, notes):
    """Write down the metrics of all players."""
    for q in range(w.players):
        hooks.metrics(t, s, q, w.metrics)
        for m in range(hooks.METRICS):
            notes[w.row, q, m] = w.metrics[m]
    w.row += 1


@kernel
def replay(t, states, work, tasks, actions, out):
    """Play stored games again; `wrong` tells after how many moves one goes astray, -1 where none does.

    What is not a move, and whatever follows the end, counts as wrong. `tasks` are the games' seeds and lengths.
    """
    seeds, lengths = tasks
    wrong, over, decisions, returns, metrics, finals = out
    w = work[0]
    w.used = 0
    for g in range(len(seeds)):
        start_game(t, states, w, seeds[g], 0)
        wrong[g] = play_again(t, states[NOW], w, actions[w.used : w.used + lengths[g]], decisions[g])
        w.used += lengths[g]
        over[g] = rules.player(t, states[NOW]) == TERMINAL
        if over[g]:
            rules.returns(t, states[NOW], w.result)
        for q in range(w.players):
            returns[g, q] = w.result[q]
            if METRICS:
                hooks.metrics(t, states[NOW], q, w.metrics)
                for m in range(METRICS):
                    metrics[g, q, m] = w.metrics[m]
        if len(finals) > 0:
            finals[g] = states[NOW]


@rule
def play_again(t, s, w, actions, decisions):
    for q in range(w.players):
        decisions[q] = 0
    for ply in range(len(actions)):
        player = rules.player(t, s)
        if player == TERMINAL or not is_legal(t, s, player, actions[ply], w.buffer):
            return ply
        decisions[player] += 1
        rules.play(t, s, np.int64(actions[ply]), w.dice)
    return -1
