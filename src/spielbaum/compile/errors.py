"""What went wrong in a rule, in one line: which rule, where, and why.

A rule that does not compile fails deep below the kernel that needed it, and Numba tells the whole way
up in hundreds of lines. `compiler.failures` holds each rule that failed, innermost first, so the place is
known without reading them; only the reason is taken from Numba's words, and put into an author's.
"""

from __future__ import annotations

import builtins
import dis
import functools
import inspect
import pathlib
import re
import sysconfig
import traceback
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numba

from spielbaum import numba_internals as compiler
from spielbaum.compile.digest import closure, hooks_of, nested, python_function, reachable, references
from spielbaum.protocol import HOOKS, RESULTS

LONGEST = 240  # characters of a reason in Numba's own words


class Failure(NamedTuple):
    """A call of a rule that did not compile."""

    rule: Any
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]
    error: Exception

    @property
    def function(self) -> Any:
        return self.rule.py_func

    @property
    def fits(self) -> bool:
        """Whether the rule takes this number of arguments."""
        try:
            inspect.signature(self.function).bind(*self.arguments, **self.keywords)
        except TypeError:
            return False
        return True


def take_failures() -> list[Failure]:
    """The rules that failed since the last time, innermost first; Numba may try them again."""
    failures = [Failure(*failure) for failure in compiler.failures]
    compiler.failures.clear()
    for failure in failures:
        compiler.forget_failures(failure.rule)
    return failures


def is_engine(function: types.FunctionType) -> bool:
    """Whether a rule is the engine's, not an author's."""
    module = function.__module__ or ""  # None for what a library made from a string
    return module.startswith("spielbaum.") and not module.startswith("spielbaum.games.")


def own_rules(rules: types.ModuleType) -> list[Any]:
    """The game's rules, hooks and helpers, without those of the engine that they use."""
    return [thing for thing in reachable(hooks_of(rules)) if not is_engine(getattr(thing, "py_func", thing))]


@functools.cache
def recursion(rules: types.ModuleType) -> str | None:
    """The complaint about a rule that calls itself, directly or through others.

    Numba loses a recursive function when it loads its caller from the cache, and the call ends in a
    crash; so such rules are refused before they can do harm.
    """
    for rule in own_rules(rules):
        function = python_function(rule)
        if function is not None and any(called is rule for called in reachable(references(function))):
            code = function.__code__
            return f"{function.__name__} calls itself ({position(code, code.co_firstlineno)}); use a loop instead"
    return None


# --- a rule does not compile --------------------------------------------------------------------


def not_compiled(error: Exception, failures: list[Failure], rules: types.ModuleType) -> str:
    """Why a kernel could not be compiled, told at the innermost place that is the author's own."""
    for number, failure in enumerate(failures):
        if failure.fits and not is_engine(failure.function):
            reason = wrong_call(failures[number - 1]) if number else reason_of(failure, rules)
            return f"{failure.function.__name__} does not compile ({place(failure)}): {reason}"
    return wrong_result(rules) or f"a kernel does not compile: {complaint(str(error))}"


def wrong_call(failure: Failure) -> str:
    """A rule that is called with too few, too many or unfit arguments."""
    given = [type_words(str(kind)) for kind in failure.arguments]
    given += [f"{name}={type_words(str(kind))}" for name, kind in failure.keywords.items()]
    function = failure.function
    return f"{function.__name__}{inspect.signature(function)} can't be called with ({', '.join(given)})"


def wrong_result(rules: types.ModuleType) -> str | None:
    """A hook that compiles but returns what the engine can't use."""
    policies = getattr(rules, "POLICIES", ())
    hooks: list[tuple[str, str, Any]] = [(name, name, getattr(rules, name, None)) for name in HOOKS]
    if isinstance(policies, dict):
        hooks += [("policy", f"the policy {name!r}", rule) for name, rule in policies.items()]
    for hook, name, rule in hooks:
        for result in compiler.result_types(rule):
            if wrong := unfit(hook, result):
                code = rule.py_func.__code__
                return f"{name} {wrong} ({position(code, code.co_firstlineno)})"
    return None


def unfit(hook: str, result: Any) -> str | None:
    """What is wrong with the type that a hook returns."""
    found = type_words(str(result)).replace("None", "nothing")
    if hook not in RESULTS:
        does = "writes into out" if "out" in HOOKS[hook].split(", ") else "changes the state"
        return None if result == numba.types.none else f"{does} and returns nothing, but returns {found}"
    wanted, pattern = RESULTS[hook]
    if re.fullmatch(pattern, str(result)):
        return None
    if isinstance(result, numba.types.Optional):
        found = "nothing on some of its paths"
    return f"must return {wanted}, but returns {found}"


def unreadable_table(tables: Any) -> str | None:
    """A field of a game's tables that compiled code can't read."""
    if not hasattr(tables, "_fields"):
        return f"tables must make a NamedTuple of numbers and arrays, not a {type(tables).__name__}"
    for field, value in zip(tables._fields, tables, strict=True):
        if isinstance(value, list | set | dict) or not has_type(value):
            return f"rules can't read the table {field!r}, a {type(value).__name__}; use numbers and arrays"
    return None


def has_type(value: Any) -> bool:
    """Whether Numba knows what a value is."""
    try:
        numba.typeof(value)
    except ValueError:
        return False
    return True


def place(failure: Failure) -> str:
    """`mine.py:14`: the line that Numba names, else the line with an attribute that the message names."""
    function, text = failure.function, plain(str(failure.error))
    codes = list(nested(function.__code__))
    lines = {line for code in codes for _, _, line in code.co_lines()}
    named = re.findall(r'(?:File "|at |from )([^"\n]+?)(?:", line | \()(\d+)', text)
    if loc := getattr(failure.error, "loc", None):
        named.append((loc.filename, loc.line))
    file = pathlib.Path(function.__code__.co_filename).name
    found = [int(line) for name, line in named if pathlib.Path(name).name == file and int(line) in lines]
    words = set(re.findall(r"\w+", text))
    found = found or [line for code in codes for line in lines_with(code, words)][:1]
    return position(function.__code__, found[-1] if found else function.__code__.co_firstlineno)


def position(code: types.CodeType, line: int) -> str:
    return f"{pathlib.Path(code.co_filename).name}:{line}"


def lines_with(code: types.CodeType, words: set[str]) -> list[int]:
    """The lines on which an attribute is used that is one of these words."""
    uses = [use for use in dis.get_instructions(code) if re.search("ATTR|METHOD", use.opname) and use.argval in words]
    return [use.positions.lineno for use in uses if use.positions and use.positions.lineno]


# --- Numba's words and ours ---------------------------------------------------------------------

OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "eq": "==", "ne": "!=",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "contains": "in",
}  # fmt: skip


def reason_of(failure: Failure, rules: types.ModuleType) -> str:
    """Why a rule did not compile, from the error of that rule alone."""
    error, text = failure.error, plain(str(failure.error))
    if isinstance(error, KeyError):
        return missing_field(str(error.args[0]), failure.arguments, rules)
    if found := re.search(r"Unknown attribute '(\w+)' of type (.*)", text):
        return missing_attribute(found[1], found[2], failure, rules)
    if found := re.search(r"Untyped global name '(\w+)'|assigned to variable '(\w+)' in globals", text):
        return unusable_global(found[1] or found[2], failure.function)
    reason = complaint(text)
    silent = [name for name in returning_nothing(failure.function) if re.search(r"\bNone\b", reason)]
    return f"{reason} ({silent[0]} returns nothing)" if silent else reason


def complaint(text: str) -> str:
    """The first thing that a message of Numba complains about."""
    text = plain(text)
    if re.search(r"Cannot modify readonly array", text):
        return "nobody may write to the tables (room to reckon on is SCRATCH)"
    if found := re.search(r"NameError: (.*)", text):
        return found[1]
    if found := re.search(r"No implementation of function Function\((.*)\) found for signature:\s+>>> (.*)", text):
        specific = re.search(r"raised a specific error:\s+\w+: (.*)", text)
        return type_words(specific[1]) if specific else impossible_call(found[1], found[2])
    if found := re.search(r"Cannot unify (.*) and (.*) for '([^'.]+)", text):
        variable = "a value" if found[3].startswith("$") else repr(found[3])
        return f"{variable} is {type_words(found[1])} in one place and {type_words(found[2])} in another"
    if found := re.search(r"Can't unify return type from the following types: (.*)", text):
        return f"it returns different types: {type_words(found[1])}"
    if found := re.search(r"Cannot cast (.*) to (.*?): ", text):
        return f"can't convert {type_words(found[1])} to {type_words(found[2])}"
    if found := re.search(r"No definition for lowering (.*)\.(\w+) = ", text):
        return f"can't set {found[2]!r} of {type_words(found[1])}"
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in ")]
    first = re.sub(r"\.? Raised from .*", "", lines[0] if lines else "unknown reason")
    return type_words(first)[:LONGEST]


def impossible_call(function: str, call: str) -> str:
    """`int64 + str` rather than `No implementation of function Function(<built-in function add>) …`."""
    named = re.search(r"(?:function |class ')(\w+)", function)
    name = named[1] if named else function
    arguments = split_arguments(type_words(call.partition("(")[2].rpartition(")")[0]))
    operator = OPERATORS.get(name) or OPERATORS.get(name.removeprefix("i"))
    if operator and len(arguments) == 2:
        return f"can't compute {arguments[0]} {operator} {arguments[1]}"
    if name == "getitem" and len(arguments) == 2:
        return f"can't index {arguments[0]} with {arguments[1]}"
    if name == "setitem" and len(arguments) == 3:
        return f"can't store {arguments[2]} at index {arguments[1]} of {arguments[0]}"
    return f"can't call {name}({', '.join(arguments)})"


def missing_field(field: str, arguments: tuple[Any, ...], rules: types.ModuleType) -> str:
    """A field that a record does not have."""
    for record in arguments:
        if isinstance(record, numba.types.Record) and field not in record.fields:
            owner = "the state" if record.dtype == rules.STATE else "a record"
            return f"{owner} has no field {field!r} (fields: {', '.join(record.fields)})"
    return f"a record has no field {field!r}"


def missing_attribute(name: str, owner: str, failure: Failure, rules: types.ModuleType) -> str:
    """An attribute that a record, the tables, a module or a value does not have, or not for rules."""
    if owner.startswith("Record("):
        return missing_field(name, failure.arguments, rules)
    for tables in failure.arguments:
        if isinstance(tables, numba.types.NamedTuple) and str(tables) == owner:
            return f"the tables have no field {name!r} (fields: {', '.join(tables.fields)})"
    for module in references(failure.function):
        if isinstance(module, types.ModuleType) and owner.startswith("Module(") and repr(module) in owner:
            return unusable(name, getattr(module, name, None))
    return f"{type_words(owner)} has no attribute {name!r}"


def unusable_global(name: str, function: types.FunctionType) -> str:
    """A global that Numba has no type for."""
    return unusable(name, {**vars(builtins), **function.__globals__, **closure(function)}.get(name))


def unusable(name: str, value: Any) -> str:
    if python_function(value) is not None:
        return f"{name} is not a rule; decorate it with @rule"
    if isinstance(value, list | dict | set):
        return f"{name} is a {type(value).__name__}, which rules can't read; use a tuple or an array"
    if callable(value):
        return f"{name} can't be used in a rule"
    return f"{name} is a {type(value).__name__}, which rules can't read"


def returning_nothing(function: types.FunctionType) -> list[str]:
    """The rules that a function calls and that return nothing."""
    called = [thing for thing in references(function) if compiler.is_rule(thing)]
    results = [(rule, result) for rule in called for result in compiler.result_types(rule)]
    return [rule.py_func.__name__ for rule, result in results if result == numba.types.none]


def plain(text: str) -> str:
    """Without the colours of a terminal."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


NESTED = r"\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)"  # parentheses in parentheses


def type_words(text: str) -> str:
    """Numba's names of types as an author would say them.

    >>> type_words("Literal[str](hello), nestedarray(int64, (4,)), none")
    'str, array of int64, None'
    """
    for pattern, words in (
        (rf"Literal\[(\w+)\]{NESTED}", r"\1"),
        (rf"Record{NESTED}", "record"),
        (r"nestedarray\((\w+), \([^()]*\)\)", r"array of \1"),
        (r"(?:unaligned |readonly )?\b[aA]rray\((\w+), [^()]*\)", r"array of \1"),
        (r"(?:reflected )?list\((\w+)\)(?:<iv=.*?>)?", r"list of \1"),
        (r"UniTuple\((\w+) x \d+\)", r"tuple of \1"),
        (rf"(?:Tuple){NESTED}", "tuple"),
        (r"\bunicode_type\b", "str"),
        (r"\bnone\b", "None"),
    ):
        text = re.sub(pattern, words, text)
    return text


def split_arguments(text: str) -> list[str]:
    """The parts between commas that stand in no parentheses."""
    return [part.strip() for part in re.findall(rf"(?:[^,()]|{NESTED})+", text)]


# --- a rule raises ------------------------------------------------------------------------------


def raised(error: Exception, kernel: Callable[..., Any], rules: types.ModuleType) -> str:
    """Which rule raised, what and where.

    Machine code knows the place, except inside functions of Numba's own; then the kernel knows the rule, if it calls
    a single one.
    """
    if author_s_place(error, rules):
        return raised_words(error, rules)
    hooks = {id(hook) for hook in hooks_of(rules)}
    engine = [function for function in map(python_function, reachable([kernel])) if function and is_engine(function)]
    called = {id(thing): thing for function in engine for thing in references(function) if id(thing) in hooks}
    name = called.popitem()[1].__name__ if len(called) == 1 else "a rule"
    return f"{raised_words(error, rules, name)} (NUMBA_DISABLE_JIT=1 tells where)"


def raised_words(error: BaseException, game: types.ModuleType, called: str = "") -> str:
    """`play raised KeyError: 3 (mine.py:14)`; `called` is named where none of the author's functions took part."""
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    found = author_s_place(error, game)
    return f"{found[0]} raised {what} ({found[1]})" if found else f"{called} raised {what}"


def author_s_place(error: BaseException, game: types.ModuleType) -> tuple[str, str] | None:
    """The author's function in which an error arose, and its file and line; None where none of his took part."""
    if isinstance(error, SyntaxError) and error.filename:
        return "", f"{pathlib.Path(error.filename).name}:{error.lineno}"
    places = author_s_places(error, game)
    return places[-1] if places else None


def author_s_places(error: BaseException, game: types.ModuleType) -> list[tuple[str, str]]:
    """All of the author's functions that were called when an error arose, outermost first."""
    files = {getattr(thing, "py_func", thing).__code__.co_filename for thing in own_rules(game)}
    folder = pathlib.Path(game.__file__ or "").parent
    found = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if code.co_filename in files or is_author_s(pathlib.Path(code.co_filename), folder):
            found.append((code.co_name, position(code, line)))
    return found


LIBRARY_FOLDERS = {pathlib.Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}


def is_author_s(file: pathlib.Path, folder: pathlib.Path) -> bool:
    """Whether a file lies in the folder of a game, and not in a library that is installed below it."""
    inside = [library for library in LIBRARY_FOLDERS if library.is_relative_to(folder)]
    return file.is_relative_to(folder) and not any(map(file.is_relative_to, inside))
