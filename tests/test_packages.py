"""The packages of this project, as their users import them."""

import importlib
import pathlib
import pkgutil
import types

import pytest

import spielbaum

SOURCE = pathlib.Path(spielbaum.__file__).parent
NAMES = sorted(".".join(("spielbaum", *each.parent.relative_to(SOURCE).parts)) for each in SOURCE.rglob("__init__.py"))
GAMES = "spielbaum.games."  # a game's package is the game: its hooks, such as `scene`, are named by the game's contract
PACKAGES = [name for name in NAMES if not name.startswith(GAMES)]


@pytest.mark.parametrize("name", PACKAGES)
def test_an_attribute_of_a_submodules_name_is_that_submodule(name):
    package = importlib.import_module(name)
    for module in pkgutil.iter_modules(package.__path__):
        found = getattr(package, module.name, None)
        is_it = isinstance(found, types.ModuleType) and found.__name__ == f"{name}.{module.name}"
        assert found is None or is_it, f"{name}.{module.name} is {found!r}"
