"""Quick Civ in words: seats, resources, and what buildings do, in both languages and from the numbers of the file."""

from __future__ import annotations

import functools
from itertools import groupby
from typing import Any

from spielbaum.games.quick_civ.board import REACH, SIDE
from spielbaum.games.quick_civ.buildings import CITY_CENTRE, RESOURCES, Building
from spielbaum.games.quick_civ.tables import BUILDINGS, SEATED, SEATS

Words = dict[str, str]
SEAT_WORDS = (
    {"en": "Northwest", "de": "Nordwest"},
    {"en": "Northeast", "de": "Nordost"},
    {"en": "Southeast", "de": "Südost"},
    {"en": "Southwest", "de": "Südwest"},
)
SEAT_NAMES = dict(zip(SEATS, SEAT_WORDS, strict=True))
RESOURCE_WORDS = (
    {"en": "food", "de": "Nahrung"},
    {"en": "material", "de": "Material"},
    {"en": "points", "de": "Punkte"},
)
CATEGORY_WORDS = {
    "expansion": {"en": "Expansion", "de": "Ausbreitung"},
    "food": {"en": "Food", "de": "Nahrung"},
    "material": {"en": "Material", "de": "Material"},
    "housing": {"en": "Housing", "de": "Wohnen"},
    "points": {"en": "Points", "de": "Punkte"},
    "military": {"en": "Military", "de": "Militär"},
    "trade": {"en": "Trade", "de": "Handel"},
}
KIND_WORDS = {
    "expansion": {"en": "city centre", "de": "Stadtzentrum"},
    "food": {"en": "food building", "de": "Nahrungsgebäude"},
    "material": {"en": "material building", "de": "Materialgebäude"},
    "housing": {"en": "housing", "de": "Wohngebäude"},
    "points": {"en": "points building", "de": "Punktegebäude"},
    "military": {"en": "military building", "de": "Militärgebäude"},
    "trade": {"en": "trade building", "de": "Handelsgebäude"},
}
TARGET_WORDS = {
    "flat": {"en": "", "de": ""},
    "forest": {"en": "per forest", "de": "je Wald"},
    "mountain": {"en": "per mountain", "de": "je Berg"},
    "nature": {"en": "per forest or mountain", "de": "je Wald oder Berg"},
    "unbuilt": {"en": "per unbuilt tile", "de": "je unbebautem Feld"},
    "own": {"en": "per own tile", "de": "je eigenem Feld"},
    "foreign": {"en": "per foreign tile", "de": "je fremdem Feld"},
    "own:not-housing": {"en": "per own tile without housing", "de": "je eigenem Feld ohne Wohngebäude"},
}
RANGE_WORDS = {
    (0, 0): {"en": "on its tile", "de": "auf dem Feld"},
    (0, 1): {"en": "on its tile and beside it", "de": "auf dem Feld und daneben"},
    (1, 1): {"en": "beside it", "de": "daneben"},
    (0, 2): {"en": "up to two tiles away", "de": "bis zu zwei Felder weit"},
    (1, 2): {"en": "up to two tiles away", "de": "bis zu zwei Felder weit"},
    (2, 2): {"en": "two tiles away", "de": "zwei Felder weit"},
}
FOR = {"en": "for", "de": "für"}
NOTHING_MORE = {"en": "no change", "de": "keine Änderung"}


def each(make: Any) -> Words:
    """The same sentence in both languages, made by a function of the language."""
    return {"en": make("en"), "de": make("de")}


def seat_words(players: int) -> list[Words]:
    """What the players are called, by the corners in which they begin."""
    return [SEAT_WORDS[corner] for corner in SEATED[players]]


def named(building: int) -> Words:
    return {"en": BUILDINGS[building].en, "de": BUILDINGS[building].de}


def place_name(tile: int) -> str:
    """A tile as moves name it: row and column."""
    return f"{tile // SIDE},{tile % SIDE}"


def signed(number: int) -> str:
    """
    >>> signed(3), signed(-1), signed(0)
    ('+3', '−1', '±0')
    """
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "±0"


def amounts(lang: str, numbers: tuple[int, ...]) -> str:
    """
    >>> amounts("en", (3, 0, -1))
    '+3 food, −1 points'
    """
    return ", ".join(f"{signed(n)} {RESOURCE_WORDS[i][lang]}" for i, n in enumerate(numbers) if n)


@functools.cache
def build_note(price: int, pressure: tuple[int, int], change: tuple[int, int, int], food_price: int) -> Words:
    """What a build brings each round, and what it costs.

    >>> build_note(10, (0, 0), (0, 3, 0), 30)["en"]
    '+3 material for 10 material, 30 food'
    """

    def note(lang: str) -> str:
        brings = [amounts(lang, change), pressure_words(*pressure, lang)]
        costs = [f"{amount} {RESOURCE_WORDS[i][lang]}" for i, amount in ((1, price), (0, food_price)) if amount]
        return f"{', '.join(filter(None, brings)) or NOTHING_MORE[lang]} {FOR[lang]} {', '.join(costs)}"

    return each(note)


def pressure_words(amount: int, reach: int, lang: str) -> str:
    if not amount:
        return ""
    return f"{'pressure' if lang == 'en' else 'Druck'} {amount} {RANGE_WORDS[0, reach][lang]}"


def target_words(target: str, lang: str) -> str:
    if target in TARGET_WORDS:
        return TARGET_WORDS[target][lang]
    side, _, which = target.partition(":")
    name = KIND_WORDS[which] if which in KIND_WORDS else named(keys().index(which))
    if lang == "de":
        return f"{TARGET_WORDS[side]['de']} mit {name['de']}"
    return f"per {side} {name['en'].lower()}"


def keys() -> list[str]:
    return [kind.key for kind in BUILDINGS]


def effect_words(kind: Building, lang: str) -> str:
    """What a building does, from its rows.

    >>> effect_words(BUILDINGS[2], "en")
    '+1 food per forest on its tile and beside it'
    """
    parts = []
    for (target, *span), rows in groupby(kind.rows, key=lambda row: row[2:]):
        total = [0, 0, 0]
        for resource, amount, *_ in rows:
            total[RESOURCES.index(resource)] += amount
        where = [] if target == "flat" else [target_words(target, lang), RANGE_WORDS[span[0], span[1]][lang]]
        parts.append(" ".join([amounts(lang, tuple(total)), *where]))
    parts.append(pressure_words(*kind.pressure, lang))
    if kind is BUILDINGS[CITY_CENTRE]:
        reach = {
            "en": f"what lies up to {REACH} tiles away can be built on",
            "de": f"bebaubar wird, was bis {REACH} Felder weit liegt",
        }
        parts.append(reach[lang])
    return "; ".join(filter(None, parts))


def category_table(category: str) -> Words:
    """All buildings of a category with their prices and effects, as a list of the rules page."""
    members = [kind for kind in BUILDINGS if kind.category == category]

    def line(kind: Building, lang: str) -> str:
        return f"- **{getattr(kind, lang)}** ({kind.price}): {effect_words(kind, lang)}"

    return each(lambda lang: "\n".join(line(kind, lang) for kind in members))
