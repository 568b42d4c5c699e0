"""The board: its facts, and what reading a damaged one says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from spielbaum.errors import SpielbaumError
from spielbaum.games.scotland_yard.board import EDGES, FILE, STARTS, board, read_board
from spielbaum.games.scotland_yard.tables import FAR, ROOM, TICKETS, geography, neighbour_lists

TEXT = FILE.read_text("utf-8")


def all_distances() -> np.ndarray:
    """By tickets of each kind, station and target."""
    table = geography()
    return table.distance[table.rows].reshape(*(number + 1 for number in TICKETS), ROOM, ROOM)


def test_the_board_has_its_stations_and_edges():
    assert sorted(board().places) == list(range(1, 200))
    assert Counter(kind for kind, _, _ in board().edges) == EDGES
    assert [edge[1:] for edge in board().edges if edge[0] == "boat"] == [(108, 115), (115, 157), (157, 194)]


def test_stations_have_2_to_13_edges_and_4_7_on_average():
    degree = geography().degree[1:]
    assert (degree.min(), degree.max(), round(float(degree.mean()), 2)) == (2, 13, 4.70)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("1: 100 17; taxi 8 9;", "1: 100 17; taxi 9;"), "taxi 8-1 is one-way, station 1 does not list it"),
        (("1: 100 17; taxi 8 9;", "1: 100 17; taxi 8 8 9;"), "taxi 1-8 is a duplicate"),
        (("1: 100 17; taxi 8 9;", "1: 100 17; tram 8 9;"), "'tram'"),
        (("1: 100 17; taxi 8 9;", "1: 100 17; taxi 8 9 200;"), "taxi 1-200 leads to a station that does not exist"),
        (("1: 100 17; taxi 8 9;", "1: 100 17; taxi 1 8 9;"), "taxi 1-1 leads back"),
        (("1: 100 17; taxi 8 9;", "1: 100; taxi 8 9;"), "line 3: '1: 100; taxi 8 9"),
        (("\n2: 290 3; taxi 10 20", ""), "station 2 is missing"),
        (("\n2: 290 3;", "\n1: 290 3;"), "station 1 is listed twice"),
    ],
)
def test_a_damaged_board_is_refused_in_one_line(change, complaint):
    with pytest.raises(SpielbaumError) as error:
        read_board(TEXT.replace(*change))
    assert complaint in str(error.value) and "\n" not in str(error.value)


def listing() -> dict[int, dict[str, set[int]]]:
    """The neighbours of each station, for tests to change."""
    found: dict[int, dict[str, set[int]]] = {station: {} for station in board().places}
    for kind, a, b in board().edges:
        found[a].setdefault(kind, set()).add(b)
        found[b].setdefault(kind, set()).add(a)
    return found


def written(neighbours: dict[int, dict[str, set[int]]]) -> str:
    lines = (
        "; ".join([f"{station}: 0 0", *(f"{kind} {' '.join(map(str, ends))}" for kind, ends in kinds.items())])
        for station, kinds in neighbours.items()
    )
    return "\n".join(lines)


def toggle(neighbours: dict[int, dict[str, set[int]]], kind: str, a: int, b: int) -> None:
    neighbours[a].setdefault(kind, set()).symmetric_difference_update({b})
    neighbours[b].setdefault(kind, set()).symmetric_difference_update({a})


def test_any_edge_that_is_missing_at_both_ends_is_named():
    for kind, a, b in board().edges[::23]:
        neighbours = listing()
        toggle(neighbours, kind, a, b)
        number = EDGES[kind]
        with pytest.raises(SpielbaumError, match=f"{kind} {a}-{b} is missing: {number - 1} {kind} edges, not {number}"):
            read_board(written(neighbours))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ([(1, 199)], "taxi 1-199 is one too many: 347 taxi edges, not 346"),
        ([(1, 8), (1, 9)], "2 taxi edges missing: 344, not 346"),
        ([(1, 8), (1, 10)], "346 taxi edges, but some of them lead to other stations than they should"),
    ],
)
def test_other_edges_than_those_of_the_board_are_refused(changes, complaint):
    neighbours = listing()
    for a, b in changes:
        toggle(neighbours, "taxi", a, b)
    with pytest.raises(SpielbaumError, match=complaint):
        read_board(written(neighbours))


def test_distances_with_tickets_are_those_of_a_search_over_stations_and_tickets():
    distance = all_distances()
    neighbours = neighbour_lists()
    for held, origin in (((10, 8, 4), 1), ((2, 1, 1), 46), ((0, 3, 0), 13), ((4, 0, 2), 108)):
        front, seen, steps = {(origin, held)}, {(origin, held)}, 0
        nearest = {origin: 0}
        while front:
            steps += 1
            front = {
                (near, tuple(number - (kind == used) for used, number in enumerate(left)))
                for station, left in front
                for kind in range(3)
                if left[kind]
                for near in neighbours[kind][station]
            } - seen
            seen |= front
            for station, _ in front:
                nearest.setdefault(station, steps)
        expected = [nearest.get(station, FAR) for station in range(1, ROOM)]
        assert distance[(*held, origin)][1:].tolist() == expected


def test_a_detective_without_tickets_gets_nowhere():
    table = all_distances()
    assert (table[0, 0, 0][~np.eye(ROOM, dtype=bool)] == FAR).all()
    assert table[1, 0, 0, 8, 18] == 1


def test_no_row_of_distances_is_kept_twice():
    rows = geography().distance
    assert len({row.tobytes() for row in rows}) == len(rows)


def test_the_start_stations_are_eighteen():
    assert len(set(STARTS)) == 18
