"""Templates for Python: compile a kernel together with the rules of a game, and keep the result.

Numba specialises on functions but does not cache what it specialised on a function argument or a closure. So a
kernel is written once as a *template*: an ordinary module that imports the game's `rules`, or the `components` of one
search, from `spielbaum.linked`, where they stand for those of any game. It is *linked* by executing its source once
more as a module of its own, in which those names are the game's, and other templates that it imports are linked too:

    from spielbaum.kernels import hooks            is that template, linked for the same game
    from spielbaum.linked import rules             are the game's rules, as kernels call them

Machine code is kept in a folder whose name holds a digest of everything that it depends on, so that an edited rule
can't meet a stale kernel:

    <cache>/<game>-<template>-<digest>/      with Numba's own files

What is not there may have come with the package (`spielbaum.compile.shipped`); what has not is compiled.

Only this module knows any of this; everybody else says `game.kernels.link(template)`, or
`game.kernels.link(template, variant)` for a kernel that is put together from components.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import pathlib
import sys
import threading
import time
import types
from collections.abc import Callable
from threading import get_ident
from typing import Any, NamedTuple

import numba

from spielbaum import numba_internals as compiler
from spielbaum.compile import errors as explain
from spielbaum.compile import shipped
from spielbaum.compile.bind import bound, one_of
from spielbaum.compile.cache import alone, cache_folder, home, place
from spielbaum.compile.digest import LIBRARIES, digest_on, kernel_digest, machine
from spielbaum.compile.log import log_compilation
from spielbaum.compile.notices import notice, say
from spielbaum.errors import GameError, SpielbaumError
from spielbaum.linked import Unlinked
from spielbaum.numba_shortcuts import shorter_way

LINKED = "spielbaum.linked"
RULES, COMPONENTS = "rules", "components"

_lock = threading.RLock()
_here = threading.local()  # a thread that only imports a template must not see what another one links
_alike: list[type] = []
_prepared = 0.0
_links: dict[Link, types.ModuleType] = {}
_placed: dict[str, tuple[str, str]] = {}  # for each folder of the cache that is in use: game and template, and content
_components: dict[tuple[types.ModuleType, Any], types.ModuleType] = {}


class Link(NamedTuple):
    """A template that is linked with a game, and with the variant of a search where it asks for its components."""

    template: types.ModuleType
    rules: types.ModuleType
    variant: Any = None


class Kernels:
    """The templates linked for one game, to be compiled or `interpreted`."""

    def __init__(self, module: types.ModuleType, *, interpreted: bool = False):
        self._module, self._interpreted = module, interpreted

    def link(self, template: types.ModuleType, variant: Any = None) -> Any:
        """A template, linked with this game and with the components of a search; see `spielbaum.search.mcts`."""
        linked = link(template, self._module, variant)
        return Interpreted(linked) if self._interpreted else linked


class Interpreted:
    """A linked template whose kernels run as plain Python: for a few calls sooner than any compiler is done."""

    def __init__(self, linked: types.ModuleType):
        self._linked = linked

    def __getattr__(self, name: str) -> Any:
        thing = getattr(self._linked, name)
        return thing.function if isinstance(thing, Kernel) else thing


def links_in_progress() -> list[Link]:
    """What this thread is linking, innermost last."""
    if not hasattr(_here, "links"):
        _here.links = []
    return _here.links  # type: ignore[no-any-return]


def link(template: types.ModuleType, rules: types.ModuleType, variant: Any = None) -> types.ModuleType:
    """The template as a module of its own, linked with a game."""
    global _prepared
    wanted = Link(template, rules, variant if asks(template) - {RULES} else None)
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


@functools.cache
def asks(module: types.ModuleType) -> frozenset[str]:
    """What a module takes from `spielbaum.linked`, itself or through other templates; nothing for a plain module."""
    found, seen, waiting = set[str](), set[int](), [module]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and is_ours(each):
            seen.add(id(each))
            things = list(vars(each).values())
            found |= {thing.__name__ for thing in things if isinstance(thing, Unlinked)}
            waiting += [origin for origin in map(origin_of, things) if origin is not None]
    return frozenset(found)


def origin_of(thing: Any) -> types.ModuleType | None:
    """The module that a module imports as a whole, or in part by one of its functions."""
    if isinstance(thing, types.ModuleType):
        return thing
    return sys.modules.get(thing.__module__ or "") if compiler.is_rule(thing) else None


@functools.cache
def is_ours(module: types.ModuleType) -> bool:
    """Whether a module may be a template: a file with rules or kernels of its own. A package is none."""
    if getattr(module, "__file__", None) is None or hasattr(module, "__path__"):
        return False
    if module.__name__.partition(".")[0] in LIBRARIES:
        return False
    return any(compiler.is_rule(thing) and thing.__module__ == module.__name__ for thing in list(vars(module).values()))


def provide(name: str) -> Any:
    """What `from spielbaum.linked import name` means in the template that is being linked."""
    links = links_in_progress()
    _, rules, variant = links[-1]
    if name == RULES:
        return bound(rules)
    components = components_of(rules, variant)
    return components if name == COMPONENTS else getattr(components, name, False)  # a flag that nobody sets


def components_of(rules: types.ModuleType, variant: Any) -> types.ModuleType:
    """The components of a search, linked with a game; they may ask for each other while they are put together."""
    if (rules, variant) not in _components:
        components: Any = types.ModuleType(COMPONENTS)
        _components[rules, variant] = components
        components.policy_of = one_of(rules, variant.policies) if variant.policies else every_policy(rules)
        variant.assemble(components, rules, lambda template: link(template, rules, variant))
    return _components[rules, variant]


def every_policy(rules: types.ModuleType) -> Any:
    return getattr(bound(rules), "policy_of", None)


# --- loading --------------------------------------------------------------------------------------


def load(wanted: Link) -> None:
    """Execute the source of a template with its imports linked, and give its kernels a place in the cache."""
    template, rules, _ = wanted
    if wrong := explain.recursion(rules):
        raise GameError(f"{title(rules)}: {wrong}")
    module = types.ModuleType(f"{template.__name__}@{short_name(rules)}", template.__doc__)
    module.__dict__["__linked__"] = linked_name
    sys.modules[module.__name__] = module  # where Numba looks for the globals of code from its cache
    _links[wanted] = module
    try:
        exec(program(template), module.__dict__)
        place_kernels(module, template, rules)
    except BaseException:
        del _links[wanted]
        raise


def place_kernels(module: types.ModuleType, template: types.ModuleType, rules: types.ModuleType) -> None:
    """Give the kernels of a linked module their machine code, under the digest of what they use."""
    kernels = [thing for thing in vars(module).values() if isinstance(thing, Kernel)]
    if not kernels:
        return
    stem = template.__name__.rpartition(".")[2].replace("_", "-")
    name, content = f"{short_name(rules)}-{stem}", kernel_digest(rules, [kernel.function for kernel in kernels])
    folder = home(cache_folder() / f"{name}-{digest_on(content, machine())}")
    target = folder / f"{stem}.py"
    place(
        f"# {template.__name__}, linked for {short_name(rules)}: machine code lies beside this file.\n".encode(), target
    )
    module.__name__, module.__file__ = f"{module.__name__}_{content[:16]}", str(target)
    sys.modules[module.__name__] = module
    for kernel in kernels:
        kernel.place_at(module.__name__, target)
        found = functools.partial(shipped.entries, name, content, kernel.function.__name__)
        compiler.load_also(kernel.compiled, found, functools.partial(shipped.refuse, name))
    _placed[folder.name] = name, content


def linked_name(module: str, name: str) -> Any:
    """What a template imports by a name: something to link with, a template, or a part of one."""
    if module == LINKED:
        return provide(name)
    _, rules, variant = links_in_progress()[-1]
    whole = sys.modules.get(f"{module}.{name}")
    if whole is not None and asks(whole):
        return link(whole, rules, variant)
    return getattr(link(sys.modules[module], rules, variant), name)


@functools.cache
def program(template: types.ModuleType) -> types.CodeType:
    """The source of a template as code in which what it is linked with is looked up instead of imported."""
    path = str(template.__file__)
    tree = Imports(template).visit(ast.parse(pathlib.Path(path).read_bytes(), path))
    if hasattr(template, "COMPONENT"):
        template.COMPONENT.complete(tree, template)
    return compile(ast.fix_missing_locations(tree), path, "exec")


class Imports(ast.NodeTransformer):
    """Turns `from spielbaum.linked import rules`, or the import of a template, into `rules = __linked__(…)`."""

    def __init__(self, template: types.ModuleType):
        self.package = template.__package__ or ""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        module = importlib.util.resolve_name("." * node.level + (node.module or ""), self.package)
        plain = [alias for alias in node.names if not is_linked(module, alias.name)]
        looked_up = [
            ast.copy_location(assignment(alias.asname or alias.name, module, alias.name), node)
            for alias in node.names
            if alias not in plain
        ]
        return [ast.copy_location(ast.ImportFrom(node.module, plain, node.level), node)] * bool(plain) + looked_up

    def visit_Import(self, node: ast.Import) -> Any:
        for alias in node.names:
            if asks(importlib.import_module(alias.name)):
                package, _, name = alias.name.rpartition(".")
                raise SpielbaumError(f"a template imports another one by 'from {package} import {name}'")
        return node


def is_linked(module: str, name: str) -> bool:
    """Whether an imported name depends on what it is linked with."""
    if module == LINKED:
        return True
    owner = importlib.import_module(module)
    thing = getattr(owner, name, None)
    if isinstance(thing, types.ModuleType):
        return is_ours(thing) and bool(asks(thing))
    return compiler.is_rule(thing) and is_ours(owner) and bool(asks(owner))


def assignment(target: str, module: str, name: str) -> ast.stmt:
    return ast.parse(f"{target} = __linked__({module!r}, {name!r})").body[0]


def title(rules: types.ModuleType) -> str:
    """What people call the game."""
    return str(getattr(rules, "TITLE", None) or short_name(rules))


def short_name(rules: types.ModuleType) -> str:
    """`connect-four` for the module `spielbaum.games.connect_four`, `mine` for the file `mine.py`."""
    return rules.__name__.rpartition(".")[2].partition("__")[0].replace("_", "-")


# --- entry points -------------------------------------------------------------------------------


calls: dict[int, tuple[Kernel, tuple[Any, ...]]] = {}
"""Which kernel each thread is in now, and with what: for those who watch whether it ends."""


class Kernel:
    """An entry point of a template: compiled at the first call, under a lock, with one line of notice."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        _, self.rules, self.variant = links_in_progress()[-1]
        self.compiled: Any = None
        functools.update_wrapper(self, function)

    def place_at(self, module: str, place: pathlib.Path) -> None:
        """Once all that it uses is there: make its machine code one that Numba keeps at a place."""
        entry = types.FunctionType(
            self.function.__code__.replace(co_filename=str(place), co_firstlineno=1),
            self.function.__globals__,
            self.function.__name__,
        )
        entry.__module__, entry.__doc__ = module, self.function.__doc__
        self.compiled = compiler.entry(entry, self.meet)
        self.place = place

    def __call__(self, *arguments: Any) -> Any:
        thread = get_ident()
        calls[thread] = self, arguments
        try:
            return self.compiled(*arguments)
        except GameError:
            raise
        except Exception as error:
            wrong = explain.unreadable_table(arguments[0].tables) or explain.raised(error, self.function, self.rules)
            raise self.complaint(wrong) from error
        finally:
            calls.pop(thread, None)

    @property
    def is_compiled(self) -> bool:
        """Whether it can be called without waiting for its machine code."""
        return bool(getattr(self.compiled, "signatures", True))  # a plain function where the JIT is disabled

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
        begin, compiled_before = time.thread_time(), compiler.cache_counts(self.compiled)[1]
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
        if compiler.cache_counts(self.compiled)[1] > compiled_before:
            names = short_name(self.rules), self.place.stem, self.function.__name__, self.place.parent.name[-16:]
            log_compilation(*names, self.variant, time.thread_time() - begin)

    def attempt(self, signature: tuple[Any, ...]) -> tuple[Exception, list[explain.Failure]] | None:
        """Load or compile; what went wrong, if it did, as Numba tells it and rule by rule."""
        explain.take_failures()
        try:
            with compiler.no_warning_of_cache(), shorter_way():  # `prepare` warns in better words
                self.compiled.compile(signature)
        except Exception as error:
            compiler.forget_failures(self.compiled)
            return error, explain.take_failures()
        return None


def kernel(function: Callable[..., Any]) -> Any:
    """Mark a function of a template as an entry point: what Python calls."""
    return Kernel(function) if "__linked__" in function.__globals__ else compiler.marked(function)


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
    examples = kernel.function.__globals__.get("examples", lambda t: [])
    with _lock, alone(kernel.place), notice(f"{title(kernel.rules)} ({kernel.place.stem})", shipped.explain_once):
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


def placed() -> dict[str, tuple[str, str]]:
    """The folders of the cache that this process uses: for each its game and template, and what it is made from."""
    return dict(_placed)


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
