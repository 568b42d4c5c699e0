"""The rules of Latrunculi for players: the sections of `texts.toml` with a drawn board beside them."""

from __future__ import annotations

from typing import Any

from spielbaum.games.latrunculi.scene import TEXTS, drawing

BOARDS: dict[str, dict[str, Any]] = {
    "Goal": {"rows": ["SSSSSS", "......", "......", "......", "......", "MMMMMM"]},
    "Moving": {
        "rows": [".....", "..S..", ".....", "..M..", "....."],
        "arrows": [("c2", "a2"), ("c2", "e2"), ("c2", "c3"), ("c2", "c1")],
    },
    "Capturing": {
        "rows": [".....", "...S.", ".MS..", "...M.", "....."],
        "arrows": [("d2", "d3")],
        "crosses": ["c3"],
    },
    "Safe places": {"rows": ["M....", "S....", "...MM", ".S.MM", "....S"]},
}
"""What is drawn, by the title of the section."""


def rule_sections() -> list[dict[str, Any]]:
    return [illustrated(section, BOARDS.get(section["title"]["en"])) for section in TEXTS.rules()]


def illustrated(section: dict[str, Any], board: dict[str, Any] | None) -> dict[str, Any]:
    return section if board is None else {**section, "figure": {**drawing(**board), **section["figure"]}}
