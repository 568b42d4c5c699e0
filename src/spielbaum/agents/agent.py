"""What every agent can be asked, whether it searches or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from spielbaum.clock import Clock
from spielbaum.errors import SpielbaumError
from spielbaum.game import State
from spielbaum.search.report import SearchReport, TreeNode

Watch = Callable[[], None]
"""Called between two slices of a search, in its thread: there it may be asked for its report, or told to stop."""


class Agent(Protocol):
    """Decides in a seat. It is given what its player may see, and nothing else."""

    @property
    def ponders(self) -> bool:
        """Whether it wants to think in the time of others."""
        ...

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        """The action to play. A clock limits the thinking, unless the agent has a shorter budget of its own."""
        ...

    def ponder(self, state: State, *, watch: Watch | None = None) -> None:
        """Think in the time of others, until it is stopped; `state` is what its player sees after its own move.

        It returns at once where nothing can be expected. When what was expected happens, the next decision goes on
        with what was found; otherwise it is as if nothing had been pondered.
        """
        ...

    def stop(self) -> None:
        """End the current `act` or `ponder` soon, from any thread; an `act` still answers a legal action."""
        ...

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """What was thought last, or is thought now; None where there is nothing to report."""
        ...

    def chances(self) -> dict[int, float] | None:
        """How likely each action was in the last decision, of an agent that draws; None where nobody can tell."""
        ...

    def branch(self, path: list[int], depth: int, top: int) -> tuple[TreeNode, State]:
        """Part of the tree, some levels down from the end of a path of actions, and the position there."""
        ...


class StatelessAgent:
    """What agents have in common that answer at once: they need no time of others, and there is nothing to stop."""

    ponders = False

    def ponder(self, state: State, *, watch: Watch | None = None) -> None:
        """Nothing: it does not think ahead."""

    def stop(self) -> None:
        """Nothing: it answers at once."""

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        """Nothing, unless a subclass has something to tell."""
        return None

    def chances(self) -> dict[int, float] | None:
        """Unknown, unless a subclass knows them."""
        return None

    def branch(self, path: list[int], depth: int, top: int) -> tuple[TreeNode, State]:
        """Refused: there is no tree."""
        raise SpielbaumError("this agent does not search, so there is no tree to look at")
