"""Specifications of agents as text: `name`, `name:key=value,key=value`, or either with a label before it.

A label is what somebody calls an agent: `mine=mcts:c=0.8` is `mcts:c=0.8`, known as `mine`. It decides nothing. So a
name from a file goes with what it meant, wherever it is written down, and means the same when the file has changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from spielbaum.errors import SpielbaumError
from spielbaum.params import Value, parse_assignments

LABEL = re.compile(r"\s*([^\W_][\w-]*)\s*=\s*(?=\S)")


def parse(spec: str) -> tuple[str, dict[str, Value]]:
    """`mcts:c=1.0,iterations=500` as a name and its parameters, without the label if there is one.

    >>> parse("mcts:c=1.0,iterations=500")
    ('mcts', {'c': '1.0', 'iterations': '500'})
    >>> parse("mine=mcts:c=1.0")
    ('mcts', {'c': '1.0'})
    """
    labelled = LABEL.match(spec)
    name, colon, rest = (spec[labelled.end() :] if labelled else spec).strip().partition(":")
    if colon and not rest.strip():
        raise SpielbaumError(f"agent {spec!r} ends with a colon; give name:key=value,key=value")
    given = parse_assignments(rest.split(",")) if colon else {}
    return name.strip(), given


def label(spec: str) -> str | None:
    """What an agent is called, if it has a label.

    >>> label("mine=mcts:c=1.0")
    'mine'
    """
    found = LABEL.match(spec)
    return found[1] if found else None


def format_spec(name: str, given: Mapping[str, Value]) -> str:
    """The specification of a name and its parameters.

    >>> format_spec("mcts", {"c": "1.0", "iterations": "500"})
    'mcts:c=1.0,iterations=500'
    """
    return f"{name}:{','.join(f'{key}={value}' for key, value in given.items())}" if given else name
