"""Catalogues of texts: those of all games are whole, and a slip in one is told in a line."""

from __future__ import annotations

import ast
import pathlib
import subprocess
import sys

import pytest

import spielbaum
from spielbaum.errors import GameError
from spielbaum.game import names
from spielbaum.scenes import drawing
from spielbaum.translations import Translations, joined
from spielbaum.web import catalogue
from spielbaum.web.words import LEVELS
from spielbaum.web.words import TEXTS as TEXTS_OF_ENGINE

GAMES = pathlib.Path(spielbaum.__file__).parent / "games"
CATALOGUES = sorted(GAMES.glob("*/texts.toml"))


def folder(file: pathlib.Path) -> str:
    return file.parent.name


def nodes(file: pathlib.Path) -> list[ast.AST]:
    """The code beside a catalogue."""
    return [node for path in file.parent.rglob("*.py") for node in ast.walk(ast.parse(path.read_bytes()))]


def test_every_game_has_a_catalogue():
    assert {folder(file).replace("_", "-") for file in CATALOGUES} == set(names())


@pytest.mark.parametrize("file", CATALOGUES, ids=folder)
def test_every_text_of_a_game_stands_in_both_languages(file):
    texts = Translations(file)
    sections = texts.rules()
    found = [*texts.words().values(), *(texts[key] for key in texts.scene())]
    found += [section[part] for section in sections for part in ("title", "text")]
    found += [section["figure"]["caption"] for section in sections if "figure" in section]
    assert len(sections) > 1 and all(list(text) == ["en", "de"] and all(text.values()) for text in found)


def test_every_text_of_the_engine_stands_in_both_languages():
    texts = TEXTS_OF_ENGINE.words()
    assert texts and all(list(text) == ["en", "de"] and all(text.values()) for text in texts.values())
    assert set(LEVELS) <= texts.keys()


@pytest.mark.parametrize("file", CATALOGUES, ids=folder)
def test_no_text_is_left_in_a_catalogue_that_no_drawing_names(file):
    strings = [node.value for node in nodes(file) if isinstance(node, ast.Constant)]
    named = {string.casefold() for string in strings if isinstance(string, str)}
    assert [key for key in Translations(file).scene() if key.casefold() not in named] == []


@pytest.mark.parametrize("file", CATALOGUES, ids=folder)
def test_no_german_is_left_in_the_code_of_a_game(file):
    given = [
        pair for node in nodes(file) if isinstance(node, ast.Dict) for pair in zip(node.keys, node.values, strict=True)
    ]
    german = [value for key, value in given if isinstance(key, ast.Constant) and key.value == "de"]
    assert [ast.unparse(text) for text in german if isinstance(text, ast.Constant | ast.JoinedStr)] == []


def test_a_game_that_nobody_looks_at_reads_no_catalogue():
    code = """
import spielbaum.translations as translations
from spielbaum.game import load, names
translations.read_toml = None
for name in names():
    load(name)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


# --- a game of one's own ------------------------------------------------------------------------

GAME = """
import pathlib
from spielbaum.games.tic_tac_toe import *
from spielbaum.games.tic_tac_toe import format_action
from spielbaum.translations import Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules

def gesture(action):
    return {"steps": [f"cell-{action}"], "label": TEXTS.format("mark {cell}", cell=format_action(action))}
"""
TEXTS = """
[words]
"Tic-tac-toe" = "Drei in einer Reihe"
X = { en = "crosses", de = "Kreuze" }

[scene]
"mark {cell}" = "{cell} ankreuzen"

[[rules]]
title = { en = "Goal", de = "Ziel" }
text.en = '''
Three in
a row.

- Across
- or down'''
text.de = "Drei in einer Reihe."
figure.moves = ["a1", "b2"]
figure.caption = { en = "Two moves.", de = "Zwei Züge." }
"""


@pytest.fixture
def own_game(tmp_path) -> pathlib.Path:
    (tmp_path / "texts.toml").write_text(TEXTS, "utf-8")
    file = tmp_path / "own.py"
    file.write_text(GAME, "utf-8")
    return file


def test_a_game_of_one_s_own_may_have_a_catalogue(own_game):
    game = spielbaum.load(own_game)
    assert catalogue.card(game)["title"] == {"en": "Tic-tac-toe", "de": "Drei in einer Reihe"}
    assert catalogue.seats(game)[0]["name"] == {"en": "crosses", "de": "Kreuze"}
    (section,) = catalogue.rules(game)["sections"]
    assert section["text"] == {"en": "Three in a row.\n\n- Across\n- or down", "de": "Drei in einer Reihe."}
    assert section["figure"]["caption"]["de"] == "Zwei Züge." and section["figure"]["scene"]["layers"]
    state = game.new()
    assert drawing.gestures(state, drawing.scene(state, 0))[0]["label"] == {"en": "mark a1", "de": "a1 ankreuzen"}


def test_a_text_is_filled_in_in_the_language_of_each():
    texts = Translations(GAMES / "kuhn_poker" / "texts.toml")
    filled = texts.format("card of the first player: {card}", card=texts["queen"])
    assert filled == {"en": "card of the first player: queen", "de": "Karte des ersten Spielers: Dame"}
    assert joined(", ", [texts["bet"], texts["call"]]) == {"en": "bet, call", "de": "setzen, mitgehen"}


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("[words", "texts.toml is not TOML: Expected ']'"),
        ("[word]\na = 'b'", "there is no part 'word'; right are [words], [scene] and [[rules]]"),
        ("words = 1", "words must be a table, written [words]"),
        ("[words]\nabout = { en = 'no German' }", "[words] 'about' needs a text in English and German, en and de"),
        ("[words]\nrows = ''", "[words] 'rows' needs a text in English and German"),
        ("[words]\nrows = 3", "[words] 'rows' needs a text in English and German"),
        ("[words]\nrows = { en = 'a', de = 'b', fr = 'c' }", "[words] 'rows' has an unknown language 'fr'"),
        ("[scene]\n'card {number}' = 'Karte {nummer}'", "'card {number}' needs the same {names} in both languages"),
        ("[scene]\n'card {number' = 'Karte {number}'", "'card {number' has a brace without its other"),
        ("[scene]\nmarck = 'Zeichen'", "[scene] has no 'mark'; did you mean 'marck'?"),
        ("[rules]\ntitle = 'Goal'", "rules must be written [[rules]], once for each section"),
        ("rules = ['Goal']", "rules must be written [[rules]], once for each section"),
        ("[[rules]]\ntitle = { en = 'Goal', de = 'Ziel' }", "[[rules]] 1, text needs a text in English and German"),
        ("[[rules]]\ntitel = 'Goal'", "[[rules]] 1 has an unknown 'titel'; right are title, text, figure"),
        (TEXTS + "\n[[rules]]\ntitle = { en = 'a', de = 'b' }\ntext = { en = 'a', de = 'b' }\nfigure = 3",
         "[[rules]] 2, figure must be a table"),
    ],
)  # fmt: skip
def test_a_slip_in_a_catalogue_is_told_in_one_line(tmp_path, toml, message):
    (tmp_path / "texts.toml").write_text(toml, "utf-8")
    texts = Translations(tmp_path / "texts.toml")
    with pytest.raises(GameError) as raised:
        texts.words(), texts.rules(), texts["mark"]
    assert message in str(raised.value) and "\n" not in str(raised.value) and str(raised.value).startswith("texts.toml")


def test_a_catalogue_that_is_not_there_is_told(tmp_path):
    with pytest.raises(GameError, match=r"texts\.toml"):
        Translations(tmp_path / "texts.toml").words()


def test_a_game_with_a_broken_catalogue_is_set_aside_with_the_reason(own_game):
    (own_game.parent / "texts.toml").write_text("[words]\nX = { en = 'crosses' }", "utf-8")
    offered = catalogue.Catalogue(["tic-tac-toe", own_game])
    assert [card["name"] for card in offered.cards] == ["tic-tac-toe"]
    (broken,) = offered.broken
    assert broken["reason"] == "texts.toml: [words] 'X' needs a text in English and German, en and de"
