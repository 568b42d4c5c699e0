"""How Pursuit looks: the town as a map, hunters and (for those who see him) the fugitive on it.

Places where the fugitive may be are warm, the warmer the fewer there are.
"""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.games.pursuit.rules import FUGITIVE, UNKNOWN, Tables
from spielbaum.games.pursuit.town import MAP, NAMES, PLACES, roads
from spielbaum.translations import Text, Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
SPOTS = {sign: (x / 2, y) for y, line in enumerate(MAP.splitlines()) for x, sign in enumerate(line) if sign.isalpha()}
RADIUS = 0.42


def place_centre(place: int) -> list[float]:
    """Where a place is on the map."""
    x, y = SPOTS[NAMES[place]]
    return [x, y]


def backdrop() -> dict[str, Any]:
    """Roads and places."""
    streets = [
        {"kind": "line", "points": [place_centre(a), place_centre(b)], "edge": "road", "width": 0.14}
        for a, b in roads()
    ]
    places = [
        {
            "kind": "circle",
            "id": f"place-{place}",
            "at": place_centre(place),
            "r": RADIUS,
            "role": "field",
            "edge": "grid",
            "width": 0.05,
            "title": TEXTS.format("place {letter}", letter=NAMES[place]),
        }
        for place in range(PLACES)
    ]
    names = [
        {"kind": "text", "at": place_centre(place), "text": NAMES[place], "size": 0.36, "role": "muted"}
        for place in range(PLACES)
    ]
    person = [
        {"kind": "circle", "at": [0, -0.3], "r": 0.22, "role": "ink"},
        {"kind": "path", "d": "M-0.42 0.5C-0.42 -0.1 0.42 -0.1 0.42 0.5Z", "role": "ink"},
    ]
    layers = {"roads": streets, "places": places, "names": names}
    width, height = max(x for x, _ in SPOTS.values()), max(y for _, y in SPOTS.values())
    return {
        "box": [-0.7, -0.7, width + 1.4, height + 1.4],
        "layers": [{"name": name, "shapes": shapes} for name, shapes in layers.items()],
        "symbols": {"person": {"box": [-0.6, -0.6, 1.2, 1.2], "shapes": person}},
    }


def scene(t: Tables, s: Any) -> dict[str, Any]:
    """Who is where, as far as it is known."""
    possible = [place for place in range(PLACES) if int(s.possible) >> place & 1]
    heat = [
        {"kind": "circle", "at": place_centre(place), "r": RADIUS, "heat": 1 / len(possible), "opacity": 0.6}
        for place in possible
    ]
    people = [
        person(f"hunter-{number}", place, f"player-{number + 1}", TEXTS.format("hunter {number}", number=number))
        for number, place in enumerate(s.hunters, 1)
    ]
    if s.fugitive != UNKNOWN:
        people.append(person("fugitive", s.fugitive, "player-1", TEXTS["fugitive"]))
    left = int(t.rounds - s.elapsed)
    seen = int(t.reveal - s.elapsed % t.reveal)
    panel = {
        "id": "rounds",
        "items": [
            {"label": TEXTS["rounds left"], "value": left},
            {"label": TEXTS["rounds until he is seen"], "value": seen},
            {"label": TEXTS["possible places"], "value": len(possible)},
        ],
    }
    return {"layers": [{"name": "heat", "shapes": heat}, {"name": "people", "shapes": people}], "panels": [panel]}


def person(name: str, place: int, role: str, title: Text) -> dict[str, Any]:
    """A figure on the map."""
    return {
        "kind": "use",
        "symbol": "person",
        "id": name,
        "at": place_centre(place),
        "size": [0.8, 0.8],
        "role": role,
        "title": title,
    }


def gesture(action: int) -> list[str]:
    """Tap the place to go to; one's own is to wait."""
    return [f"place-{action}"]


def tell(s: Any, action: int) -> list[str] | None:
    """Everybody sees where hunters go, and nobody where the fugitive does."""
    return None if s.turn == FUGITIVE else gesture(action)


PREVIEW: list[str] = []
