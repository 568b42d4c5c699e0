"""The rules of Latrunculi once more, as plainly as possible: a dictionary of squares, nothing incremental."""

from __future__ import annotations

from collections import Counter

from spielbaum.games.latrunculi.variants import Variant, board_size

Square = tuple[int, int]  # file and rank from 0
SIDES = ("shells", "stones")
DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def name(square: Square) -> str:
    return f"{'abcdefghijkl'[square[0]]}{square[1] + 1}"


class Reference:
    """A game in progress. `pieces` maps squares to (side, whether it is the dux)."""

    def __init__(self, variant: Variant, first: int):
        self.variant, self.to_move = variant, first
        self.width, self.height = board_size(variant.board)
        self.pieces: dict[Square, tuple[int, bool]] = {}
        self.hand = [0, 0]
        self.extra: Square | str | None = None
        self.result, self.winner = "", None
        dux = variant.dux != "off"
        if variant.placement:
            self.hand = [self.width * variant.rows + dux] * 2
        else:
            for file in range(self.width):
                for row in range(variant.rows):
                    self.pieces[file, row] = (0, False)
                    self.pieces[file, self.height - 1 - row] = (1, False)
            if dux:
                middle = self.width // 2
                self.pieces[middle, variant.rows] = (0, True)
                self.pieces[self.width - 1 - middle, self.height - 1 - variant.rows] = (1, True)
        self.quiet = 0
        self.seen = Counter([self.picture()])

    def picture(self) -> tuple:
        return frozenset(self.pieces.items()), self.to_move, self.extra

    def inside(self, square: Square) -> bool:
        return 0 <= square[0] < self.width and 0 <= square[1] < self.height

    def squares(self) -> list[Square]:
        return [(file, rank) for rank in range(self.height) for file in range(self.width)]

    def own(self, side: int) -> list[Square]:
        return [square for square, (owner, _) in self.pieces.items() if owner == side]

    def slides(self, square: Square) -> list[Square]:
        targets = []
        for right, up in DIRECTIONS:
            there = square[0] + right, square[1] + up
            while self.inside(there) and there not in self.pieces:
                targets.append(there)
                there = there[0] + right, there[1] + up
        return targets

    def prey(self, origin: Square, target: Square) -> list[Square]:
        """What a move takes."""
        side = self.to_move
        others = {square: piece for square, piece in self.pieces.items() if square != origin}
        taken = []
        for right, up in DIRECTIONS:
            enemy, behind = (target[0] + right, target[1] + up), (target[0] + 2 * right, target[1] + 2 * up)
            if others.get(enemy) != (1 - side, False):
                continue
            anvils = [behind]
            corners = [(file, rank) for file in (0, self.width - 1) for rank in (0, self.height - 1)]
            if self.variant.corner == "two_adjacent" and enemy in corners:
                beside = [(enemy[0] + r, enemy[1] + u) for r, u in DIRECTIONS]
                anvils += [square for square in beside if square != target]
            if any(others.get(anvil, (None,))[0] == side for anvil in anvils):
                taken.append(enemy)
        return taken

    def moves(self) -> dict[str, tuple[Square | None, Square | None]]:
        """The legal moves by name: from where to where."""
        if self.result:
            return {}
        if self.hand[self.to_move]:
            return {name(square): (None, square) for square in self.squares() if square not in self.pieces}
        movers = self.own(self.to_move)
        if self.extra not in (None, "any"):
            movers = [self.extra]
        found: dict[str, tuple[Square | None, Square | None]] = {}
        if self.extra is not None and self.variant.optional:
            found["pass"] = (None, None)
        for origin in movers:
            for target in self.slides(origin):
                taken = sorted(self.prey(origin, target), key=lambda square: (square[1], square[0]))
                text = f"{name(origin)}-{name(target)}" + "".join(f"x{name(square)}" for square in taken)
                found[text] = origin, target
        return found

    def play(self, text: str) -> None:
        origin, target = self.moves()[text]
        side, foe = self.to_move, 1 - self.to_move
        if self.hand[side]:
            dux = self.variant.dux != "off" and not self.own(side)
            self.pieces[target] = (side, dux)
            self.hand[side] -= 1
            self.to_move = foe
            if not any(self.hand):
                self.seen = Counter([self.picture()])
                self.judge(side)
            return
        taken: list[Square] = []
        if target is not None:
            taken = self.prey(origin, target)
            self.pieces[target] = self.pieces.pop(origin)
            for square in taken:
                del self.pieces[square]
        if self.judge(side):
            return
        self.extra = self.extra_move(side, target) if taken else None
        if self.extra is None:
            self.to_move = foe
        self.note(bool(taken))

    def extra_move(self, side: int, target: Square) -> Square | str | None:
        if self.variant.extra == "any" and any(self.slides(square) for square in self.own(side)):
            return "any"
        if self.variant.extra == "same" and self.slides(target):
            return target
        return None

    def judge(self, side: int) -> bool:
        """Whether a side has won with its last ply."""
        foe = self.own(1 - side)
        duces = [square for square in foe if self.pieces[square][1]]
        too_few = len(foe) < (2 if self.variant.end == "lt2" else 1)
        if too_few or not any(map(self.slides, foe)) or any(not self.slides(square) for square in duces):
            self.result, self.winner = "on the board", side
        return bool(self.result)

    def note(self, captured: bool) -> None:
        """Whether the game has stalled."""
        if captured:
            self.quiet, self.seen = 0, Counter([self.picture()])
            return
        self.quiet += 1
        self.seen[self.picture()] += 1
        tired = self.seen[self.picture()] >= self.variant.repetition or self.quiet >= self.variant.quiet
        if self.variant.stall == "off" or not tired:
            return
        lead = len(self.own(0)) - len(self.own(1))
        if self.variant.stall == "draw" or lead == 0:
            self.result = "draw"
        else:
            self.result, self.winner = "on count", 0 if lead > 0 else 1

    def position(self) -> list[str]:
        """The ranks from the top."""
        letters = {None: ".", (0, False): "M", (1, False): "S", (0, True): "D", (1, True): "d"}
        ranks = reversed(range(self.height))
        return ["".join(letters[self.pieces.get((file, rank))] for file in range(self.width)) for rank in ranks]
