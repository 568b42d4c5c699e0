"""What a test needs that is not always there, and what a run says at its end about all that it left out.

`@pytest.mark.needs("chromium")` skips a test where the tool is missing, and makes it fail where the tool is there but
the test skips all the same: an unusable tool must not look like a missing one. A tool is a program or a module.
"""

from __future__ import annotations

import importlib.util
import pathlib
import shutil
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
TOOLS: dict[str, tuple[str, Callable[[], bool]]] = {
    "chromium": ("Chromium on the PATH", lambda: CHROMIUM is not None),
    "axe": ("axe-playwright-python, of the extra 'dev'", lambda: is_module("axe_playwright_python")),
    "pyspiel": ("OpenSpiel, of the extra 'bench'", lambda: is_module("pyspiel")),
    "ray": ("Ray, of the extra 'cluster'", lambda: is_module("ray")),
    "optuna": ("Optuna, of the extra 'tune'", lambda: is_module("optuna")),
    "neat": ("neat-python, of the extra 'neat'", lambda: is_module("neat")),
    "pyarrow": ("pyarrow, of the extra 'parquet'", lambda: is_module("pyarrow")),
    "mkdocs": ("MkDocs, of the extra 'docs'", lambda: is_module("material") and is_module("latex2mathml")),
}
SLOW = "too slow for every run; -m slow runs them"


def is_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def needed(item: pytest.Item) -> list[str]:
    return [tool for mark in item.iter_markers("needs") for tool in mark.args]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*tools): skipped where one of these tools is not installed")
    config.pluginmanager.register(LeftOut(config), "left-out")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for tool in needed(item):
        name, is_installed = TOOLS[tool]
        if not is_installed():
            pytest.skip(f"needs {name}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    tools = needed(item)
    if report.skipped and tools and all(TOOLS[tool][1]() for tool in tools):
        report.outcome = "failed"
        report.longrepr = f"skipped though {', '.join(tools)} is installed: {reason_of(report)}"
    return report


def reason_of(report: Any) -> str:
    return report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else str(report.longrepr)


class LeftOut:
    """Collects the tests that did not run, also those of xdist's workers, and names them by reason at the end."""

    def __init__(self, config: pytest.Config):
        self.config = config
        self.deselected: set[str] = set()

    def pytest_deselected(self, items: Iterable[pytest.Item]) -> None:
        self.deselected |= {item.nodeid for item in items if item.get_closest_marker("slow")}

    def pytest_sessionfinish(self) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["deselected"] = sorted(self.deselected)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.deselected |= set(getattr(node, "workeroutput", {}).get("deselected", ()))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        why: dict[str, list[str]] = defaultdict(list)
        for report in terminalreporter.stats.get("skipped", ()):
            why[reason_of(report)].append(report.nodeid)
        why[SLOW] += self.deselected
        lines = [line for reason, tests in why.items() for line in described(reason, tests)]
        if lines:
            terminalreporter.section("left out")
            terminalreporter.write("".join(f"{line}\n" for line in lines))


def described(reason: str, tests: list[str]) -> list[str]:
    if not tests:
        return []
    files = sorted({pathlib.PurePosixPath(test.split("::")[0]).stem for test in tests})
    return [f"{len(tests)} test{'s' if len(tests) > 1 else ''}: {reason} ({', '.join(files)})"]
