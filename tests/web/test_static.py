"""The static files: words in both languages, nothing from elsewhere, small, and readable colours."""

from __future__ import annotations

import pathlib
import re

import pytest

import spielbaum.web
from spielbaum.agents import agent_types
from spielbaum.agents.registry import AGENT_TYPES
from spielbaum.game import names
from spielbaum.scenes import drawing
from spielbaum.scenes.scene import ROLES
from spielbaum.translations import Translations
from spielbaum.web.catalogue import general
from spielbaum.web.words import general_words

STATIC = pathlib.Path(spielbaum.web.__file__).with_name("static")
SCRIPTS = sorted((STATIC / "js").rglob("*.js"))
TEXT = r'\bh\("(?:h\d|p|span|button|legend|label|dt|th)", (?:null|\{[^}]*\}), "([^"]*[a-z]{3}[^"]*)"'
SERVED = [path for path in STATIC.rglob("*") if path.suffix in (".html", ".css", ".js", ".svg")]


def dictionary(language: str) -> dict[str, str]:
    """The words of a language as words.js declares them."""
    source = (STATIC / "js/words.js").read_text("utf-8")
    body = source.split(f"const {language} = {{\n")[1].split("\n};")[0]
    return dict(re.findall(r'^  (\w+):\s+"(.*)",$', body, re.MULTILINE))


def used_keys() -> set[str]:
    """Keys that are asked for: `t("key")`, `t(… ? "key" : "other")`, and those of the speeds."""
    source = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    either = re.findall(r'\bt\([^,;{}]*? \? "(\w+)" : "(\w+)"', source)
    return {*re.findall(r'\bt\("(\w+)"', source), *re.findall(r'\["(pace\d)"', source)}.union(*either)


def test_every_word_is_there_in_both_languages() -> None:
    english, german = dictionary("EN"), dictionary("DE")
    assert english.keys() == german.keys()
    assert all(english.values()) and all(german.values())


def test_words_have_the_same_blanks_in_both_languages() -> None:
    english, german = dictionary("EN"), dictionary("DE")
    blanks = {key: set(re.findall(r"\{\w+\}", text)) for key, text in english.items()}
    assert {key: set(re.findall(r"\{\w+\}", text)) for key, text in german.items()} == blanks


def test_every_key_that_is_used_is_a_word() -> None:
    assert used_keys() - dictionary("EN").keys() == set()


def test_every_word_is_used() -> None:
    assert dictionary("EN").keys() - used_keys() == set()


def test_no_text_for_people_stands_outside_the_dictionary() -> None:
    for path in SCRIPTS:
        texts = re.findall(TEXT, path.read_text("utf-8"))
        assert [text for text in texts if text != "Spielbaum"] == [], path.name


def test_nothing_comes_from_elsewhere() -> None:
    for path in SERVED:
        addresses = re.findall(
            r"(?:https?:)?//[\w.-]+\.\w+",
            re.sub(r"^\s*(//|\*|/\*).*$", "", path.read_text("utf-8"), flags=re.MULTILINE),
        )
        assert set(addresses) <= {"http://www.w3.org"}, path.name


def test_whole_app_is_small() -> None:
    assert sum(path.stat().st_size for path in SERVED) < 360_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_role_has_a_colour(scheme: str) -> None:
    assert {f"r-{role}" for role in ROLES if role != "none"} <= colours(scheme).keys()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [("ink", "paper"), ("ink", "sheet"), ("muted", "paper"), ("muted", "sheet"), ("accent", "paper"),
     ("accent", "sheet"), ("on-accent", "accent"), ("on-thought", "thought"), ("thought", "sheet"), ("r-good", "paper"),
     ("r-ink", "r-field")],
)  # fmt: skip
def test_texts_have_the_contrast_of_wcag_aa(scheme: str, ink: str, ground: str) -> None:
    found = colours(scheme)
    assert contrast(found[ink], found[ground]) >= 4.5


def colours(scheme: str) -> dict[str, str]:
    source = (STATIC / "css/base.css").read_text("utf-8")
    light, dark = source.split("@media (prefers-color-scheme: dark)")[:2]
    read = lambda text: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", text))  # noqa: E731
    return read(light) if scheme == "light" else read(light) | read(dark)


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("language", ["EN", "DE"])
def test_names_stand_apart_so_that_they_need_not_be_inflected(language: str) -> None:
    """`Aussichten von Steine` is no German: a name begins a sentence before a colon, or follows one."""
    texts = {key: text for key, text in dictionary(language).items() if key != "against"}  # players, not sides
    for text in texts.values():
        for before, after in re.findall(r"^(.*?)\{names?\}(.*)$", text):
            assert before.endswith(": ") or (before == "" and after.startswith(":")), text


def german_texts() -> list[str]:
    """All that the app and the built-in games say in German."""
    found: list[str] = list(dictionary("DE").values())

    def collect(thing: object) -> None:
        if isinstance(thing, dict):
            found.extend(thing[key] for key in ("de",) if isinstance(thing.get(key), str))
            for each in thing.values():
                collect(each)
        elif isinstance(thing, list | tuple):
            for each in thing:
                collect(each)

    for name in names():
        game = spielbaum.load(name)
        collect([drawing.declared(game, "WORDS", {}), drawing.declared(game, "RULES", [])])
    for file in pathlib.Path(spielbaum.__file__).parent.rglob("texts.toml"):
        collect(Translations(file).scene())
    collect(general_words())
    return found


def test_german_says_du() -> None:
    others = re.compile(r"\b(Ihnen|Ihre[nmrs]?|euch|eure[nmrs]?|Werft|Wählt|Würfelt|Bitte|können Sie|wollen Sie)\b")
    assert [text for text in german_texts() if others.search(text)] == []


@pytest.mark.parametrize("name", names())
def test_seats_and_parameters_have_names_for_people(name: str) -> None:
    game = spielbaum.load(name)
    seats = [drawing.words(game, seat) for seat in game.seats]
    assert not {"first", "second"} & {seat["en"] for seat in seats if isinstance(seat, dict)}
    for kind in agent_types(game):
        if kind not in AGENT_TYPES:
            for param in kind.params(game):
                title = general(game, param.name)
                words = title if isinstance(title, str) else title["en"]
                assert not re.search("high|prepsquad|friendly", words), param.name
