"""What machine code depends on, as a digest that changes when any of it does.

Numba notices an edited function but not an edited function that it calls, nor a changed global. So we
follow a game's hooks through everything that their bytecode names: other rules, constants, arrays,
modules. Bytecode and values count, not text: an edited comment changes nothing.
"""

from __future__ import annotations

import ast
import dis
import functools
import hashlib
import inspect
import pathlib
import platform
import re
import sys
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from numba.extending import is_jitted

from spielbaum.compile.bind import frozen_tables
from spielbaum.numba_internals import options_of
from spielbaum.protocol import CONSTANTS, HOOKS

ENGINE = pathlib.Path(__file__).parents[1]
COMPILES = ("numba_internals.py", "numba_shortcuts.py")
KERNELS = {"kernels", "mcts"}  # folders whose files searches are made of
RECORDED = ("start", "player", "actions", "play", "movers", "resolve", "returns")
VARIABLE, ATTRIBUTE, OTHER = range(3)
KINDS = dict.fromkeys(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"), VARIABLE)
KINDS |= dict.fromkeys(("LOAD_ATTR", "LOAD_METHOD"), ATTRIBUTE)
LIBRARIES = sys.stdlib_module_names | {"numpy", "numba", "llvmlite", "scipy"}


def kernel_digest(rules: types.ModuleType, functions: list[Callable[..., Any]]) -> str:
    """The digest of some kernels of a game: of all that their code uses, and of how it is compiled."""
    digest = hashlib.sha256(f"{rules.__name__} {compiler_digest()}".encode())
    seen: dict[int, int] = {}  # Numba finds the classes in its index by the name above
    for thing in (rules.STATE, getattr(rules, "SCRATCH", None), table_classes(rules), functions):
        fingerprint(thing, digest.update, seen)
    return digest.hexdigest()


def digest_on(content: str, platform: str) -> str:
    """The digest of machine code: of what it is made from, and of the platform that it is made for."""
    return hashlib.sha256(f"{content} {platform}".encode()).hexdigest()[:16]


@functools.cache
def compiler_digest() -> str:
    """The digest of how kernels are compiled, and of how rules are bound to them."""
    sources = ((ENGINE / name).read_bytes() for name in COMPILES)
    return hashlib.sha256(b"".join(ast.dump(ast.parse(source)).encode() for source in sources)).hexdigest()


@functools.cache
def search_digest(rules: types.ModuleType, search: str) -> str:
    """The digest of all kernels of a search: of the game, its variant, the engine and the compiler."""
    digest = hashlib.sha256(f"{game_digest(rules)} {compiler_digest()} {search}".encode())
    for path in sorted(ENGINE.glob("**/*.py")):
        if set(path.relative_to(ENGINE).parts) & KERNELS:
            digest.update(path.read_bytes())
    return digest.hexdigest()


@functools.cache
def game_digest(rules: types.ModuleType) -> str:
    """The digest of all that a game gives to its kernels."""
    digest = hashlib.sha256(rules.__name__.encode())  # Numba finds the classes in its index by this name
    seen: dict[int, int] = {}
    for name in (*CONSTANTS, *HOOKS):
        fingerprint((name, getattr(rules, name, None)), digest.update, seen)
    fingerprint(table_classes(rules), digest.update, seen)
    fingerprint(frozen_tables(rules), digest.update, seen)
    return digest.hexdigest()


@functools.cache
def machine() -> str:
    """What machine code for this very machine depends on besides sources."""
    facts = (
        platform.python_version(),
        numba.__version__,
        np.__version__,
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
        *(vars(numba.config)[setting] for setting in ("DISABLE_JIT", "BOUNDSCHECK", "CPU_NAME", "CPU_FEATURES")),
    )
    return repr(facts)


@functools.cache
def rules_version(rules: types.ModuleType) -> str:
    """A digest of what decides how a recorded game goes: the rules alone, whatever runs them.

    Unlike `game_digest` it takes the source without its comments, so that it is the same for every
    Python, compiler and processor; evaluations, policies and texts do not count.
    """
    roots = [getattr(rules, name, None) for name in (*RECORDED, "tables")]
    parts = {repr([(name, rules.STATE[name]) for name in rules.STATE.names or ()])}
    for thing in reachable(roots):
        function = python_function(thing)
        assert function is not None
        values = (value for value in references(function) if not isinstance(value, types.ModuleType))
        plain = sorted(repr_of(value) for value in values if not callable(value))
        parts.add(f"{function.__qualname__}: {plain_source(function)} {plain}")
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:12]


def plain_source(function: types.FunctionType) -> str:
    """A function's text without comments and docstring."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):  # made from a string, or a part of a line
        return repr(code_parts(function.__code__))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def repr_of(value: Any) -> str:
    """A constant as text: arrays with all their numbers, a file by what is in it and not by where it lies."""
    if isinstance(value, pathlib.Path):
        return f"{value.name} {hashlib.sha256(value.read_bytes()).hexdigest() if value.is_file() else ''}"
    return f"{value.dtype} {value.tolist()}" if isinstance(value, np.ndarray) else repr(value)


# --- following references -----------------------------------------------------------------------


def references(function: types.FunctionType) -> Iterator[Any]:
    """The values that a function's code names: globals, closure variables, and attributes of modules."""
    names = {**function.__globals__, **closure(function)}
    for code in nested(function.__code__):
        value = None
        for kind, name in loads(code):
            if kind == VARIABLE:
                value = names.get(name)
            elif kind == ATTRIBUTE and isinstance(value, types.ModuleType):
                value = getattr(value, name, None)
            else:
                value = None
            if value is not None:
                yield value


@functools.cache  # a game's code is followed once for each question about it, and disassembled only here
def loads(code: types.CodeType) -> list[tuple[int, str]]:
    """The instructions of some code that load a variable or an attribute, with its name, and one for all in between."""
    found: list[tuple[int, str]] = []
    for instruction in dis.get_instructions(code):
        kind = KINDS.get(instruction.opname, OTHER)
        if kind != OTHER:
            found.append((kind, instruction.argval))
        elif instruction.opname != "EXTENDED_ARG" and found and found[-1][0] != OTHER:
            found.append((OTHER, ""))
    return found


def closure(function: types.FunctionType) -> dict[str, Any]:
    """The variables that a function shares with the one it was defined in."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells}


def nested(code: types.CodeType) -> Iterator[types.CodeType]:
    """A function's code and that of the functions and comprehensions inside."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from nested(constant)


def python_function(thing: Any) -> types.FunctionType | None:
    """The source of a rule, or a plain function; None for functions of libraries and all else."""
    function = thing.py_func if is_jitted(thing) else thing
    if not isinstance(function, types.FunctionType):
        return None
    return None if (function.__module__ or "").partition(".")[0] in LIBRARIES else function


def reachable(roots: Iterable[Any]) -> Iterator[Any]:
    """All rules and plain functions that some of them call, directly or not, themselves included."""
    waiting, seen = list(roots), set[int]()
    while waiting:
        thing = waiting.pop()
        function = python_function(thing)
        if function is not None and id(thing) not in seen:
            seen.add(id(thing))
            yield thing
            waiting += references(function)


def hooks_of(rules: types.ModuleType) -> list[Any]:
    """The hooks that a game offers."""
    policies = getattr(rules, "POLICIES", ())
    own = list(policies.values()) if isinstance(policies, dict) else []
    return [*(getattr(rules, hook) for hook in HOOKS if hasattr(rules, hook)), *own]


def table_classes(rules: types.ModuleType) -> list[type]:
    """The NamedTuples that a game's `tables` makes: rules read their fields by position."""
    functions = map(python_function, reachable([getattr(rules, "tables", None)]))
    named = [thing for function in functions if function for thing in references(function)]
    return [thing for thing in named if isinstance(thing, type) and hasattr(thing, "_fields")]


# --- fingerprints -------------------------------------------------------------------------------


def fingerprint(thing: Any, update: Callable[[bytes], Any], seen: dict[int, int]) -> None:
    """Feed all that a compiled use of `thing` depends on to `update`."""
    function = python_function(thing)
    if id(thing) in seen:
        update(f"again {seen[id(thing)]};".encode())
        return
    if function is not None:
        seen[id(thing)] = len(seen)
        parts: Iterable[Any] = (
            *map(code_parts, nested(function.__code__)),
            *(function.__defaults__, function.__kwdefaults__, options_of(thing)),
            *references(function),
        )
    elif isinstance(thing, np.ndarray):
        seen[id(thing)] = len(seen)
        parts = (str(thing.dtype), thing.shape, thing.strides)
        update(thing.tobytes())
    elif isinstance(thing, tuple | list):
        parts = thing
    elif isinstance(thing, dict):
        parts = thing.items()
    elif isinstance(thing, set | frozenset):
        parts = sorted(map(repr, thing))  # in an order that does not change from process to process
    elif isinstance(thing, type):
        members = getattr(thing, "__members__", {})
        parts = (thing.__qualname__, getattr(thing, "_fields", ()), [(name, members[name].value) for name in members])
    elif isinstance(thing, types.ModuleType):
        parts = (thing.__name__,)
    else:
        update(re.sub(r" at 0x[0-9a-fA-F]+", "", repr(thing)).encode())
        parts = ()
    update(f"{type(thing).__name__}(".encode())
    for part in parts:
        fingerprint(part, update, seen)
    update(b");")


def code_parts(code: types.CodeType) -> tuple[Any, ...]:
    """What counts in a code object: not where it stands."""
    constants = [constant for constant in code.co_consts if not isinstance(constant, types.CodeType)]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants
