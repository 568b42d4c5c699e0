"""Build on hexagons, live on what they yield and besiege your neighbours; after 100 rounds the most points win."""

from __future__ import annotations

import numpy as np

from spielbaum.games.quick_civ.board import SIDE, TILES
from spielbaum.games.quick_civ.components import COMPONENTS
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
from spielbaum.games.quick_civ.rules_text import rule_sections as RULES
from spielbaum.games.quick_civ.scene import PREVIEW, SYMBOLS, WORDS, backdrop, every_gesture, scene, tell
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS, OPTIONS, PLAYERS, TECHNOLOGIES, seats, tables
from spielbaum.rules import rule

TITLE = "Quick Civ"
PRESETS = {"short": {"rounds": 40}, "duel": {"players": 2}, "fog": {"fog": True}, "science": {"science": True}}
KIOSK = {"options": {"rounds": 40}, "agents": ["greedy", "greedy:turns-for-city-centre=8", "greedy", "greedy"]}
AGENT_TYPES = (GREEDY, EVOLUTION, PLAN_THEN_SEARCH, MUTATIONS, PORTFOLIO)
SCRATCH = np.dtype((np.record, [*SCRATCH_FIELDS, *TRIAL, ("forest", "i8", TILES), ("mountain", "i8", TILES)]))
METRICS = ("points", "income-points", "income-food", "income-material", "tiles", "military")


@rule
def metrics(t, s, player, out):
    out[0] = s.stock[player, 2]
    out[1] = points(s.production[player])
    out[2] = food(s.production[player])
    out[3] = material(s.production[player])
    out[4] = s.tiles[player]
    out[5] = military_buildings(t, s, player)


@rule
def military_buildings(t, s, player):
    """How many stand, as the thesis counts them: \"to every point in time\", conquered ones included, lost ones not."""
    n = 0
    for tile in range(TILES):
        if s.owner[tile] == player:
            n += t.military[s.building[tile]]
    return n


def format_action(action: int) -> str:
    if action >= WAIT:
        return "wait" if action == WAIT else f"research {TECHNOLOGIES[action - RESEARCH].key}"
    tile, building = divmod(action, KINDS)
    return f"{BUILDINGS[building].key} {tile // SIDE},{tile % SIDE}"
