"""What a server of spe_ed sends and understands, without a network."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import spielbaum
from spielbaum.games.spe_ed.cells import painted
from spielbaum.games.spe_ed.rules import NO_ANSWER
from spielbaum.online.protocol import CODES, Board, action_of, message, moment, time_told

DEEP = "[" * 5000


def played(seed: int, **options):
    """The rounds of a random game: the board as it was drawn round by round, and the state."""
    game = spielbaum.load("spe-ed", silence=True, **options)
    state, dice = game.new(seed), random.Random(seed)
    board = Board(state.record, game.players)
    yield board, state
    while not state.over:
        before = state.copy().record
        for _ in state.movers:
            state.play(dice.choices(range(6), (20, 6, 6, 12, 4, 1))[0])
        board.draw(before, state.record)
        yield board, state


@pytest.mark.parametrize("seed", range(20))
def test_a_board_drawn_round_by_round_is_the_one_painted_at_once(seed):
    for board, state in played(seed, players=2 + seed % 5, width=70, height=30):
        assert (board.cells == painted(state.game.tables, state.record, state.history)).all()
        assert [json.loads(row) for row in board.rows] == board.cells.tolist()


def test_random_games_have_jumps_crashes_and_players_off_the_board():
    seen = set()
    for seed in range(20):
        for board, state in played(seed, players=2 + seed % 5, width=70, height=30):
            s = state.record
            seen |= (
                {"jump"} if any(s.rounds % 6 == 0 and s.speed[p] >= 3 and s.died[p] == 0 for p in range(2)) else set()
            )
            seen |= {"crash"} if (board.cells == -1).any() else set()
            seen |= {"off"} if any(not 0 <= s.x[p] < 70 for p in range(2)) else set()
    assert seen == {"jump", "crash", "off"}


def test_a_state_has_what_the_protocol_names():
    game = spielbaum.load("spe-ed", players=3, width=12, height=9, silence=True)
    state = game.new(1)
    board = Board(state.record, 3)
    told = json.loads(message(board, state.record, 3, deadline="2026-01-01T12:00:00Z").to(1))
    assert list(told) == ["width", "height", "cells", "players", "you", "running", "deadline"]
    assert (told["width"], told["height"], told["you"], told["running"]) == (12, 9, 2, True)
    assert np.shape(told["cells"]) == (9, 12)
    assert list(told["players"]) == ["1", "2", "3"]
    assert list(told["players"]["1"]) == ["x", "y", "direction", "speed", "active"]
    for number, player in told["players"].items():
        assert told["cells"][player["y"]][player["x"]] == int(number)


def test_the_last_state_has_names_and_no_deadline():
    game = spielbaum.load("spe-ed", players=2, width=12, height=9, silence=True)
    state = game.new(1)
    names = ['"quoted" \\', "Zoë\u2028"]
    told = json.loads(message(Board(state.record, 2), state.record, 2, deadline=None, names=names).to(0))
    assert told["running"] is False
    assert "deadline" not in told
    assert [player["name"] for player in told["players"].values()] == names


@pytest.mark.parametrize("action", CODES)
def test_every_action_is_understood(action):
    assert action_of(json.dumps({"action": action})) == CODES[action]
    assert action_of(json.dumps({"why": [1, {}], "action": action}).encode()) == CODES[action]


@pytest.mark.parametrize(
    "text",
    [
        *("", "turn_left", '"turn_left"', "{", "[]", "null", "7", "{}", '{"Action": "turn_left"}', '{"action": null}'),
        *(
            '{"action": 1}',
            '{"action": ["turn_left"]}',
            '{"action": {}}',
            '{"action": "no_answer"}',
            '{"action": "up"}',
        ),
        *('{"action": "Turn_Left"}', b"\xff\xfe\x00", '{"action": ' + DEEP, DEEP, "1" * 10_000),
    ],
    ids=lambda text: repr(text)[:24],
)
def test_what_is_no_answer_is_none(text):
    assert action_of(text) == NO_ANSWER


def test_a_deadline_is_truncated_and_never_rounded():
    assert moment(1767268800.999999) == "2026-01-01T12:00:00Z"
    assert moment(1767268800.999999, fractions=True) == "2026-01-01T12:00:00.999Z"
    assert json.loads(time_told(1767268800.999999)) == {"time": "2026-01-01T12:00:00Z", "milliseconds": 999}
