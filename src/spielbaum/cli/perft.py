"""`spielbaum perft`: how many sequences of actions there are, length by length."""

from __future__ import annotations

from typing import Annotated

import typer

from spielbaum.cli.inputs import GameName, Json, Moves, Options, Position, load_game, read_position, split_moves
from spielbaum.cli.output import print_json, print_table


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
    start = split_moves(moves)
    found = perft(played.play_all(start, position=read_position(position)), depth)
    if as_json:
        captures = {} if found.captures is None else {"captures": found.captures}
        print_json({"game": played.name, "moves": start, "nodes": found.nodes, **captures, "seconds": found.seconds})
        return
    columns = ["depth", "nodes"] + ([] if found.captures is None else ["captures"])
    counts = [found.nodes] + ([] if found.captures is None else [found.captures])
    rows = [
        [str(length), *(f"{number:,}" for number in numbers)]
        for length, numbers in enumerate(zip(*counts, strict=True), 1)
    ]
    print_table(columns, rows, numbers=columns)
    print(f"{found.seconds:.2f} s")
