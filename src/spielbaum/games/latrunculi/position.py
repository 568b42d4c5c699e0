"""Latrunculi positions as text, both ways: the ranks from the top, then who is to move.

    SSSSSSSS
    ........
    ...
    MMMMMMMM
    shells to move

M is a shell (Muschel), S a stone, D and d are the duces of shells and stones. Ranks may also be separated by
slashes, which is easier to type. After the side to move can follow, with commas between them, `extra move` or
`extra move with c4`, `12 quiet plies`, and during the placement `8 and 7 in hand`. What stood on the board
before is forgotten: a position that is set up stands there for the first time.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.games.latrunculi.board import DUX, EMPTY, NUMBER, SHELLS, STATE, cell_at
from spielbaum.games.latrunculi.notation import square_cell, square_name
from spielbaum.games.latrunculi.rules import begin_notes, can_move, clear_board, has_room, is_beaten, put, win
from spielbaum.games.latrunculi.tables import ANY_PIECE, NEVER, NO_EXTRA, SAME_PIECE, Tables
from spielbaum.games.latrunculi.variants import EXTRA

SEATS = ("shells", "stones")
MEN, DUCES = "MS", "Dd"


# --- writing ------------------------------------------------------------------------------------


def format_position(t: Tables, s: Any) -> str:
    """The position as text from which `parse_position` sets it up again."""
    remarks = [f"{SEATS[s.to_move]} to move"]
    if s.extra != 0:
        remarks.append("extra move" + (f" with {square_name(int(s.extra))}" if t.extra == SAME_PIECE else ""))
    if s.quiet > 0 and t.stall != NEVER:
        remarks.append(f"{s.quiet} quiet plies")
    if s.hand[0] + s.hand[1] > 0:
        remarks.append(f"{s.hand[0]} and {s.hand[1]} in hand")
    return "\n".join([*rank_texts(t, s), ", ".join(remarks)])


def rank_texts(t: Tables, s: Any) -> list[str]:
    """The ranks from the top, one letter for each square."""
    files = range(t.width)
    return ["".join(letter(t, s, cell_at(file, rank)) for file in files) for rank in reversed(range(t.height))]


def letter(t: Tables, s: Any, cell: int) -> str:
    piece = int(s.board[cell])
    if piece == EMPTY:
        return "."
    letters = DUCES if t.dux and piece & NUMBER == DUX else MEN
    return letters[(piece >> 5) - 1]


def render(t: Tables, s: Any) -> str:
    """The board with the names of ranks and files, and what else there is to know."""
    ranks = [f"{t.height - i:2} {' '.join(text)}" for i, text in enumerate(rank_texts(t, s))]
    names = "   " + " ".join("abcdefghijkl"[: t.width])
    return "\n".join([*ranks, names, format_position(t, s).rpartition("\n")[2]])


# --- reading ------------------------------------------------------------------------------------


def parse_position(t: Tables, text: str) -> np.ndarray:
    """STATE[1]: the position that a text describes; refused where the game could not come to it."""
    *ranks, words = [line.strip() for line in re.split(r"[\n/]", text.strip())]
    if len(ranks) == t.height - 1 and " " in words:  # the last rank and the words on one line
        last, _, words = words.partition(" ")
        ranks.append(last)
    if len(ranks) != t.height or any(len(rank) != t.width for rank in ranks):
        raise SpielbaumError(
            f"a position needs {t.height} ranks of {t.width} squares and then who is to move, such as"
            f" {'/'.join(['S' * t.width, *['.' * t.width] * (t.height - 2), 'M' * t.width])} shells to move"
        )
    states = np.zeros(1, STATE)
    s = states[0]
    clear_board(t, s)
    put_pieces(t, s, list(reversed(ranks)))
    read_remarks(t, s, words)
    check_pieces(t, s)
    complete(t, s)
    return states


def put_pieces(t: Tables, s: Any, ranks: list[str]) -> None:
    """All pieces, the duces first: they are the ones with number 0."""
    allowed = MEN + (DUCES if t.dux else "")
    squares = "".join(ranks)
    for seat, man, dux in zip(SEATS, MEN, DUCES, strict=True):
        if t.dux and squares.count(dux) != 1 and (man in squares or dux in squares):
            raise SpielbaumError(f"the {seat} have one dux, written {dux}, not {squares.count(dux)}")
    for letters in (DUCES, MEN):
        for rank, line in enumerate(ranks):
            for file, found in enumerate(line):
                if found not in allowed + ".":
                    raise SpielbaumError(f"{found!r} is no piece: squares are {', '.join(allowed)} or a dot")
                if found in letters:
                    put(t, s, letters.index(found), cell_at(file, rank))


def read_remarks(t: Tables, s: Any, words: str) -> None:
    side, *remarks = [remark.strip().lower() for remark in words.split(",")]
    seat = side.removesuffix("to move").strip()
    if seat not in SEATS:
        raise SpielbaumError(f"{side!r} does not say who is to move: shells to move | stones to move")
    s.to_move = SEATS.index(seat)
    for remark in remarks:
        if match := re.fullmatch(r"extra move(?: with (\w+))?", remark):
            s.extra = extra_move(t, s, match[1])
        elif match := re.fullmatch(r"(\d+) quiet pl(?:ies|y)", remark):
            s.quiet = quiet_plies(t, int(match[1]))
        elif t.placement and (match := re.fullmatch(r"(\d+) and (\d+) in hand", remark)):
            s.hand[:] = int(match[1]), int(match[2])
        else:
            known = "'extra move', '12 quiet plies'" + (", '8 and 7 in hand'" if t.placement else "")
            raise SpielbaumError(f"{remark!r} is not understood after the side to move; known: {known}")


def extra_move(t: Tables, s: Any, square: str | None) -> int:
    """What the state's field says of an extra move."""
    if t.extra == NO_EXTRA:
        raise SpielbaumError("there are no extra moves here: extra=none")
    if (square is not None) != (t.extra == SAME_PIECE):
        right = "'extra move with c4'" if t.extra == SAME_PIECE else "'extra move'"
        raise SpielbaumError(f"with extra={EXTRA[t.extra]} an extra move is written {right}")
    if square is None:
        return ANY_PIECE
    cell = square_cell(t, square)
    if letter(t, s, cell) not in (MEN[s.to_move], DUCES[s.to_move]):
        raise SpielbaumError(f"there is no piece of the {SEATS[s.to_move]} on {square} that could move again")
    return cell


def quiet_plies(t: Tables, plies: int) -> int:
    if t.stall != NEVER and plies >= t.quiet:
        raise SpielbaumError(f"{plies} quiet plies are too many: the game stalls after {t.quiet}")
    return plies


def check_pieces(t: Tables, s: Any) -> None:
    """Refuse more pieces than there are, a missing dux, and a placement or an extra move that can't be due."""
    most, mover, foe = t.setup.shape[1], int(s.to_move), 1 - int(s.to_move)
    for side, seat in enumerate(SEATS):
        total = int(s.count[side] + s.hand[side])
        if total > most:
            raise SpielbaumError(f"the {seat} have {total} pieces; they have at most {most} here")
    if s.hand[mover] == 0 and s.hand[foe] > 0:
        raise SpielbaumError(f"the {SEATS[foe]} have pieces in hand, so the {SEATS[mover]} can't move yet")
    stuck = not has_room(s, int(s.extra)) if t.extra == SAME_PIECE else not can_move(s, mover)
    if s.extra != 0 and stuck:
        raise SpielbaumError(f"the {SEATS[mover]} have no extra move that they could make")


def complete(t: Tables, s: Any) -> None:
    """The key and the result that belong to what is set up."""
    if s.to_move != SHELLS:
        s.key ^= t.side_key
    s.key ^= t.extra_keys[s.extra]
    if s.hand[s.to_move] > 0:
        s.key ^= t.placing_key
        return
    begin_notes(t, s)
    mover, foe = s.to_move, 1 - s.to_move
    if is_beaten(t, s, mover):
        win(s, foe)
    elif s.count[foe] < t.least:
        win(s, mover)
