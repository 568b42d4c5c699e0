"""A process beside a benchmark that ends with it, also when that is killed: its input is a pipe, which ends then."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).parents[1]


def begun(code: str) -> subprocess.Popen[str]:
    """Run some Python in a process of its own; what it prints can be read."""
    first = "from benchmarks.child import exit_with_parent; exit_with_parent()"
    command = [sys.executable, "-c", f"{first}; {code}"]
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths}  # this package is not installed
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def ended(process: subprocess.Popen[str]) -> None:
    """Let it end in good order."""
    process.terminate()
    process.wait()  # its input is open until then
    process.communicate()


def exit_with_parent() -> None:
    """In that process: end it when nobody holds the other end of its input."""

    def listen() -> None:
        sys.stdin.read()
        os._exit(1)

    threading.Thread(target=listen, daemon=True).start()
