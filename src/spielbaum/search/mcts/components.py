"""Components: what a Monte Carlo tree search is put together from. A component is one file that says everything.

    COMPONENT = Component("enhancement", params=(…), edge=(("total", "f4"),), provides={"amaf"}, host=Host)

    slot                where it belongs: one component of each slot makes a search, and any number of enhancements
    params              its parameters; numbers are arguments of the kernel (`p.c`), so that another C compiles nothing
    edge, node, thread  fields that it keeps with edges, nodes and threads, in sub-records of its own name:
                        `e.rave.total`, `own.mark`; they begin with zeros
    provides            what the search is like with it; a template reads `prior` as `PRIOR` (see FLAGS)
    requires, excludes  what other components must provide, or must not
    needs               what it needs of the game (see NEEDS)
    host                its Python side, before, between and after decisions
    functions           those of its slot (SLOTS) and for moments of an iteration (EVENTS), which are compiled; a
                        function takes what it needs by name, in any order, as a game's rules do

Components are found in the engine, in `COMPONENTS` of a game, and by the entry point `spielbaum.components` of an
installed package. Which of them a search has, and what they provide, is its *variant*, which is bound when its kernels
are linked: what is not used is not compiled.
"""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from spielbaum import plugins
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.params import Param
from spielbaum.rules import inlined
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.workspace import NOW

if TYPE_CHECKING:
    from spielbaum.game import Game

PACKAGE = __name__.rpartition(".")[0]

SLOTS: dict[str, dict[str, str]] = {
    "select": {
        "choose": "tree, node, path_index, work, p, rng",
        "wanders": "p, rng",
        "explore": "visits, p",
        "score": "e, mean, inverse_visits, explore, p",
    },
    "expand": {"untried": "t, states, tree, node, mover, work, p, rng", "list_actions": "t, s, mover, out"},
    "opponents": {"step": "t, states, work, action, p, rng"},
    "playout": {"start_playout": "work, p, rng", "playout_action": "t, states, work, player, p, rng"},
    "value": {"value_of": "t, s, work, p", "ask": "t, s, p, out", "priors": "t, s, mover, work, n"},
    "backup": {"weight": "distance, p"},
    "decide": {},
    "reuse": {},
    "nodes": {"find": "t, tree, states, raw, work, edge, mover, p, rng", "view_key": "t, states, raw, work, mover"},
    "tree_policy": {"descend": "t, tree, states, raw, work, p, rng"},
    "enhancement": {},
}
"""The slots, with the functions that a component of each may define and what these are offered."""

FOLDERS = {"enhancement": "enhancements"}  # of slots whose folders are called otherwise

FLAGS = {
    "OPEN_LOOP": "what is legal at a node differs from visit to visit",
    "LINKED_EDGES": "edges are made when they are tried, and linked to a list",
    "LISTS_ACTIONS": "the expansion says which edges a node gets, and in which order",
    "KEYED": "nodes are found by keys",
    "JOINTS": "joint actions are told apart",
    "PRIOR": "edges have priors",
    "SOLVES": "proven edges are not searched again",
    "LIMITED": "not all children are in use",
    "NORMALISED": "values are scaled per node",
    "OWN_ONLY": "only own decisions are in the tree",
    "ROUNDS": "rounds are searched as rounds",
    "BY_VIEW": "what the mover sees decides which node it is",
    "NETWORK": "a network values leaves and proposes moves",
    "BATCHED": "the same of one outside of the kernel, for which leaves wait in batches",
    "EVALUATES": "needs the game's evaluation",
    "AT_ONCE": "leaves are valued at once, without a simulation",
    "DRAWS_HIDDEN": "every iteration draws what is hidden",
    "FROM_START": "where something is hidden, iterations begin with the game",
    "REDETERMINIZES": "some of them as others see it, to whom the searching player is a riddle",
    "GUESSED": "in one of the game's own ways",
    "FILTERED": "the game's prunings are applied",
    "OPPONENT_POLICY": "the others follow another policy in the tree than in simulations",
    "UNIFORM": "all simulated players play at random",
    "ONE_PLY": "some look one ply ahead",
    "OWN_POLICIES": "some follow the game's own policies",
    "OBSERVATION_FREE": "which look at nothing, so that nothing need be hidden from them",
    "PER_MOVE": "mixtures are drawn for every move",
    "DEPTH_IN_ROUNDS": "the depth of simulations counts rounds",
}
"""What templates of the engine ask about a search. Components may provide more."""

EACH, SUM, THREAD, FIRST, ONLY = range(5)
EVENTS = {
    "on_slice_start": ("t, states, work, p", EACH, ""),  # a slice of iterations begins
    "on_world": ("t, states, raw, work, p", EACH, ""),  # what is hidden was drawn
    "is_stranger": ("work, other", FIRST, "False"),  # nobody meets a player's view twice: see `nodes/auto.py`
    "on_iteration_start": ("work, p", EACH, ""),  # an iteration leaves the root
    "on_edge": ("work, path_index, p", EACH, ""),  # an edge was put on the path
    "on_action": ("work, action, player, p", EACH, ""),  # an action was played, in the tree or in a simulation
    "override_selection": ("t, states, tree, node, mover, work, p, rng", FIRST, "-1"),  # an edge to take, or -1
    "is_closed": ("tree, edge", FIRST, "False"),  # nothing below an edge is to be searched any more
    "ends_descent": ("tree, edge", FIRST, "False"),  # an edge leads to the leaf, whatever lies below it
    "child_limit": ("tree, node, p", ONLY, "tree.nodes[node].count"),  # children in use, at most
    "value_range": ("tree, node, p", ONLY, "(0.0, 1.0)"),  # what values are scaled by
    "mix_value": ("mean, tree, edge, low, width, visits, p", THREAD, "mean"),  # Q with something mixed in
    "selection_bonus": ("tree, edge, p", SUM, "0.0"),  # added to a score
    "on_leaf": ("t, states, tree, work, p", EACH, ""),  # a leaf was reached, and is not yet valued
    "on_result": ("t, s, work, p", EACH, ""),  # a game has ended, work.result holds its result
    "on_backup": ("tree, path_index, edge, value, weight, work, p", EACH, ""),  # a value was backed up at an edge
    "on_iteration_end": ("tree, work, p", EACH, ""),  # an iteration is over
    "on_normalise": ("e, visits", EACH, ""),  # all visits of an edge now count as one
}
"""Moments at which components may take part: what they are offered, how several are joined, what happens without."""

DERIVED = {"own": "work.{name}", "e": "tree.edges[edge]", "n": "tree.nodes[node]", "s": f"states[{NOW}]"}
"""What a function may ask for besides: it follows from what its moment offers."""

NEEDS: dict[str, Callable[[Any], bool]] = {
    "turns": lambda game: not game.simultaneous,
    "full information": lambda game: not game.hidden,
    "no dice": lambda game: not game.chance,
    "two players": lambda game: game.players == 2,
    "a rule 'credit_assignment'": lambda game: game.has("credit_assignment"),
    "a rule 'evaluate'": lambda game: game.has("evaluate"),
    "a rule 'features'": lambda game: game.has("features"),
    "a rule 'key'": lambda game: game.has("key"),
    "a rule 'planes'": lambda game: game.has("planes"),
}
"""What a component may need of a game."""

Fields = Iterable[tuple[Any, ...]]


def no_fields(_game: Any, _flags: frozenset[str]) -> Fields:
    return ()


def no_objection(_game: Any, _values: Mapping[str, Any]) -> str | None:
    return None


@dataclass(frozen=True)
class Component:
    """One component; see the top of this file. `name` and `template` are those of the file that it stands in."""

    slot: str
    params: tuple[Param, ...] = ()
    edge: tuple[tuple[Any, ...], ...] = ()
    node: tuple[tuple[Any, ...], ...] = ()
    thread: Callable[[Any, frozenset[str]], Fields] = no_fields
    """The fields of a thread, given the game and the flags of the search."""
    provides: frozenset[str] | set[str] = frozenset()
    requires: frozenset[str] | set[str] = frozenset()
    excludes: frozenset[str] | set[str] = frozenset()
    needs: tuple[str, ...] = ()
    objection: Callable[[Any, Mapping[str, Any]], str | None] = no_objection
    """Why its parameters do not fit a game or each other, in one line."""
    host: type[Host] = Host
    chosen_by: str = ""
    """The parameter that chooses it, where that is neither its slot nor its own first one."""
    name: str = ""
    template: types.ModuleType | None = field(default=None, compare=False)

    @property
    def path(self) -> str:
        """`select/ucb1-tuned`."""
        return f"{self.slot}/{self.name}"

    @property
    def record(self) -> str:
        """What its sub-records are called."""
        return self.name.replace("-", "_")

    @property
    def is_compiled(self) -> bool:
        """Whether kernels know it; what decides or keeps a tree is otherwise for its host alone."""
        return self.slot not in ("decide", "reuse") or bool(self.edge)

    def flags(self) -> set[str]:
        return {name.replace("-", "_").upper() for name in self.provides}

    def offered(self) -> dict[str, str]:
        """The functions that it may define, with what each of them is offered."""
        return {**SLOTS[self.slot], **{event: parameters for event, (parameters, *_) in EVENTS.items()}}

    def spelled(self, values: Mapping[str, Any]) -> str:
        """How somebody has chosen it: `expand=lazy`, `solve=on`."""
        name = self.chosen_by or (self.params[0].name if self.slot == "enhancement" else self.slot)
        given = values.get(name, self.name)
        return f"{name}={'on' if given is True else given}"

    def complete(self, tree: ast.Module, template: types.ModuleType) -> None:
        """Give each of its functions all parameters of its moment, so that kernels call all of them alike."""
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name in self.offered():
                asked = [argument.arg for argument in node.args.args]
                offered = self.offered()[node.name].split(", ")
                for name in asked:
                    if name not in offered and name not in DERIVED:
                        raise unknown("parameter", name, [*offered, *DERIVED], f"{node.name} of {template.__file__}")
                derived = [name for name in asked if name not in offered]
                lines = [f"{name} = {DERIVED[name].format(name=stem(template))}" for name in derived]
                after_docstring = int(ast.get_docstring(node) is not None)
                node.body[after_docstring:after_docstring] = [
                    ast.copy_location(line, node) for line in ast.parse("\n".join(lines)).body
                ]
                node.args.args = [ast.copy_location(ast.arg(name), node) for name in offered]


def stem(template: types.ModuleType) -> str:
    """The name of a component's file, and of its sub-records."""
    return template.__name__.rpartition(".")[2]


class Variant(NamedTuple):
    """What is bound when a kernel is linked: components by their paths, the flags that are set, and whose numbers of
    the game's policies are used, where it has a rule for each."""

    components: tuple[str, ...]
    flags: tuple[str, ...]
    policies: tuple[int, ...] = ()

    def assemble(self, namespace: types.ModuleType, module: types.ModuleType, load: Callable[[Any], Any]) -> None:
        """Fill the module `components` of a linked search; `load` links a component's file with the game."""
        chosen = of_variant(module, self)
        for flag in {*FLAGS, *self.flags}:
            setattr(namespace, flag, flag in self.flags)
        for flag, event in (("SEES_ACTIONS", "on_action"), ("MIXES", "mix_value"), ("BONUS", "selection_bonus")):
            setattr(namespace, flag, any(hasattr(component.template, event) for component in chosen))
        for event in EVENTS:  # until all are linked: components may name them, and nothing is compiled before
            setattr(namespace, event, None)
        linked = []
        for component in chosen:
            linked.append(load(component.template))
            setattr(namespace, component.slot, linked[-1])
        for event in EVENTS:
            setattr(namespace, event, joined(event, [getattr(each, event) for each in linked if hasattr(each, event)]))


# --- where components are found -------------------------------------------------------------------


@functools.cache
def registry(module: types.ModuleType) -> dict[str, Component]:
    """All components that searches of a game can have, by their paths: the engine's, installed ones, the game's."""
    found: dict[str, Component] = {}
    for template in (*engine(), *installed(), *getattr(module, "COMPONENTS", ())):
        component = in_template(template)
        if component.path in found:
            raise SpielbaumError(
                f"{template.__name__} brings {component.path}, which there is already; rename its file"
            )
        found[component.path] = component
    return found


@functools.cache
def engine() -> tuple[types.ModuleType, ...]:
    """The components of the engine: all files in the folders of the slots."""
    return tuple(
        importlib.import_module(f"{PACKAGE}.{folder}.{item.name}")
        for folder in (FOLDERS.get(slot, slot) for slot in SLOTS)
        for item in pkgutil.iter_modules(importlib.import_module(f"{PACKAGE}.{folder}").__path__)
    )


def installed() -> tuple[types.ModuleType, ...]:
    """The components of installed packages."""
    return tuple(plugins.sound(plugins.COMPONENTS).values())


@functools.cache
def in_template(template: types.ModuleType) -> Component:
    """The component that a file declares."""
    component = getattr(template, "COMPONENT", None)
    if not isinstance(component, Component):
        raise SpielbaumError(f"{template.__name__} is no component: it has no COMPONENT = Component(…)")
    if component.slot not in SLOTS:
        raise unknown("slot", component.slot, SLOTS, template.__name__)
    name = stem(template).replace("_", "-")
    if hasattr(np.record, name.replace("-", "_")) and (
        component.edge or component.node or component.thread != no_fields
    ):
        raise SpielbaumError(f"{template.__name__} can't keep fields under its name: records of NumPy have a {name!r}")
    values: dict[str, Any] = {**vars(component), "name": name, "template": template}
    return Component(**{**values, **{key: frozenset(values[key]) for key in ("provides", "requires", "excludes")}})


def of_variant(module: types.ModuleType, variant: Variant) -> list[Component]:
    known = registry(module)
    return [known[path] for path in variant.components]


def choices(game: Game, slot: str) -> tuple[str, ...]:
    """The names of the components for a slot, the default first."""
    names = [component.name for component in registry(game.module).values() if component.slot == slot]
    first = default(slot)
    return tuple(sorted(names, key=lambda name: (name != first, name)))


def default(slot: str) -> str:
    return str(getattr(importlib.import_module(f"{PACKAGE}.{FOLDERS.get(slot, slot)}"), "DEFAULT", ""))


def params(game: Game, slot: str) -> tuple[Param, ...]:
    """The parameters of all components for a slot, each once."""
    fitting = [component for component in registry(game.module).values() if component.slot == slot]
    declared = [param for component in fitting for param in component.params]
    return tuple({param.name: param for param in declared}.values())


def slot_param(game: Game, slot: str) -> Param:
    """The parameter that chooses a component."""
    package = importlib.import_module(f"{PACKAGE}.{slot}")
    return Param(slot, package.DEFAULT, package.HELP, choices=choices(game, slot))


# --- what goes together ---------------------------------------------------------------------------


def misfit(game: Game, chosen: list[Component], values: Mapping[str, Any], others: Mapping[str, str]) -> str | None:
    """Why some components do not go together, or not with a game.

    `others` are things that parameters besides the components provide, with how somebody has chosen each.
    """
    provided = {name: component.spelled(values) for component in chosen for name in component.provides} | {**others}
    for component in chosen:
        given = component.spelled(values)
        for need in component.needs:
            if not NEEDS[need](game):
                which = f"which {game.name} does not have" if need.startswith("a rule") else f"not {game.name}"
                return f"{given} needs {need}, {which}"
        for name in sorted(component.requires):
            if name not in provided:
                return f"{given} needs {who_provides(game, name, chosen, values)}"
        for name in sorted(component.excludes):
            if name in provided and provided[name] != given:
                return f"{given} does not go with {provided[name]}{instead_of(game, component, name)}"
        if wrong := component.objection(game, values):
            return wrong
    return None


def instead_of(game: Game, component: Component, excluded: str) -> str:
    """`; use expand=all or one`: the components of the same slot that go with what one excludes."""
    others = [other for other in registry(game.module).values() if other.slot == component.slot != "enhancement"]
    fitting = [other.name for other in others if excluded not in other.excludes]
    return f"; use {component.slot}={' or '.join(fitting)}" if fitting else ""


def who_provides(game: Game, name: str, chosen: list[Component], values: Mapping[str, Any]) -> str:
    """`expand=all or one, not lazy`."""
    able = [component for component in registry(game.module).values() if name in component.provides]
    slot = able[0].slot if able else ""
    instead = next((component.spelled(values).partition("=")[2] for component in chosen if component.slot == slot), "")
    names = " or ".join(component.name for component in able if component.slot == slot)
    return f"{slot}={names}, not {instead}" if able else f"something that provides '{name}'"


# --- linking --------------------------------------------------------------------------------------


def joined(event: str, functions: list[Any]) -> Any:
    """One function that calls those of all components."""
    parameters, how, neutral = EVENTS[event]
    calls = [f"f{number}({parameters})" for number in range(len(functions))]
    if how == EACH:
        body = "; ".join(calls) or "pass"
    elif how == SUM:
        body = f"return {' + '.join(calls) or neutral}"
    elif how == THREAD:
        body = "; ".join([*(f"mean = {call}" for call in calls), "return mean"])
    elif how == FIRST:
        body = f"return {calls[0] if calls else neutral}"
    else:
        body = f"return {calls[-1] if calls else neutral}"
    scope: dict[str, Any] = {f"f{number}": function for number, function in enumerate(functions)}
    exec(compile(f"def {event}({parameters}):\n    {body}", f"<all that happens at '{event}'>", "exec"), scope)
    return inlined(scope[event])
