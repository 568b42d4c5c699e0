"""Area analysis: three ways to measure a component agree, and choke points are what they are defined to be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielbaum.game import load
from spielbaum.games.spe_ed import area
from spielbaum.games.spe_ed.kernels import area as template
from spielbaum.games.spe_ed.rules import take

from .boards import cells, drawn

SIDES = ((0, -1), (-1, 0), (0, 1), (1, 0))


@st.composite
def boards(draw, widths):
    """A game and a position with lines at random, from nearly empty to nearly full."""
    width, height = draw(widths), draw(st.integers(5, 12))
    players = draw(st.integers(2, 6))
    game = load("spe-ed", players=players, width=width, height=height)
    state = game.new(seed=draw(st.integers(0, 1000)))
    full = np.random.default_rng(draw(st.integers(0, 2**32))).random((height, width)) < draw(st.floats(0.1, 0.7))
    for y, x in np.argwhere(full):
        take(game.tables, state.record, int(x), int(y))
    return game, state


NARROW, WIDE = st.integers(8, 14), st.sampled_from((63, 64, 65, 127, 128, 130, 200))


def components(free):
    """The component of every free cell, by breadth-first search."""
    found = {}
    for start in sorted(free):
        if start in found:
            continue
        component, edge = {start}, [start]
        while edge:
            edge = [(x + i, y + j) for x, y in edge for i, j in SIDES]
            edge = [cell for cell in dict.fromkeys(edge) if cell in free and cell not in component]
            component.update(edge)
        found |= dict.fromkeys(component, component)
    return found


def free_cells(game, state):
    return cells(game, state.record.free, state.record.width, state.record.height)


@settings(deadline=None, max_examples=60)
@given(st.one_of(boards(NARROW), boards(WIDE)))
def test_flood_fill_union_find_and_breadth_first_search_agree(board):
    game, state = board
    found = components(free_cells(game, state))
    sizes = np.zeros((2, state.record.height, state.record.width), np.int64)
    game.kernels.link(template).components(game.context, state.array, sizes)
    for y in range(state.record.height):
        for x in range(state.record.width):
            assert sizes[:, y, x].tolist() == [len(found.get((x, y), ()))] * 2


@settings(deadline=None, max_examples=15)
@given(st.one_of(boards(NARROW), boards(WIDE)), st.data())
def test_the_flooded_cells_are_the_component_also_without_the_compiler(board, data):
    game, state = board
    free = free_cells(game, state)
    if free:
        x, y = data.draw(st.sampled_from(sorted(free)))
        found = game.context.scratch[0].found
        with np.errstate(all="raise"):
            size = area.area(game.tables, state.record, x, y, found)
        component = components(free)[x, y]
        assert cells(game, found, state.record.width, state.record.height) == component
        assert size == len(component)


@settings(deadline=None, max_examples=40)
@given(boards(NARROW), st.integers(0, 5))
def test_the_area_around_a_head_is_the_largest_that_it_touches(board, out):
    game, state = board
    s, found = state.record, components(free_cells(game, state))
    if out < game.players:
        s.died[out] = 1
    largest = [
        0 if s.died[p] else max(len(found.get((s.x[p] + i, s.y[p] + j), ())) for i, j in SIDES)
        for p in range(game.players)
    ]
    game.kernels.link(template).around_heads(game.context, state.array, 1)
    assert game.context.scratch[0].area[: game.players].tolist() == largest
    assert [game.kernels.link(template).around(game.context, state.array, p) for p in range(game.players)] == largest


@settings(deadline=None, max_examples=40)
@given(boards(NARROW))
def test_without_a_choke_point_its_component_falls_apart(board):
    game, state = board
    free = free_cells(game, state)
    found = components(free)
    expected = set()
    for cell in free:
        rest = components(found[cell] - {cell})
        if len({id(component) for component in rest.values()}) > 1:
            expected.add(cell)
    assert game.kernels.link(template).choke_points(game.context, state.array) == len(expected)
    assert cells(game, game.context.scratch[0].choke, state.record.width, state.record.height) == expected


def test_the_door_between_two_rooms_is_a_choke_point():
    game, state = drawn(
        """
        >..#..
        #..#..
        ......
        #..#..
        v..#..
        """
    )
    game.kernels.link(template).choke_points(game.context, state.array)
    assert {(2, 2), (3, 2), (4, 2)} <= cells(game, game.context.scratch[0].choke, 6, 5)
    assert (1, 1) not in cells(game, game.context.scratch[0].choke, 6, 5)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_snake_of_one_component_is_flooded_to_its_end(compiled):
    game, state = drawn(
        """
        v>.........
        .#########.
        ...........
        .##########
        ...........
        ##########.
        ...........
        """
    )
    kernel = game.kernels.link(template).around
    size = (kernel if compiled else kernel.function)(game.context, state.array, 0)
    assert size == 9 + 2 + 11 + 1 + 11 + 1 + 11
