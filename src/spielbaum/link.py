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

import atexit
import contextlib
import dis
import functools
import hashlib
import importlib.util
import os
import pathlib
import platform
import re
import shutil
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

import filelock
import llvmlite.binding
import numba
import numpy as np
import platformdirs
from numba.core.errors import NumbaError

from spielbaum.errors import GameError
from spielbaum.rules import Rule

ENGINE = pathlib.Path(__file__).parent
TEMPLATES = ENGINE / "search" / "templates"
CACHE_VARIABLE = "SPIELBAUM_CACHE"
FIXED_TIME = 1_000_000_000  # Numba compares time stamps; ours must not depend on who wrote first

HOOKS = (
    "start", "player", "actions", "play", "returns", "sample", "playout", "key", "evaluate",
    "policy", "keep", "prior", "capture", "hide", "determinize", "features",
)  # fmt: skip
CONSTANTS = ("STATE", "PLAYERS", "MAX_ACTIONS", "ACTION_CODES", "CHANCE", "POLICIES", "FILTERS")

_lock = threading.RLock()
_linking: list[types.ModuleType] = []
_links: dict[tuple[str, str], types.ModuleType] = {}


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
        key = (folder_name(rules), template)
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
    if any(allocates(dispatcher) for dispatcher in reachable_rules(rules)):
        allow_allocation(rules)
    folder = home(folder_name(rules))
    path = folder / f"{template}.py"
    place(TEMPLATES / f"{template}.py", path)
    name = f"spielbaum.linked_{re.sub(r'[^0-9a-z]', '_', folder.name)}.{template}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def place(source: pathlib.Path, target: pathlib.Path) -> None:
    """Copy a template into the cache so that other processes see all of it or nothing."""
    if target.exists():
        return
    handle, temporary = tempfile.mkstemp(dir=target.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        file.write(source.read_bytes())
    os.utime(temporary, (FIXED_TIME, FIXED_TIME))
    os.replace(temporary, target)


# --- where kernels live -------------------------------------------------------------------------


def cache_folder() -> pathlib.Path:
    """The folder of compiled kernels: $SPIELBAUM_CACHE, or the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return pathlib.Path(chosen) if chosen else pathlib.Path(platformdirs.user_cache_dir("spielbaum"))


@functools.cache
def home(name: str) -> pathlib.Path:
    """The writable folder for one game's kernels; a temporary one where the cache can't be used."""
    folder = cache_folder() / name
    try:
        (folder / "__pycache__").mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder), tempfile.TemporaryFile(dir=folder / "__pycache__"):
            return folder
    except OSError as error:
        return temporary_home(folder, error)


def temporary_home(folder: pathlib.Path, error: OSError) -> pathlib.Path:
    """A folder for this process alone, filled from a warm cache that can only be read."""
    temporary = pathlib.Path(tempfile.mkdtemp(prefix="spielbaum-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    target = temporary / folder.name
    if folder.is_dir():
        shutil.copytree(folder, target)
        for path in target.rglob("*"):
            path.chmod(path.stat().st_mode | 0o600)
    (target / "__pycache__").mkdir(parents=True, exist_ok=True)
    say(
        f"cache folder {cache_folder()} can't be written ({error.strerror or error}); kernels are"
        f" kept in a temporary folder for this run (set {CACHE_VARIABLE} to a writable folder)\n"
    )
    return target


# --- what machine code depends on ---------------------------------------------------------------


@functools.cache
def folder_name(rules: types.ModuleType) -> str:
    """`<game>-<digest>`: the digest covers the game, the engine, the compiler and the processor."""
    digest = hashlib.sha256(engine_digest().encode())
    digest.update(rules.__name__.encode())  # the classes in Numba's index are found by this name
    seen: set[int] = set()
    for name in CONSTANTS + HOOKS:
        digest.update(name.encode())
        fingerprint(getattr(rules, name, None), digest.update, seen)
    return f"{short_name(rules)}-{digest.hexdigest()[:16]}"


@functools.cache
def engine_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted([ENGINE / "rules.py", *ENGINE.glob("search/**/*.py")]):
        digest.update(path.read_bytes())
    for fact in (
        platform.python_version(),
        numba.__version__,
        np.__version__,
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
        str(numba.config.DISABLE_JIT),
    ):
        digest.update(fact.encode())
    return digest.hexdigest()


LIBRARIES = {"numpy", "numba", "math", "builtins", "scipy", "typing", "operator"}


def fingerprint(thing: Any, update: Callable[[bytes], Any], seen: set[int]) -> None:
    """Feed everything that a compiled use of `thing` depends on: code, constants, callees, arrays.

    Values count as well as source: a global read in a rule is frozen into the machine code.
    """
    if id(thing) in seen:
        return
    function = getattr(thing, "py_func", thing)
    if isinstance(function, types.FunctionType):
        seen.add(id(thing))
        if (function.__module__ or "").partition(".")[0] in LIBRARIES:
            update(function.__qualname__.encode())
        else:
            fingerprint_code(function.__code__, function, update, seen)
            for cell in function.__closure__ or ():
                fingerprint(cell.cell_contents, update, seen)
    elif isinstance(thing, np.ndarray):
        update(str(thing.dtype).encode() + str(thing.shape).encode() + thing.tobytes())
    elif isinstance(thing, tuple | list):
        for part in thing:
            fingerprint(part, update, seen)
    elif isinstance(thing, type):
        update(f"{thing.__qualname__}{getattr(thing, '_fields', '')}".encode())
        for part in getattr(thing, "__members__", {}).values():
            update(f"{part.name}={part.value}".encode())
    elif isinstance(thing, types.ModuleType):
        update(thing.__name__.encode())
    else:
        update(repr(thing).encode())


def fingerprint_code(
    code: types.CodeType, function: types.FunctionType, update: Callable[[bytes], Any], seen: set[int]
) -> None:
    update(code.co_code + repr((code.co_names, code.co_varnames)).encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            fingerprint_code(constant, function, update, seen)
        else:
            update(repr(constant).encode())
    for name in code.co_names:
        value = function.__globals__.get(name)
        fingerprint(value, update, seen)
        if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in LIBRARIES:
            for attribute in code.co_names:
                fingerprint(getattr(value, attribute, None), update, seen)


# --- entry points -------------------------------------------------------------------------------


class Kernel:
    """An entry point of a template: compiled at the first call, under a lock, with one line of notice."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self.compiled = numba.njit(nogil=True, cache=True, _nrt=False)(function)
        self.ready = self.compiled is function  # the JIT is disabled
        self.rules = _linking[-1]
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        if not self.ready:
            prepare(self, arguments)
        try:
            return self.compiled(*arguments)
        except GameError:
            raise
        except Exception as error:
            raise self.explain(error) from error

    def compile(self, arguments: tuple[Any, ...]) -> None:
        """Load the machine code for arguments of these types, or make it."""
        if self.ready:
            return
        signature = tuple(numba.typeof(argument) for argument in arguments)
        try:
            self.compiled.compile(signature)
        except NumbaError as error:
            if not allow_allocation(self.rules):
                raise GameError(essence(error, self.rules)) from None
            self.compile(arguments)
            return
        self.ready = True

    def explain(self, error: Exception) -> GameError:
        """A rule raised: name the game, the function and what it said."""
        trace = error.__traceback__
        name = self.function.__name__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename != __file__:
                name = trace.tb_frame.f_code.co_name
            trace = trace.tb_next
        return GameError(f"{title(self.rules)}: {name} raised {type(error).__name__}: {error}")


kernel = Kernel


def prepare(kernel: Kernel, arguments: tuple[Any, ...]) -> None:
    """Compile a kernel and its companions of the same template while other processes wait.

    A template with several small kernels offers `examples(t)`: arguments for each of them, so that
    all are compiled at once and announced in one line.
    """
    file = pathlib.Path(kernel.function.__code__.co_filename)
    companions = kernel.function.__globals__.get("examples")
    with _lock, filelock.FileLock(file.with_suffix(".lock")), notice(kernel, file):
        kernel.compile(arguments)
        for other, example in companions(arguments[0]) if companions else ():
            other.compile(example)


@contextlib.contextmanager
def notice(kernel: Kernel, file: pathlib.Path) -> Iterator[None]:
    """One line around a first compilation; nothing when the code is in the cache."""
    index = f"{file.stem}.{kernel.function.__name__}-*.nbi"
    if any((file.parent / "__pycache__").glob(index)):
        yield
        return
    say(f"compiling {title(kernel.rules)} ({file.stem}) for this machine, once … ")
    begin = time.perf_counter()
    try:
        yield
    except BaseException:
        say("stopped\n")
        raise
    say(f"{time.perf_counter() - begin:.1f} s\n")


def allow_allocation(rules: types.ModuleType) -> bool:
    """Compile a game's rules with reference counting; False where they were already."""
    changed = False
    for dispatcher in reachable_rules(rules):
        changed |= not dispatcher.targetoptions["_nrt"]
        dispatcher.targetoptions["_nrt"] = True
    return changed


SCALAR_FUNCTIONS = {
    "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
    "float64", "inf", "pi", "e", "sqrt", "abs", "floor", "ceil", "exp", "log", "log2", "sin", "cos",
    "minimum", "maximum", "sign",
}  # fmt: skip
BUILDERS = {"BUILD_LIST", "BUILD_SET", "BUILD_MAP", "BUILD_STRING", "LIST_APPEND", "MAKE_FUNCTION"}


def allocates(dispatcher: Rule) -> bool:
    """Whether a rule looks as if it made arrays, lists or the like.

    Numba remembers a library function that failed to compile without reference counting, so this
    must be known beforehand; rules that only hand out views are found by trying.
    """
    function = dispatcher.py_func
    for instruction in dis.get_instructions(function):
        if instruction.opname in BUILDERS:
            return True
        if instruction.opname in ("LOAD_ATTR", "LOAD_METHOD") and instruction.argval not in SCALAR_FUNCTIONS:
            if any(value is np for value in map(function.__globals__.get, function.__code__.co_names)):
                if hasattr(np, instruction.argval):
                    return True
    return False


def reachable_rules(rules: types.ModuleType) -> set[Rule]:
    """All rules that a game's hooks call, directly or not."""
    found: set[Rule] = set()
    waiting = [getattr(rules, hook, None) for hook in HOOKS]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, Rule) and thing not in found:
            found.add(thing)
            names = thing.py_func.__code__.co_names
            waiting += [thing.py_func.__globals__.get(name) for name in names]
    return found


def cache_counts() -> tuple[int, int]:
    """Kernels of this process that came from the cache, and that had to be compiled."""
    hits = misses = 0
    for module in _links.values():
        for thing in vars(module).values():
            if isinstance(thing, Kernel) and not isinstance(thing.compiled, types.FunctionType):
                hits += sum(thing.compiled.stats.cache_hits.values())
                misses += sum(thing.compiled.stats.cache_misses.values())
    return hits, misses


def title(rules: types.ModuleType) -> str:
    """What people call the game."""
    return str(getattr(rules, "TITLE", None) or short_name(rules))


def short_name(rules: types.ModuleType) -> str:
    """`connect-four` for the module `spielbaum.games.connect_four`, `mine` for the file `mine.py`."""
    return rules.__name__.rpartition(".")[2].partition("__")[0].replace("_", "-")


def essence(error: NumbaError, rules: types.ModuleType) -> str:
    """The one line of a Numba error that an author needs: game, function, place, reason."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    own = [place for place in places if belongs(place[0], rules)]
    file, line = own[-1] if own else ("", "0")
    function = function_at(rules, file, int(line))
    where = f" ({pathlib.Path(file).name}:{line})" if file else ""
    return f"{title(rules)}: {function} does not compile{where}: {reason(text)}"


def reason(text: str) -> str:
    """The innermost complaint of Numba's nested messages, on one line."""
    lines = [line.strip() for line in text.splitlines()]
    complaints = (
        r"(Untyped global name .*|NameError: .*|Unknown attribute .*|Cannot unify .*"
        r"|No implementation of function .*|Invalid use of .*|Use of unsupported .*|Unsupported .*"
        r"|Cannot .*|No conversion .*|.* is not supported.*|.*not defined.*)"
    )
    found = [number for number, line in enumerate(lines) if re.fullmatch(complaints, line)]
    number = found[-1] if found else next((n for n, line in enumerate(lines) if line), 0)
    complaint = lines[number] if lines else "unknown reason"
    calls = [line for line in lines[number + 1 : number + 4] if line.startswith(">>>")]
    return " ".join([complaint, *calls[:1]])


def belongs(file: str, rules: types.ModuleType) -> bool:
    path = pathlib.Path(file)
    home_of_rules = pathlib.Path(str(rules.__file__))
    inside = home_of_rules.parent if home_of_rules.name == "__init__.py" else home_of_rules
    return path == home_of_rules or inside in path.parents


def function_at(rules: types.ModuleType, file: str, line: int) -> str:
    """The name of the rule whose source holds this line."""
    best, start = "a rule", 0
    for name, thing in vars(rules).items():
        code = getattr(getattr(thing, "py_func", thing), "__code__", None)
        if code is not None and pathlib.Path(code.co_filename).name == pathlib.Path(file).name:
            if start < code.co_firstlineno <= line:
                best, start = name, code.co_firstlineno
    return best


def say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
