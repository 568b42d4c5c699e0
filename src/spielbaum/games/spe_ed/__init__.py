"""Up to six players draw lines, all at once; whoever touches a line or leaves the board is out."""

from __future__ import annotations

from typing import Any

from spielbaum.games.spe_ed.cells import render
from spielbaum.games.spe_ed.components import COMPONENTS
from spielbaum.games.spe_ed.evaluate import METRICS, WEIGHTS, evaluate, metrics
from spielbaum.games.spe_ed.neat.agent import NEAT
from spielbaum.games.spe_ed.players.brunhilde import BRUNHILDE
from spielbaum.games.spe_ed.players.finalist import FINALIST
from spielbaum.games.spe_ed.players.odin import ODIN
from spielbaum.games.spe_ed.players.thor import THOR
from spielbaum.games.spe_ed.players.tyr import TYR
from spielbaum.games.spe_ed.policies import POLICIES
from spielbaum.games.spe_ed.rules import (
    ACTION_CODES,
    MAX_ACTIONS,
    STATE,
    actions,
    movers,
    playout,
    resolve,
    returns,
    sample,
    start,
)
from spielbaum.games.spe_ed.scene import KIOSK, PRESETS, PREVIEW, RULES, SIGNS, SUGGESTIONS, backdrop, gesture, scene
from spielbaum.games.spe_ed.scene import words as WORDS
from spielbaum.games.spe_ed.scratch import SCRATCH
from spielbaum.games.spe_ed.tables import OPTIONS, PLAYERS, tables

TITLE = "spe_ed"
AGENTS = {
    "easy": "siegfried",
    "medium": "odin",
    "hard": "thor:iterations=10000",
    "master": "tyr:iterations=10000",
}
AGENT_TYPES = (BRUNHILDE, ODIN, THOR, NEAT, FINALIST, TYR)
ACTIONS = ("change_nothing", "turn_right", "turn_left", "speed_up", "slow_down", "no_answer")


def seats(options: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, options["players"] + 1))


def format_action(action: int) -> str:
    return ACTIONS[action]
