"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import spielbaum

MODULES = [
    module.name
    for module in pkgutil.walk_packages(spielbaum.__path__, "spielbaum.")
    if ".kernels." not in module.name and not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
