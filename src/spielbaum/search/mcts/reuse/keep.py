"""`keep`: what lies below the moves that were played is the next tree, as it is."""

from __future__ import annotations

from spielbaum.game import State
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import ReuseHost
from spielbaum.search.mcts.search_tree import SearchTree


class Keep(ReuseHost):
    normalises = False

    def carry_over(self, tree: SearchTree, state: State, actions: list[int]) -> None:
        if tree.rounds:
            tree.keep_rounds(joint_actions(state, actions), self.normalises)
        else:
            tree.keep_subtree(actions, self.normalises)


COMPONENT = Component("reuse", provides={"keeps-tree"}, excludes={"shared-nodes", "fixed-opponents"}, host=Keep)


def joint_actions(state: State, actions: list[int]) -> list[list[int]]:
    """Actions since a position, round by round, in the order of the movers."""
    state, joint = state.copy(), []
    state.array["round_first"] = 0
    rounds: list[dict[int, int]] = [{}]
    for action in actions:
        movers = state.movers
        rounds[-1][state.player] = action
        state.play(action)
        if len(rounds[-1]) == len(movers):
            joint.append([rounds[-1][mover] for mover in movers])
            rounds.append({})
    return joint
