"""Everything that the project uses of Numba beyond its public interface.

Each use says why it is there. Next to it stands a probe, a function that finds out whether this version
of Numba has what is needed, and a plain way to do without: slower or wordier, never wrong. No other file
touches Numba's insides but `numba_shortcuts`, so that a new version of it is a matter of these two.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import pathlib
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numba
from numba import extending

try:
    from numba.core.registry import CPUDispatcher as Dispatcher
except ImportError:
    Dispatcher = object  # type: ignore[misc, assignment]

F = TypeVar("F", bound=Callable[..., Any])

COUNTING = "_nrt"  # Numba's option for reference counting


def inside(module: str, *names: str) -> Any:
    """Something of Numba by its place; None where this version does not have it there."""
    try:
        thing: Any = importlib.import_module(f"numba.{module}")
    except ImportError:
        return None
    for name in names:
        thing = getattr(thing, name, None)
    return thing


@functools.cache
def sample() -> Any:
    """What Numba makes of a function, to be looked at by probes."""
    return numba.njit(lambda: None)


# --- options ------------------------------------------------------------------------------------


@functools.cache
def knows(option: str) -> bool:
    """Probe: whether Numba has a compiler option."""
    return inside("core.registry", "cpu_target", "options", option) is not None


def known(**options: bool) -> dict[str, Any]:
    """The options that Numba knows. Fallback: without the others code does the same, but takes longer.

    Without wrappers for Python, which rules do not need, a compilation takes a third less. Functions whose
    code is put into their callers need not pass on their many arrays.
    """
    return {name: value for name, value in options.items() if knows(name)}


def without_counting() -> dict[str, Any]:
    """The option that leaves out reference counting: a search takes a fifth less.

    Fallback: none, also where a game that allocates memory could not get it back.
    """
    return known(**{COUNTING: False}) if can_count_again() else {}


@functools.cache
def can_count_again() -> bool:
    """Probe: whether a rule that was compiled without reference counting can be compiled with it."""
    return has_dispatcher_class() and forgets_failures() and tells_options()


def count_references(rule: Any) -> bool:
    """Compile a rule with reference counting from now on; False where it is already.

    Fallback: see `without_counting`.
    """
    if getattr(rule, "targetoptions", {}).get(COUNTING, True):
        return False
    rule.targetoptions[COUNTING] = True
    forget_failures(rule)
    forget(rule)
    return True


@functools.cache
def tells_options() -> bool:
    """Probe: whether a compiled function says how it is compiled."""
    return hasattr(sample(), "targetoptions")


def options_of(thing: Any) -> Any:
    """How a function is compiled, for the digest; without reference counting, which follows from the rules.

    Fallback: the text of a function, which begins with its decorators; then comments count as well.
    """
    if not extending.is_jitted(thing):
        return None
    if tells_options():
        return {**thing.targetoptions, COUNTING: None}
    try:
        return inspect.getsource(thing.py_func)
    except OSError:  # made from a string
        return None


# --- classes of compiled functions --------------------------------------------------------------


@functools.cache
def has_dispatcher_class() -> bool:
    """Probe: whether the class of compiled functions has the two methods that `Rule` and `Entry` replace."""
    return all(hasattr(Dispatcher, method) for method in ("get_call_template", "_compile_for_args"))


failures: list[tuple[Any, ...]] = []
"""The calls of rules that did not compile, innermost first: rule, arguments, keywords, error."""


class Rule(Dispatcher):
    """A compiled rule. Kernels call its machine code; a call from Python runs the source as it stands."""

    def __call__(self, *arguments: Any) -> Any:
        return self.py_func(*arguments)

    def get_call_template(self, arguments: Any, keywords: Any) -> Any:
        """What Numba asks for wherever a rule is called: its machine code for arguments of these types.

        A number that stands in the call counts as any other of its type, and an array within a record as any other of
        its dimensions: LLVM folds both when it puts the rule into its caller, and Numba need not compile the rule once
        for each. A rule that must know the number when it is compiled, as the index of a tuple, is compiled for it.
        """
        plain = tuple(map(plain_type, arguments))
        if plain != tuple(arguments):
            with contextlib.suppress(numba.core.errors.NumbaError):
                return super().get_call_template(plain, keywords)
        try:
            return super().get_call_template(arguments, keywords)
        except Exception as error:
            failures.append((self, arguments, keywords, error))
            raise

    def compile(self, signature: Any) -> Any:
        """Compile for arguments of some types, as a part of kernels."""
        if can_leave_to_kernels():
            leave_to_kernels()
        _rules.append(self.py_func)
        try:
            return super().compile(signature)
        finally:
            _rules.pop()


def plain_type(kind: Any) -> Any:
    """The type of an argument without its value or, where it is an array within a record, its length."""
    if type(kind) is numba.types.NestedArray:
        return numba.types.Array(kind.dtype, kind.ndim, "C")
    return numba.types.unliteral(kind)


same_in_machine_code = extending.lower_cast(numba.types.NestedArray, numba.types.Array)
same_in_machine_code(lambda context, builder, nested, array, value: value)


_rules: list[Any] = []  # that are being compiled, innermost last
_left: list[bool] = []  # for what is being lowered or finalised, innermost last: whether it is left to kernels
LOWERING = "core.typed_passes", "BaseNativeLowering"
# steps of Numba that only a function needs which is called on its own, with what they answer when they are left out
LEFT_OUT = {
    ("core.codegen", "CPUCodeLibrary", "_optimize_final_module"): None,
    ("core.codegen", "JITCPUCodegen", "_add_module"): None,
    ("core.codegen", "JITCodeLibrary", "get_pointer_to_function"): 0,
    ("core.codegen", "JITCodeLibrary", "_finalize_specific"): None,
}
CODEGEN = "core.codegen", "JITCPUCodegen"
LIBRARY = "core.codegen", "CPUCodeLibrary"


@functools.cache
def can_leave_to_kernels() -> bool:
    """Probe: whether the steps from a lowered function to one that can be called are methods of their own."""
    steps = ((*LOWERING, "run_pass"), (*CODEGEN, "set_env"), (*LIBRARY, "finalize"), *LEFT_OUT)
    return all(inside(*place) is not None for place in steps)


@functools.cache
def leave_to_kernels() -> None:
    """Neither optimise rules nor make machine code of them: a kernel does it for all that it is made of.

    Numba links the code of a function into each of its callers and optimises it there again, at eight levels of
    nested rules in a search; machine code of a rule by itself is never called. Without both, a first move takes a
    quarter less.

    A rule is finalised when the first of its callers is lowered, which may be a kernel. So its library knows that it is
    a rule's.

    Fallback: every rule is optimised at every level, and becomes machine code that nobody calls.
    """
    lowering, library = inside(*LOWERING), inside(*LIBRARY)
    lower, finalise = lowering.run_pass, library.finalize

    def run_pass(self: Any, state: Any) -> Any:
        is_rule = bool(_rules) and state.func_id.func is _rules[-1]
        _left.append(is_rule)
        try:
            return lower(self, state)
        finally:
            _left.pop()
            if is_rule and state.library is not None:
                state.library.is_of_rule = True

    def finalize(self: Any) -> None:
        _left.append(hasattr(self, "is_of_rule") or bool(_left and _left[-1]))
        try:
            finalise(self)
        finally:
            _left.pop()

    lowering.run_pass, library.finalize = run_pass, finalize
    for (module, owner, step), answer in LEFT_OUT.items():
        leave_out(inside(module, owner), step, answer)
    give_environments_later(inside(*CODEGEN))


def leave_out(owner: Any, step: str, answer: Any) -> None:
    take = getattr(owner, step)

    def unless_rule(self: Any, *arguments: Any) -> Any:
        return answer if _left and _left[-1] else take(self, *arguments)

    setattr(owner, step, unless_rule)


def give_environments_later(codegen: Any) -> None:
    """Put off what makes a function's errors with numbers in them readable until a kernel has a place for it."""
    give = codegen.set_env
    waiting: dict[str, Any] = {}

    def set_env(self: Any, name: str, environment: Any) -> None:
        waiting[name] = environment
        if not (_left and _left[-1]):
            for each in [each for each in waiting if self._engine.get_global_value_address(each)]:
                give(self, each, waiting.pop(each))

    codegen.set_env = set_env


def compiled_rule(function: F, **options: bool) -> F:
    """A function that kernels compile and Python runs as it stands.

    Numba's own class would call machine code from Python as well, for which every rule had to be
    compiled with a wrapper, and it does not tell which of many nested rules could not be compiled.

    Fallback: Numba's public way to let compiled code call a function. It leaves it a plain function
    that knows nothing of its machine code, so that errors are told in Numba's words.
    """
    if jit_disabled():
        return marked(function)
    if has_dispatcher_class():
        bare = known(no_cpython_wrapper=True, no_cfunc_wrapper=True)
        compiled: Any = numba.njit(nogil=True, **bare, **without_counting(), **known(**options))(function)
        compiled.__class__ = Rule
        return compiled  # type: ignore[no-any-return]
    jit_options: Any = known(**options)
    extending.overload(function, jit_options=jit_options, strict=False)(lambda *_, **__: function)
    return marked(function)


def marked(function: F) -> F:
    """A function that stays what it is, but is known to be a rule or a kernel."""
    vars(function)["is_rule"] = True
    return function


def is_rule(thing: Any) -> bool:
    """Whether a function is compiled, or would be with the JIT, together with kernels."""
    return bool(extending.is_jitted(thing)) or hasattr(thing, "is_rule")


def jit_disabled() -> bool:
    """Whether NUMBA_DISABLE_JIT is set, and every function stays what it is."""
    return bool(vars(numba.config)["DISABLE_JIT"])


class Entry(Dispatcher):
    """A compiled kernel that tells when arguments of new types arrive."""

    meet: Callable[[tuple[Any, ...]], None]

    def _compile_for_args(self, *arguments: Any) -> Any:
        self.meet(arguments)
        return super()._compile_for_args(*arguments)  # type: ignore[misc]


class WatchedEntry:
    """A compiled kernel whose arguments are all looked at before it sees them."""

    def __init__(self, compiled: Any, meet: Callable[[tuple[Any, ...]], None]):
        self.compiled = compiled
        self.meet = meet

    def __call__(self, *arguments: Any) -> Any:
        self.meet(arguments)
        return self.compiled(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.compiled, name)


def entry(function: Callable[..., Any], meet: Callable[[tuple[Any, ...]], None]) -> Any:
    """A kernel as Python calls it; before it sees arguments of new types, it calls `meet` with them.

    Numba would compile there and then, without a lock, a notice or an explanation. In its own class the
    types are compared by machine code.

    Fallback: `meet` is called every time and compares the types in Python, fifty times as long.
    """
    if jit_disabled():
        return function
    place_errors()
    compiled: Any = numba.njit(nogil=True, cache=True, **without_counting())(function)
    if not has_dispatcher_class():
        return WatchedEntry(compiled, meet)
    compiled.__class__, compiled.meet = Entry, meet
    return compiled


# --- where machine code raises ------------------------------------------------------------------

_places: list[Any] = []  # the places that are being translated, innermost last


@functools.cache
def can_place_errors() -> bool:
    """Probe: whether translation goes by statements, and one method writes down what an exception says."""
    by_statement = hasattr(inside("core.lowering", "Lower"), "lower_inst")
    return by_statement and hasattr(inside("core.callconv", "CPUCallConv"), "build_excinfo_struct")


@functools.cache
def place_errors() -> None:
    """Let every exception of machine code know its file and line, as those of a `raise` do.

    Numba's own checks, of an index or a divisor, do not say where they stand, and an author has hundreds of those.

    Fallback: the rule is named without a line, if it is known.
    """
    if not can_place_errors():
        return
    lower, convention = inside("core.lowering", "Lower"), inside("core.callconv", "CPUCallConv")
    translate, write_down = lower.lower_inst, convention.build_excinfo_struct

    def lower_inst(self: Any, statement: Any) -> None:
        _places.append(self.loc)
        try:
            translate(self, statement)
        finally:
            _places.pop()

    def build_excinfo_struct(self: Any, kind: Any, arguments: Any, place: Any, name: Any) -> Any:
        return write_down(self, kind, arguments, place or (_places[-1] if _places else None), name)

    lower.lower_inst, convention.build_excinfo_struct = lower_inst, build_excinfo_struct


# --- what a compiled function remembers ---------------------------------------------------------


@functools.cache
def forgets_failures() -> bool:
    """Probe: whether the list of failed compilations is where it was."""
    return hasattr(getattr(sample(), "_compiler", None), "_failed_cache")


def forget_failures(compiled: Any) -> None:
    """Let Numba try again what did not compile: it remembers, but not that a rule has changed meanwhile.

    Fallback: the second attempt fails like the first, which is told. Rules do not change in this case.
    """
    if forgets_failures():
        compiled._compiler._failed_cache.clear()


def forget(compiled: Any) -> None:
    """Drop all machine code of a function, in this process and in the cache, and compile nothing."""
    compiled.overloads.clear()
    compiled.recompile()  # all of nothing


@functools.cache
def can_flush() -> bool:
    """Probe: whether the files of one function can be dropped without its machine code in memory."""
    return hasattr(getattr(sample(), "_cache", None), "flush")


def flush(compiled: Any) -> None:
    """Drop the machine code of a function in the cache: it could not be loaded.

    Fallback: drop that in memory as well, which then is made or loaded again.
    """
    if can_flush():
        compiled._cache.flush()
    else:
        forget(compiled)


@functools.cache
def tells_results() -> bool:
    """Probe: whether a compiled function lists its signatures with what they return."""
    return hasattr(sample(), "nopython_signatures")


def result_types(rule: Any) -> list[Any]:
    """What a rule returns, for each types of arguments that it was compiled for.

    Fallback: nothing is known, so a hook with a result of a wrong type is not refused by its name.
    """
    if not tells_results() or not extending.is_jitted(rule):
        return []
    return [numba.types.unliteral(signature.return_type) for signature in rule.nopython_signatures]


@functools.cache
def tells_cache_use() -> bool:
    """Probe: whether a compiled function counts how often its cache was of use."""
    return hasattr(getattr(sample(), "stats", None), "cache_misses")


def cache_counts(compiled: Any) -> tuple[int, int]:
    """How many of a kernel's signatures came from the cache, and how many had to be compiled.

    Fallback: none of either.
    """
    if not tells_cache_use() or not hasattr(compiled, "stats"):  # a plain function where the JIT is disabled
        return 0, 0
    stats = compiled.stats
    return sum(stats.cache_hits.values()), sum(stats.cache_misses.values())


def was_in_cache(compiled: Any, signature: tuple[Any, ...]) -> bool:
    """Whether the cache had a signature that failed: then it is the cache that is damaged.

    Fallback: it may have been, so that everything that does not compile is tried twice.
    """
    return not tells_cache_use() or not compiled.stats.cache_misses[signature]


# --- machine code from elsewhere ----------------------------------------------------------------

try:
    from numba.core.caching import FunctionCache
except ImportError:
    FunctionCache = object  # type: ignore[misc, assignment]

Entries = list[tuple[Any, bytes]]
"""Machine code of a kernel, as Numba keeps it, for each types of arguments."""


class KernelCache(FunctionCache):
    """Numba's cache of a kernel, and behind it another place where machine code may be found."""

    elsewhere: Callable[[], Entries]
    refuse: Callable[[Exception], None]

    def _load_overload(self, signature: Any, target: Any) -> Any:
        found = super()._load_overload(signature, target)
        if found is not None:
            return found
        for types, data in self.elsewhere():
            if types == signature:
                try:
                    return self._impl.rebuild(target, pickle.loads(data))
                except Exception as error:  # whatever is wrong with it, there is a compiler
                    self.refuse(error)
        return None


@functools.cache
def can_load_also() -> bool:
    """Probe: whether loading machine code is a method of the cache, and making it callable one of its parts."""
    return hasattr(FunctionCache, "_load_overload") and hasattr(
        inside("core.caching", "CompileResultCacheImpl"), "rebuild"
    )


def load_also(compiled: Any, elsewhere: Callable[[], Entries], refuse: Callable[[Exception], None]) -> None:
    """Let a kernel that is not in the cache be loaded from another place; code that can't be is told to `refuse`.

    Numba's cache names the processor in its keys, although code for an older one runs as well, and it insists on
    writing to the folder that it reads from.

    Fallback: what is not in the cache is compiled.
    """
    if can_load_also() and isinstance(getattr(compiled, "_cache", None), FunctionCache):
        compiled._cache.__class__ = KernelCache
        compiled._cache.elsewhere, compiled._cache.refuse = elsewhere, refuse


def kept_entries(folder: pathlib.Path) -> dict[str, Entries]:
    """What Numba keeps in one folder of our cache, by the names of the kernels.

    A file `<template>.<kernel>-1.py311.nbi` begins with Numba's version, then follow a stamp and the names of the files
    with machine code by their keys, which begin with the types of the arguments.

    Fallback: nothing, where Numba keeps it in another form.
    """
    found: dict[str, Entries] = {}
    for index in sorted(folder.glob("__pycache__/*.nbi")):
        with index.open("rb") as file:
            pickle.load(file)
            _, names = pickle.loads(file.read())
        kernel = index.name.partition(".")[2].partition("-")[0]
        found[kernel] = [(key[0], (index.parent / name).read_bytes()) for key, name in names.items()]
    return found


def packed(entries: dict[str, Entries]) -> bytes:
    """Machine code in one piece; types are pickled by Numba's own means."""
    dumps = inside("core.serialize", "dumps") or pickle.dumps
    return bytes(dumps(entries))


# --- code that can't be kept --------------------------------------------------------------------


@functools.cache
def tells_dynamic_globals() -> bool:
    """Probe: whether machine code says that it holds addresses of this process."""
    fields: Any = inside("core.compiler", "CompileResult", "_fields") or ()
    return "library" in fields and inside("core.codegen", "CodeLibrary", "has_dynamic_globals") is not None


def can_t_be_kept(compiled: Any) -> bool:
    """Whether Numba refuses to cache a kernel, because a rule reads a large array or the like.

    Fallback: nobody says so but Numba, whose warning is then shown.
    """
    if not tells_dynamic_globals():
        return False
    return any(code.library.has_dynamic_globals for code in compiled.overloads.values())


@contextlib.contextmanager
def no_warning_of_cache() -> Iterator[None]:
    """Hide Numba's warning that code can't be kept, which is long and names nothing of the author's."""
    with warnings.catch_warnings():
        if tells_dynamic_globals():
            warnings.filterwarnings("ignore", ".*Cannot cache compiled function")
        warnings.filterwarnings("ignore", ".*has been considered a subtype")  # records that begin alike
        yield


# --- while it compiles --------------------------------------------------------------------------


@functools.cache
def tells_passes() -> bool:
    """Probe: whether Numba tells when a pass of the compiler begins."""
    return all(inside("core.event", name) for name in ("install_listener", "Listener"))


@contextlib.contextmanager
def on_pass(begin: Callable[[], None]) -> Iterator[bool]:
    """Call a function before every pass of the compiler; it may raise to stop the compilation.

    It is how one knows that something is compiled rather than loaded, and where it can be stopped.

    Fallback: False, and the function is never called. Then nothing is announced, and Ctrl-C is Python's.
    """
    if not tells_passes():
        yield False
        return
    event: Any = importlib.import_module("numba.core.event")
    methods = {"on_start": lambda listener, event: begin(), "on_end": lambda listener, event: None}
    listener = type("Listener", (event.Listener,), methods)()
    with event.install_listener("numba:run_pass", listener):
        yield True


@functools.cache
def looks_for_blas() -> bool:
    """Probe: whether the function that looks for BLAS is where it was."""
    return inside("np.linalg", "ensure_blas") is not None


@functools.cache
def load_numba() -> None:
    """Let Numba load its array functions, but not look for BLAS on that occasion.

    It would import SciPy's linear algebra, a fifth of a start from a warm cache. A rule that calls
    `np.dot` still finds it.

    Fallback: Numba loads what it needs when it needs it, BLAS among it.
    """
    if not looks_for_blas():
        return
    linalg: Any = importlib.import_module("numba.np.linalg")
    look, linalg.ensure_blas = linalg.ensure_blas, no_blas
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


def no_blas() -> None:
    raise ImportError("not now")
