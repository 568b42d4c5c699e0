"""Phase 3, after a simulation: what it is worth.

value_of(t, s, work, p)    the value of the simulation that ended in s, for every player, into work.result

There is no simulation where a component provides `at-once`: then s is the leaf itself.
"""

DEFAULT, HELP = "result", "value of a simulation: result, evaluation, or its difference to the root's"
