"""What stands in a template for the game, and for the components of the search, that it will be linked with.

    from spielbaum.linked import rules, components, OPEN_LOOP

`rules` are the game's rules, `components` those of the search, and names in capitals say what the search is like (see
`FLAGS` in `spielbaum.search.mcts.components`). When a template is imported they are only names; when it is linked they
are looked up: see `spielbaum.compile.link`.
"""

from __future__ import annotations

from typing import Any


class Unlinked:
    """A name that means nothing before it is linked; whatever is computed with it means nothing either."""

    def __init__(self, name: str):
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any) -> Any:
        return self

    def zero(self, *_: Any) -> int:
        return 0

    def no(self, *_: Any) -> bool:
        return False

    __getitem__ = __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __lshift__ = __rshift__ = (
        __call__
    )
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rlshift__ = __rrshift__ = __call__
    __int__ = __index__ = __len__ = zero
    __bool__ = __lt__ = __le__ = __gt__ = __ge__ = no


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return Unlinked(name)
