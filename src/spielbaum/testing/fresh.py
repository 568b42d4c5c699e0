"""A second opinion: a new process, without the compiler, plays the same games.

What differs between two processes shows here and nowhere else: tables drawn at random when the
module is loaded, the order of a set of words, a rule that asks whether it is compiled. Each
position is sent as its parent's number, the action and a digest; the other side answers with the
first state that turned out differently, or the rule that does not end there. Run as
`python -m spielbaum.testing.fresh`.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np

import spielbaum
from spielbaum.errors import GameError
from spielbaum.game import Game, load
from spielbaum.testing.case import Case, Machine, Position
from spielbaum.testing.words import two
from spielbaum.watchdog import GivenUp, Watchdog, endless_words


def disagreement(case: Case, positions: list[Position]) -> tuple[Position, str] | None:
    """The first of these positions that a new process does not reach, and how it fails."""
    ordered = sorted(positions, key=lambda position: position.depth)
    answer = ask(case.game, steps(ordered), case.watched.limit)
    if answer is None:
        return None
    position = ordered[answer["step"]]
    if "error" in answer:
        return position, f"without the compiler, {answer['error']}"
    other = np.frombuffer(bytes.fromhex(answer["state"]), position.array.dtype)
    return position, f"the state has {two(position.array, other, 'here', 'in a new process without the compiler')}"


def steps(positions: list[Position]) -> list[tuple[int, int, str]]:
    """Parent's number, action and digest of each position; a first position has -1 and its seed."""
    numbers: dict[Position, int] = {}
    for position in positions:
        numbers[position] = len(numbers)
    return [
        (-1, position.seed, digest(position.array))
        if position.parent is None
        else (numbers[position.parent], position.action or 0, digest(position.array))
        for position in positions
    ]


def digest(state: np.ndarray) -> str:
    return hashlib.sha256(state.tobytes()).hexdigest()


def ask(game: Game, steps: list[tuple[int, int, str]], limit: float) -> dict[str, Any] | None:
    """The answer of a new process, in which a rule may work for so many seconds."""
    builtin = game.module.__name__.startswith("spielbaum.games.")
    source = game.name if builtin else game.module.__file__
    question = {"game": source, "options": game.options, "steps": steps, "limit": limit}
    ours = str(pathlib.Path(spielbaum.__file__).parents[1])
    path = os.pathsep.join(filter(None, [ours, os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    environment.pop("PYTHONHASHSEED", None)
    command = [sys.executable, "-P", "-m", "spielbaum.testing.fresh"]
    given = json.dumps(question)
    process = subprocess.run(command, input=given, capture_output=True, text=True, env=environment)
    if process.returncode != 0:
        return {"step": 0, "error": (process.stderr.strip().splitlines() or ["the process failed"])[-1]}
    answer: dict[str, Any] | None = json.loads(process.stdout.splitlines()[-1])
    return answer


def watched_answer(question: dict[str, Any]) -> dict[str, Any] | None:
    """The answer, also where the game is never loaded or one of its rules does not end."""
    watched = Watchdog(question["limit"])
    try:
        return watched.run(lambda: answer(question, watched))
    except GivenUp:
        return {"step": 0, "error": f"the game is not loaded within {watched.limit:g} s"}


def answer(question: dict[str, Any], watched: Watchdog) -> dict[str, Any] | None:
    """The first step that leads elsewhere than the question says, or None."""
    game = load(question["game"], **question["options"])
    plain = Machine(game, False, watched)
    reached: list[tuple[np.ndarray, np.ndarray]] = []
    for number, (parent, action, expected) in enumerate(question["steps"]):
        watched.step()
        try:
            if parent < 0:
                reached.append(plain.start_game(action))
            else:
                state, dice = reached[parent]
                reached.append(plain.advance(state, dice, action))
        except GameError as error:
            return {"step": number, "error": str(error)}
        except GivenUp as error:
            called = "start" if parent < 0 else "play"
            return {
                "step": number,
                "error": f"{game.title}: {endless_words(error, game.module, called, watched.limit)}",
            }
        if digest(reached[-1][0]) != expected:
            return {"step": number, "state": reached[-1][0].tobytes().hex()}
    return None


if __name__ == "__main__":
    print(json.dumps(watched_answer(json.load(sys.stdin))))
