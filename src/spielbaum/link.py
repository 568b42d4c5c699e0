"""Templates for Python: compile a kernel together with the rules of a game, and keep the result.

Numba specialises on functions but does not cache what it specialised on a function argument or a closure. So a
kernel is written once as a *template*, a file in a folder `kernels` that imports what it is linked with from
`spielbaum.linked`: `rules`, the game's rules as kernels call them; `parts`, the parts of one search; or another
template. It is *linked* by loading that source as a module of its own from a cache folder, whose name holds a
digest of everything that the machine code depends on, so that an edited rule can't meet a stale kernel.

    <cache>/<game>-<template>-<digest>/<template>.py      and Numba's own files beside it

Only this module knows any of this; everybody else says `game.kernels.face`, or `game.kernels.linked("mcts",
structure)` for a kernel that is put together from parts.
"""

from __future__ import annotations

import functools
import pathlib
import re
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numba

from spielbaum import compiler, explain
from spielbaum.bind import bound, one_of
from spielbaum.cache import alone, cache_folder, home, place
from spielbaum.digest import ENGINE, kernel_digest, linked_names
from spielbaum.errors import GameError
from spielbaum.notice import notice, say

TEMPLATES = {path.stem: path for path in sorted(ENGINE.glob("**/kernels/*.py")) if path.stem != "__init__"}
RULES, PARTS = "rules", "parts"

_lock = threading.RLock()
_here = threading.local()  # a thread that only reads what a part declares must not see what another one links
_alike: list[type] = []
_prepared = 0.0
_links: dict[Link, types.ModuleType] = {}
_parts: dict[tuple[types.ModuleType, Any], types.ModuleType] = {}


class Link(NamedTuple):
    """A file that is linked with a game, and with the structure of a search where it asks for its parts."""

    path: pathlib.Path
    rules: types.ModuleType
    structure: Any = None


class Kernels:
    """The templates linked for one game: `game.kernels.face` is the linked module `face`."""

    def __init__(self, module: types.ModuleType):
        self._module = module

    def __getattr__(self, template: str) -> types.ModuleType:
        if template not in TEMPLATES:
            raise AttributeError(f"no kernel template {template!r}")
        module = self.linked(template)
        setattr(self, template, module)
        return module

    def linked(self, template: str, structure: Any = None) -> types.ModuleType:
        """A template put together for the structure of a search, see `spielbaum.search.mcts.parts`."""
        return link(TEMPLATES[template], self._module, structure)


def links_in_progress() -> list[Link]:
    """What this thread is linking, innermost last."""
    if not hasattr(_here, "links"):
        _here.links = []
    return _here.links  # type: ignore[no-any-return]


def link(path: pathlib.Path, rules: types.ModuleType, structure: Any = None) -> types.ModuleType:
    """The file as a module of its own, linked with a game."""
    global _prepared
    wanted = Link(path, rules, structure if asks_for_parts(path) else None)
    with _lock:
        if wanted not in _links:
            begin, links = time.perf_counter(), links_in_progress()
            links.append(wanted)
            try:
                load(wanted)
            finally:
                links.pop()
            if not links:  # what it is linked with counts as a part of it
                _prepared += time.perf_counter() - begin
        return _links[wanted]


def provide(name: str) -> Any:
    """What `from spielbaum.linked import name` means in the file that is being linked."""
    links = links_in_progress()
    if not links:
        return Unlinked(name)
    _, rules, structure = links[-1]
    if name == RULES:
        return bound(rules)
    if name == PARTS:
        return parts_of(rules, structure)
    return getattr(parts_of(rules, structure), name) if is_flag(name) else link(TEMPLATES[name], rules, structure)


class Unlinked:
    """Stands for what a part will be linked with, while somebody only reads what the part declares."""

    def __init__(self, name: str):
        self.name = name


def parts_of(rules: types.ModuleType, structure: Any) -> types.ModuleType:
    """The parts of a search, linked with a game; they may ask for each other while they are put together."""
    from spielbaum.search.mcts.parts import assemble

    if (rules, structure) not in _parts:
        parts: Any = types.ModuleType(PARTS)
        _parts[rules, structure] = parts
        parts.policy_of = one_of(rules, structure.policies) if structure.policies else every_policy(rules)
        assemble(parts, structure, lambda path: link(path, rules, structure))
    return _parts[rules, structure]


def every_policy(rules: types.ModuleType) -> Any:
    return getattr(bound(rules), "policy_of", None)


@functools.cache
def asks_for_parts(path: pathlib.Path) -> bool:
    """Whether a file, or one that it is linked with, depends on the structure of a search."""
    names = linked_names(path) - {RULES}
    return any(name == PARTS or is_flag(name) or asks_for_parts(TEMPLATES[name]) for name in sorted(names))


def is_flag(name: str) -> bool:
    """Whether a name stands for a constant of the structure: compiled code drops the branches that it rules out."""
    return name.isupper()


def load(wanted: Link) -> None:
    path, rules, structure = wanted
    if wrong := explain.recursion(rules):
        raise GameError(f"{title(rules)}: {wrong}")
    digest = kernel_digest(rules, structure, tuple(sorted(files_of(wanted))))
    folder = home(cache_folder() / f"{short_name(rules)}-{path.stem.replace('_', '-')}-{digest}")
    source, target = path.read_bytes(), folder / path.name
    place(source, target)
    module = types.ModuleType(f"spielbaum.linked_{re.sub(r'[^0-9a-z]', '_', folder.name)}.{path.stem}")
    module.__file__ = str(target)
    sys.modules[module.__name__] = module  # where Numba looks for the globals of code from its cache
    _links[wanted] = module
    exec(compile(source, target, "exec"), module.__dict__)


def files_of(wanted: Link) -> set[pathlib.Path]:
    """The file and all that it is linked with."""
    from spielbaum.search.mcts.parts import sources

    found, waiting = set[pathlib.Path](), [wanted.path]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            names = linked_names(path) - {RULES}
            waiting += [TEMPLATES[name] for name in names if name != PARTS and not is_flag(name)]
            waiting += sources(wanted.structure) if asks_for_parts(path) else []
    return found


def title(rules: types.ModuleType) -> str:
    """What people call the game."""
    return str(getattr(rules, "TITLE", None) or short_name(rules))


def short_name(rules: types.ModuleType) -> str:
    """`connect-four` for the module `spielbaum.games.connect_four`, `mine` for the file `mine.py`."""
    return rules.__name__.rpartition(".")[2].partition("__")[0].replace("_", "-")


# --- entry points -------------------------------------------------------------------------------


class Kernel:
    """An entry point of a template: compiled at the first call, under a lock, with one line of notice."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self.rules = links_in_progress()[-1].rules
        self.compiled: Any = compiler.entry(function, self.meet)
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self.compiled(*arguments)
        except GameError:
            raise
        except Exception as error:
            wrong = explain.unreadable_table(arguments[0].tables) or explain.raised(error, self.function, self.rules)
            raise self.complaint(wrong) from error

    def complaint(self, text: str) -> GameError:
        return GameError(f"{title(self.rules)}: {text}")

    def signature(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The types of some arguments, the first of which are always the game's tables."""
        if wrong := explain.unreadable_table(arguments[0].tables):
            raise self.complaint(wrong)
        return tuple(map(numba.typeof, arguments))

    def meet(self, arguments: tuple[Any, ...]) -> None:
        """Make sure that there is machine code for arguments whose types seem to be new."""
        if self.signature(arguments) in self.compiled.signatures:
            distinguish(type(arguments[0].tables))
        else:
            prepare(self, arguments)

    def compile(self, arguments: tuple[Any, ...]) -> None:
        """Load the machine code for arguments of these types, or make it."""
        signature = self.signature(arguments)
        failed = self.attempt(signature)
        if failed and compiler.was_in_cache(self.compiled, signature):
            compiler.flush(self.compiled)  # it was there but could not be loaded
            failed = self.attempt(signature)
        if failed and not explain.wrong_result(self.rules) and allow_allocation(self.rules):
            failed = self.attempt(signature)
        if failed:
            raise self.complaint(explain.not_compiled(*failed, self.rules))
        if wrong := explain.wrong_result(self.rules):
            compiler.forget(self.compiled)
            raise self.complaint(wrong)

    def attempt(self, signature: tuple[Any, ...]) -> tuple[Exception, list[explain.Failure]] | None:
        """Load or compile; what went wrong, if it did, as Numba tells it and rule by rule."""
        explain.take_failures()
        try:
            with compiler.no_warning_of_cache():  # `prepare` says it better
                self.compiled.compile(signature)
        except Exception as error:
            compiler.forget_failures(self.compiled)
            return error, explain.take_failures()
        return None


kernel = Kernel


def distinguish(tables: type) -> None:
    """Give the tables of a game a name of their own, once.

    At first glance Numba tells NamedTuples apart by their names and fields only. The tables of two
    games that look alike would need a second one at every call, fifty times as long as the call.
    """
    if tables not in _alike:
        _alike.append(tables)
        tables.__name__ += f"_{len(_alike)}"


def prepare(kernel: Kernel, arguments: tuple[Any, ...]) -> None:
    """Compile a kernel and its companions of the same template while other processes wait.

    A template with several small kernels offers `examples(t)`: arguments for each of them, so that
    all are compiled at once and announced in one line.
    """
    global _prepared
    begin = time.perf_counter()
    compiler.load_numba()
    file = pathlib.Path(kernel.function.__code__.co_filename)
    examples = kernel.function.__globals__.get("examples", lambda t: [])
    with _lock, alone(file), notice(f"{title(kernel.rules)} ({file.stem})"):
        pairs = [(kernel, arguments), *examples(arguments[0])]
        for each, example in pairs:
            each.compile(example)
    _prepared += time.perf_counter() - begin
    if any(compiler.can_t_be_kept(each.compiled) for each, _ in pairs):
        say(
            f"{title(kernel.rules)}: its kernels can't be kept and are compiled in every process, because a rule"
            " reads a large global array (move it into the tables) or calls sorted with a key\n"
        )


def allow_allocation(rules: types.ModuleType) -> bool:
    """Compile a game's rules with reference counting; False where they are already.

    Rules that make arrays or lists, or return a part of the state, do not compile without. All rules
    of the game change at once: with and without, they do not agree on who owns an array.
    """
    changed = [compiler.count_references(rule) for rule in explain.own_rules(rules)]
    return any(changed)


def prepared_seconds() -> float:
    """How long this process has linked, compiled or loaded kernels: no part of anybody's thinking time."""
    return _prepared


def preparing() -> bool:
    """Whether another thread links, compiles or loads kernels now."""
    free = _lock.acquire(blocking=False)
    if free:
        _lock.release()
    return not free


def cache_counts() -> tuple[int, int]:
    """Kernels of this process that came from the cache, and that had to be compiled."""
    things = [thing for module in _links.values() for thing in vars(module).values()]
    counts = [compiler.cache_counts(thing.compiled) for thing in things if isinstance(thing, Kernel)]
    return sum(hits for hits, _ in counts), sum(misses for _, misses in counts)
