"""What the search of `tyr` keeps while it thinks: open-loop trees of all who are near, and one line through them."""

from __future__ import annotations

import numpy as np

from spielbaum.games.spe_ed.rules import ANSWERS
from spielbaum.games.spe_ed.tables import LARGEST, PLAYERS

HORIZON = 24  # rounds that an iteration looks ahead at most
CELLS = LARGEST * LARGEST
NOWHERE = -1  # outside of a tree

NODE = np.dtype(
    (
        np.record,
        [
            ("total", "f8", ANSWERS),  # values of the player whose tree it is
            ("visits", "i4", ANSWERS),
            ("child", "i4", ANSWERS),  # 0 where there is none: the first nodes are roots
        ],
    )
)
WORKSPACE = np.dtype(
    (
        np.record,
        [
            *((name, "i8") for name in ("me", "near", "used", "iterations", "depth", "deepest", "spare")),
            *((name, "f8") for name in ("c", "caution", "safe", "free")),
            ("pace", "i8"),  # at which floods go at most
            ("value", "f8", PLAYERS),
            ("root", "i8", PLAYERS),
            ("at", "i8", PLAYERS),
            ("choices", "i8", PLAYERS),
            ("open", "i8", ANSWERS),
            ("path", "i8", (HORIZON, PLAYERS)),  # the node from which each player chose in each round
            ("action", "i8", (HORIZON, PLAYERS)),
        ],
    )
)
