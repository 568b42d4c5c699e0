"""Phase 3, simulate: what players do in a simulation.

start_playout(work, p, rng)                           a simulation begins
playout_action(t, states, work, player, p, rng)       the action of a player in the position NOW
"""

DEFAULT, HELP = "policies", "how simulated players choose"
