"""`mean`: every value counts the same."""

from spielbaum.rules import inlined


@inlined
def weight(distance, p):
    return 1.0
