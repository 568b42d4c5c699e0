"""Detectives hunt Mister X through a city and see him only now and then."""

from __future__ import annotations

from typing import Any

from spielbaum.games.scotland_yard import no_second_half
from spielbaum.games.scotland_yard.belief_sampling import (
    GUESSES,
    credit_assignment,
    determinize,
    enumerate_worlds,
    guess,
)
from spielbaum.games.scotland_yard.detectives import prior
from spielbaum.games.scotland_yard.move_pruning import FILTERS, keep
from spielbaum.games.scotland_yard.notation import format_action, render
from spielbaum.games.scotland_yard.policies import POLICIES
from spielbaum.games.scotland_yard.rules import (
    ACTION_CODES,
    MAX_ACTIONS,
    METRICS,
    OPTIONS,
    PLAYERS,
    SCRATCH,
    STATE,
    TEAMS,
    actions,
    copy_hidden,
    hide,
    hides,
    metrics,
    play,
    player,
    returns,
    start,
)
from spielbaum.games.scotland_yard.scene import PREVIEW, RULES, WORDS, backdrop, gesture, scene, tell
from spielbaum.games.scotland_yard.tables import tables

COMPONENTS = (no_second_half,)
TITLE = "Scotland Yard"
SIDES_DIFFER = True
SEES_ALL = ("mrx",)
SEAT_GROUPS = {"detectives": tuple(f"detective-{number}" for number in range(1, PLAYERS))}
AGENTS = {
    "mrx-easy": "distance",
    "mrx-medium": "safepath",
    "mrx-hard": "mcts:seconds=1,simulate=chase,select=puct,c=1",
    "det-easy": "mcts:iterations=200,determinizations=0,simulate=random,decide=max,c=2.83",
    "det-medium": "greedy-bool-1",
    "det-hard": "mcts:seconds=1,determinizations=0,simulate=chase,select=puct,c=1",
    "easy": "mcts:iterations=200,determinizations=0,simulate=random,decide=max,c=2.83",
    "medium": "chase",
    "hard": "mcts:seconds=1,determinizations=0,simulate=chase,select=puct,c=1",
}
KIOSK = {"options": {"players": 3}}


def seats(options: dict[str, Any]) -> tuple[str, ...]:
    return ("mrx", *SEAT_GROUPS["detectives"][: options["players"] - 1])
