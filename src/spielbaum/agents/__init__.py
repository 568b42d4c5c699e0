"""Agents: who decides in a seat.

One syntax everywhere, friendly to a shell and a TOML file: `name` or `name:key=value,key=value`,
for example `mcts:iterations=500,select=ucb1,c=1.0`. A game can name agents of its own in `AGENTS`,
each a specification in the same syntax, and so can a file of yours (`named`); what is given after such a name
overrides it.
"""

from __future__ import annotations

from spielbaum.agents.agent import Agent, StatelessAgent
from spielbaum.agents.registry import (
    AgentType,
    agent_types,
    agent_types_in_file,
    freeze_spec,
    general_search,
    in_file,
    make,
    opponent,
    own_agents,
    resolve,
    resolve_alias,
    strongest,
)

__all__ = [
    "Agent",
    "AgentType",
    "StatelessAgent",
    "agent_types",
    "agent_types_in_file",
    "freeze_spec",
    "general_search",
    "in_file",
    "make",
    "opponent",
    "own_agents",
    "resolve",
    "resolve_alias",
    "strongest",
]
