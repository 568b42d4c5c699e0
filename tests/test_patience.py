"""No run of the tests waits for ever: a test that hangs fails, and so does a wait that only hears other things."""

from __future__ import annotations

import pathlib

import pytest

from tests.patience import PATIENCE, Deadline, wait_for

PROJECT = pathlib.Path(__file__).parents[1] / "pyproject.toml"
TESTS = """
import threading

def test_that_hangs():
    waits_in_vain()

def waits_in_vain():
    threading.Event().wait()

def test_after_it():
    pass
"""


def test_a_test_that_hangs_fails_with_its_stack_and_those_after_it_run(pytester):
    file = pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess("-c", PROJECT, "--rootdir", ".", "-o", "timeout=1", file)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*in waits_in_vain", "*Failed: Timeout*"])


def test_a_test_has_more_time_than_what_it_waits_for(request):
    assert float(request.config.getini("timeout")) > 2 * PATIENCE


def test_a_wait_ends_and_says_what_for():
    with pytest.raises(AssertionError, match=r"after 0.05 s still waiting for .*lambda: False"):
        wait_for(lambda: False, 0.05)
    assert wait_for(lambda: 7) == 7 and Deadline().left("nothing") > 0
