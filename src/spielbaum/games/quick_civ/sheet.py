"""What stands around a game of Quick Civ: its words in both languages, the rules for players, and ways to begin."""

from __future__ import annotations

from typing import Any

from spielbaum.games.quick_civ.board import REACH, SIGHT, tile
from spielbaum.games.quick_civ.buildings import CATEGORIES
from spielbaum.games.quick_civ.players.words import PLANNER_WORDS
from spielbaum.games.quick_civ.research import tree_words
from spielbaum.games.quick_civ.rules import BEGINNING, FOOD_PRICE, GARRISON, SIEGE
from spielbaum.games.quick_civ.scene import ICONS, icon, island, owned, pressed, siege
from spielbaum.games.quick_civ.tables import BUILDINGS
from spielbaum.games.quick_civ.wording import CATEGORY_WORDS, SEAT_NAMES, category_table, each, keys, named

PRESETS = {"short": {"rounds": 40}, "duel": {"players": 2}, "fog": {"fog": True}, "science": {"science": True}}
KIOSK = {"options": {"rounds": 40}, "agents": ["greedy", "greedy:turns-for-city-centre=8", "greedy", "greedy"]}
OPENING = """
lumberjack 1,2; lumberjack 1,11; lumberjack 13,11; lumberjack 13,2; wait; wait; wait; wait; wait; wait; wait; wait;
wait; wait; wait; wait; wait; wait; wait; wait; city_center 2,2; city_center 2,12; city_center 12,13; city_center
12,2; wait; wait; wait; wait; wait; wait; wait; wait; wait; wait; city_center 11,12; wait; mine 0,2; mine 0,12;
lumberjack 13,12; mine 14,2; wait; wait; wait; wait; wait; wait; sawmill 12,12; wait; city_center 3,2; city_center
3,11; wait; city_center 11,2; gatherer 2,2; gatherer 2,12; wait; gatherer 12,2; wait; wait; wait; wait; house 2,3;
house 2,11; city_center 10,12; house 12,3; gatherer 3,2; gatherer 3,11; lumberjack 11,12; gatherer 11,2; city_center
2,1; city_center 1,13; wait; city_center 12,1; farm 1,1; farm 1,12; city_center 9,11; farm 13,1; city_center 3,0;
city_center 2,13; sawmill 12,13; city_center 11,0; house 1,1; house 1,12; gatherer 13,11; house 13,1; city_center 4,1;
farm 0,13; lumberjack 11,11; city_center 10,1; city_center 5,1; windmill 1,13; sawmill 10,12; city_center 9,1; mine
1,2; farm 2,14; city_center 8,11; mine 13,2
"""  # 24 rounds of four greedy players
PREVIEW = " ".join(OPENING.split()).split("; ")
WORDS = {
    **PLANNER_WORDS,
    "Quick Civ": {"en": "Quick Civ", "de": "Quick Civ"},
    "about": {
        "en": "Build on hexagons, live on what they yield and besiege your neighbours; the most points win.",
        "de": "Bebaue Sechsecke, lebe von ihrem Ertrag und belagere deine Nachbarn; die meisten Punkte gewinnen.",
    },
    **SEAT_NAMES,
    "players": {"en": "players", "de": "Mitspieler"},
    "how many play": {"en": "how many play", "de": "wie viele mitspielen"},
    "rounds": {"en": "rounds", "de": "Runden"},
    "how many rounds are played": {"en": "how many rounds are played", "de": "wie viele Runden gespielt werden"},
    "map": {"en": "map", "de": "Karte"},
    "seed of the map; each game has its own unless given": {
        "en": "number of the map; each game has its own unless given",
        "de": "Nummer der Karte; ohne Angabe hat jede Partie ihre eigene",
    },
    "fog": {"en": "fog of war", "de": "Nebel des Krieges"},
    "whether players see only what lies near their own tiles": {
        "en": "players see only what lies near their own tiles",
        "de": "man sieht nur, was nahe bei den eigenen Feldern liegt",
    },
    "worth of a foreign tile under own pressure": {
        "en": "worth of a foreign tile under own pressure",
        "de": "Wert eines fremden Felds unter eigenem Druck",
    },
    "worth of an unbuilt tile in reach of an own city centre": {
        "en": "worth of an unbuilt tile in reach of an own city centre",
        "de": "Wert eines unbebauten Felds in Reichweite eines eigenen Stadtzentrums",
    },
    "worth of what trade buildings yield in a round, besides that of all yields": {
        "en": "worth of what trade buildings yield in a round, besides that of all yields",
        "de": "Wert dessen, was Handelsgebäude in einer Runde bringen, zu dem aller Erträge dazu",
    },
    "science": {"en": "science", "de": "Wissenschaft"},
    "whether expensive buildings need technologies": {
        "en": "expensive buildings need technologies",
        "de": "teure Gebäude brauchen Technologien",
    },
    "worth of all technologies at the start, as a share of the evaluation": {
        "en": "worth of all technologies at the start, as a share of the evaluation",
        "de": "Wert aller Technologien am Anfang, als Anteil an der Bewertung",
    },
    "short": {"en": "short game", "de": "kurze Partie"},
    "duel": {"en": "for two", "de": "zu zweit"},
    "greedy": {"en": "greedy", "de": "gierig"},
    "vanilla": {"en": "plain search", "de": "einfache Suche"},
    "memory": {"en": "with memory", "de": "mit Gedächtnis"},
    "memory-tuned": {"en": "with tuned memory", "de": "mit abgestimmtem Gedächtnis"},
    "architect": {"en": "architect", "de": "Architekt"},
    "duellist": {"en": "duellist", "de": "Duellant"},
    "conqueror": {"en": "Attila, the conqueror", "de": "Attila, der Eroberer"},
    "merchant": {"en": "Fugger, the merchant", "de": "Fugger, der Händler"},
    "builder": {"en": "Imhotep, the builder", "de": "Imhotep, der Baumeister"},
    "settler": {"en": "Leif, the settler", "de": "Leif, der Siedler"},
    "beginner": {"en": "beginner", "de": "Anfänger"},
    "expert": {"en": "expert", "de": "Experte"},
    "plays the build after which its evaluation is best, and founds a city centre now and then": {
        "en": "plays the build after which its evaluation is best, and founds a city centre now and then",
        "de": "baut, wonach seine Bewertung am besten ist, und gründet ab und zu ein Stadtzentrum",
    },
    "evolves a plan of its next builds, by the points that it promises": {
        "en": "evolves a plan of its next builds, by the points that it promises",
        "de": "entwickelt einen Plan seiner nächsten Bauten nach den Punkten, die er verspricht",
    },
    "turns-for-city-centre": {"en": "rounds between city centres", "de": "Runden zwischen Stadtzentren"},
    "rounds between two city centres": {
        "en": "rounds between two city centres",
        "de": "Runden zwischen zwei Stadtzentren",
    },
    "worth of material produced in a round": {
        "en": "worth of material produced in a round",
        "de": "Wert von Material, das in einer Runde entsteht",
    },
    "worth of food produced in a round": {
        "en": "worth of food produced in a round",
        "de": "Wert von Nahrung, die in einer Runde entsteht",
    },
    "worth of points produced in a round": {
        "en": "worth of points produced in a round",
        "de": "Wert von Punkten, die in einer Runde entstehen",
    },
    "how far from the last build the filter near-last keeps builds": {
        "en": "how far from the last build the filter near-last keeps builds",
        "de": "wie weit vom letzten Bau entfernt der Filter near-last Bauten zulässt",
    },
    "worth of a tile": {"en": "worth of a tile", "de": "Wert eines Feldes"},
    "worth of the product of food and material": {
        "en": "worth of the product of food and material",
        "de": "Wert des Produkts aus Nahrung und Material",
    },
    "how early points count: from 0 to all in 100 rounds divided by this": {
        "en": "how early points count: from 0 to all in 100 rounds divided by this",
        "de": "wie früh Punkte zählen: von 0 bis ganz in 100 Runden geteilt durch dies",
    },
}
TERRAIN = {"options": {"map": 1}, "moves": []}


def category_section(category: str) -> dict[str, Any]:
    """The buildings of a category: what they look like, cost and do."""
    return {
        "title": each(lambda lang: f"{BUILDINGS_WORDS[lang]}: {CATEGORY_WORDS[category][lang]}"),
        "text": category_table(category),
        "figure": {**gallery(category), "caption": CATEGORY_WORDS[category]},
    }


def gallery(category: str) -> dict[str, Any]:
    """The pictures of a category with their names, three in a row."""
    members = [number for number, kind in enumerate(BUILDINGS) if kind.category == category]
    shapes: list[dict[str, Any]] = []
    for i, number in enumerate(members):
        x, y = 20 * (i % 3) + 10, 15 * (i // 3) + 6
        title = named(number)
        shapes.append(
            {"kind": "use", "symbol": ICONS[number], "at": [x, y], "size": [8, 8], "role": "ink", "title": title}
        )
        shapes.append({"kind": "text", "text": title, "at": [x, y + 6.3], "size": 1.6})
    box = [0, 0, 20 * min(3, len(members)), 15 * -(-len(members) // 3)]
    return {"backdrop": {"box": box}, "scene": {"layers": [{"name": "gallery", "shapes": shapes}]}}


BUILDINGS_WORDS = {"en": "Buildings", "de": "Gebäude"}


def drawn(tiles: dict[tuple[int, int], tuple[str, int]], *more: list[dict[str, Any]]) -> dict[str, Any]:
    """A corner of the map with some buildings and their owners, and what else there is to see."""
    whole = island()
    built = [(tile(*place), KEYS.index(key), player) for place, (key, player) in tiles.items()]
    layers = [
        [owned(number, player) for number, _, player in built],
        [icon(number, building, player, 2, False) for number, building, player in built],
        *more,
    ]
    return {
        "backdrop": {**whole, "box": [12, 6, 50, 33]},
        "scene": {"layers": [{"name": f"layer-{i}", "shapes": shapes} for i, shapes in enumerate(layers)]},
    }


KEYS = keys()
FARMS = drawn({(2, 3): ("windmill", 0), (1, 3): ("farm", 0), (2, 2): ("farm", 0), (3, 3): ("farm", 0)})
SIEGED = drawn(
    {(2, 2): ("city_center", 0), (2, 3): ("barracks", 0), (2, 4): ("farm", 1), (3, 4): ("city_center", 1)},
    [*pressed(tile(2, 2), {0: 5}), *pressed(tile(2, 4), {0: 3}), *siege(tile(2, 4), 0, 2, 2)],
)
DISTANCES = ", ".join(str(price) for price in FOOD_PRICE[1:])
SCIENCE = {
    "en": "Everybody can build what costs 10 from the beginning. What costs 50 or 250 must be unlocked: research a"
    " technology in place of a build, for food and material. What was conquered works for its new owner in any case."
    " The book below the map opens the menu.",
    "de": "Was 10 kostet, können alle von Anfang an bauen. Was 50 oder 250 kostet, muss erst möglich werden: Erforsche"
    " statt eines Baus eine Technologie, für Nahrung und Material. Was erobert ist, arbeitet auf jeden Fall für den"
    " neuen Besitzer. Das Buch unter der Karte öffnet das Menü.",
}
RULES: list[dict[str, Any]] = [
    {
        "title": {"en": "Goal", "de": "Ziel"},
        "text": {
            "en": "Two to four players build up a country each, from a city centre in their corner. After 100 rounds"
            " the most points win; of those who have as many, more tiles do.",
            "de": "Zwei bis vier Spieler bauen je ein Land auf, von einem Stadtzentrum in ihrer Ecke aus. Nach 100"
            " Runden gewinnen die meisten Punkte; bei gleich vielen die meisten Felder.",
        },
        "figure": {
            **TERRAIN,
            "caption": {
                "en": "At the start. Trees and mountains never go away, whatever is built on their tiles.",
                "de": "Zu Beginn. Bäume und Berge verschwinden nie, was auch auf ihren Feldern gebaut wird.",
            },
        },
    },
    {
        "title": {"en": "A round", "de": "Eine Runde"},
        "text": {
            "en": "All choose at once: build one building, or wait. Then\n\n- the builds happen in turn, beginning with"
            " another player each round; who finds a tile taken pays nothing and has waited,\n- everybody gets food,"
            " material and points from all buildings,\n- sieges go on.",
            "de": "Alle wählen gleichzeitig: ein Gebäude bauen oder warten. Dann\n\n- wird der Reihe nach gebaut, jede"
            " Runde beginnt jemand anderes; wer ein Feld schon besetzt findet, zahlt nichts und hat gewartet,\n-"
            " bekommen alle Nahrung, Material und Punkte von allen Gebäuden,\n- gehen Belagerungen weiter.",
        },
    },
    {
        "title": {"en": "Building", "de": "Bauen"},
        "text": {
            "en": f"Everybody begins with {BEGINNING[0]} food and {BEGINNING[1]} material, and gets 1 of each in every"
            " round. A building costs 10, 50 or 250 material.\n\n- On an **own tile** it replaces what stands there."
            " The only city centre must stay.\n- On an **unbuilt tile** it also costs food: "
            f"{DISTANCES} at a distance of 1, 2, 3, {REACH} from the nearest own city centre. Farther away nothing can"
            " be built.\n- On a **foreign tile** nobody builds.",
            "de": f"Alle beginnen mit {BEGINNING[0]} Nahrung und {BEGINNING[1]} Material und bekommen jede Runde 1 von"
            " beidem. Ein Gebäude kostet 10, 50 oder 250 Material.\n\n- Auf einem **eigenen Feld** ersetzt es, was dort"
            " steht. Das einzige Stadtzentrum muss bleiben.\n- Auf einem **unbebauten Feld** kostet es außerdem"
            f" Nahrung: {DISTANCES} im Abstand 1, 2, 3, {REACH} vom nächsten eigenen Stadtzentrum. Weiter weg kann"
            " nicht gebaut werden.\n- Auf einem **fremden Feld** baut niemand.",
        },
        "figure": {
            "options": {"map": 1, "players": 2},
            "moves": ["gatherer 1,2", "wait"],
            "caption": {
                "en": "A gatherer's hut beside the city centre of Northwest, for 10 material and 30 food.",
                "de": "Eine Sammlerhütte neben dem Stadtzentrum von Nordwest, für 10 Material und 30 Nahrung.",
            },
        },
    },
    {
        "title": {"en": "Buildings", "de": "Gebäude"},
        "text": {
            "en": "What a building does it does in each round, to the stocks of its owner. Most depend on what is"
            " around them: trees and mountains, unbuilt tiles, own or foreign buildings. The pictures and lists below"
            " show all of them, with the price in material in brackets. The build menu tells what each would change"
            " just here.",
            "de": "Was ein Gebäude bewirkt, bewirkt es in jeder Runde, für die Vorräte seines Besitzers. Die meisten"
            " hängen davon ab, was um sie liegt: Bäume und Berge, unbebaute Felder, eigene oder fremde Gebäude. Die"
            " Bilder und Listen unten zeigen alle, mit dem Preis in Material in Klammern. Das Baumenü sagt, was jedes"
            " gerade hier ändern würde.",
        },
        "figure": {
            **FARMS,
            "caption": {
                "en": "Three farms stand beside the windmill: 12 food more in each round.",
                "de": "Neben der Windmühle stehen drei Farmen: 12 Nahrung mehr in jeder Runde.",
            },
        },
    },
    *map(category_section, CATEGORIES),
    {
        "title": {"en": "Pressure and siege", "de": "Druck und Belagerung"},
        "text": {
            "en": "Military buildings and city centres press on the tiles in their range, their own among them. A built"
            " tile is besieged when another player presses on it more than its owner does, by more than"
            f" {GARRISON}, and more than everybody else. Besieged by the same player at the end of {SIEGE} rounds in a"
            " row, it falls: the building stays and works for its new owner. Who is no longer stronger begins anew.",
            "de": "Militärgebäude und Stadtzentren üben Druck auf die Felder in ihrer Reichweite aus, auch auf ihr"
            f" eigenes. Ein bebautes Feld wird belagert, wenn jemand um mehr als {GARRISON} stärker drückt als der"
            f" Besitzer und stärker als alle anderen. Wird es am Ende von {SIEGE} Runden nacheinander von demselben"
            " belagert, so fällt es: Das Gebäude bleibt und arbeitet für den neuen Besitzer. Wer nicht mehr stärker"
            " ist, fängt von vorn an.",
        },
        "figure": {
            **SIEGED,
            "caption": {
                "en": "The barracks press with 3 on the farm, whose owner does not press at all: it falls in 2 rounds.",
                "de": "Die Baracke drückt mit 3 auf die Farm, deren Besitzer gar nicht drückt: Sie fällt in 2 Runden.",
            },
        },
    },
    {
        "title": {"en": "Science, if it is on", "de": "Wissenschaft, wenn sie gewählt ist"},
        "text": each(lambda lang: f"{SCIENCE[lang]}\n\n{tree_words()[lang]}"),
    },
    {
        "title": {"en": "Fog of war, if it is on", "de": "Nebel des Krieges, wenn er gewählt ist"},
        "text": {
            "en": f"You see what lies within {SIGHT} tiles of your own tiles, and build only where you see. The land,"
            " the round and everybody's points are known; what the others have built out of your sight, their food,"
            " their material and their technologies are not. At the end everything is shown.",
            "de": f"Du siehst, was höchstens {SIGHT} Felder von deinen eigenen entfernt liegt, und baust nur, wo du"
            " etwas siehst. Das Land, die Runde und die Punkte aller sind bekannt; was die anderen außer Sicht gebaut"
            " haben, ihre Nahrung, ihr Material und ihre Technologien nicht. Am Ende wird alles gezeigt.",
        },
    },
    {
        "title": {"en": "The end", "de": "Das Ende"},
        "text": {
            "en": "The game ends after its last round. Who has lost all city centres can build only on own tiles; who"
            " has lost all tiles waits, and keeps the points.",
            "de": "Die Partie endet nach ihrer letzten Runde. Wer alle Stadtzentren verloren hat, kann nur auf eigenen"
            " Feldern bauen; wer alle Felder verloren hat, wartet und behält seine Punkte.",
        },
    },
]
