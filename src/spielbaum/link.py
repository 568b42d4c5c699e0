"""Templates for Python: compile a kernel together with the rules of a game, and keep the result.

Numba specialises on functions but does not cache what it specialised on a function argument or a
closure. So a kernel is written once as a *template*, a file in `search/templates` that imports
`rules` from `spielbaum.linked`, and is *linked* for a game by loading that source as a module of
its own from a cache folder. The folder's name holds a digest of everything that the machine code
depends on, so that an edited rule can't meet a stale kernel.

    <cache>/<game>-<digest>/<template>.py      and Numba's own files beside it

Only this module knows any of this; everybody else says `game.kernels.mcts`.
"""

from __future__ import annotations

import functools
import importlib
import pathlib
import re
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher

from spielbaum import explain
from spielbaum.cache import alone, cache_folder, home, place
from spielbaum.digest import ENGINE, game_digest
from spielbaum.errors import GameError
from spielbaum.notice import notice, say
from spielbaum.protocol import objection

TEMPLATES = ENGINE / "search" / "templates"
COMPILATION: dict[str, Any] = {"nogil": True, "cache": True, "_nrt": False}

_lock = threading.RLock()
_linking: list[types.ModuleType] = []
_alike: list[type] = []
_prepared = 0.0
_links: dict[tuple[types.ModuleType, str], types.ModuleType] = {}


class Kernels:
    """The templates linked for one game: `game.kernels.mcts` is the linked module `mcts`."""

    def __init__(self, module: types.ModuleType):
        self._module = module

    def __getattr__(self, template: str) -> types.ModuleType:
        if template.startswith("__") or not (TEMPLATES / f"{template}.py").exists():
            raise AttributeError(f"no kernel template {template!r}")
        module = link(template, self._module)
        setattr(self, template, module)
        return module


def link(template: str, rules: types.ModuleType) -> types.ModuleType:
    """The template as a module of its own in which `rules` is the game's module."""
    with _lock:
        key = (rules, template)
        if key not in _links:
            _linking.append(rules)
            try:
                _links[key] = load(template, rules)
            finally:
                _linking.pop()
        return _links[key]


def provide(name: str) -> types.ModuleType:
    """What `from spielbaum.linked import name` means in the template that is being linked."""
    if not _linking:
        raise ImportError(f"'{name}' exists only while a template is linked for a game")
    rules = _linking[-1]
    return rules if name == "rules" else link(name, rules)


def load(template: str, rules: types.ModuleType) -> types.ModuleType:
    if wrong := objection(rules) or explain.recursion(rules):
        raise GameError(f"{title(rules)}: {wrong}")
    folder = home(cache_folder() / f"{short_name(rules)}-{game_digest(rules)}")
    source, path = (TEMPLATES / f"{template}.py").read_bytes(), folder / f"{template}.py"
    place(source, path)
    module = types.ModuleType(f"spielbaum.linked_{re.sub(r'[^0-9a-z]', '_', folder.name)}.{template}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # where Numba looks for the globals of code from its cache
    exec(compile(source, path, "exec"), module.__dict__)
    return module


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
        self.rules = _linking[-1]
        self.compiled: Any = numba.njit(**COMPILATION)(function)
        if isinstance(self.compiled, CPUDispatcher):  # a plain function where the JIT is disabled
            entry: Any = self.compiled
            entry.__class__, entry.kernel = Entry, self
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self.compiled(*arguments)
        except GameError:
            raise
        except Exception as error:
            wrong = explain.unreadable_table(arguments[0]) or explain.raised(error, self.function, self.rules)
            raise self.complaint(wrong) from error

    def complaint(self, text: str) -> GameError:
        return GameError(f"{title(self.rules)}: {text}")

    def signature(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The types of some arguments, the first of which are always the game's tables."""
        if wrong := explain.unreadable_table(arguments[0]):
            raise self.complaint(wrong)
        return tuple(map(numba.typeof, arguments))

    def compile(self, arguments: tuple[Any, ...]) -> None:
        """Load the machine code for arguments of these types, or make it."""
        signature = self.signature(arguments)
        failed = self.attempt(signature)
        if failed and not self.compiled.stats.cache_misses[signature]:
            self.compiled._cache.flush()  # it was there but could not be loaded
            failed = self.attempt(signature)
        if failed and allow_allocation(self.rules):
            failed = self.attempt(signature)
        if failed:
            raise self.complaint(explain.not_compiled(*failed, self.rules))
        if wrong := explain.wrong_result(self.rules):
            self.compiled._cache.flush()
            self.compiled._reset_overloads()
            raise self.complaint(wrong)

    def attempt(self, signature: tuple[Any, ...]) -> tuple[Exception, list[explain.Failure]] | None:
        """Load or compile; what went wrong, if it did, as Numba tells it and rule by rule."""
        explain.take_failures()
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", ".*Cannot cache compiled function")  # `prepare` says it better
                self.compiled.compile(signature)
        except Exception as error:
            self.compiled._compiler._failed_cache.clear()  # or Numba would not try again
            return error, explain.take_failures()
        return None


kernel = Kernel


class Entry(CPUDispatcher):
    """What Numba makes of a kernel: it asks for machine code when arguments of new types arrive."""

    kernel: Kernel

    def _compile_for_args(self, *arguments: Any) -> Any:
        signature = self.kernel.signature(arguments)
        if signature in self.overloads:
            distinguish(type(arguments[0]))
        else:
            prepare(self.kernel, arguments)
        overload: Any = self.overloads[signature]
        return overload.entry_point


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
    load_numba()
    file = pathlib.Path(kernel.function.__code__.co_filename)
    examples = kernel.function.__globals__.get("examples", lambda t: [])
    with _lock, alone(file), notice(f"{title(kernel.rules)} ({file.stem})"):
        pairs = [(kernel, arguments), *examples(arguments[0])]
        for each, example in pairs:
            each.compile(example)
    _prepared += time.perf_counter() - begin
    if any(code.library.has_dynamic_globals for each, _ in pairs for code in each.compiled.overloads.values()):
        say(
            f"{title(kernel.rules)}: its kernels can't be kept and are compiled in every process, because a rule"
            " reads a large global array (move it into the tables) or calls sorted with a key\n"
        )


@functools.cache
def load_numba() -> None:
    """Let Numba load its array functions, but not look for BLAS on that occasion.

    It would import SciPy's linear algebra, a fifth of a start from a warm cache. A rule that calls
    `np.dot` still finds it.
    """
    linalg: Any = importlib.import_module("numba.np.linalg")
    look, linalg.ensure_blas = linalg.ensure_blas, no_blas
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


def no_blas() -> None:
    raise ImportError("not now")


def allow_allocation(rules: types.ModuleType) -> bool:
    """Compile a game's rules with reference counting; False where they are already.

    Rules that make arrays or lists, or return a part of the state, do not compile without. All rules
    of the game change at once: with and without, they do not agree on who owns an array.
    """
    own: list[Any] = [rule for rule in explain.own_rules(rules) if isinstance(rule, Dispatcher)]
    changed = [rule for rule in own if not rule.targetoptions.get("_nrt", True)]
    for rule in changed:
        rule.targetoptions["_nrt"] = True
        rule._compiler._failed_cache.clear()
        rule._reset_overloads()
    return bool(changed)


def prepared_seconds() -> float:
    """How long this process has compiled or loaded kernels: no part of anybody's thinking time."""
    return _prepared


def cache_counts() -> tuple[int, int]:
    """Kernels of this process that came from the cache, and that had to be compiled."""
    hits = misses = 0
    for module in _links.values():
        for thing in vars(module).values():
            if isinstance(thing, Kernel) and isinstance(thing.compiled, Entry):
                hits += sum(thing.compiled.stats.cache_hits.values())
                misses += sum(thing.compiled.stats.cache_misses.values())
    return hits, misses
