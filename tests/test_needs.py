"""A test whose tool is installed may not skip, and a run names what it left out."""

from __future__ import annotations

import pytest

from tests import needs

TESTS = """
import pytest

@pytest.mark.needs("{tool}")
def test_with_a_tool():
    {body}

@pytest.mark.slow
def test_that_takes_long():
    pass

def test_that_always_runs():
    pass
"""


@pytest.fixture
def run(pytester, monkeypatch):
    """A function that runs tests of which one needs a tool: installed or not, with this body."""
    monkeypatch.setitem(needs.TOOLS, "there", ("a tool", lambda: True))
    monkeypatch.setitem(needs.TOOLS, "missing", ("a tool", lambda: False))
    pytester.makeini("[pytest]\nmarkers = slow")

    def run(tool: str, body: str) -> pytest.RunResult:
        pytester.makepyfile(TESTS.format(tool=tool, body=body))
        return pytester.runpytest_inprocess("-p", "tests.needs", "-p", "no:xdist", "--strict-markers", "-m", "not slow")

    return run


def test_a_test_runs_where_its_tool_is_installed(run):
    run("there", "pass").assert_outcomes(passed=2, deselected=1)
    run("there", "assert False").assert_outcomes(passed=1, failed=1, deselected=1)


def test_a_test_without_its_tool_is_skipped_and_the_reason_named(run):
    result = run("missing", "assert False")
    result.assert_outcomes(passed=1, skipped=1, deselected=1)
    result.stdout.fnmatch_lines(["*left out*", "1 test: needs a tool (*)", "1 test: too slow for every run*"])


def test_a_test_that_skips_though_its_tool_is_installed_fails(run):
    result = run("there", "pytest.skip('no display')")
    result.assert_outcomes(passed=1, failed=1, deselected=1)
    result.stdout.fnmatch_lines(["*skipped though there is installed: no display*"])


def test_a_skip_that_names_no_tool_stays_a_skip(pytester):
    pytester.makepyfile("import pytest\ndef test_it(): pytest.skip('not on this system')")
    result = pytester.runpytest_inprocess("-p", "tests.needs", "-p", "no:xdist")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["1 test: not on this system (*)"])
