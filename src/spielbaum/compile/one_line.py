"""Functions of one line, written out by the linker where a template calls them.

Between a search and a game stand adaptors that drop what a rule does not ask for, and moments of an iteration at which
no component takes part. LLVM would put both into their callers, but only after Numba has spent a fiftieth of a second
on each of them. So with

    def play(s, action): ...                a call of                rules.play(t, s, action, rng)

becomes `rules_play_function(s, rules_play_int64(action))` in the source of the template, and a moment without listeners
becomes what it stands for: nothing, or a constant.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

IMPURE = ast.Call | ast.NamedExpr | ast.Await | ast.Yield | ast.Lambda


class OneLine(NamedTuple):
    """What a call stands for: an expression of the parameters and of some names; the empty one does nothing."""

    parameters: tuple[str, ...]
    expression: str
    names: Mapping[str, Any]


def mark(function: Any, parameters: str, expression: str, names: Mapping[str, Any] | None = None) -> Any:
    """Let templates have the expression in place of calls of the function."""
    function.one_line = OneLine(tuple(parameters.split(", ")), expression, names or {})
    return function


class WriteOut(ast.NodeTransformer):
    """Replaces calls of functions of one line; `names` are what the replacements refer to, for the module.

    `find` tells what a template knows as `rules.play` or `components.on_leaf`, if anything.
    """

    def __init__(self, find: Callable[[str, str], Any]):
        self.find = find
        self.names: dict[str, Any] = {}

    def visit_Expr(self, node: ast.Expr) -> Any:
        """A statement that is only a call."""
        line, arguments = self.called(node.value)
        if line and not line.expression and not any(map(is_impure, arguments.values())):
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        line, arguments = self.called(node)
        if not line or not line.expression:
            return node
        body = ast.parse(line.expression, mode="eval").body
        if not in_order(body, arguments):
            return node
        assert isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
        prefix = f"{node.func.value.id}_{node.func.attr}_"
        self.names |= {prefix + name: value for name, value in line.names.items()}
        return ast.copy_location(Substitute(arguments, {name: prefix + name for name in line.names}).visit(body), node)

    def called(self, node: ast.expr) -> tuple[OneLine | None, dict[str, ast.expr]]:
        """The function of one line that a node calls, and the arguments by their names."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=space), attr=name), args=given, keywords=[]):
                line = getattr(self.find(space, name), "one_line", None)
                if line and len(given) == len(line.parameters):
                    return line, dict(zip(line.parameters, given, strict=True))
        return None, {}


class Substitute(ast.NodeTransformer):
    def __init__(self, arguments: Mapping[str, ast.expr], renamed: Mapping[str, str]):
        self.arguments, self.renamed = arguments, renamed

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in self.arguments:
            return copy.deepcopy(self.arguments[node.id])
        return ast.Name(self.renamed.get(node.id, node.id), node.ctx)


def in_order(body: ast.expr, arguments: Mapping[str, ast.expr]) -> bool:
    """Whether the arguments can stand in the expression: those that may do something once, and at most one does."""
    impure = [name for name, argument in arguments.items() if is_impure(argument)]
    used = [node.id for node in ast.walk(body) if isinstance(node, ast.Name)]
    return len(impure) <= 1 and all(used.count(name) == 1 for name in impure)


def is_impure(node: ast.expr) -> bool:
    """Whether an expression may do more than have a value."""
    return any(isinstance(each, IMPURE) for each in ast.walk(node))
