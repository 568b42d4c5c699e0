"""Components of the tree search that spe_ed brings along; `thor` is put together from them."""

from spielbaum.games.spe_ed.components import (
    answers,
    area,
    area_div_enemies,
    open_loop_rounds,
    reevaluate,
    ucb1_living,
)

COMPONENTS = (ucb1_living, answers, open_loop_rounds, area, area_div_enemies, reevaluate)
