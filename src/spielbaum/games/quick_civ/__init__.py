"""Build on hexagons, live on what they yield and besiege your neighbours; after 100 rounds the most points win."""

from __future__ import annotations

import numpy as np

from spielbaum.games.quick_civ.board import SIDE, TILES
from spielbaum.games.quick_civ.evaluate import POLICIES, WEIGHTS, evaluate
from spielbaum.games.quick_civ.filters import FILTERS, changed, keep
from spielbaum.games.quick_civ.filters import SCRATCH_FIELDS as TRIAL
from spielbaum.games.quick_civ.fog import determinize, hide, hides
from spielbaum.games.quick_civ.maps import SCRATCH_FIELDS
from spielbaum.games.quick_civ.notation import render
from spielbaum.games.quick_civ.players import AGENTS
from spielbaum.games.quick_civ.players.evolution import EVOLUTION
from spielbaum.games.quick_civ.players.greedy import GREEDY
from spielbaum.games.quick_civ.players.mutations import MUTATIONS
from spielbaum.games.quick_civ.players.plan_then_search import PLAN_THEN_SEARCH
from spielbaum.games.quick_civ.players.portfolio import PORTFOLIO
from spielbaum.games.quick_civ.position import format_position, parse_position
from spielbaum.games.quick_civ.rules import (
    ACTION_CODES,
    MAX_ACTIONS,
    RESEARCH,
    STATE,
    WAIT,
    actions,
    food,
    material,
    movers,
    points,
    resolve,
    returns,
    sample,
    start,
)
from spielbaum.games.quick_civ.scene import SYMBOLS, backdrop, every_gesture, scene, tell
from spielbaum.games.quick_civ.sheet import KIOSK, PRESETS, PREVIEW, RULES, WORDS
from spielbaum.games.quick_civ.tables import BUILDINGS, OPTIONS, PLAYERS, TECHNOLOGIES, Tables, seats, tables
from spielbaum.games.quick_civ.tables import KINDS as BUILDING_KINDS
from spielbaum.rules import rule

__all__ = [
    "ACTION_CODES", "AGENTS", "FILTERS", "KINDS", "KIOSK", "MAX_ACTIONS", "METRICS", "OPTIONS", "PLAYERS",
    "POLICIES", "PRESETS", "PREVIEW", "RULES", "SCRATCH", "STATE", "SYMBOLS", "TITLE", "WEIGHTS", "WORDS", "Tables",
    "actions", "backdrop", "changed", "determinize", "evaluate", "every_gesture", "format_action",
    "format_position", "hide", "hides", "keep", "metrics", "movers", "parse_position", "render", "resolve",
    "returns", "sample", "scene", "seats", "start", "tables", "tell",
]  # fmt: skip

TITLE = "Quick Civ"
KINDS = (GREEDY, EVOLUTION, PLAN_THEN_SEARCH, MUTATIONS, PORTFOLIO)
SCRATCH = np.dtype((np.record, [*SCRATCH_FIELDS, *TRIAL, ("forest", "i8", TILES), ("mountain", "i8", TILES)]))
METRICS = ("points", "income-points", "income-food", "income-material", "tiles", "military")


@rule
def metrics(s, player, out):
    out[0] = s.stock[player, 2]
    out[1] = points(s.production[player])
    out[2] = food(s.production[player])
    out[3] = material(s.production[player])
    out[4] = s.tiles[player]
    out[5] = s.military[player]


def format_action(action: int) -> str:
    if action >= WAIT:
        return "wait" if action == WAIT else f"research {TECHNOLOGIES[action - RESEARCH].key}"
    tile, building = divmod(action, BUILDING_KINDS)
    return f"{BUILDINGS[building].key} {tile // SIDE},{tile % SIDE}"
