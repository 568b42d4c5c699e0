"""Agents that search: budgets, thinking in the time of others, and being stopped, whatever the algorithm."""

from __future__ import annotations

import threading
from typing import Any, Protocol

from spielbaum.agents.agent import Watch
from spielbaum.clock import Clock
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State
from spielbaum.params import Param
from spielbaum.search.budget import Budget
from spielbaum.search.report import SearchReport, TreeNode

PONDER = Param("ponder", False, "think in the time of others, about what they are expected to do")


def ponder_params(game: Game) -> tuple[Param, ...]:
    """The switch for pondering, where one can know what to expect."""
    return (PONDER,) if can_ponder(game) else ()


def can_ponder(game: Game) -> bool:
    return not game.chance and not game.hidden


class Search(Protocol):
    """What an algorithm offers to be an agent.

    What it finds while it ponders about a position counts if it is then asked to think about the same one, and
    changes nothing if it is not. A report is asked for between two slices at the earliest; it is None as long as
    nothing is known.
    """

    def think(self, state: State, budget: Budget, watch: Watch | None = None) -> int: ...

    def ponder(self, state: State, budget: Budget, watch: Watch | None = None) -> None: ...

    def report(self, tree_nodes: int = 0) -> SearchReport | None: ...

    def branch(self, path: list[int], depth: int, top: int) -> tuple[TreeNode, State]: ...


class SearchAgent:
    """Plays what a search finds within its budget."""

    def __init__(self, search: Search, values: dict[str, Any]):
        self.search, self.values = search, values
        self.ponders = bool(values.get("ponder"))
        self.enough = threading.Event()
        self.root: State | None = None  # of the last decision
        self.line: list[int] | None = None  # what the last decision expects, once somebody wants to know

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        """The action to play; the first limit that is reached ends the search."""
        self.enough.clear()
        self.root, self.line = state.copy(), None
        return self.search.think(state, self.budget(clock or Clock()), watch)

    def budget(self, clock: Clock) -> Budget:
        """The agent's own limits and those of the clock."""
        seconds = [limit for limit in (self.values.get("seconds"), clock.allotment()) if limit is not None]
        iterations = self.values.get("iterations")
        return Budget(iterations, min(seconds, default=None), clock.deadline, interrupt=self.enough.is_set)

    def ponder(self, state: State, *, watch: Watch | None = None) -> None:
        """Think about the position in which its player is expected to decide next."""
        self.enough.clear()
        ahead = self.expected(state)
        if ahead is None:
            return
        self.search.ponder(ahead, Budget(stop=self.enough.is_set), watch)

    def expected(self, state: State) -> State | None:
        """The next decision of its player if all goes on as the last search expects; None where nobody can tell."""
        if self.root is None or not can_ponder(state.game):
            return None
        if self.line is None:
            report = self.report()
            self.line = report.principal_variation if report else []
        ahead, met = self.root.copy(), False
        me = ahead.player
        for action in self.line:
            if action not in ahead.actions:  # a line of own decisions, without what others do between them
                return None
            ahead.play(action)
            met = met or ahead.array.tobytes() == state.array.tobytes()
            if met and ahead.player == me:
                return ahead
        return None

    def stop(self) -> None:
        """End the current `act` or `ponder` after its slice."""
        self.enough.set()

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What the search has found, at its end or so far."""
        return None if self.root is None else self.search.report(tree_nodes)

    def chances(self) -> dict[int, float] | None:
        """How likely each action was, where `decide=mix` has drawn one."""
        if self.root is None or self.values.get("decide") != "mix":
            return None
        search: Any = self.search
        return dict(zip(*(array.tolist() for array in search.strategy()), strict=True))

    def branch(self, path: list[int], depth: int, top: int) -> tuple[TreeNode, State]:
        """Part of the tree, some levels down from the end of a path of actions, and the position there."""
        if self.root is None:
            raise SpielbaumError("nothing was searched yet, so there is no tree to look at")
        return self.search.branch(path, depth, top)
