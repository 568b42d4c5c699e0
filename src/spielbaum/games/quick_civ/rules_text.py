"""The rules of Quick Civ for players: the sections of `texts.toml`, with the buildings and numbers of the game."""

from __future__ import annotations

from typing import Any

from spielbaum.games.quick_civ.board import REACH, SIGHT, tile
from spielbaum.games.quick_civ.buildings import CATEGORIES
from spielbaum.games.quick_civ.descriptions import TEXTS, building_name, category_list, category_name, keys
from spielbaum.games.quick_civ.research import technology_list
from spielbaum.games.quick_civ.rules import BEGINNING, FOOD_PRICE, GARRISON, SIEGE
from spielbaum.games.quick_civ.scene import ICONS, icon, island, owned, pressed, siege
from spielbaum.games.quick_civ.tables import BUILDINGS
from spielbaum.translations import filled


def rule_sections() -> list[dict[str, Any]]:
    """The sections of the catalogue; all buildings follow the one that is about them."""
    numbers = {
        "food": BEGINNING[0],
        "material": BEGINNING[1],
        "prices": ", ".join(str(price) for price in FOOD_PRICE[1:]),
        "reach": REACH,
        "garrison": GARRISON,
        "siege": SIEGE,
        "sight": SIGHT,
        "technologies": technology_list(),
    }
    figures = {"Buildings": farms(), "Pressure and siege": besieged_farm()}
    sections: list[dict[str, Any]] = []
    for section in TEXTS.rules():
        title = section["title"]["en"]
        figure = {"figure": {**figures.get(title, {}), **section["figure"]}} if "figure" in section else {}
        sections.append({**section, "text": filled(section["text"], **numbers), **figure})
        if title == "Buildings":
            sections += map(category_section, CATEGORIES)
    return sections


def category_section(category: str) -> dict[str, Any]:
    """The buildings of a category: what they look like, cost and do."""
    return {
        "title": TEXTS.format("Buildings: {category}", category=category_name(category)),
        "text": category_list(category),
        "figure": {**gallery(category), "caption": category_name(category)},
    }


def gallery(category: str) -> dict[str, Any]:
    """The pictures of a category with their names, three in a row."""
    members = [number for number, kind in enumerate(BUILDINGS) if kind.category == category]
    shapes: list[dict[str, Any]] = []
    for i, number in enumerate(members):
        x, y = 20 * (i % 3) + 10, 15 * (i // 3) + 6
        title = building_name(number)
        shapes.append(
            {"kind": "use", "symbol": ICONS[number], "at": [x, y], "size": [8, 8], "role": "ink", "title": title}
        )
        shapes.append({"kind": "text", "text": title, "at": [x, y + 6.3], "size": 1.6})
    box = [0, 0, 20 * min(3, len(members)), 15 * -(-len(members) // 3)]
    return {"backdrop": {"box": box}, "scene": {"layers": [{"name": "gallery", "shapes": shapes}]}}


def farms() -> dict[str, Any]:
    return corner_of_map({(2, 3): ("windmill", 0), (1, 3): ("farm", 0), (2, 2): ("farm", 0), (3, 3): ("farm", 0)})


def besieged_farm() -> dict[str, Any]:
    return corner_of_map(
        {(2, 2): ("city_center", 0), (2, 3): ("barracks", 0), (2, 4): ("farm", 1), (3, 4): ("city_center", 1)},
        [*pressed(tile(2, 2), {0: 5}), *pressed(tile(2, 4), {0: 3}), *siege(tile(2, 4), 0, 2, 2)],
    )


def corner_of_map(tiles: dict[tuple[int, int], tuple[str, int]], *more: list[dict[str, Any]]) -> dict[str, Any]:
    """A corner of the map with some buildings and their owners, and what else there is to see."""
    whole = island()
    built = [(tile(*place), keys().index(key), player) for place, (key, player) in tiles.items()]
    layers = [
        [owned(number, player) for number, _, player in built],
        [icon(number, building, player, 2, False) for number, building, player in built],
        *more,
    ]
    return {
        "backdrop": {**whole, "box": [12, 6, 50, 33]},
        "scene": {"layers": [{"name": f"layer-{i}", "shapes": shapes} for i, shapes in enumerate(layers)]},
    }
