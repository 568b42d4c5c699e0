"""The laws of a game, for its author: `spielbaum check mygame.py`, or in a test of one's own

    from spielbaum.testing import assert_lawful

    def test_my_game_is_lawful():
        assert_lawful("mygame.py")

A law that is broken is reported with the shortest sequence of moves that breaks it. The idea to
judge a game by properties of random positions rather than by examples is QuickCheck's (K. Claessen
and J. Hughes, 2000); looking at short sequences first is SmallCheck's (C. Runciman et al., 2008).
"""

from spielbaum.testing.checker import Verdict, assert_lawful, check
from spielbaum.testing.laws import LAWS

__all__ = ["LAWS", "Verdict", "assert_lawful", "check"]
