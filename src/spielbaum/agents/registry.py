"""The types of agents, their parameters, and how a specification becomes one of them.

A type is Python: general ones stand here, those of a game in its `AGENT_TYPES`, others in a file that
`spielbaum.toml` names.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielbaum import plugins
from spielbaum.agents import alphabeta, greedy, human, mcts, network, random
from spielbaum.agents.agent import Agent, Watch
from spielbaum.agents.named import NAME, NO_NAME, Named, agent_types_file, agents_in
from spielbaum.agents.specs import format_spec, label, parse
from spielbaum.agents.weights import weight_params, weight_values
from spielbaum.clock import Clock
from spielbaum.compile.notices import say
from spielbaum.errors import IllegalAction, SpielbaumError, unknown
from spielbaum.game import Game, State, module_from
from spielbaum.params import Param, fill, whole_number, written
from spielbaum.protocol import parameters
from spielbaum.rules import SEEDS
from spielbaum.text import quoted


@dataclass(frozen=True)
class AgentType:
    """A type of agents: what it is, what it takes, and which games it can play."""

    name: str
    help: str
    params: Callable[[Game], tuple[Param, ...]]
    build: Callable[[Game, dict[str, Any], int], Agent]
    objection: Callable[[Game], str | None] = lambda game: None

    def seat(self, game: Game, values: dict[str, Any], seed: int) -> Agent:
        """An agent of this agent_type that sees what its player sees, whatever it is given."""
        agent = self.build(game, values, whole_number("seed", seed, 0, SEEDS - 1))
        agent.__class__ = guarded(type(agent))
        agent.made = self, game, values  # type: ignore[attr-defined]
        return agent

    def spec(self, game: Game, values: dict[str, Any]) -> str:
        """The specification of an agent of this agent_type, without what is as declared."""
        changed = {param.name for param in declared(self, game) if values[param.name] != param.default}
        return format_spec(self.name, {name: written(value) for name, value in values.items() if name in changed})


class ViewGuard:
    """Goes before an agent's class: it acts on the view of the player to move, and ponders on that of who acted last.

    It also closes an agent that can be closed, when nobody needs it any more.

    Not around the agent: an agent that referred to itself would keep its tree until garbage is collected.
    """

    me: int | None = None
    made: tuple[AgentType, Game, dict[str, Any]]

    def __repr__(self) -> str:
        agent_type, game, values = self.made
        return f"<Agent {agent_type.spec(game, values)} for {game.name}>"

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        """The action to play."""
        _, game, _ = self.made
        if not isinstance(state, State) or state.game.name != game.name:
            given = f"one of {state.game.name}" if isinstance(state, State) else quoted(state)
            raise SpielbaumError(f"an agent for {game.name} decides in a State of that game, not in {given}")
        if state.over:
            raise IllegalAction("there is nothing to decide: the game is over")
        self.me = state.player
        return super().act(view_for(state, self.me), clock, watch=watch)  # type: ignore[misc,no-any-return]

    def ponder(self, state: State, *, watch: Watch | None = None) -> None:
        """Think in the time of others."""
        super().ponder(state if self.me is None else view_for(state, self.me), watch=watch)  # type: ignore[misc]


@functools.cache
def guarded(agent: type) -> type:
    """A class of agents that sees only what its player sees."""
    ends = {"__del__": lambda self: self.close()} if hasattr(agent, "close") else {}
    return type(agent.__name__, (ViewGuard, agent), ends)


def view_for(state: State, player: int) -> State:
    """What a player sees, looked at once."""
    return state if state.viewer == player or state.over else state.view(player)


def no_params(game: Game) -> tuple[Param, ...]:
    return ()


AGENT_TYPES = (
    AgentType("random", "plays a uniformly random legal action", no_params, random.Random),
    AgentType(
        "greedy",
        "plays the action after which the game's evaluation is best",
        greedy.params,
        greedy.Greedy,
        greedy.objection,
    ),
    AgentType("mcts", "Monte Carlo tree search", mcts.params, mcts.build),
    AgentType(
        "ismcts",
        "information-set Monte Carlo tree search, for hidden information",
        mcts.information_set_params,
        mcts.build_information_set,
    ),
    AgentType(
        "minimax",
        "plain minimax to a fixed depth; max^n for more than two players",
        alphabeta.minimax_params,
        alphabeta.build_minimax,
        alphabeta.objection,
    ),
    AgentType(
        "alphabeta",
        "iterative deepening alpha-beta with a transposition table",
        alphabeta.params,
        alphabeta.build,
        alphabeta.objection,
    ),
    AgentType(
        "network",
        "tree search with the priors and values of a network",
        network.params,
        network.build,
        network.objection,
    ),
    AgentType(
        "policy",
        "what a network likes best, without search",
        network.policy_params,
        network.NetPolicy,
        network.objection,
    ),
    AgentType("human", "asks a person in the terminal", no_params, human.Human),
)

LEVELS = ("medium", "hard")  # what a game may call the opponent to begin with


def agent_types(game: Game) -> list[AgentType]:
    """The general agents that can play a game, then its own types and its policies."""
    own = list(getattr(game.module, "AGENT_TYPES", ()))
    taken = {each.name for each in own}  # an agent may be more than the policy of its name
    own += [policy_agent_type(name) for name in getattr(game.module, "POLICIES", ()) if name not in taken]
    named_anew = {each.name for each in own}  # a game may have a policy `random` of its own
    general = [*AGENT_TYPES, *installed_agent_types()]
    return [each for each in general if each.objection(game) is None and each.name not in named_anew] + own


@functools.cache
def installed_agent_types() -> list[AgentType]:
    """The types of installed packages, but for those whose names are taken."""
    known, found = {each.name for each in AGENT_TYPES}, list[AgentType]()
    for name, agent_type in plugins.sound(plugins.AGENTS).items():
        if not isinstance(agent_type, AgentType) or agent_type.name in known or not NAME.fullmatch(agent_type.name):
            say(f"{name!r} of an installed package is no agent: it must be a AgentType with a name of its own\n")
            continue
        known.add(agent_type.name)
        found.append(agent_type)
    return found


def agent_types_in_file(game: Game) -> list[AgentType]:
    """The types for the game in the file that somebody's `spielbaum.toml` names."""
    file = agent_types_file(game)
    if file is None:
        return []
    found: Any = getattr(module_from(file), "AGENT_TYPES", None)
    if not isinstance(found, tuple | list) or not all(isinstance(each, AgentType) for each in found):
        raise SpielbaumError(f"{file.name} needs AGENT_TYPES, a tuple of spielbaum.agents.AgentType")
    known = names_taken(game)
    for agent_type in found:
        if not NAME.fullmatch(agent_type.name):
            raise SpielbaumError(f"{file.name}: {agent_type.name!r} {NO_NAME}")
        if agent_type.name in known:
            raise SpielbaumError(f"{file.name}: {agent_type.name!r} is an agent of {game.name} already; choose another")
        known.add(agent_type.name)
    return list(found)


def policy_agent_type(name: str) -> AgentType:
    """A game's playout policy as an agent."""

    def params(game: Game) -> tuple[Param, ...]:
        policies = game.module.POLICIES
        rule = policies[name] if isinstance(policies, dict) else game.module.policy
        return weight_params(game) if "weights" in parameters(rule) else ()

    def build(game: Game, values: dict[str, Any], seed: int) -> Agent:
        weights = weight_values(game, values) if params(game) else np.zeros(1)
        return random.Policy(game, name, weights, seed)

    return AgentType(name, "a policy of the game", params, build)


def own_agents(game: Game) -> dict[str, str]:
    """The agents that the game names itself, with what they stand for."""
    return dict(getattr(game.module, "AGENTS", {}))


def in_file(game: Game) -> dict[str, Named]:
    """The agents that somebody's file names for the game."""
    return agents_in(game, names_taken(game) | {each.name for each in agent_types_in_file(game)})


def names_taken(game: Game) -> set[str]:
    """What the agents are called that there are without any file."""
    return {each.name for each in (*AGENT_TYPES, *agent_types(game))} | own_agents(game).keys()


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


def freeze_spec(spec: str, game: Game) -> str:
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
        resolve(format_spec(basis, values), game)
    except SpielbaumError as error:
        raise SpielbaumError(f"{named.where}: {error}") from None
    return f"{name}={format_spec(basis, {**values, **given})}"


def resolve_alias(spec: str, game: Game) -> str:
    """What a specification stands for, without a name from a file or a label."""
    frozen = freeze_spec(spec, game)
    return format_spec(*parse(frozen)) if label(frozen) else spec


def resolve(spec: str, game: Game) -> tuple[AgentType, dict[str, Any]]:
    """The agent_type of agent that a specification means, and all its parameters; errors say what would be right."""
    name, given = parse(spec)
    own, fitting = own_agents(game), {each.name: each for each in agent_types(game)}
    known = [*AGENT_TYPES, *installed_agent_types()]
    if name not in names_taken(game):
        name, given = parse(freeze_spec(spec, game))
        theirs = agent_types_in_file(game)
        known += theirs
        fitting |= {each.name: each for each in theirs if each.objection(game) is None}
    seen = set[str]()
    while name in own and name not in seen:
        seen.add(name)
        name, basis = parse(own[name])
        given = {**basis, **given}
    if name not in fitting:
        for agent_type in known:
            if agent_type.name == name:
                raise SpielbaumError(f"{name} can't play {game.name}: {agent_type.objection(game)}")
        raise unknown("agent", name, [*fitting, *own, *in_file(game)], game.name)
    agent_type = fitting[name]
    return agent_type, fill(declared(agent_type, game), given, f"{name} in {game.name}")


@functools.lru_cache(maxsize=16)
def declared(agent_type: AgentType, game: Game) -> tuple[Param, ...]:
    """The parameters of a agent_type; a tuner resolves dozens of specifications for a few games."""
    return agent_type.params(game)


def make(spec: str, game: Game, seed: int = 0) -> Agent:
    """An agent for one game, from its specification and a seed."""
    agent_type, values = resolve(spec, game)
    return agent_type.seat(game, values, seed)
