"""`spielbaum spe_ed verify`: do the rules lead to every position of recorded games?"""

from __future__ import annotations

import pathlib
import sys
from typing import Annotated

import typer

from spielbaum.cli.inputs import Json
from spielbaum.cli.output import print_json

Games = Annotated[
    pathlib.Path, typer.Argument(metavar="FILE", help="Games as JSON lines, packed by gzip or not (.jsonl, .jsonl.gz).")
]


def command(file: Games, as_json: Json = False) -> int:
    """Play recorded games again and compare every position and all cells; exit code 1 when something differs."""
    from spielbaum.online.records import read, verify

    games, rounds, wrong = 0, 0, 0
    for record in read(file):
        found = verify(record)
        games, rounds, wrong = games + 1, rounds + found.rounds, wrong + len(found.wrong)
        for line in found.wrong:
            print(line, file=sys.stderr if as_json else sys.stdout)
    if as_json:
        print_json({"games": games, "rounds": rounds, "wrong": wrong})
    else:
        print(f"games {games}, rounds {rounds:,}, wrong {wrong}")
    sys.stdout.flush()
    return int(wrong > 0)
