"""Packages import each other in one direction: the graph of all imports, lazy ones and those of kernels too."""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Iterator

import spielbaum

PACKAGE = pathlib.Path(spielbaum.__file__).parent
NEVER = {  # what a package must not know, however lazily
    "games": {"arena", "web", "cli", "online", "training", "tune", "experiments"},
    "search": {"agents", "arena", "web", "games", "training", "tune"},
    "compile": {"game", "search", "agents", "games"},
    "networks": {"search", "agents", "arena", "training"},
    "arena": {"tune", "training", "experiments", "web", "cli", "games"},
    "web": {"cli", "online", "games"},
}


def imported(path: pathlib.Path) -> Iterator[str]:
    """The parts of the package that a file imports, wherever the import stands, but for those of type checkers."""
    tree = ast.parse(path.read_text("utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "spielbaum":
            whole = node.module == "spielbaum"
            yield from (alias.name for alias in node.names) if whole else [node.module.split(".")[1]]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("spielbaum."))


def graph() -> dict[str, set[str]]:
    """Which packages and modules of the package import which others."""
    parts = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    edges: dict[str, set[str]] = {part: set() for part in parts if not part.startswith("__")}
    for path in PACKAGE.rglob("*.py"):
        own = path.relative_to(PACKAGE).with_suffix("").parts[0]
        if own in edges:
            edges[own] |= {name for name in imported(path) if name in edges and name != own}
    return edges


def circle(edges: dict[str, set[str]]) -> list[str]:
    """What is left when whatever nobody left imports is taken away again and again: empty without a circle."""
    left = dict(edges)
    while free := [part for part in left if not any(part in left[other] for other in left)]:
        for part in free:
            del left[part]
    while ends := [part for part in left if not left[part] & left.keys()]:
        for part in ends:
            del left[part]
    return sorted(left)


def test_no_packages_import_each_other_in_a_circle():
    assert circle(graph()) == []


def test_what_is_below_knows_nothing_of_what_is_above():
    edges = graph()
    assert {part: edges[part] & never for part, never in NEVER.items() if edges[part] & never} == {}


def test_a_circle_would_be_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": set()}) == ["a", "b", "c"]


def modules_imported(path: pathlib.Path, package: str) -> Iterator[str]:
    """The modules of a package that a file imports, for type checkers and inside functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}."):
            yield (node.module or "").removeprefix(f"{package}.").split(".")[0]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.startswith(f"{package}.")]
            yield from (name.removeprefix(f"{package}.").split(".")[0] for name in names)


def test_no_modules_of_web_import_each_other_in_a_circle():
    files = {path.stem: path for path in (PACKAGE / "web").glob("*.py")}
    edges = {name: {*modules_imported(path, "spielbaum.web")} & files.keys() - {name} for name, path in files.items()}
    assert edges["app"] and circle(edges) == []
