"""The hooks of a game, checked, and for the optional ones what happens in a game that does not have them.

Other templates call these and need not know which hooks a game offers. What ends in `_of` is about the decision
of a given player, the same name without it about that of the player to move.
"""

import numpy as np

from spielbaum.compile.link import title
from spielbaum.errors import GameError
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL, below, inlined, rule, uniform

NAME = title(rules)
TOO_MANY = f"{NAME}: actions offered more than MAX_ACTIONS = {rules.MAX_ACTIONS} actions"
OUT_OF_RANGE = f"{NAME}: actions offered a code outside 0 … ACTION_CODES - 1 = {rules.ACTION_CODES - 1}"
NONE_LEGAL = f"{NAME}: actions offered none although the game goes on"
NO_PLAYER = f"{NAME}: player answered a number outside 0 … PLAYERS - 1 = {rules.PLAYERS - 1}"

MAX_ACTIONS, ACTION_CODES, PLAYERS = rules.MAX_ACTIONS, rules.ACTION_CODES, rules.PLAYERS
ROUNDS = hasattr(rules, "movers")
HIDES = hasattr(rules, "hide")
HIDES_IN_PLACE = hasattr(rules, "copy_hidden")
HAS_EVALUATE = hasattr(rules, "evaluate")
MOST_DRAWS = 64  # of worlds that are turned down
METRICS = len(getattr(rules, "METRICS", ()))
DECIDES = hasattr(rules, "decided")
NO_OPENING, OPENING_DRAWS = -1, 32
DECIDED_EVERY = 10 * (PLAYERS if ROUNDS else 1)  # moves of a playout between two looks whether its result is certain


@rule
def count_actions_of(t, s, player, out):
    """The number of a player's legal actions, listed in `out`; at least one, at most MAX_ACTIONS."""
    n = rules.actions_of(t, s, player, out)
    if n > MAX_ACTIONS:
        raise GameError(TOO_MANY)
    if n <= 0:
        raise GameError(NONE_LEGAL)
    return n


@inlined
def count_actions(t, s, out):
    return count_actions_of(t, s, rules.player(t, s), out)


@rule
def legal_of(t, s, player, out):
    """As count_actions_of, with every code checked: what a tree or a person may be offered."""
    n = count_actions_of(t, s, player, out)
    for i in range(n):
        if out[i] < 0 or out[i] >= ACTION_CODES:
            raise GameError(OUT_OF_RANGE)
    return n


@inlined
def legal(t, s, out):
    return legal_of(t, s, rules.player(t, s), out)


@rule
def player(t, s):
    """Whose decision it is, checked."""
    who = rules.player(t, s)
    if who != TERMINAL and (who < 0 or who >= PLAYERS):
        raise GameError(NO_PLAYER)
    return who


if hasattr(rules, "start"):
    start = rules.start
else:

    @rule
    def start(t, s, rng):
        pass


if hasattr(rules, "sample"):

    @inlined
    def sample_of(t, s, player, buffer, rng):
        return rules.sample_of(t, s, player, rng)

else:

    @rule
    def sample_of(t, s, player, buffer, rng):
        """A uniformly random legal action."""
        n = count_actions_of(t, s, player, buffer)
        return buffer[below(rng, n)]


@inlined
def sample(t, s, buffer, rng):
    return sample_of(t, s, rules.player(t, s), buffer, rng)


if DECIDES:
    decided = rules.decided
else:

    @inlined
    def decided(t, s, out):
        """The result is certain only when the game is over."""
        return False


if hasattr(rules, "playout") and ROUNDS:

    @rule
    def playout(t, s, buffer, rng, limit):
        """The game's own playout, which begins where a round does."""
        played = 0
        while s.round_asked > 0:
            rules.play(t, s, sample(t, s, buffer, rng), rng)
            played += 1
        return played + rules.playout(t, s, rng, limit - played)

elif hasattr(rules, "playout"):

    @inlined
    def playout(t, s, buffer, rng, limit):
        return rules.playout(t, s, rng, limit)

else:

    @rule
    def playout(t, s, buffer, rng, limit):
        """Random play to the end or the limit; the number of actions played."""
        for ply in range(limit):
            player = rules.player(t, s)
            if player == TERMINAL:
                return ply
            rules.play(t, s, sample_of(t, s, player, buffer, rng), rng)
        return limit


@rule
def finish_round(t, s, buffer, rng):
    """Where others choose at the same time: let them choose at random, so that the round happens."""
    if ROUNDS:
        while s.round_asked > 0:
            rules.play(t, s, sample(t, s, buffer, rng), rng)


if HAS_EVALUATE:
    evaluate = rules.evaluate
else:

    @rule
    def evaluate(t, s, weights, player):
        return 0.0


if hasattr(rules, "policy_of"):
    policy_of = rules.policy_of
else:

    @rule
    def policy_of(t, s, player, which, weights, rng):
        return -1


@inlined
def policy(t, s, which, weights, rng):
    return policy_of(t, s, rules.player(t, s), which, weights, rng)


if hasattr(rules, "keep"):
    keep_of = rules.keep_of
else:

    @rule
    def keep_of(t, s, player, which, action, weights):
        return True


if hasattr(rules, "prior"):
    prior_of = rules.prior_of
else:

    @rule
    def prior_of(t, s, player, actions, n, out, weights):
        """Equal preferences."""
        share = 1.0 / n
        for i in range(n):
            out[i] = share


if hasattr(rules, "changed"):
    changed = rules.changed
else:

    @rule
    def changed(t, s, before, out):
        return 0


if hasattr(rules, "key"):
    key = rules.key
else:

    @rule
    def key(t, s):
        return np.uint64(0)


if hasattr(rules, "capture"):
    capture = rules.capture
else:

    @rule
    def capture(t, s, action):
        return False


@rule
def opening(t, s, buffer, rng):
    """A random action to begin a game with, which takes nothing; NO_OPENING where chance finds none."""
    for _ in range(OPENING_DRAWS):
        action = sample(t, s, buffer, rng)
        if not capture(t, s, action):
            return action
    return NO_OPENING


if hasattr(rules, "adjudicated"):
    adjudicated = rules.adjudicated
else:

    @rule
    def adjudicated(t, s):
        return False


if METRICS:
    metrics = rules.metrics
else:

    @rule
    def metrics(t, s, player, out):
        pass


if hasattr(rules, "captures"):
    captures = rules.captures
elif hasattr(rules, "capture"):

    @rule
    def captures(t, s, out):
        """The legal actions that are captures."""
        n = 0
        for i in range(count_actions(t, s, out)):
            if rules.capture(t, s, out[i]):
                out[n] = out[i]
                n += 1
        return n

else:

    @rule
    def captures(t, s, out):
        return 0


if HIDES:
    hide = rules.hide
else:

    @rule
    def hide(t, s, player):
        pass


if hasattr(rules, "hides"):
    hides = rules.hides
else:

    @inlined
    def hides(t):
        """Whether anything is hidden, where it does not depend on the options."""
        return HIDES


if hasattr(rules, "likelihood"):

    @rule
    def determinize(t, s, player, rng):
        """Fill the blanks, the likelier what others did would be then, the more often (rejection sampling)."""
        for _ in range(MOST_DRAWS):
            rules.determinize(t, s, player, rng)
            if uniform(rng) < rules.likelihood(t, s, player):
                return
            rules.hide(t, s, player)
        rules.determinize(t, s, player, rng)

elif HIDES:
    determinize = rules.determinize
else:

    @rule
    def determinize(t, s, player, rng):
        pass


observe = rules.observe if HIDES or ROUNDS else hide


if hasattr(rules, "guess"):
    guess = rules.guess
else:

    @rule
    def guess(t, s, which, player, rng):
        pass


if hasattr(rules, "enumerate_worlds"):
    enumerate_worlds = rules.enumerate_worlds
else:

    @rule
    def enumerate_worlds(t, s, player, number):
        return 0


if hasattr(rules, "credit_assignment"):
    credit_assignment = rules.credit_assignment
else:

    @rule
    def credit_assignment(t, s, player):
        return True


if HIDES_IN_PLACE:
    copy_hidden = rules.copy_hidden
else:

    @rule
    def copy_hidden(t, s, other):
        pass
