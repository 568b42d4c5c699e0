"""What Numba does again and again while it compiles, done with less Python: the same machine code, sooner.

A search is some 60 to 160 small functions, and Numba runs 27 passes over each of them. Much of that is bookkeeping
that nobody reads. Every shortcut below replaces one function of Numba by one that gives the same answer. Like
everything of Numba's insides it has a probe, and where the probe fails Numba's own function stays.

A probe of a replaced function compares the names that Numba's own one uses (`names_of`) with those that the shortcut
was written against: a version of Numba that does something new in it keeps it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

_compiling = threading.local()  # whether this thread compiles a kernel


@contextlib.contextmanager
def shorter_way() -> Iterator[None]:
    """Compile with the shortcuts that fit this version of Numba."""
    take_shortcuts()
    before, _compiling.now = getattr(_compiling, "now", False), True
    try:
        yield
    finally:
        _compiling.now = before


@functools.cache
def take_shortcuts() -> tuple[str, ...]:
    """Replace what can be replaced, once in a process; the names of the shortcuts that were taken."""
    return tuple(name for name, (fits, replace) in SHORTCUTS.items() if fits() and replace() is None)


def inner(module: str) -> Any:
    return importlib.import_module(f"numba.core.{module}")


def names_of(function: Any) -> set[str]:
    """The names that a function uses of others, those within it included."""
    code = getattr(function, "__wrapped__", function).__code__
    within = [constant for constant in code.co_consts if hasattr(constant, "co_names")]
    return set(code.co_names).union(*(each.co_names for each in within))


# --- passes ---------------------------------------------------------------------------------------

PASS_NAMES = {
    *("new_error_context", "trigger_event", "SimpleTimer", "elapsed", "pass_timings", "exec_times", "ValueError"),
    *("run_initialization", "run_pass", "run_finalizer", "analysis", "_analysis", "isinstance", "FunctionPass"),
    *("enforce_no_dels", "func_ir", "_ENFORCING", "_pass_registry", "get", "__class__", "mutates_CFG", "PostProcessor"),
    *("run", "transforms", "canonicalize_cfg", "blocks", "legalize_single_scope", "errors", "CompilerError", "name"),
    *("_print_before", "_print_after", "_print_wrap", "func_id", "func_qualname", "modname", "pipeline_name", "print"),
    *("center", "dump", "ev", "dict", "utils", "_lazy_pformat", "flags", "values", "str", "args", "return_type"),
}


def can_run_passes() -> bool:
    """Probe: whether a pass is run in the known steps."""
    machinery = inner("compiler_machinery")
    run_pass = getattr(machinery.PassManager, "_runPass", None)
    return run_pass is not None and names_of(run_pass) <= PASS_NAMES


def run_passes() -> None:
    """Run a pass without writing down, for whoever listens, the types and options of the function it runs over.

    Numba's checks of its own passes (no `del` before its time, one scope) are left out as well.
    """
    machinery = inner("compiler_machinery")
    events, errors, transforms = inner("event"), inner("errors"), inner("transforms")
    registry, post_processor = machinery._pass_registry, inner("postproc").PostProcessor
    in_full = machinery.PassManager._runPass

    def run_pass(self: Any, index: int, each: Any, state: Any) -> None:
        if not is_compiling() or self._print_before or self._print_after or self._print_wrap:
            return in_full(self, index, each, state)  # type: ignore[no-any-return]
        each.analysis = self._analysis
        context = errors.new_error_context("Pass {name}", name=each.name())
        with events.trigger_event("numba:run_pass", data={"name": each.name()}), context:
            mutated = [each.run_initialization(state), each.run_pass(state), each.run_finalizer(state)]
        if registry.get(each.__class__).mutates_CFG:
            if any(mutated):
                post_processor(state.func_ir).run()
            else:
                state.func_ir.blocks = transforms.canonicalize_cfg(state.func_ir.blocks)
        self.exec_times[f"{index}_{each.name()}"] = machinery.pass_timings(0.0, 0.0, 0.0)
        return None

    machinery.PassManager._runPass = run_pass


LIFETIME_NAMES = {
    *("transforms", "canonicalize_cfg", "func_ir", "blocks", "VariableLifetime", "variable_lifetime", "analysis"),
    *("compute_live_variables", "cfg", "usedefs", "defmap", "deadmaps", "combined", "items", "block_entry_vars"),
    *("is_generator", "GeneratorInfo", "generator_info", "_compute_generator_info", "_insert_var_dels"),
}


def can_put_off_lifetimes() -> bool:
    """Probe: whether the analysis after a pass computes nothing but the known."""
    run = getattr(inner("postproc").PostProcessor, "run", None)
    return run is not None and names_of(run) <= LIFETIME_NAMES


def put_off_lifetimes() -> None:
    """After a pass, compute which variable lives how long only when somebody asks.

    Numba computes it nine times for each function, for the names that are alive at the start of each block, which only
    generators and Python's own objects need.
    """
    postproc, transforms = inner("postproc"), inner("transforms")
    in_full = postproc.PostProcessor.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        function = self.func_ir
        if not is_compiling() or emit_dels or function.is_generator:
            return in_full(self, emit_dels, extend_lifetimes)  # type: ignore[no-any-return]
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = postproc.VariableLifetime(function.blocks)
        function.generator_info = None
        return None

    postproc.PostProcessor.run = run


# --- variables ------------------------------------------------------------------------------------


def can_list_variables() -> bool:
    """Probe: whether one method collects the variables of a statement, from what it knows by heart."""
    collect = getattr(inner("ir").Inst, "_rec_list_vars", None)
    known = {"isinstance", "Var", "Inst", "list_vars", "list", "tuple", "extend", "_rec_list_vars", "dict", "values"}
    return collect is not None and names_of(collect) <= known


def list_variables() -> None:
    """Collect the variables of a statement into one list, looking at exact types first."""
    ir = inner("ir")
    nothing = (str, int, bool, type(None), ir.Loc)

    def collect(value: Any, found: list[Any]) -> None:
        kind = type(value)
        if kind is ir.Var:
            found.append(value)
        elif kind in nothing:
            return
        elif isinstance(value, ir.Var):
            found.append(value)
        elif isinstance(value, ir.Inst):
            found += value.list_vars()
        elif isinstance(value, (list, tuple)):
            for each in value:
                collect(each, found)
        elif isinstance(value, dict):
            for each in value.values():
                collect(each, found)

    def variables(value: Any) -> list[Any]:
        found: list[Any] = []
        collect(value, found)
        return found

    ir.Inst._rec_list_vars = lambda self, value: variables(value)


# --- options --------------------------------------------------------------------------------------


def can_compare_options() -> bool:
    """Probe: whether options are compared by their values, and hashed by their names only."""
    options = inner("targetconfig").TargetConfig
    return (
        names_of(options.values) <= {"getattr", "options"}
        and names_of(options.__eq__) <= {"isinstance", "TargetConfig", "values", "NotImplemented"}
        and names_of(options.__hash__) <= {"hash", "tuple", "sorted", "values"}
    )


def compare_options() -> None:
    """Compare the options of two functions by those that are set; Numba asks each of two dozen for its default."""
    options = inner("targetconfig").TargetConfig

    @functools.cache
    def defaults(kind: Any) -> dict[str, Any]:
        return {name: option.default for name, option in kind.options.items()}

    @functools.cache
    def hash_of(kind: Any) -> int:
        return hash(tuple(sorted(kind.options)))

    def values(self: Any) -> dict[str, Any]:
        return {**defaults(self.__class__), **self._values}

    def equal(self: Any, other: Any) -> Any:
        if not isinstance(other, options):
            return NotImplemented
        return self is other or self._values == other._values or values(self) == values(other)

    options.values, options.__eq__, options.__hash__ = values, equal, lambda self: hash_of(self.__class__)


# --- timers ---------------------------------------------------------------------------------------


def can_leave_timers() -> bool:
    """Probe: whether timers of locks are installed by one function, and events are dropped without listeners."""
    events = inner("event")
    return all(hasattr(events, name) for name in ("install_timer", "start_event", "end_event", "_registered"))


def leave_timers() -> None:
    """Time neither Numba's lock nor LLVM's, taken ten thousand times for a kernel and told to a timer per function."""
    events = inner("event")
    install = events.install_timer

    def install_timer(kind: str, callback: Callable[..., None]) -> Any:
        of_lock = kind in ("numba:compiler_lock", "numba:llvm_lock")
        return contextlib.nullcontext() if of_lock and is_compiling() else install(kind, callback)

    events.install_timer = install_timer
    events.start_event, events.end_event = if_heard(events, "start_event"), if_heard(events, "end_event")


def if_heard(events: Any, name: str) -> Callable[..., None]:
    tell = getattr(events, name)

    def tell_listeners(kind: str, *details: Any, **more: Any) -> None:
        if events._registered[kind]:
            tell(kind, *details, **more)

    return tell_listeners


def is_compiling() -> bool:
    return getattr(_compiling, "now", False)


SHORTCUTS: dict[str, tuple[Callable[[], bool], Callable[[], None]]] = {
    "passes": (can_run_passes, run_passes),
    "lifetimes": (can_put_off_lifetimes, put_off_lifetimes),
    "variables": (can_list_variables, list_variables),
    "options": (can_compare_options, compare_options),
    "timers": (can_leave_timers, leave_timers),
}
"""For each shortcut whether it fits this version of Numba, and how it is taken."""
