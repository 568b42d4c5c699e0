"""Science as it is shown: a book below the map that opens the menu, and what is known, possible or locked, and why."""

from __future__ import annotations

import functools
from typing import Any

from spielbaum.games.quick_civ.buildings import FOOD, MATERIAL
from spielbaum.games.quick_civ.rules import RESEARCH
from spielbaum.games.quick_civ.tables import TECHNOLOGIES, Tables
from spielbaum.games.quick_civ.wording import RESOURCE_WORDS, Words, each, keys, named

BOOK = "science"
SCIENCE_WORDS = {"en": "science", "de": "Wissenschaft"}
KNOWN_WORDS = {"en": "known", "de": "bekannt"}
STRIP = 12.0  # how high the strip below the map is in which the book lies


def titled(technology: int) -> Words:
    return {"en": TECHNOLOGIES[technology].en, "de": TECHNOLOGIES[technology].de}


def knows(s: Any, player: int, technology: int) -> bool:
    return bool(int(s.known[player]) >> technology & 1)


def book(middle: float, top: float) -> list[dict[str, Any]]:
    """What is touched to research something."""
    at = [middle, top + STRIP / 2 - 1]
    return [
        {"kind": "circle", "id": BOOK, "at": at, "r": 5.2, "role": "shell", "edge": "grid", "title": SCIENCE_WORDS},
        {"kind": "use", "symbol": BOOK, "at": at, "size": [7.4, 7.4], "role": "ink"},
    ]


@functools.cache
def study(technology: int) -> dict[str, Any]:
    """A choice of the research menu."""
    return {
        "steps": [BOOK],
        "label": titled(technology),
        "group": SCIENCE_WORDS,
        "note": each(lambda lang: f"{unlocks(technology, lang)} {FOR[lang]} {price(technology, lang)}"),
        "symbol": BOOK,
        "rank": -technology,
    }


FOR = {"en": "for", "de": "für"}


def unlocks(technology: int, lang: str) -> str:
    """
    >>> unlocks(1, "en")
    'unlocks Mine, Sawmill'
    """
    names = [named(keys().index(key))[lang] for key in TECHNOLOGIES[technology].unlocks]
    return f"{'unlocks' if lang == 'en' else 'ermöglicht'} {', '.join(names)}"


def price(technology: int, lang: str) -> str:
    amounts = ((TECHNOLOGIES[technology].food, FOOD), (TECHNOLOGIES[technology].material, MATERIAL))
    return ", ".join(f"{amount} {RESOURCE_WORDS[which][lang]}" for amount, which in amounts)


def missing(s: Any, player: int, technology: int) -> list[int]:
    """The technologies that another one needs and a player does not know yet."""
    order = [other.key for other in TECHNOLOGIES]
    needed = map(order.index, TECHNOLOGIES[technology].needs)
    return [other for other in needed if not knows(s, player, other)]


def obstacle(s: Any, player: int, technology: int, lang: str) -> str:
    """Why a player can't research something that is not known; empty if nothing is in the way."""
    lacking = missing(s, player, technology)
    if lacking:
        return f"{'needs' if lang == 'en' else 'braucht'} {', '.join(titled(other)[lang] for other in lacking)}"
    one = TECHNOLOGIES[technology]
    short = one.food > s.stock[player, FOOD] or one.material > s.stock[player, MATERIAL]
    return f"{'costs' if lang == 'en' else 'kostet'} {price(technology, lang)}" if short else ""


def technologies(t: Tables, s: Any, player: int) -> list[dict[str, Any]]:
    """A list of all technologies: whether each is known, or what it unlocks and whether it is possible or why not."""
    if not t.technologies:
        return []
    items = [
        {
            "label": each(lambda lang, n=number: f"{titled(n)[lang]}: {standing(s, player, n, lang)}"),
            "symbol": BOOK,
            "role": f"player-{player + 1}" if knows(s, player, number) else "muted",
        }
        for number in range(t.technologies)
    ]
    return [{"id": "technologies", "title": SCIENCE_WORDS, "show": "list", "items": items}]


def standing(s: Any, player: int, technology: int, lang: str) -> str:
    if knows(s, player, technology):
        return KNOWN_WORDS[lang]
    state = obstacle(s, player, technology, lang) or ("possible now" if lang == "en" else "jetzt möglich")
    return f"{unlocks(technology, lang)}; {state}"


def why_not(t: Tables, s: Any, player: int) -> list[dict[str, Any]]:
    """Why nothing can be researched, where nothing can."""
    left = [number for number in range(t.technologies) if not knows(s, player, number)]
    if not t.technologies or any(not obstacle(s, player, number, "en") for number in left):
        return []

    def told(lang: str) -> str:
        parts = [f"{titled(number)[lang]} {obstacle(s, player, number, lang)}" for number in left]
        return f"{'; '.join(parts)}." if parts else ("You know everything." if lang == "en" else "Du kennst alles.")

    return [{"places": [BOOK], "text": each(told)}]


def research_words(action: int) -> Words:
    """What a player did who researched something."""
    verb = {"en": "researches", "de": "erforscht"}
    return each(lambda lang: f"{verb[lang]} {titled(action - RESEARCH)[lang]}")


def tree_words() -> Words:
    """All technologies with what they cost, need and unlock, as a list of the rules page."""

    def line(number: int, lang: str) -> str:
        order = [other.key for other in TECHNOLOGIES]
        needs = ", ".join(titled(order.index(key))[lang] for key in TECHNOLOGIES[number].needs)
        needed = f"{'; needs' if lang == 'en' else '; braucht'} {needs}" if needs else ""
        return f"- **{titled(number)[lang]}** ({price(number, lang)}{needed}): {unlocks(number, lang)}"

    return each(lambda lang: "\n".join(line(number, lang) for number in range(len(TECHNOLOGIES))))
