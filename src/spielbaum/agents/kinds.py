"""The kinds of agents, their parameters, and how a specification becomes one of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielbaum.agents import alphabeta, greedy, human, mcts, network, random
from spielbaum.agents.agent import Agent, Watch
from spielbaum.agents.named import Named, agents_in
from spielbaum.agents.specs import label, parse, spell
from spielbaum.agents.weights import weight_params, weight_values
from spielbaum.clock import Clock
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.game import Game, State
from spielbaum.params import Param, fill
from spielbaum.protocol import parameters


@dataclass(frozen=True)
class Kind:
    """A sort of agents: what it is, what it takes, and which games it can play."""

    name: str
    help: str
    params: Callable[[Game], tuple[Param, ...]]
    build: Callable[[Game, dict[str, Any], int], Agent]
    objection: Callable[[Game], str | None] = lambda game: None

    def seat(self, game: Game, values: dict[str, Any], seed: int) -> Agent:
        """An agent of this kind that sees what its player sees, whatever it is given."""
        agent = self.build(game, values, seed)
        agent.__class__ = blinkered(type(agent))
        return agent


class Blinkers:
    """Goes before an agent's class: it acts on the view of the player to move, and ponders on that of who acted last.

    Not around the agent: an agent that referred to itself would keep its tree until garbage is collected.
    """

    me: int | None = None

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        """The action to play."""
        self.me = state.player
        return super().act(seen(state, self.me), clock, watch=watch)  # type: ignore[misc,no-any-return]

    def ponder(self, state: State, *, watch: Watch | None = None) -> None:
        """Think in the time of others."""
        super().ponder(state if self.me is None else seen(state, self.me), watch=watch)  # type: ignore[misc]


@functools.cache
def blinkered(agent: type) -> type:
    """A class of agents with blinkers."""
    return type(agent.__name__, (Blinkers, agent), {})


def seen(state: State, player: int) -> State:
    """What a player sees, looked at once."""
    return state if state.viewer == player or state.over else state.view(player)


def no_params(game: Game) -> tuple[Param, ...]:
    return ()


KINDS = (
    Kind("random", "plays a uniformly random legal action", no_params, random.Random),
    Kind(
        "greedy",
        "plays the action after which the game's evaluation is best",
        greedy.params,
        greedy.Greedy,
        greedy.objection,
    ),
    Kind("mcts", "Monte Carlo tree search", mcts.params, mcts.build),
    Kind(
        "ismcts",
        "information-set Monte Carlo tree search, for hidden information",
        mcts.information_set_params,
        mcts.build_information_set,
    ),
    Kind(
        "minimax",
        "plain minimax to a fixed depth; max^n for more than two players",
        alphabeta.minimax_params,
        alphabeta.build_minimax,
        alphabeta.objection,
    ),
    Kind(
        "alphabeta",
        "iterative deepening alpha-beta with a transposition table",
        alphabeta.params,
        alphabeta.build,
        alphabeta.objection,
    ),
    Kind(
        "network",
        "tree search with the priors and values of a network",
        network.params,
        network.build,
        network.objection,
    ),
    Kind(
        "policy",
        "what a network likes best, without search",
        network.policy_params,
        network.NetPolicy,
        network.objection,
    ),
    Kind("human", "asks a person in the terminal", no_params, human.Human),
)

LEVELS = ("medium", "hard")  # what a game may call the opponent to begin with


def kinds(game: Game) -> list[Kind]:
    """The general agents that can play a game, then its own kinds and its policies."""
    own = list(getattr(game.module, "KINDS", ()))
    taken = {kind.name for kind in own}  # an agent may be more than the policy of its name
    own += [policy_kind(name) for name in getattr(game.module, "POLICIES", ()) if name not in taken]
    named_anew = {kind.name for kind in own}  # a game may have a policy `random` of its own
    return [kind for kind in KINDS if kind.objection(game) is None and kind.name not in named_anew] + own


def policy_kind(name: str) -> Kind:
    """A game's playout policy as an agent."""

    def params(game: Game) -> tuple[Param, ...]:
        policies = game.module.POLICIES
        rule = policies[name] if isinstance(policies, dict) else game.module.policy
        return weight_params(game) if "weights" in parameters(rule) else ()

    def build(game: Game, values: dict[str, Any], seed: int) -> Agent:
        weights = weight_values(game, values) if params(game) else np.zeros(1)
        return random.Policy(game, name, weights, seed)

    return Kind(name, "a policy of the game", params, build)


def own_agents(game: Game) -> dict[str, str]:
    """The agents that the game names itself, with what they stand for."""
    return dict(getattr(game.module, "AGENTS", {}))


def in_file(game: Game) -> dict[str, Named]:
    """The agents that somebody's file names for the game."""
    return agents_in(game, names_taken(game))


def names_taken(game: Game) -> set[str]:
    """What the agents are called that there are without any file."""
    return {kind.name for kind in (*KINDS, *kinds(game))} | own_agents(game).keys()


def opponent(game: Game) -> str:
    """An agent to begin with: a level of the game's own, or a general search."""
    levels = [level for level in LEVELS if level in own_agents(game)]
    return levels[0] if levels else general_search(game)


def strongest(game: Game) -> str:
    """The agent to ask for advice: the last of the game's own, which are named in order of strength, or a search."""
    own = list(own_agents(game))
    return own[-1] if own else general_search(game)


def general_search(game: Game) -> str:
    """A search that every game can be given."""
    return f"{'ismcts' if game.hidden else 'mcts'}:iterations=5000"


def pin(spec: str, game: Game) -> str:
    """A specification that means the same wherever it is read, and when: a name from a file with what it stands for.

    What has no name from the file stays as it is. Errors say where in the file something is wrong.
    """
    found = in_file(game)
    name, given = parse(spec)
    if label(spec) or name not in found:
        return spec
    named, basis, values = found[name], name, dict[str, Any]()
    while basis in found:
        basis, further = parse(found[basis].spec)
        values = {**further, **values}
    try:
        resolve(spell(basis, values), game)
    except SpielbaumError as error:
        raise SpielbaumError(f"{named.where}: {error}") from None
    return f"{name}={spell(basis, {**values, **given})}"


def meaning(spec: str, game: Game) -> str:
    """What a specification stands for, without a name from a file or a label."""
    pinned = pin(spec, game)
    return spell(*parse(pinned)) if label(pinned) else spec


def resolve(spec: str, game: Game) -> tuple[Kind, dict[str, Any]]:
    """The kind of agent that a specification means, and all its parameters; errors say what would be right."""
    name, given = parse(spec)
    own, fitting = own_agents(game), {kind.name: kind for kind in kinds(game)}
    if name not in fitting and name not in names_taken(game):
        name, given = parse(pin(spec, game))
    seen = set[str]()
    while name in own and name not in seen:
        seen.add(name)
        name, basis = parse(own[name])
        given = {**basis, **given}
    if name not in fitting:
        for kind in KINDS:
            if kind.name == name:
                raise SpielbaumError(f"{name} can't play {game.name}: {kind.objection(game)}")
        raise unknown("agent", name, [*fitting, *own, *in_file(game)], game.name)
    kind = fitting[name]
    return kind, fill(declared(kind, game), given, f"{name} in {game.name}")


@functools.lru_cache(maxsize=16)
def declared(kind: Kind, game: Game) -> tuple[Param, ...]:
    """The parameters of a kind; a tuner resolves dozens of specifications for a few games."""
    return kind.params(game)


def make(spec: str, game: Game, seed: int = 0) -> Agent:
    """An agent for one game, from its specification and a seed."""
    kind, values = resolve(spec, game)
    return kind.seat(game, values, seed)
