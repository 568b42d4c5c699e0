"""What a kernel template imports from: the game, and the parts of the search, that it is being linked for.

    from spielbaum.linked import rules, hooks, parts

gives a template the game's rules as `rules`, the parts of the search as `parts`, and any other name as the template
of that name, linked for the same game. See `spielbaum.link`.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from spielbaum import link

    if name.startswith("__"):
        raise AttributeError(name)
    return link.provide(name)
