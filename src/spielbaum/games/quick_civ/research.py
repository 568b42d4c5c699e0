"""Science as it is shown: a book below the map that opens the menu, and what is known, possible or locked, and why."""

from __future__ import annotations

import functools
from typing import Any

from spielbaum.games.quick_civ.buildings import FOOD, MATERIAL
from spielbaum.games.quick_civ.descriptions import TEXTS, amount, building_name, keys
from spielbaum.games.quick_civ.rules import RESEARCH
from spielbaum.games.quick_civ.tables import TECHNOLOGIES, Tables
from spielbaum.translations import Text, joined

BOOK = "science"
STRIP = 12.0  # how high the strip below the map is in which the book lies


def technology_name(technology: int) -> Text:
    return {"en": TECHNOLOGIES[technology].en, "de": TECHNOLOGIES[technology].de}


def knows(s: Any, player: int, technology: int) -> bool:
    return bool(int(s.known[player]) >> technology & 1)


def book(middle: float, top: float) -> list[dict[str, Any]]:
    """What is touched to research something."""
    at = [middle, top + STRIP / 2 - 1]
    return [
        {"kind": "circle", "id": BOOK, "at": at, "r": 5.2, "role": "shell", "edge": "grid", "title": TEXTS["science"]},
        {"kind": "use", "symbol": BOOK, "at": at, "size": [7.4, 7.4], "role": "ink"},
    ]


@functools.cache
def study(technology: int) -> dict[str, Any]:
    """A choice of the research menu."""
    return {
        "steps": [BOOK],
        "label": technology_name(technology),
        "group": TEXTS["science"],
        "note": TEXTS.format("{gains} for {costs}", gains=unlocks(technology), costs=price(technology)),
        "symbol": BOOK,
        "rank": -technology,
    }


def unlocks(technology: int) -> Text:
    """
    >>> unlocks(1)["en"]
    'unlocks Mine, Sawmill'
    """
    names = [building_name(keys().index(key)) for key in TECHNOLOGIES[technology].unlocks]
    return TEXTS.format("unlocks {buildings}", buildings=joined(", ", names))


def price(technology: int) -> Text:
    one = TECHNOLOGIES[technology]
    return joined(", ", [amount(one.food, FOOD), amount(one.material, MATERIAL)])


def missing_technologies(s: Any, player: int, technology: int) -> list[int]:
    """The technologies that another one needs and a player does not know yet."""
    order = [other.key for other in TECHNOLOGIES]
    needed = map(order.index, TECHNOLOGIES[technology].needs)
    return [other for other in needed if not knows(s, player, other)]


def obstacle(s: Any, player: int, technology: int) -> Text | None:
    """Why a player can't research something that is not known; None if nothing is in the way."""
    lacking = missing_technologies(s, player, technology)
    if lacking:
        return needs(lacking)
    one = TECHNOLOGIES[technology]
    short = one.food > s.stock[player, FOOD] or one.material > s.stock[player, MATERIAL]
    return TEXTS.format("costs {price}", price=price(technology)) if short else None


def needs(technologies: list[int]) -> Text:
    return TEXTS.format("needs {technologies}", technologies=joined(", ", map(technology_name, technologies)))


def technologies(t: Tables, s: Any, player: int) -> list[dict[str, Any]]:
    """A list of all technologies: whether each is known, or what it unlocks and whether it is possible or why not."""
    if not t.technologies:
        return []
    items = [
        {
            "label": joined(": ", [technology_name(number), technology_status(s, player, number)]),
            "symbol": BOOK,
            "role": f"player-{player + 1}" if knows(s, player, number) else "muted",
        }
        for number in range(t.technologies)
    ]
    return [{"id": "technologies", "title": TEXTS["science"], "show": "list", "items": items}]


def technology_status(s: Any, player: int, technology: int) -> Text:
    if knows(s, player, technology):
        return TEXTS["known"]
    return joined("; ", [unlocks(technology), obstacle(s, player, technology) or TEXTS["possible now"]])


def why_not(t: Tables, s: Any, player: int) -> list[dict[str, Any]]:
    """Why nothing can be researched, where nothing can."""
    left = [number for number in range(t.technologies) if not knows(s, player, number)]
    obstacles = [(technology_name(number), obstacle(s, player, number)) for number in left]
    reasons = [joined(" ", [name, reason]) for name, reason in obstacles if reason is not None]
    if not t.technologies or len(reasons) < len(left):
        return []
    listed = joined("; ", reasons)
    text = {language: f"{reason}." for language, reason in listed.items()} if left else TEXTS["You know everything."]
    return [{"places": [BOOK], "text": text}]


def researched(action: int) -> Text:
    """What a player did who researched something."""
    return TEXTS.format("researches {technology}", technology=technology_name(action - RESEARCH))


def technology_list() -> Text:
    """All technologies with what they cost, need and unlock, as a list of the rules page."""
    return joined("\n", map(technology_item, range(len(TECHNOLOGIES))))


def technology_item(technology: int) -> Text:
    order = [other.key for other in TECHNOLOGIES]
    needed = [order.index(key) for key in TECHNOLOGIES[technology].needs]
    name, effects = technology_name(technology), unlocks(technology)
    demands = joined("; ", [price(technology), needs(needed)] if needed else [price(technology)])
    return {language: f"- **{name[language]}** ({demands[language]}): {effects[language]}" for language in name}
