"""`spielbaum perft`: how many sequences of actions there are, length by length."""

from __future__ import annotations

from typing import Annotated

import typer

from spielbaum.cli.inputs import GameName, Json, Moves, Options, Position, load_game, read_position
from spielbaum.cli.output import print_json, print_table
from spielbaum.cli.play import notation


def command(
    game: GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=1, help="The longest sequences to count.")],
    option: Options,
    moves: Moves,
    position: Position = None,
    as_json: Json = False,
) -> None:
    """Count the sequences of actions from a position."""
    from spielbaum.search.perft import perft

    played = load_game(game, option)
    start = played.play_all([], position=read_position(position))
    state = start.copy()
    before = state.play_all(moves)
    found = perft(state, depth)
    if as_json:
        captures = {} if found.captures is None else {"captures": found.captures}
        facts = {"game": played.name, "moves": notation(start, before), "nodes": found.nodes}
        print_json({**facts, **captures, "seconds": found.seconds})
        return
    columns = ["depth", "nodes"] + ([] if found.captures is None else ["captures"])
    counts = [found.nodes] + ([] if found.captures is None else [found.captures])
    rows = [
        [str(length), *(f"{number:,}" for number in numbers)]
        for length, numbers in enumerate(zip(*counts, strict=True), 1)
    ]
    print_table(columns, rows, numbers=columns)
    print(f"{found.seconds:.2f} s")
