"""`spielbaum replay`: step through a stored game in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielbaum.cli.inputs import DEFAULT_STORE, Json, RunNumber, StoreFile
from spielbaum.cli.output import print_json
from spielbaum.params import LARGEST

if TYPE_CHECKING:
    from spielbaum.arena.single import GameRecord
    from spielbaum.game import Game

HELP = "Enter goes on, b goes back, a number goes there, q leaves: "


def command(
    run: RunNumber,
    number: Annotated[
        int, typer.Argument(metavar="GAME_INDEX", max=LARGEST, help="The number of the game in its run, from 0.")
    ],
    store: StoreFile = DEFAULT_STORE,
    as_json: Json = False,
) -> None:
    """Replay a game move by move; all at once where nobody types."""
    from spielbaum.arena import Store
    from spielbaum.arena.game_batch import record_of
    from spielbaum.arena.run import require_rules
    from spielbaum.cli.play import as_data
    from spielbaum.compile.digest import rules_version

    with Store(store, create=False) as opened:
        stored = opened.run(run)
        game = stored.plan.load()
        require_rules(stored, rules_version(game.module))
        batch = opened.game(run, number, game)
    agents = [stored.plan.agents[agent] for agent in batch.seats[0]]
    record = record_of(batch)
    if as_json:
        print_json(as_data(game, agents, record))
        return
    print(f"run {run}, game {number}: {', '.join(map(' = '.join, zip(game.seats, agents, strict=True)))}")
    if sys.stdin.isatty() and sys.stdout.isatty():
        step_through(game, record)
    else:
        stops = stops_of(game, record)
        for number in range(len(stops)):
            show(game, record, stops, number)


def stops_of(game: Game, record: GameRecord) -> list[int]:
    """The numbers of moves after which there is something to see: a round is seen when all have chosen."""
    state, stops = game.new(record.seed), [0]
    for ply, action in enumerate(record.actions, 1):
        state.play(action)
        if state.asked == 0 or ply == len(record.actions):
            stops.append(ply)
    return stops


def step_through(game: Game, record: GameRecord) -> None:
    """Let a person go to and fro."""
    stops, number = stops_of(game, record), 0
    last = len(stops) - 1
    while True:
        show(game, record, stops, number)
        try:
            typed = input(f"{number} of {last}. {HELP}").strip().lower()
        except EOFError:
            return
        if typed == "q":
            return
        steps: dict[str, Any] = {"": number + 1, "b": number - 1}
        if typed not in steps and not typed.isdecimal():
            continue
        number = max(0, min(last, int(typed) if typed.isdecimal() else steps[typed]))


def show(game: Game, record: GameRecord, stops: list[int], number: int) -> None:
    """The position at a stop, and the moves that led there from the one before."""
    begin, end = stops[max(0, number - 1)], stops[number]
    state = game.play_all(record.actions[:begin], record.seed)
    moves = []
    for action in record.actions[begin:end]:
        moves.append(f"{state.seat}: {state.format(action)}")
        state.play(action)
    if moves:
        print(f"\n{number}. {', '.join(moves)}")
    print(f"\n{state}")
    if end == len(record.actions):  # not the end by the rules where somebody lost on time
        returns, outcome = (state.returns, state.outcome) if state.over else (record.returns, record.outcome)
        results = zip(game.seats, returns, strict=True)
        ending = f" ({outcome})" if outcome else ""
        if record.forfeit is not None:
            ending += f": {game.seats[record.forfeit.seat]} {record.forfeit.reason}"
        print("\n" + ", ".join(f"{seat} {result:+g}" for seat, result in results) + ending)
