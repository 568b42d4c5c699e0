"""Scratch memory: what the analyses of a board write before they read it. A field belongs to one analysis."""

from __future__ import annotations

import numpy as np

from spielbaum.games.spe_ed.rules import MOST_WORDS
from spielbaum.games.spe_ed.tables import LARGEST, PLAYERS

CELLS = LARGEST * LARGEST

SCRATCH = np.dtype(
    (
        np.record,
        [
            # area.py: flood fill
            ("found", "u8", MOST_WORDS),  # the cells of the component that was flooded last
            ("around", "i4", (PLAYERS, 4)),  # the area beyond each side of each head
            ("area", "i4", PLAYERS),  # the largest of the four
            # area.py: union-find and choke points, cell y * width + x
            ("parent", "i4", CELLS),
            ("leaves", "i4", CELLS),
            ("entered", "i4", CELLS),
            ("lowest", "i4", CELLS),
            ("side", "i1", CELLS),
            ("choke", "u8", MOST_WORDS),  # the cells without which their component falls apart
        ],
    )
)
