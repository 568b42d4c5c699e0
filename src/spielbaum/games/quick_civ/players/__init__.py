"""Players that only Quick Civ has: the search of the thesis with the parameters that it found, and what we made of it.

All are the general Monte Carlo tree search: a tree of own decisions, one ply a round, and from a leaf everybody waits
for six rounds, in which only sieges go on. With nobody left to draw anything, one simulation is as good as the thesis'
four. They differ in what enemies do in the tree. In `thesis` each builds something at random for every new child, as
chapters 3 and 6 of the thesis have it; in `vanilla`, and in all that is based on it, they wait.

`architect` is of another kind (`evolution.py`), and `duellist` is the same with parameters that were tuned for two
players.
"""

from __future__ import annotations

from spielbaum.games.quick_civ.players.leaders import LEADERS, LEVELS

TREE = "iterations=1000,select=greedy,expand=one,opponents=per-path,simulate=wait,depth=6,depth-in=rounds,decide=max"
VALUE = "value=difference,winner-bias=0.2,backup=vanishing,vanishing=0.69"
TUNED = (
    "weight.material=0.68,weight.food=0.73,weight.points=1.7,weight.tiles=6.11,weight.both=0.87,"
    "weight.point-increment=1.86"
)
REMEMBER = "expand=memory,untried-only=on,scale-anew=on"
CHOSEN = "exploration=0.5,tournament=3,reset-strength=0.05,learning-rate=0.5,reset-point=1"
FOUND = (
    "exploration=0.92,tournament=5,reset-strength=0.32,learning-rate=1.52,reset-point=0.14,winner-bias=0.14,"
    "vanishing=0.83,weight.material=1.42,weight.food=0.2,weight.points=1.99,weight.tiles=5.71,weight.both=0.14,"
    "weight.point-increment=1.34"
)
IN_DUELS = "horizon=11,envy=2.3,draws=15,themes=0,weight.gain=47,weight.means=49,weight.tile=10"

AGENTS = {
    "memory": f"vanilla:{REMEMBER},{CHOSEN}",
    "memory-tuned": f"vanilla:{REMEMBER},{FOUND}",
    "thesis": "vanilla:opponent-policy=random,playout=just-waiting",
    "vanilla": f"mcts:{TREE},{VALUE},{TUNED}",
    "rave": "vanilla:rave=1000",
    "architect": "evolution",
    "duellist": f"architect:{IN_DUELS}",
    **LEADERS,
    **LEVELS,
}
