"""Leaders with a character, and levels: the search of `vanilla` with other weights and prunings, and nothing for free.

Longer searches of that kind get no stronger than `hard`; above it stands `architect`.

A leader differs from the others in what it holds to be worth something (the weights of evaluate.py) and in what it
never does (the prunings of filters.py); how many iterations each has is to bring their strengths together. All have the
same parts, so that they share one kernel. What is known of their styles and of their strength stands in
docs/quick-civ.md.
"""

from __future__ import annotations

FOR_POINTS = "filter=late-no-early,weight.points=3,weight.point-increment=1.6"
AT_PEACE = "filter=late-no-early+peaceful,weight.points=3,weight.point-increment=1.6"
LEADERS = {
    "conqueror": f"vanilla:iterations=290,{FOR_POINTS},weight.pressure=8",
    "merchant": f"vanilla:iterations=2100,{AT_PEACE},weight.trade=1.5",
    "builder": f"vanilla:iterations=200,{AT_PEACE}",
    "settler": f"vanilla:iterations=360,{AT_PEACE},weight.land=4",
}
LEVELS = {
    "beginner": f"vanilla:iterations=20,{FOR_POINTS}",
    "easy": f"vanilla:iterations=50,{FOR_POINTS}",
    "medium": f"vanilla:iterations=120,{FOR_POINTS}",
    "hard": f"vanilla:iterations=300,{FOR_POINTS}",
    "expert": "architect:iterations=1200",
    "master": "architect:iterations=4000",
}
"""From the weakest to the strongest."""
