"""Territories as floods of words, beside the same floods cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from spielbaum.game import Game, load
from spielbaum.games.spe_ed.kernels import voronoi as template
from spielbaum.games.spe_ed.rules import ACROSS, ALONG, FASTEST, JUMP_EVERY, JUMP_SPEED
from spielbaum.games.spe_ed.voronoi import VORONOI, territories

Cell = tuple[int, int]


def position(game: Game, drawn: list[Cell], heads: list[Cell], speeds: list[int], rounds: int) -> np.ndarray:
    """Some cells drawn, players at some places."""
    array = game.new().array.copy()
    width, height, words = game.tables.width, game.tables.height, game.tables.words
    rows = [[True] * width for _ in range(height)]
    for x, y in [*drawn, *heads]:
        rows[y][x] = False
    for y in range(height):
        for word in range(words):
            bits = sum(free << x for x, free in enumerate(rows[y][64 * word : 64 * word + 64]))
            array["free"][0, words * y + word] = bits
    array["rounds"] = rounds
    for p, (x, y) in enumerate(heads):
        array["x"][0, p], array["y"][0, p], array["speed"][0, p] = x, y, speeds[p]
    return array


def divided(game: Game, array: np.ndarray) -> Any:
    room = np.zeros(1, VORONOI)
    game.kernels.link(template).run(game.context, array, room, 1)
    return room[0]


def cells_of(game: Game, words: np.ndarray) -> set[Cell]:
    stride = 1 if game.tables.width < 64 else (game.tables.width + 9) // 64 + 1
    return {
        (x, y)
        for y in range(game.tables.height)
        for x in range(game.tables.width)
        if int(words[stride * (y + 1) + x // 64]) >> x % 64 & 1
    }


def cell_by_cell(game: Game, array: np.ndarray, players: int) -> list[set[Cell]]:
    """The territories, heads among them, by floods over sets of cells."""
    s = array[0]
    width, height, words = game.tables.width, game.tables.height, game.tables.words
    board = [(x, y) for x in range(width) for y in range(height)]
    free = {(x, y) for x, y in board if int(s["free"][words * y + x // 64]) >> x % 64 & 1}
    own = [{(int(s["x"][p]), int(s["y"][p]))} for p in range(players)]
    open_cells, number, still = set(free), int(s["rounds"]), 0
    while still < JUMP_EVERY:
        number += 1
        new = [reach(own[p], open_cells, own[p] & free, int(s["speed"][p]), number) for p in range(players)]
        for p in range(players):
            own[p] |= new[p] - set().union(*(new[q] for q in range(players) if q != p))
        open_cells -= set().union(*new)
        still = 0 if any(new) else still + 1
    return own


def reach(own: set[Cell], open_cells: set[Cell], undrawn: set[Cell], speed: int, number: int) -> set[Cell]:
    new, front = set[Cell](), own
    for _ in range(speed):
        front = {beside for cell in front for beside in neighbours(cell)} & open_cells - new
        new |= front
    if number % JUMP_EVERY == 0 and speed >= JUMP_SPEED:
        for x, y in own:
            for across, along in zip(ACROSS, ALONG, strict=True):
                first, last = (x + across, y + along), (x + speed * across, y + speed * along)
                if first in open_cells | undrawn and last in open_cells:
                    new.add(last)
    return new


def neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + across, cell[1] + along) for across, along in zip(ACROSS, ALONG, strict=True)]


BOARDS = [
    load("spe-ed", width=width, height=height, players=6) for width, height in ((9, 7), (63, 5), (64, 6), (120, 5))
]


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_floods_of_words_are_those_of_cells(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(BOARDS))
    cell = st.tuples(st.integers(0, game.tables.width - 1), st.integers(0, game.tables.height - 1))
    heads = data.draw(st.lists(cell, min_size=6, max_size=6, unique=True))
    drawn = data.draw(st.lists(cell, max_size=game.tables.width * 2))
    speeds = data.draw(st.lists(st.integers(1, 6), min_size=6, max_size=6))
    array = position(game, drawn, heads, speeds, data.draw(st.integers(0, 11)))
    room = divided(game, array)
    expected = cell_by_cell(game, array, 6)
    assert [cells_of(game, room["own"][p]) for p in range(6)] == expected
    assert room["cells"].tolist() == [len(cells) - 1 for cells in expected]


def test_compiled_and_interpreted_floods_agree() -> None:
    game = BOARDS[0]
    heads = [(0, 0), (8, 6), (4, 3), (8, 0), (0, 6), (2, 5)]
    array = position(game, [(3, y) for y in range(7)], heads, [1, 2, 3, 4, 1, 1], 3)
    room = np.zeros(1, VORONOI).view(np.recarray)
    territories(game.tables, array.view(np.recarray)[0], room[0], FASTEST)
    assert room[0]["cells"].tolist() == divided(game, array)["cells"].tolist()


def test_a_cell_as_far_from_two_is_nobody_s() -> None:
    game = load("spe-ed", width=5, height=5, players=2)
    room = divided(game, position(game, [(x, 1) for x in range(5)], [(0, 0), (4, 0)], [1, 1], 0))
    assert room["cells"].tolist()[:2] == [1, 1]
    assert room["border"].tolist()[:2] == [1, 1]


def test_only_a_fast_player_s_flood_leaves_a_closed_room() -> None:
    game = load("spe-ed", width=12, height=5, players=2)
    wall = [(4, y) for y in range(5)]
    for speed, sixth_to_come, leaves in ((3, 5, True), (3, 0, True), (2, 5, False)):
        array = position(game, wall, [(2, 2), (11, 4)], [speed, 1], sixth_to_come)
        array["died"][0, 1] = 1
        assert (divided(game, array)["cells"][0] > 4 * 5) == leaves
