"""Components of the tree search that Quick Civ brings along: what its thesis varied, each in one kernel.

An evolution over tree policies and policies of simulations would otherwise link a kernel for every pair of them.
"""

from spielbaum.games.quick_civ.components import any_policy, just_waiting

COMPONENTS = (any_policy, just_waiting)
