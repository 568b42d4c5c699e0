"""What all commands share: help, errors in one line, and Ctrl-C."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import spielbaum
from tests.cli.conftest import PENNIES
from tests.told import complaints

SPIELBAUM = [sys.executable, "-m", "spielbaum"]


def test_version_is_that_of_the_package(run):
    assert run("--version").out == f"spielbaum {spielbaum.__version__}\n"


def test_without_a_command_it_lists_them(run):
    answer = run()
    assert answer.code == 0
    assert all(name in answer.out for name in ("games", "agents", "play", "analyse", "check", "perft", "warm"))


def test_help_does_not_wait_for_the_compiler():
    program = "import sys; from spielbaum.cli import main; main(['--help']); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True).returncode == 0


def test_all_public_names_are_there():
    assert all(getattr(spielbaum, name) is not None for name in spielbaum.__all__)
    assert set(spielbaum.__all__) <= set(dir(spielbaum))
    with pytest.raises(AttributeError):
        spielbaum.chess  # noqa: B018


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("plya connect-four", "Did you mean 'play'"),
        ("play conect-four", "unknown game 'conect-four'; did you mean 'connect-four'?"),
        ("play here/is/nothing.py", "there is no game file 'here/is/nothing.py'"),
        ("play connect-four --sed 3", "--seed"),
        ("play connect-four --seed -3", "--seed"),
        ("play connect-four --seed three", "--seed"),
        ("play connect-four --seat nobody=mcts", "unknown seat 'nobody' for connect-four"),
        ("play connect-four --seat mcts", "'mcts' is not of the form SEAT=AGENT"),
        ("analyse connect-four --agent mtcs", "unknown agent 'mtcs' for connect-four; did you mean 'mcts'?"),
        ("analyse connect-four --agent mcts:itrations=9", "unknown parameter 'itrations' for mcts in connect-four"),
        ("analyse connect-four --agent mcts:iterations=many", "iterations=many is not possible"),
        ("analyse pig --agent alphabeta", "alphabeta can't play pig"),
        ("analyse connect-four --agent random", "random does not search"),
        ("analyse connect-four --agent human", "human does not search"),
        ("analyse connect-four --moves nonsense", "move 1: move 'nonsense' is not legal"),
        ("analyse connect-four --option speed=3", "unknown parameter 'speed' for connect-four"),
        ("analyse connect-four --option speed", "'speed' is not of the form key=value"),
        ("analyse connect-four --option name=x", "unknown parameter 'name' for connect-four"),
        ("agents connect-four mtcs", "did you mean 'mcts'?"),
        ("perft connect-four", "DEPTH"),
        ("perft connect-four deep", "DEPTH"),
        ("perft connect-four 0", "DEPTH"),
        (f"perft {PENNIES} 2", "pennies hides something"),
        ("warm conect-four", "did you mean 'connect-four'?"),
        ("check connect-four --games none", "--games"),
        (f"analyse connect-four --agent mcts:iterations={'9' * 20}", "numbers go up to 9223372036854775807"),
        (f"perft connect-four {'9' * 20}", "is not possible: it is a number up to"),
        (f"analyse connect-four --seed {'9' * 20}", "is not possible: it is a number up to"),
    ],
)  # fmt: skip
def test_wrong_input_is_answered_in_one_line(run, arguments, words):
    answer = run(*arguments.split())
    assert answer.code == 2
    assert answer.out == ""
    (complaint,) = complaints(answer.err)
    assert words in complaint


def test_a_real_process_answers_with_the_same_exit_code():
    process = subprocess.run([*SPIELBAUM, "games", "conect-four"], capture_output=True, text=True)
    assert process.returncode == 2
    assert process.stderr == "unknown game 'conect-four'; did you mean 'connect-four'?\n"


STOPPED_LATER = """
import os, signal, sys, threading
from spielbaum.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main(sys.argv[1].split())  # loads what the long one needs
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
sys.exit(main(sys.argv[2].split()))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send")
@pytest.mark.parametrize(
    ("short", "endless"),
    [
        ("analyse connect-four --agent alphabeta:depth=1", "analyse connect-four --agent alphabeta:seconds=600"),
        ("analyse connect-four --agent mcts:iterations=1", "analyse connect-four --agent mcts:seconds=600"),
        ("perft connect-four 1", "perft connect-four 40"),
    ],
)
def test_ctrl_c_ends_a_long_search_with_one_word(run, short, endless):
    run(*short.split())  # compiles what is needed
    command = [sys.executable, "-c", STOPPED_LATER, short, endless]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (process.returncode, process.stderr) == (130, "stopped\n")
