"""A command as a process: Ctrl-C whenever it comes, and streams that are closed, full or know ASCII only."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest

SPIELBAUM = [sys.executable, "-m", "spielbaum"]
FULL = pathlib.Path("/dev/full")

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has neither SIGINT to send nor these devices")
STOPPED = (130, ["stopped"])

INTERRUPTED = """
import os, signal, sys
from spielbaum.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
events, last = iter(range(10**9)), int(sys.argv.pop(1))
def hear(event, args):
    if event == "import" and next(events) == last:
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hear)
sys.exit(main())
"""

LOST = """
import signal, sys
import spielbaum.cli.games
from spielbaum.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)

class Finalizer:
    def __del__(self):
        signal.default_int_handler(signal.SIGINT, None)

def command():
    Finalizer()
    print("goes on")

spielbaum.cli.games.command = command
sys.argv = ["spielbaum", "games"]
sys.exit(main())
"""

AT_THE_END = """
import atexit, os, signal, sys
from spielbaum.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
atexit.register(os.kill, os.getpid(), signal.SIGINT)  # comes before what is registered later
code = main()
atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.exit(code)
"""


def told(process: subprocess.CompletedProcess[str]) -> tuple[int, list[str]]:
    return process.returncode, process.stderr.splitlines()


def ran(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120)


@posix
@pytest.mark.parametrize("moment", [2, 150, 400])
def test_ctrl_c_ends_a_command_whatever_is_being_imported(moment):
    assert told(ran(INTERRUPTED, str(moment), "games")) == STOPPED


@posix
def test_ctrl_c_is_not_lost_in_a_finalizer():
    process = ran(LOST)
    assert told(process) == STOPPED and "goes on" not in process.stdout


@posix
def test_ctrl_c_after_the_last_line_is_not_answered_by_a_traceback():
    code, lines = told(ran(AT_THE_END, "--version"))
    assert code in (0, 130) and lines == []


@posix
def test_processes_that_are_started_are_deaf_for_ctrl_c(tmp_path):
    program = """
import os, signal, time
from spielbaum.arena.executors import serve
from spielbaum.worker_pool import WorkerProcess
worker = WorkerProcess(serve)
for _ in range(50):  # while it starts
    os.kill(worker.process.pid, signal.SIGINT)
    time.sleep(0.02)
print(worker.process.is_alive(), signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
os._exit(0)
"""
    (tmp_path / "program.py").write_text(f"if __name__ == '__main__':\n    exec({program!r})")
    process = subprocess.run([sys.executable, str(tmp_path / "program.py")], capture_output=True, text=True)
    assert (process.stdout, process.stderr) == ("True False\n", "")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", ["agents --json", "--help", "reproduce"])
def test_a_full_disk_is_told_in_one_line(command):
    with FULL.open("w") as full:
        process = subprocess.run([*SPIELBAUM, *command.split()], stdout=full, stderr=subprocess.PIPE, text=True)
    assert told(process) == (2, ["writing failed: No space left on device"])


@posix
@pytest.mark.parametrize("command", ["agents", "--help"])
def test_who_stops_reading_gets_no_complaint(command):
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run([*SPIELBAUM, *command.split()], stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert told(process) == (1, [])


@posix
@pytest.mark.parametrize(("closed", "code"), [("agents >&-", 0), ("gmaes 2>&-", 2), ("--help <&-", 0)])
def test_closed_streams_lead_nowhere(closed, code):
    process = subprocess.run(["sh", "-c", f'"{sys.executable}" -m spielbaum {closed}'], capture_output=True, text=True)
    assert told(process) == (code, [])


def ascii_only(*arguments: str) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, "PYTHONIOENCODING": "ascii"}
    return subprocess.run([*SPIELBAUM, *arguments], capture_output=True, text=True, env=surroundings)


def test_what_ascii_does_not_have_is_written_with_what_it_has():
    table = ascii_only("agents", "connect-four", "mcts")
    assert table.returncode == 0 and table.stderr == "" and "?" not in table.stdout
    assert len({len(line) for line in table.stdout.splitlines() if line.startswith(("|", "+"))}) == 1
    assert "'games...'" in ascii_only("games…").stderr


def test_json_is_whole_in_ascii():
    plain = json.loads(ascii_only("agents", "pig", "--json").stdout)
    usual = subprocess.run([*SPIELBAUM, "agents", "pig", "--json"], capture_output=True, encoding="utf-8")
    assert plain == json.loads(usual.stdout)
