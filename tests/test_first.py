"""The order of tests: what a change can break comes first."""

from __future__ import annotations

from tests.first import ITS_MODULE, ITS_PACKAGE, ITSELF, OTHERS, closeness

CHANGED = ["src/spielbaum/web/warming.py", "tests/arena/test_run.py", "docs/cli.md"]


def test_a_changed_test_comes_before_those_of_changed_modules_and_packages():
    assert closeness("tests/arena/test_run.py", CHANGED) == ITSELF
    assert closeness("tests/web/test_warming.py", CHANGED) == ITS_MODULE
    assert closeness("tests/web/test_kiosk.py", CHANGED) == ITS_PACKAGE
    assert closeness("tests/arena/test_stats.py", CHANGED) == OTHERS


def test_a_change_outside_of_the_package_moves_no_other_test():
    assert closeness("tests/docs/test_docs.py", ["docs/cli.md", "Makefile"]) == OTHERS
