"""Phase 4, back up: how much a value counts on the way up.

weight(distance, p)    of a value that was found so many decisions below, from 1 upwards
"""

DEFAULT, HELP = "mean", "how a value counts on the way up"
