"""How `tyr` thinks when nobody else can come to where it is: the ride that lasts longest, planned anew every round.

The beam search of `kernels/spe_ed_filling.py` is repeated with ever more positions kept, as long as there is time. A
plan is kept from round to round and replaced only by one that lasts longer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.game import Game
from spielbaum.games.spe_ed.kernels import filling as template
from spielbaum.games.spe_ed.players.plans import CANDIDATE, LONGEST, SHEET, TRAIL, WIDEST
from spielbaum.games.spe_ed.rules import ANSWERS, STATE
from spielbaum.rules import random_stream

NARROWEST = 4
EACH = 8  # positions that are continued in the time of one iteration of a fight
USABLE = 0.8  # of a room that was not filled to its end when time was up


class Filling:
    """A plan, and the search for a better one."""

    def __init__(self, game: Game):
        self.game, self.context = game, game.new_context()
        self.states, self.sheet = np.zeros(2 * WIDEST + 1, STATE), np.zeros(1, SHEET)
        self.candidates, self.trails = np.zeros(ANSWERS * WIDEST, CANDIDATE), np.zeros(LONGEST + 1, TRAIL)
        self.root = np.zeros(2, STATE)
        self.plan: list[int] = []
        self.value = 0.0
        self.wide, self.pass_number, self.looked = 0, 0, 0
        self.rng = random_stream(0)

    @property
    def kernels(self) -> Any:
        return self.game.kernels.link(template)

    def set_position(self, array: np.ndarray, me: int, rng: np.ndarray) -> None:
        """Look at a position: what is left of the old plan counts as far as it still survives."""
        self.root[0], self.rng = array[0], rng
        self.sheet["me"] = me
        self.wide, self.pass_number, self.looked = NARROWEST, 0, 0
        old = self.plan[1:]
        length = int(self.kernels.lasts(self.context, self.root, self.sheet, np.array(old, np.int64)))
        self.plan, self.value = old[:length], float(length)
        self.restart()

    def restart(self) -> None:
        me = int(self.sheet["me"][0])
        self.sheet[:] = np.zeros(1, SHEET)
        self.sheet["me"], self.sheet["wide"], self.sheet["count"] = me, self.wide, 1
        self.sheet["noise"] = 0.0 if self.pass_number < 4 else 1.0
        self.states[0] = self.root[0]

    def run(self, n: int) -> int:
        """As many iterations, each of which continues some positions, over several searches if need be."""
        done, wanted = 0, EACH * n
        while done < wanted:
            done += self.kernels.run(
                self.context, self.states, self.candidates, self.sheet, self.trails, self.rng, wanted - done
            )
            if self.sheet["finished"][0]:
                self.take()
                self.wide = min(3 * self.wide, WIDEST)
                self.pass_number += 1
                self.restart()
                done += 1
        self.looked += n
        return n

    def answer(self) -> None:
        """When time is up: an unfinished search guesses how long its lines last, and counts where none was finished."""
        if self.pass_number == 0:
            self.take()

    def take(self) -> None:
        """Keep the best line of this search if it lasts longer than the plan."""
        level = int(self.sheet["level"][0])
        if level == 0:
            return
        areas = self.trails["area"][level - 1, : int(self.sheet["count"][0])]
        best = int(np.argmax(areas))
        value = level + (0.0 if self.sheet["finished"][0] and level < LONGEST else USABLE * float(areas[best]))
        if value > self.value:
            self.value, self.plan = value, self.line(level, best)

    def line(self, level: int, place: int) -> list[int]:
        actions = []
        for trail in self.trails[:level][::-1]:
            actions.append(int(trail["action"][place]))
            place = int(trail["parent"][place])
        return actions[::-1]
