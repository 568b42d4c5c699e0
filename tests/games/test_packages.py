"""The packages of the built-in games: each offers its hooks by importing them, and each name is written once."""

from __future__ import annotations

import ast
import pathlib

import pytest

import spielbaum
from spielbaum.protocol import CONSTANTS, FACE, FUNCTIONS, HOOKS

PACKAGES = sorted((pathlib.Path(spielbaum.__file__).parent / "games").glob("*/__init__.py"))
KNOWN = {*HOOKS, *FUNCTIONS, *CONSTANTS, *FACE, "annotations"}


@pytest.mark.parametrize("file", PACKAGES, ids=lambda file: file.parent.name)
def test_a_game_imports_nothing_but_what_the_engine_asks_for_or_it_uses_itself(file):
    tree = ast.parse(file.read_bytes())
    imported = [name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names]
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert {name.asname or name.name for name in imported} - KNOWN - used == set()


@pytest.mark.parametrize("file", PACKAGES, ids=lambda file: file.parent.name)
def test_a_game_does_not_list_what_it_imports_again(file):
    targets = [node.targets for node in ast.parse(file.read_bytes()).body if isinstance(node, ast.Assign)]
    assert "__all__" not in [name.id for names in targets for name in names if isinstance(name, ast.Name)]
