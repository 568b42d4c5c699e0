"""The optional hooks of a game, each with what happens in a game that does not have it.

Other templates call these and need not know which hooks a game offers.
"""

import numpy as np

from spielbaum.errors import GameError
from spielbaum.link import title
from spielbaum.linked import rules
from spielbaum.rules import TERMINAL, below, rule

NAME = title(rules)
TOO_MANY = f"{NAME}: actions offered more than MAX_ACTIONS = {rules.MAX_ACTIONS} actions"
OUT_OF_RANGE = f"{NAME}: actions offered a code outside 0 … ACTION_CODES - 1 = {rules.ACTION_CODES - 1}"
NONE_LEGAL = f"{NAME}: actions offered none although player says that the game goes on"
NO_PLAYER = f"{NAME}: player answered a number outside 0 … PLAYERS - 1 = {rules.PLAYERS - 1}"

MAX_ACTIONS, ACTION_CODES, PLAYERS = rules.MAX_ACTIONS, rules.ACTION_CODES, rules.PLAYERS


@rule
def count_actions(t, s, out):
    """The number of legal actions, listed in `out`; at least one, at most MAX_ACTIONS."""
    n = rules.actions(t, s, out)
    if n > MAX_ACTIONS:
        raise GameError(TOO_MANY)
    if n <= 0:
        raise GameError(NONE_LEGAL)
    return n


@rule
def legal(t, s, out):
    """As count_actions, with every code checked: what a tree or a person may be offered."""
    n = count_actions(t, s, out)
    for i in range(n):
        if out[i] < 0 or out[i] >= ACTION_CODES:
            raise GameError(OUT_OF_RANGE)
    return n


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

    @rule
    def sample(t, s, buffer, rng):
        return rules.sample(t, s, rng)

else:

    @rule
    def sample(t, s, buffer, rng):
        """A uniformly random legal action."""
        n = count_actions(t, s, buffer)
        return buffer[below(rng, n)]


if hasattr(rules, "playout"):

    @rule
    def playout(t, s, buffer, rng, limit):
        return rules.playout(t, s, rng, limit)

else:

    @rule
    def playout(t, s, buffer, rng, limit):
        """Random play to the end or the limit; the number of actions played."""
        for ply in range(limit):
            if rules.player(t, s) == TERMINAL:
                return ply
            rules.play(t, s, sample(t, s, buffer, rng), rng)
        return limit


HAS_EVALUATE = hasattr(rules, "evaluate")
if HAS_EVALUATE:
    evaluate = rules.evaluate
else:

    @rule
    def evaluate(t, s, weights, player):
        return 0.0


if hasattr(rules, "policy"):
    policy = rules.policy
else:

    @rule
    def policy(t, s, which, rng):
        return -1


if hasattr(rules, "keep"):
    keep = rules.keep
else:

    @rule
    def keep(t, s, which, action):
        return True


if hasattr(rules, "prior"):
    prior = rules.prior
else:

    @rule
    def prior(t, s, actions, n, out):
        """Equal preferences."""
        share = 1.0 / n
        for i in range(n):
            out[i] = share


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


METRICS = len(getattr(rules, "METRICS", ()))
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


if hasattr(rules, "hide"):
    hide, determinize = rules.hide, rules.determinize
else:

    @rule
    def hide(t, s, player):
        pass

    @rule
    def determinize(t, s, player, rng):
        pass


if hasattr(rules, "guess"):
    guess = rules.guess
else:

    @rule
    def guess(t, s, which, player, rng):
        pass


if hasattr(rules, "possibility"):
    possibility = rules.possibility
else:

    @rule
    def possibility(t, s, player, number):
        return 0


if hasattr(rules, "credit"):
    credit = rules.credit
else:

    @rule
    def credit(t, s, player):
        return True


HIDES_IN_PLACE = hasattr(rules, "copy_hidden")
if HIDES_IN_PLACE:
    copy_hidden = rules.copy_hidden
else:

    @rule
    def copy_hidden(t, s, other):
        pass
