"""Quick Civ in words: seats, resources, and what buildings do, in both languages and from the numbers of the file."""

from __future__ import annotations

import functools
import pathlib
from itertools import groupby

from spielbaum.games.quick_civ.board import REACH, SIDE
from spielbaum.games.quick_civ.buildings import CITY_CENTRE, RESOURCES, Building
from spielbaum.games.quick_civ.tables import BUILDINGS, SEATED, SEATS
from spielbaum.translations import Text, Translations, joined

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
OURS = "†"  # at what the thesis leaves open or has otherwise
COMPLETED = {"city_center", "gatherer", "house", "plantation", "settlement", "smithy", "stone_circle"}
"""Buildings that do more than the thesis says, or what it says in two ways; see docs/sources.md."""
OF_CATEGORY = {
    "expansion": "city centre",
    "food": "food building",
    "material": "material building",
    "housing": "housing",
    "points": "points building",
    "military": "military building",
    "trade": "trade building",
}
TARGETS = {
    "forest": "per forest",
    "mountain": "per mountain",
    "nature": "per forest or mountain",
    "unbuilt": "per unbuilt tile",
    "own": "per own tile",
    "foreign": "per foreign tile",
    "own:not-housing": "per own tile without housing",
}
WITH_BUILDING = {"own": "per own {building}", "foreign": "per foreign {building}"}
RANGES = {
    (0, 0): "on its tile",
    (0, 1): "on its tile and beside it",
    (1, 1): "beside it",
    (0, 2): "up to two tiles away",
    (1, 2): "up to two tiles away",
    (2, 2): "two tiles away",
}


def seat_names(players: int) -> list[Text]:
    """What the players are called, by the corners in which they begin."""
    return [TEXTS.words()[SEATS[corner]] for corner in SEATED[players]]


def category_name(category: str) -> Text:
    return TEXTS[category.capitalize()]


def building_name(building: int) -> Text:
    return {"en": BUILDINGS[building].en, "de": BUILDINGS[building].de}


def place_name(tile: int) -> str:
    """A tile as moves name it: row and column."""
    return f"{tile // SIDE},{tile % SIDE}"


def at_place(building: int, tile: int) -> Text:
    """
    >>> at_place(0, 17)["en"]
    'City centre 1,2'
    """
    return {language: f"{name} {place_name(tile)}" for language, name in building_name(building).items()}


def signed(number: int) -> str:
    """
    >>> signed(3), signed(-1), signed(0)
    ('+3', '−1', '±0')
    """
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "±0"


def amount(number: int | str, resource: int) -> Text:
    return {language: f"{number} {name}" for language, name in TEXTS[RESOURCES[resource]].items()}


def amounts(numbers: tuple[int, ...]) -> list[Text]:
    """
    >>> [text["en"] for text in amounts((3, 0, -1))]
    ['+3 food', '−1 points']
    """
    return [amount(signed(number), resource) for resource, number in enumerate(numbers) if number]


@functools.cache
def build_note(price: int, pressure: tuple[int, int], change: tuple[int, int, int], food_price: int) -> Text:
    """What a build brings each round, and what it costs.

    >>> build_note(10, (0, 0), (0, 3, 0), 30)["en"]
    '+3 material for 10 material, 30 food'
    """
    gains = joined(", ", [*amounts(change), *pressure_text(*pressure)] or [TEXTS["no change"]])
    costs = [amount(number, resource) for resource, number in ((1, price), (0, food_price)) if number]
    return TEXTS.format("{gains} for {costs}", gains=gains, costs=joined(", ", costs))


def pressure_text(strength: int, reach: int) -> list[Text]:
    """How strongly a building presses and how far; nothing for one that does not."""
    if not strength:
        return []
    return [TEXTS.format("pressure {strength} {where}", strength=strength, where=range_name(0, reach))]


def range_name(nearest: int, farthest: int) -> Text:
    return TEXTS[RANGES[nearest, farthest]]


def target_name(target: str) -> Text:
    """For each of which things a building yields something."""
    if target in TARGETS:
        return TEXTS[TARGETS[target]]
    side, _, which = target.partition(":")
    name = TEXTS[OF_CATEGORY[which]] if which in OF_CATEGORY else building_name(keys().index(which))
    return TEXTS.format(WITH_BUILDING[side], building={**name, "en": name["en"].lower()})


def keys() -> list[str]:
    return [kind.key for kind in BUILDINGS]


def effects_text(kind: Building) -> Text:
    """What a building does, from its rows.

    >>> effects_text(BUILDINGS[2])["en"]
    '+1 food per forest on its tile and beside it'
    """
    parts = []
    for (target, *span), rows in groupby(kind.rows, key=lambda row: row[2:]):
        total = [0, 0, 0]
        for resource, number, *_ in rows:
            total[RESOURCES.index(resource)] += number
        where = [] if target == "flat" else [target_name(target), range_name(span[0], span[1])]
        parts.append(joined(" ", [joined(", ", amounts(tuple(total))), *where]))
    parts += pressure_text(*kind.pressure)
    if kind is BUILDINGS[CITY_CENTRE]:
        parts.append(TEXTS.format("what lies up to {reach} tiles away can be built on", reach=REACH))
    return joined("; ", parts)


def category_list(category: str) -> Text:
    """All buildings of a category with their prices and effects, as a list of the rules page."""
    members = [kind for kind in BUILDINGS if kind.category == category]
    return joined("\n", map(building_item, members))


def building_item(kind: Building) -> Text:
    effects, mark = effects_text(kind), OURS if kind.key in COMPLETED else ""
    return {
        language: f"- **{getattr(kind, language)}** ({kind.price}): {effects[language]}{mark}" for language in effects
    }
