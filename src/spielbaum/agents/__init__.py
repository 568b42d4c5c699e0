"""Agents: who decides in a seat.

One syntax everywhere, friendly to a shell and a TOML file: `name` or `name:key=value,key=value`,
for example `mcts:iterations=500,select=ucb1,c=1.0`. A game can name agents of its own in `AGENTS`,
each a specification in the same syntax, and so can a file of yours (`named`); what is given after such a name
overrides it.
"""

from __future__ import annotations

from spielbaum.agents.agent import Agent, Reflex
from spielbaum.agents.kinds import (
    Kind,
    general_search,
    in_file,
    kinds,
    make,
    meaning,
    opponent,
    own_agents,
    pin,
    resolve,
    strongest,
)

__all__ = [
    "Agent",
    "Kind",
    "Reflex",
    "general_search",
    "in_file",
    "kinds",
    "make",
    "meaning",
    "opponent",
    "own_agents",
    "pin",
    "resolve",
    "strongest",
]
