"""The arena: play many games, lose none of them, and say what the result means.

    from spielbaum.arena import match, tournament

| files | what they are for |
|---|---|
| `plan`, `pairings` | who meets whom, who sits where, all seeds |
| `single`, `kernel_runner` | one game move by move; many inside one kernel call |
| `clocks` | how much time there is, and who has overstepped it |
| `executors`, `cluster` | who plays: this process, several, a Ray cluster |
| `game_batch`, `store` | finished games in columns, and on the disk |
| `run`, `matches`, `tournaments` | all of it together |
| `results`, `stats`, `summary` | what was counted, and what it means |
| `plots`, `report`, `export` | pictures, one HTML file, tables for other programs |
"""

from __future__ import annotations

from spielbaum.arena.clocks import TimeControl
from spielbaum.arena.matches import match
from spielbaum.arena.plan import Plan, make_plan
from spielbaum.arena.results import Results, rate
from spielbaum.arena.run import Run, play, recall
from spielbaum.arena.stats import Sprt, Tally
from spielbaum.arena.store import Store
from spielbaum.arena.summary import summarize
from spielbaum.arena.tournaments import tournament

__all__ = [
    "Plan", "Results", "Run", "Sprt", "Store", "Tally", "TimeControl", "make_plan", "match", "play", "rate",
    "recall", "summarize", "tournament",
]  # fmt: skip
