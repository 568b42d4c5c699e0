"""`spielbaum replay`: step through a stored game in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, Json, RunNumber, StoreFile
from spielbaum.cli.output import print_json

if TYPE_CHECKING:
    from spielbaum.arena.single import GameRecord
    from spielbaum.game import Game

HELP = "Enter goes on, b goes back, a number goes there, q leaves: "


def command(
    run: RunNumber,
    number: Annotated[int, typer.Argument(metavar="GAME_INDEX", help="The number of the game in its run, from 0.")],
    store: StoreFile = DEFAULT_STORE,
    as_json: Json = False,
) -> None:
    """Replay a game move by move; all at once where nobody types."""
    from spielbaum.arena import Store
    from spielbaum.arena.block import record_of
    from spielbaum.arena.run import require_rules
    from spielbaum.cli.play import as_data
    from spielbaum.digest import rules_version

    with Store(store, create=False) as opened:
        stored = opened.run(run)
        game = stored.plan.load()
        require_rules(stored, rules_version(game.module))
        block = opened.game(run, number, game)
    agents = [stored.plan.agents[agent] for agent in block.seats[0]]
    record = record_of(block)
    if as_json:
        print_json(as_data(game, agents, record))
        return
    print(f"run {run}, game {number}: {', '.join(map(' = '.join, zip(game.seats, agents, strict=True)))}")
    if sys.stdin.isatty() and sys.stdout.isatty():
        step_through(game, record)
    else:
        for ply in range(len(record.actions) + 1):
            show(game, record, ply)


def step_through(game: Game, record: GameRecord) -> None:
    """Let a person go to and fro."""
    ply, last = 0, len(record.actions)
    while True:
        show(game, record, ply)
        try:
            typed = input(f"{ply} of {last}. {HELP}").strip().lower()
        except EOFError:
            return
        if typed == "q":
            return
        steps: dict[str, Any] = {"": ply + 1, "b": ply - 1}
        if typed not in steps and not typed.isdecimal():
            continue
        ply = max(0, min(last, int(typed) if typed.isdecimal() else steps[typed]))


def show(game: Game, record: GameRecord, ply: int) -> None:
    """The position after some moves, and the move that led there."""
    before = game.play_all(record.actions[: max(0, ply - 1)], record.seed)
    if ply:
        action = record.actions[ply - 1]
        print(f"\n{ply}. {before.seat}: {before.format(action)}")
        before.play(action)
    print(f"\n{before}")
    if ply == len(record.actions):  # not the end by the rules where somebody lost on time
        returns, outcome = (before.returns, before.outcome) if before.over else (record.returns, record.outcome)
        results = zip(game.seats, returns, strict=True)
        ending = f" ({outcome})" if outcome else ""
        print("\n" + ", ".join(f"{seat} {result:+g}" for seat, result in results) + ending)
