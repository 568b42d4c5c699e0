"""Which tests run first: those of what was changed since the last commit.

A test file comes first if it was changed itself, then those of a changed module: `test_link.py` for `link.py`, and the
folder `tests/web` for all of `spielbaum/web`. What failed last time comes before all of them (`--failed-first`).
"""

from __future__ import annotations

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[1]
ITSELF, ITS_MODULE, ITS_PACKAGE, OTHERS = range(4)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    changed = changed_files()
    items.sort(key=lambda item: closeness(item.path.relative_to(ROOT).as_posix(), changed) if changed else OTHERS)


def changed_files() -> list[str]:
    """The files that differ from the last commit; none outside of a repository."""
    try:
        command = ["git", "-C", str(ROOT), "status", "--porcelain", "--no-renames", "--untracked-files=all"]
        status = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return [line[3:] for line in status.splitlines()]
    except (OSError, subprocess.CalledProcessError):
        return []


def closeness(test: str, changed: list[str]) -> int:
    """How near a test file is to what was changed.

    >>> changed = ["src/spielbaum/web/warming.py"]
    >>> [closeness(f"tests/{name}.py", changed) for name in ("web/test_warming", "web/test_kiosk", "test_link")]
    [1, 2, 3]
    """
    if test in changed:
        return ITSELF
    parts = [pathlib.PurePosixPath(name).with_suffix("").parts for name in changed if name.startswith("src/spielbaum/")]
    path = pathlib.PurePosixPath(test)
    if any(path.stem == f"test_{part[-1]}" for part in parts):
        return ITS_MODULE
    return ITS_PACKAGE if any(path.parent.name in part[2:-1] for part in parts) else OTHERS
