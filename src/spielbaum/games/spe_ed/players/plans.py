"""What `tyr` keeps while it fills a room: the best positions of a round, candidates for the next, and how they came."""

from __future__ import annotations

import numpy as np

from spielbaum.games.spe_ed.rules import ANSWERS, MOST_WORDS
from spielbaum.games.spe_ed.tables import PLAYERS

WIDEST = 256  # positions of a round that are kept, at most
LONGEST = 1024  # rounds of a plan, at most

CANDIDATE = np.dtype(
    (np.record, [("score", "f8"), ("area", "i4"), ("parent", "i4"), ("head", "i4"), ("action", "i1"), ("speed", "i1")])
)
TRAIL = np.dtype((np.record, [("parent", "i2", WIDEST), ("action", "i1", WIDEST), ("area", "i4", WIDEST)]))
SHEET = np.dtype(
    (
        np.record,
        [
            *((name, "i8") for name in ("me", "wide", "level", "count", "next", "candidates", "finished", "looked")),
            ("noise", "f8"),
            ("choices", "i8", PLAYERS),
            ("open", "i8", ANSWERS),
            ("found", "u8", MOST_WORDS),
            ("room", "u8", MOST_WORDS),
            ("area", "i8"),
        ],
    )
)
