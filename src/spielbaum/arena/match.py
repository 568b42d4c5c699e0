"""One game between agents: each sees what its seat may see, and only legal actions count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spielbaum.agents import Agent, make
from spielbaum.errors import IllegalAction, SpielbaumError
from spielbaum.game import Game, State

MOST_ACTIONS = 100_000  # a game that goes on longer is broken


@dataclass(frozen=True)
class GameRecord:
    """A finished game: enough to play it again."""

    seed: int
    actions: list[int]
    returns: list[float]


def seat_seed(seed: int, seat: int) -> int:
    """The seed of the agent in a seat; no two seats of a game share theirs, nor does the game itself."""
    return seed * 64 + seat + 1


def make_agents(game: Game, specs: Sequence[str], seed: int) -> list[Agent]:
    """One agent per seat, each with a random stream of its own."""
    if len(specs) != game.players:
        raise SpielbaumError(f"{game.name} has {game.players} seats ({', '.join(game.seats)}), not {len(specs)}")
    return [make(spec, game, seat_seed(seed, seat)) for seat, spec in enumerate(specs)]


def play_game(
    game: Game,
    agents: Sequence[Agent],
    seed: int = 0,
    watch: Callable[[State, int], None] | None = None,
) -> GameRecord:
    """Play one game to its end; `watch` is called with every position and the action chosen there."""
    state, actions = game.new(seed), list[int]()
    while not state.over:
        if len(actions) >= MOST_ACTIONS:
            raise SpielbaumError(f"{game.name} did not end within {MOST_ACTIONS} actions")
        action = ask(agents[state.player], state)
        if watch is not None:
            watch(state, action)
        actions.append(action)
        state.play(action)
    return GameRecord(seed, actions, state.returns)


def ask(agent: Agent, state: State) -> int:
    """The agent's answer, refused unless it is legal."""
    action = agent.act(state.view(state.player))
    if action not in state.actions:
        raise IllegalAction(
            f"the agent in seat {state.seat} of {state.game.name} answered action {action}, which is not legal;"
            f" legal: {' '.join(state.moves[:12])}"
        )
    return action
