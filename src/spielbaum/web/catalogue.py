"""The games that a server offers: cards, forms derived from declared parameters, and rules for players."""

from __future__ import annotations

import contextlib
import functools
import inspect
import logging
import pathlib
import random
import threading
from collections.abc import Iterable, Mapping
from typing import Any

from spielbaum.agents import agent_types, agent_types_in_file, freeze_spec, in_file, opponent, own_agents
from spielbaum.agents.network import lacks_net
from spielbaum.agents.registry import general_search
from spielbaum.errors import GameError, IllegalAction, SpielbaumError, unknown
from spielbaum.game import Game, State, built_in, load, names, origin
from spielbaum.params import Param, Value, fill
from spielbaum.scenes import drawing
from spielbaum.scenes.drawing import Json, declared, words
from spielbaum.testing.endless import endless_rule
from spielbaum.watchdog import Deaf, GivenUp, Watchdog
from spielbaum.web.errors import Refusal, without_folders
from spielbaum.web.safe_drawing import without_folder
from spielbaum.web.words import LEVELS, general_words

log = logging.getLogger(__name__)

PREVIEW_MOVES, PREVIEW_SEED = 6, 3
DRAWN = 10.0  # seconds of work for the picture of a game
PALETTE = 8  # roles player-1, player-2, …
FIELD_TYPES = {bool: "bool", int: "int", float: "float", str: "text"}
ITERATIONS = {"easy": 100, "medium": 1000, "hard": 5000}  # the last is that of `general_search`
SEARCHING = ("mcts", "ismcts", "minimax", "alphabeta")


class Catalogue:
    """The games by name: built-in ones, and files of the user's own."""

    def __init__(self, given: Iterable[str | pathlib.Path] = ()):
        self.sources: dict[str, str | pathlib.Path] = {}
        self.broken: list[Json] = []  # files that hold no game that can be shown, and why
        self.drawing = threading.Lock()
        wanted = [*given]
        for source in wanted or names():
            if not wanted and source in built_in():
                self.sources[source] = source  # is sound, and loaded when it is drawn
                continue
            try:
                game = load(source)
            except GameError as error:
                self.set_aside(source, error)
                continue
            if game.name in self.sources and self.sources[game.name] != source:
                raise SpielbaumError(f"two games are called {game.name!r}; rename one of the files")
            self.sources[game.name] = source
        self.loaded = functools.lru_cache(maxsize=128)(self.load)

    def name_of(self, source: str) -> str | None:
        """What a game is called here that a run knows by its name or its file; None if it is not offered."""
        return source if source in self.sources else self.files.get(source)

    @functools.cached_property
    def files(self) -> dict[str, str]:
        """The names of the games that were given as files, by what a run knows them by."""
        return {origin(self.game(name)): name for name in self.sources}

    def load(self, name: str, options: tuple[tuple[str, Value], ...]) -> Game:
        return load(self.sources[name], **dict(options))

    def game(self, name: str, options: Mapping[str, Value] | None = None) -> Game:
        """A game with its options set; games with the same options are the same object."""
        if name not in self.sources:
            raise Refusal("unknown-game", str(unknown("game", name, self.sources)), name=name)
        try:
            plain = self.loaded(name, ())
            chosen = fill(plain.params, options or {}, name)
            return self.loaded(name, tuple(item for item in chosen.items() if item not in plain.options.items()))
        except SpielbaumError as error:
            wrong = self.wrong_options(name, options or {})
            raise Refusal("bad-setup", str(error), "bad-options", names=wrong) from None

    def wrong_options(self, name: str, options: Mapping[str, Value]) -> list[Any]:
        """The names of those options that are not possible even alone."""
        wrong = []
        for option, value in options.items():
            try:
                fill(self.loaded(name, ()).params, {option: value}, name)
            except SpielbaumError:
                wrong.append(general(self.loaded(name, ()), option))
        return wrong

    @property
    def cards(self) -> list[Json]:
        """All games for the start page; those that can't be drawn are set aside. Others wait for who draws them."""
        with self.drawing:
            return self.drawn

    @functools.cached_property
    def drawn(self) -> list[Json]:
        found = []
        for name, source in [*self.sources.items()]:
            try:
                found.append(watched_card(self.game(name)))
            except Exception as error:  # rules and drawings are other people's code, which may raise anything
                self.set_aside(source, error)
                del self.sources[name]
        if not found:
            raise GameError(self.complaint)
        return found

    @property
    def complaint(self) -> str:
        """Why games are not offered, in one line."""
        return "; ".join(one["reason"].partition("\n")[0] for one in self.broken)

    def set_aside(self, source: str | pathlib.Path, error: Exception) -> None:
        """Note why a game is not offered; the traceback is for the log."""
        file = pathlib.Path(source).resolve()
        log.error("a game can't be served", exc_info=error, extra={"facts": {"file": file.name}})
        problem = str(error) if isinstance(error, SpielbaumError) else f"{type(error).__name__}: {error}"
        reason = without_folder(problem, file / "__init__.py" if file.is_dir() else file)
        self.broken.append({"file": file.name, "reason": reason})


def general(game: Game, name: str) -> Any:
    """A name in the game's words, or in those that belong to no game."""
    own = words(game, name)
    return own if own != name else general_words().get(name, name)


def card(game: Game) -> Json:
    """A game on the start page."""
    return {
        "name": game.name,
        "title": words(game, game.title),
        "about": words(game, "about") if words(game, "about") != "about" else game.about,
        "players": players(game),
        "chance": game.chance,
        "hidden": game.hidden,
        "rounds": game.simultaneous,
        "levels": levels(game),
        **picture(game),
    }


def watched_card(game: Game) -> Json:
    """The same, where no rule may keep the server from starting."""
    try:
        return Watchdog(DRAWN).run(lambda: card(game))
    except (GivenUp, Deaf):
        unknown_rule = f"{game.title}: its first moves can't be drawn within {DRAWN:g} s"
        raise GameError(endless_rule(game, PREVIEW_SEED, []) or unknown_rule) from None


def levels(game: Game) -> list[Json]:
    """How strong the computer may be: the game's own levels, or a search that thinks for longer and longer."""
    own = [{"spec": name, "title": general(game, name)} for name in own_agents(game) if plays_any_side(game, name)]
    if own:
        return own
    search = general_search(game).partition(":")[0]
    return [{"spec": f"{search}:iterations={n}", "title": general_words()[name]} for name, n in ITERATIONS.items()]


def players(game: Game) -> list[int]:
    """The fewest and the most players."""
    number = next((param for param in game.params if param.name == "players"), None)
    if number is None or number.low is None:
        return [min(game.players, game.module.PLAYERS), int(game.module.PLAYERS)]
    return [int(number.low), int(game.module.PLAYERS)]


def plays_any_side(game: Game, name: str) -> bool:
    """Whether an agent is a level for every seat; where the sides differ, one with another name may know one side."""
    return game.rotates or name in LEVELS


def picture(game: Game) -> Json:
    """The game some moves on; a game that hides is shown with everything."""
    return {"backdrop": drawing.backdrop(game), "scene": drawing.scene(preview(without_waiting(game)), None)}


def without_waiting(game: Game) -> Game:
    """The game as Python runs it, as long as it is not compiled.

    A file of somebody's own is compiled: where that fails, its author is told at once.
    """
    return game.interpreted if origin(game) in names() and not game.is_compiled else game


def preview(game: Game) -> State:
    if game.has("PREVIEW"):
        with contextlib.suppress(IllegalAction):  # they fit the default options
            return game.play_all(game.module.PREVIEW, PREVIEW_SEED)
    state, dice = game.new(PREVIEW_SEED), random.Random(PREVIEW_SEED)
    for _ in range(PREVIEW_MOVES):
        if not state.over:
            state.play(dice.choice(state.actions))
    return game.new(PREVIEW_SEED) if state.over else state


def setup(game: Game) -> Json:
    """Everything that can be chosen before a game."""
    presets = getattr(game.module, "PRESETS", {})
    return {
        **card(game),
        "presets": [{"name": n, "title": general(game, n), "options": o} for n, o in presets.items()],
        "options": [form_field(game, param) for param in game.params],
        "seats": seats(game),
        "agents": [
            {
                "name": kind.name,
                "title": general(game, kind.name),
                "help": general(game, kind.help),
                "searches": kind.name in SEARCHING or kind in getattr(game.module, "AGENT_TYPES", ()),
                "params": [form_field(game, param) for param in kind.params(game)],
            }
            for kind in agent_types(game)
            if kind.name != "human" and not lacks_net(kind.name, game)
        ],
        **named(game),
        "opponent": opponent(game),
        "kiosk": kiosk(game),
        "rules": bool(game.has("RULES") or game.module.__doc__),
        "symbols": drawing.artwork(game) is not None,
    }


def named(game: Game) -> Json:
    """The agents of the file in the server's folder, as they are now; a broken file is reported, and is no obstacle."""
    try:
        frozen = {kind.name: kind.name for kind in agent_types_in_file(game) if kind.objection(game) is None}
        frozen |= {name: freeze_spec(name, game) for name in in_file(game)}
    except SpielbaumError as error:
        return {"named": [], "trouble": without_folders(str(error))}
    return {"named": [{"spec": spec, "title": name} for name, spec in frozen.items()], "trouble": None}


def kiosk(game: Game) -> Json:
    """What a kiosk begins with at one touch, and who plays there while nobody does."""
    declared = getattr(game.module, "KIOSK", {})
    options = declared.get("options", {})
    players = Game(game.module, options).players
    return {"options": options, "agents": list(declared.get("agents", [opponent(game)] * players))}


def seats(game: Game) -> list[Json]:
    """The seats with their names, teams, and the group that one person may want to play."""
    group = {seat: general(game, name) for name, members in game.seat_groups.items() for seat in members}
    return [
        {
            "seat": number,
            "name": general(game, name),
            "team": int(game.teams[number]),
            "role": sign(game, number),
            "group": group.get(name),
        }
        for number, name in enumerate(game.seats)
    ]


def sign(game: Game, seat: int) -> str:
    """The colour that stands for a seat."""
    signs: tuple[str, ...] = getattr(game.module, "SIGNS", ())
    return signs[seat] if seat < len(signs) else f"player-{seat % PALETTE + 1}"


def form_field(game: Game, param: Param) -> Json:
    """A declared parameter as a field of a form; free text may have suggestions to choose from."""
    choices = param.choices or getattr(game.module, "SUGGESTIONS", {}).get(param.name)
    field: Json = {
        "name": param.name,
        "title": general(game, param.name),
        "help": general(game, param.help),
        "kind": "choice" if choices else FIELD_TYPES[param.type],
        "default": param.default,
        "optional": param.default is None,
    }
    limits = {"low": param.low, "high": param.high}
    field |= {name: limit for name, limit in limits.items() if limit is not None}
    if choices:
        field["choices"] = [{"value": choice, "title": general(game, choice)} for choice in choices]
    return field


def rules(game: Game) -> Json:
    """The rules for players with their drawn examples; without any, what the game's file says of itself."""
    said = inspect.cleandoc(game.module.__doc__ or "")
    sections = declared(game, "RULES", None) or [{"title": words(game, game.title), "text": said}]
    return {"title": words(game, game.title), "sections": [rule_section(game, section) for section in sections]}


def rule_section(game: Game, section: Json) -> Json:
    figure = section.get("figure")
    return {"title": section["title"], "text": section["text"], "figure": rule_figure(game, figure) if figure else None}


def rule_figure(game: Game, figure: Json) -> Json:
    """The position after some moves, or a scene of the author's own."""
    if "scene" in figure:
        drawn = {"backdrop": figure.get("backdrop", drawing.backdrop(game)), "scene": figure["scene"]}
    else:
        shown = Game(game.module, figure["options"]) if "options" in figure else game
        state = shown.play_all(figure["moves"], figure.get("seed", 0))
        drawn = {"backdrop": drawing.backdrop(shown), "scene": drawing.scene(state, None)}
    return {**drawn, "caption": figure.get("caption")}
