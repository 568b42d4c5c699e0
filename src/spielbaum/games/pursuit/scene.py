"""How Pursuit looks: the town as a map, hunters and (for those who see him) the fugitive on it.

Places where the fugitive may be are warm, the warmer the fewer there are.
"""

from __future__ import annotations

from typing import Any

from spielbaum.games.pursuit.rules import FUGITIVE, UNKNOWN, Tables
from spielbaum.games.pursuit.town import MAP, NAMES, PLACES, roads

SPOTS = {sign: (x / 2, y) for y, line in enumerate(MAP.splitlines()) for x, sign in enumerate(line) if sign.isalpha()}
RADIUS = 0.42


def spot(place: int) -> list[float]:
    """Where a place is on the map."""
    x, y = SPOTS[NAMES[place]]
    return [x, y]


def backdrop(t: Tables) -> dict[str, Any]:
    """Roads and places."""
    streets = [{"kind": "line", "points": [spot(a), spot(b)], "edge": "road", "width": 0.14} for a, b in roads()]
    places = [
        {
            "kind": "circle",
            "id": f"place-{place}",
            "at": spot(place),
            "r": RADIUS,
            "role": "field",
            "edge": "grid",
            "width": 0.05,
            "title": {"en": f"place {NAMES[place]}", "de": f"Ort {NAMES[place]}"},
        }
        for place in range(PLACES)
    ]
    names = [
        {"kind": "text", "at": spot(place), "text": NAMES[place], "size": 0.36, "role": "muted"}
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


def scene(t: Tables, s: Any, seat: int | None) -> dict[str, Any]:
    """Who is where, as far as it is known."""
    possible = [place for place in range(PLACES) if int(s.possible) >> place & 1]
    heat = [
        {"kind": "circle", "at": spot(place), "r": RADIUS, "heat": 1 / len(possible), "opacity": 0.6}
        for place in possible
    ]
    people = [person(f"hunter-{number}", place, f"player-{number + 1}") for number, place in enumerate(s.hunters, 1)]
    if s.fugitive != UNKNOWN:
        people.append(person("fugitive", s.fugitive, "player-1"))
    left = int(t.rounds - s.elapsed)
    seen = int(t.reveal - s.elapsed % t.reveal)
    panel = {
        "id": "rounds",
        "items": [
            {"label": {"en": "rounds left", "de": "Runden übrig"}, "value": left},
            {"label": {"en": "rounds until he is seen", "de": "Runden, bis er zu sehen ist"}, "value": seen},
            {"label": {"en": "possible places", "de": "mögliche Orte"}, "value": len(possible)},
        ],
    }
    return {"layers": [{"name": "heat", "shapes": heat}, {"name": "people", "shapes": people}], "panels": [panel]}


def person(name: str, place: int, role: str) -> dict[str, Any]:
    """A figure on the map."""
    return {
        "kind": "use",
        "symbol": "person",
        "id": name,
        "at": spot(place),
        "size": [0.8, 0.8],
        "role": role,
        "title": WORDS[name],
    }


def gesture(t: Tables, s: Any, action: int) -> list[str]:
    """Tap the place to go to; one's own is to wait."""
    return [f"place-{action}"]


def tell(t: Tables, s: Any, action: int, seat: int) -> list[str] | None:
    """Everybody sees where hunters go, and nobody where the fugitive does."""
    return None if s.turn == FUGITIVE else gesture(t, s, action)


WORDS = {
    "roads": {"en": "roads", "de": "Straßen"},
    "Pursuit": {"en": "Pursuit", "de": "Verfolgung"},
    "about": {
        "en": "Two hunters chase a fugitive whom they see only now and then.",
        "de": "Zwei Verfolger jagen einen Flüchtigen, den sie nur ab und zu sehen.",
    },
    "fugitive": {"en": "fugitive", "de": "Flüchtiger"},
    "hunter-1": {"en": "hunter 1", "de": "Verfolger 1"},
    "hunter-2": {"en": "hunter 2", "de": "Verfolger 2"},
    "rounds": {"en": "rounds", "de": "Runden"},
    "reveal": {"en": "reveal", "de": "Aufdecken"},
    "rounds that the fugitive must survive": {
        "en": "rounds that the fugitive must survive",
        "de": "Runden, die der Flüchtige überstehen muss",
    },
    "the fugitive is seen in every such round": {
        "en": "the fugitive is seen in every such round",
        "de": "in jeder wievielten Runde der Flüchtige zu sehen ist",
    },
    "keen": {"en": "keen", "de": "eifrig"},
    "worth of each road to the nearer hunter": {
        "en": "worth of each road to the nearer hunter",
        "de": "Wert jeder Straße bis zum näheren Verfolger",
    },
    "worth of each place where the fugitive may be": {
        "en": "worth of each place where the fugitive may be",
        "de": "Wert jedes Ortes, an dem der Flüchtige sein kann",
    },
}
RULES = [
    {
        "title": {"en": "A round", "de": "Eine Runde"},
        "text": {
            "en": "First the fugitive moves along one road or waits, unseen. Then each hunter moves along one road or"
            " waits. Nobody enters a place where a hunter stands.",
            "de": "Zuerst zieht der Flüchtige ungesehen eine Straße weit oder wartet. Dann zieht jeder Verfolger"
            " eine Straße weit oder wartet. Niemand betritt einen Ort, an dem ein Verfolger steht.",
        },
    },
    {
        "title": {"en": "What the hunters know", "de": "Was die Verfolger wissen"},
        "text": {
            "en": "Every few rounds the fugitive is seen. In between, the warm places are those where he may be.",
            "de": "Alle paar Runden ist der Flüchtige zu sehen. Dazwischen zeigen die warmen Orte, wo er sein kann.",
        },
        "figure": {"moves": [], "seed": 3, "caption": {"en": "At the start.", "de": "Zu Beginn."}},
    },
    {
        "title": {"en": "The end", "de": "Das Ende"},
        "text": {
            "en": "A hunter who enters the fugitive's place has caught him. If he is free after the last round, he has"
            " escaped.",
            "de": "Betritt ein Verfolger den Ort des Flüchtigen, ist er gefasst. Ist er nach der letzten Runde"
            " frei, ist er entkommen.",
        },
    },
]
PREVIEW: list[str] = []
