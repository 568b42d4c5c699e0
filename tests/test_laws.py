"""The laws of a game catch what they are there for: correct games pass, and each slip has its law.

A broken game differs from a correct one in a line or two. Each must be reported under the right law
and with the smallest sequence of moves that shows it.
"""

import pathlib
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from spielbaum.errors import GameError
from spielbaum.game import Game, load, names
from spielbaum.testing import LAWS, Verdict, assert_lawful, check
from spielbaum.testing.case import Leak, Machine
from tests.patience import PATIENCE

NIM = '''
"""Two piles of three; take one or two from a pile; whoever takes the last one wins."""
from typing import NamedTuple

import numpy as np

from spielbaum.rules import TERMINAL, below, mix, rule

PILES, MOST = 2, 2
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, PILES * MOST, PILES * MOST
STATE = np.dtype((np.record, [("piles", "i8", PILES), ("mover", "i8"), ("key", "u8")]))
SALT, TURN = np.uint64(7), np.uint64(0x9D39247E33776D41)


class Tables(NamedTuple):
    first: np.ndarray


def tables(options):
    return Tables(np.array([3, 3]))


@rule
def start(t, s, rng):
    for pile in range(PILES):
        s.piles[pile] = t.first[pile]


@rule
def player(t, s):
    return s.mover if s.piles[0] + s.piles[1] > 0 else TERMINAL


@rule
def actions(t, s, out):
    n = 0
    for action in range(ACTION_CODES):
        if action % MOST < s.piles[action // MOST]:
            out[n] = action
            n += 1
    return n


@rule
def play(t, s, action, rng):
    pile = action // MOST
    s.key ^= zobrist(pile, s.piles[pile])
    s.piles[pile] -= action % MOST + 1
    s.key ^= zobrist(pile, s.piles[pile])
    s.key ^= TURN
    s.mover = 1 - s.mover


@rule
def zobrist(pile, count):
    return mix(SALT, 64 * pile + count)


@rule
def key(t, s):
    return s.key


@rule
def returns(t, s, out):
    out[s.mover] = -1.0
    out[1 - s.mover] = 1.0


def format_action(t, s, action):
    return "ab"[action // MOST] + str(action % MOST + 1)


def render(t, s):
    return f"a {s.piles[0]} b {s.piles[1]}"


def backdrop(t):
    piles = [{"kind": "circle", "id": name, "at": [x, 0], "r": 0.4} for x, name in enumerate("ab")]
    return {"box": [-1, -1, 3, 2], "layers": [{"name": "piles", "shapes": piles}]}


def scene(t, s, seat):
    return {"panels": [{"id": "piles", "text": render(t, s)}]}


def gesture(t, s, action):
    return ["ab"[action // MOST]]
'''

COINS = '''
"""Two friends choose a side of their coins each; a stranger wins by guessing how many show tails."""
import numpy as np

from spielbaum.rules import TERMINAL, below, rule

SEATS, TEAMS = ("Ann", "Bob", "Eve"), (0, 0, 1)
PLAYERS, MAX_ACTIONS, ACTION_CODES = 3, 3, 3
STATE = np.dtype((np.record, [("coin", "i8", 2), ("turn", "i8"), ("guess", "i8")]))
NONE, HEADS, TAILS, HIDDEN = range(4)
EVE, END = 2, 3


@rule
def player(t, s):
    return TERMINAL if s.turn == END else s.turn


@rule
def actions(t, s, out):
    for action in range(ACTION_CODES):
        out[action] = action
    return 3 if s.turn == EVE else 2


@rule
def play(t, s, action, rng):
    if s.turn == EVE:
        s.guess = action
    else:
        s.coin[s.turn] = HEADS + action
    s.turn += 1


@rule
def returns(t, s, out):
    guessed = s.coin[0] - HEADS + s.coin[1] - HEADS == s.guess
    out[0] = -1.0 if guessed else 1.0
    out[1] = out[0]
    out[2] = -out[0]


@rule
def hide(t, s, player):
    for friend in range(2):
        if friend != player and s.turn != END and s.coin[friend] != NONE:
            s.coin[friend] = HIDDEN


@rule
def determinize(t, s, player, rng):
    for friend in range(2):
        if friend != player and s.turn != END and s.coin[friend] != NONE:
            s.coin[friend] = HEADS + below(rng, 2)


def format_action(t, s, action):
    return str(action) if s.turn == EVE else ("heads", "tails")[action]
'''

HOOKS = """

POLICIES, FILTERS, METRICS = ("first",), ("all",), ("left", "turn")


@rule
def sample(t, s, rng):
    while True:
        action = below(rng, ACTION_CODES)
        if action % MOST < s.piles[action // MOST]:
            return action


@rule
def playout(t, s, rng, limit):
    for ply in range(limit):
        if player(t, s) == TERMINAL:
            return ply
        play(t, s, sample(t, s, rng), rng)
    return limit


@rule
def evaluate(t, s, weights, player):
    odd = 1.0 if (s.piles[0] + s.piles[1]) % 2 == 1 else -1.0
    return odd if s.mover == player else -odd


@rule
def metrics(t, s, player, out):
    out[0], out[1] = s.piles[0] + s.piles[1], s.mover == player


@rule
def policy(t, s, which, rng):
    return 0 if s.piles[0] > 0 else MOST


@rule
def prior(t, s, actions, n, out):
    for i in range(n):
        out[i] = 1.0 / n


@rule
def keep(t, s, which, action):
    return True


@rule
def capture(t, s, action):
    return action == MOST


FEATURES, SYMMETRIES = 7, 2


@rule
def features(t, s, player, out):
    n = 0
    for pile in range(PILES):
        if s.piles[pile] > 0:
            out[n] = 3 * pile + s.piles[pile] - 1
            n += 1
    if s.mover != player:
        out[n] = 6
        n += 1
    return n


@rule
def symmetry(which, feature):
    return (feature + 3) % 6 if which == 1 and feature < 6 else feature


@rule
def symmetric_action(which, action):
    return (action + MOST) % ACTION_CODES if which == 1 else action


def recompute_key(t, s):
    piles = [zobrist(pile, s.piles[pile]) ^ zobrist(pile, t.first[pile]) for pile in range(PILES)]
    return piles[0] ^ piles[1] ^ (TURN if s.mover else np.uint64(0))
"""

VOTES = '''
"""Three players vote twice; who votes 0 in the first round has no second vote."""
import numpy as np

from spielbaum.rules import rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 3, 2, 2
STATE = np.dtype((np.record, [("out", "i1", 3), ("score", "i4", 3), ("played", "i4")]))


@rule
def movers(s, out):
    n = 0
    for voter in range(PLAYERS):
        if s.played < 2 and not s.out[voter]:
            out[n] = voter
            n += 1
    return n


@rule
def actions(s, player, out):
    out[0], out[1] = 0, 1
    return 2


@rule
def resolve(s, choices):
    s.played += 1
    for voter in range(PLAYERS):
        if not s.out[voter]:
            s.score[voter] += choices[voter]
            s.out[voter] = choices[voter] == 0


@rule
def returns(s, out):
    for voter in range(PLAYERS):
        out[voter] = s.score[voter] - 1.0
'''

SEEING = """

FEATURES = 7


@rule
def features(s, player, out):
    n = 0
    for friend in range(2):
        if s.coin[friend] != NONE and friend == player:
            out[n] = 3 * friend + s.coin[friend] - 1
            n += 1
    if s.turn == player:
        out[n] = 6
        n += 1
    return n
"""

TELLING = """

@rule
def hide(s, player):
    if s.round_choices[1] == 1:
        s.played = 1


@rule
def determinize(s, player):
    pass
"""

CARDS = '''
"""Two cards of three are dealt; who plays first says whether the own card is the higher one."""
import numpy as np

from spielbaum.rules import TERMINAL, below, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 2, 2
STATE = np.dtype((np.record, [("card", "i1", 2), ("said", "i1", 2), ("turn", "i1")]))
UNKNOWN = 0


@rule
def start(s, rng):
    s.card[0] = 1 + below(rng, 3)
    s.card[1] = 1 + (s.card[0] + below(rng, 2)) % 3


@rule
def player(s):
    return TERMINAL if s.turn == 2 else s.turn


@rule
def actions(out):
    out[0], out[1] = 0, 1
    return 2


@rule
def play(s, action):
    s.said[s.turn] = action
    s.turn += 1


@rule
def returns(s, out):
    for q in range(PLAYERS):
        out[q] = 0.5 if (s.card[q] > s.card[1 - q]) == s.said[q] else -0.5


@rule
def hide(s, player):
    s.card[1 - player] = UNKNOWN


@rule
def determinize(s, player, rng):
    if s.card[1 - player] == UNKNOWN:
        s.card[1 - player] = 1 + (s.card[player] + below(rng, 2)) % 3
'''

Build = Callable[..., Game]


@pytest.fixture(scope="module")
def build(request: pytest.FixtureRequest) -> Build:
    """Write a game with some of its text replaced, where the next run finds its kernels again."""
    folder: pathlib.Path = request.config.cache.mkdir("laws")

    def written(name: str, text: str, *changes: tuple[str, str]) -> Game:
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the game"
            text = text.replace(old, new)
        (folder / f"{name}.py").write_text(text)
        return load(folder / f"{name}.py")

    return written


def broken(game: Game) -> dict[str, Verdict]:
    return {verdict.law: verdict for verdict in check(game, games=5) if verdict.status == "broken"}


def the_breach(game: Game) -> Verdict:
    """The only law that a game breaks."""
    found = list(broken(game).values())
    assert len(found) == 1, "\n".join(map(str, found)) or "no law is broken"
    return found[0]


# --- lawful games -------------------------------------------------------------------------------


def test_correct_game_with_all_hooks_passes_every_law_but_those_on_hidden_information(build: Build) -> None:
    verdicts = {verdict.law: verdict.status for verdict in check(build("nim", NIM + HOOKS))}
    assert list(verdicts) == [law.name for law in LAWS]
    absent = {law for law, status in verdicts.items() if status == "does not apply"}
    hidden, rounds = {"hide", "determinize", "likelihood", "secret"}, {"somebody", "alone", "order", "choices"}
    assert absent == {*hidden, *rounds, "planes", "scratch"}
    assert set(verdicts.values()) == {"passed", "does not apply"}


def test_correct_game_of_hidden_information_passes_its_laws(build: Build) -> None:
    verdicts = {verdict.law: verdict.status for verdict in check(build("coins", COINS))}
    assert verdicts["hide"] == verdicts["determinize"] == verdicts["returns"] == "passed"
    assert set(verdicts.values()) == {"passed", "does not apply"}


SMALLER = {  # the same rules, in a fraction of the time
    "amazons": {"size": 6},
    "quick-civ": {"players": 2, "rounds": 10},
    "scotland-yard": {"players": 3},
    "spe-ed": {"players": 3, "width": 16, "height": 10},
}


@pytest.mark.parametrize("name", [name for name in names() if name not in SMALLER])
def test_built_in_game_is_lawful(name: str) -> None:
    assert_lawful(name, games=10)


def test_quick_civ_keeps_the_laws_as_far_as_half_a_minute_tells() -> None:
    verdicts = check(load("quick-civ"), games=10, seconds=30)
    assert [str(verdict) for verdict in verdicts if verdict.status == "broken"] == []
    passed = {verdict.law for verdict in verdicts if verdict.status == "passed"}
    assert passed >= {"legal-play", "player", "some", "range", "distinct", "no-leak", "determinism", "compiled"}


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALLER)
def test_large_game_is_lawful(name: str) -> None:
    assert_lawful(load(name, **SMALLER[name]), games=10)


def test_game_with_options_is_lawful(maze: Callable[..., Game]) -> None:
    assert_lawful(maze(seed=3, players=3), games=5)


def test_correct_game_in_rounds_passes_the_laws_of_rounds(build: Build) -> None:
    verdicts = {verdict.law: verdict.status for verdict in check(build("votes", VOTES), games=5)}
    assert {verdicts[law] for law in ("somebody", "alone", "secret", "order", "choices")} == {"passed"}
    assert set(verdicts.values()) == {"passed", "does not apply"}


def test_simultaneous_moves_are_lawful(pennies: Game) -> None:
    assert_lawful(pennies, games=5)


def test_dice_are_lawful_where_chance_is_declared(build: Build) -> None:
    declared, drawn = ("EVE, END =", "CHANCE = True\nEVE, END ="), ("s.guess = action", "s.guess = below(rng, 3)")
    assert_lawful(build("dice", COINS, declared, drawn))


# --- one slip, one law, the fewest moves --------------------------------------------------------

NARROW = ('("mover", "i8")', '("mover", "i8"), ("small", "i1"), ("least", "u1"), ("few", "i1", 2)')

FLAWS = {
    "mover named twice": (
        VOTES, [("out[n] = voter", "out[n] = voter // 2")],
        "legal-play", "", "mover-named-twice: movers named a player twice",
    ),
    "mover who is no player": (
        VOTES, [("out[n] = voter", "out[n] = voter + 1")],
        "legal-play", "", "movers named a player outside 0 … PLAYERS - 1 = 2",
    ),
    "movers counted but not named": (
        VOTES, [("            out[n] = voter\n", "")],
        "legal-play", "", "movers named a player outside 0 … PLAYERS - 1 = 2",
    ),
    "more movers than players": (
        VOTES, [("    return n\n", "    return 4 * n\n")],
        "legal-play", "", "movers named a number of players outside 0 … PLAYERS = 3",
    ),
    "nobody decides at first": (
        VOTES, [("s.played < 2 and", "s.played > 0 and")],
        "somebody", "", "movers names nobody in the first position",
    ),
    "choice that depends on who was asked before": (
        VOTES, [("    return 2\n", "    return 2 if s.round_asked < 2 else 1\n")],
        "alone", "0 0", "the legal actions of 3 are 0, but 0 1 when it is asked first",
    ),
    "round that depends on who is asked first": (
        VOTES, [("s.played += 1", "s.played += 1 + s.round_first")],
        "order", "", "the round ends with played = 1 or 2 when 2 is asked first",
    ),
    "choice that nobody has made": (
        VOTES, [("s.score[voter] += choices[voter]", "s.score[voter] += max(choices[voter], choices[0])")],
        "choices", "0 0 1", "resolve reads choices[0], which nobody has made: it gives score[2] = 1 or 2",
    ),
    "choice that is seen": (
        VOTES + TELLING, [],
        "secret", "0 0", "1 sees played = 0 or 1 in states that differ only in what 2 has chosen",
    ),
    "code out of range": (
        NIM, [("out[n] = action", "out[n] = action if s.mover == 0 else action + 4")],
        "range", "a1", "actions offers the code 4, ACTION_CODES is 4",
    ),
    "more actions than promised": (
        NIM, [("PILES * MOST, PILES * MOST", "3, PILES * MOST")],
        "range", "", "actions offers 4 actions, MAX_ACTIONS is 3",
    ),
    "action offered twice": (
        NIM, [("out[n] = action", "out[n] = action if s.piles[0] > 1 else MOST")],
        "distinct", "a2", "actions offers the code 2 twice",
    ),
    "no legal action": (
        NIM, [("action % MOST < s.piles", "action % MOST + 1 < s.piles")],
        "some", "a2 b2", "1 is to play but actions offers none",
    ),
    "nobody to play": (
        NIM, [("s.mover = 1 - s.mover", "s.mover += 1")],
        "player", "a1 a1", "player answers 2, not 0 … 1 or TERMINAL",
    ),
    "index beyond the board": (
        NIM, [("s.piles[pile] -= action % MOST + 1", "s.piles[pile + action // 3] -= action % MOST + 1")],
        "legal-play", "b2", "play raised IndexError: index 2 is out of bounds for axis 0 with size 2",
    ),
    "gesture on a shape that is not there": (
        NIM, [('return ["ab"[action // MOST]]', 'return ["abc"[action // MOST + action // 3]]')],
        "scene", "", "gesture of b2: there is no shape 'c'",
    ),
    "moves that no hand can tell apart": (
        NIM, [('return ["ab"[action // MOST]]', 'return {"label": "take"}')],
        "scene", "", "two legal actions have the same steps and the same label",
    ),
    "rule that raises": (
        NIM, [("    out[s.mover] = -1.0", "    out[s.mover] = [-1.0][s.mover]")],
        "legal-play", "a1 a1 a1 b1 b2", "returns raised IndexError",
    ),
    "hook that raises": (
        NIM + HOOKS, [("return action == MOST", "return (True, False, True)[action]")],
        "hooks", "", "capture raised IndexError: tuple index out of range",
    ),
    "looking changes the state": (
        NIM, [("    return n\n", "    s.mover = 1 - s.mover if n < 4 else s.mover\n    return n\n")],
        "no-leak", "a2", "actions writes to the state",
    ),
    "rule writes to its small tables": (
        NIM, [("pile = action // MOST\n", "pile = action // MOST\n    t.first[pile] += pile\n")],
        "compiled", "", "nobody may write to the tables",
    ),
    "rule writes to its large tables": (
        NIM, [("np.array([3, 3])", "np.full(4000, 3)"),
              ("pile = action // MOST\n", "pile = action // MOST\n    t.first[pile] += pile\n")],
        "no-leak", "a1", "play writes to the tables",
    ),
    "showing changes the state": (
        NIM, [("def render(t, s):\n", "def render(t, s):\n    s.mover = 0\n")],
        "no-leak", "a1", "render writes to the state",
    ),
    "dice without chance": (
        NIM, [("s.mover = 1 - s.mover", "s.mover = below(rng, 2) if pile == 1 else 1 - s.mover")],
        "determinism", "b1", "with other dice, but CHANCE is not set",
    ),
    "chance that does not come from the dice": (
        NIM, [("s.mover = 1 - s.mover", "s.mover = np.random.randint(1 << 30) & 1")],
        "determinism", "a1", "play gives mover = ",
    ),
    "key forgets the turn": (
        NIM, [("    s.key ^= TURN\n", "")],
        "key", "a1 a1", "the key is the same as after a2, but the player or the legal actions are others",
    ),
    "key not updated": (
        NIM, [("    s.key ^= zobrist(pile, s.piles[pile])\n    s.piles", "    s.piles")],
        "key", "a2 a1", "the position is the same as after a1 a2, but its key is another",
    ),
    "key not as computed anew": (
        NIM + HOOKS, [("    s.key ^= zobrist(pile, s.piles[pile])\n    s.piles", "    s.piles")],
        "key", "a1", "computed anew it is 0x",
    ),
    "result that is no number": (
        NIM, [("out[1 - s.mover] = 1.0", "out[1 - s.mover] = np.nan")],
        "returns", "a1 a2 b1 b2", "returns gives 2",
    ),
    "result out of range": (
        NIM, [("out[1 - s.mover] = 1.0", "out[1 - s.mover] = 10.0")],
        "returns", "a1 a2 b1 b2", "returns gives 2 10",
    ),
    "names differ only in case": (
        NIM, [('"ab"[action // MOST] +', '"aA"[action // MOST] +')],
        "notation", "", "two legal actions are called 'a1'",
    ),
    "name that can't be typed": (
        NIM, [('"ab"[action // MOST] +', '"ab"[action // MOST] + "  " +')],
        "notation", "", "the name 'a  1' can't be typed",
    ),
    "game that never ends": (
        NIM, [("s.piles[pile] -= action % MOST + 1", "s.piles[pile] = 3")],
        "ends", "", "random play is not over after 20000 actions",
    ),
    "field too narrow": (
        NIM, [('("piles", "i8", PILES)', '("piles", "i1", PILES), ("dust", "i8")'),
              ("s.mover = 1 - s.mover", "s.mover = 1 - s.mover\n    s.dust = s.piles[pile] * 100")],
        "legal-play", "a1", "play wraps around in NumPy's multiply of narrow or unsigned integers",
    ),
    "rule that does not compile": (
        NIM, [("pile = action // MOST\n", 'pile = max([action // MOST], key=abs)\n')],
        "compiled", "", "does not compile",
    ),
    "another game in every process": (
        NIM, [("np.uint64(7)", "np.uint64(np.random.default_rng().integers(1 << 40))")],
        "processes", "a1", "in a new process without the compiler",
    ),
    "coin left visible": (
        COINS, [("s, player):\n    for friend in range(2)", "s, player):\n    for friend in range(1)")],
        "hide", "heads heads", "Ann sees coin[1] = ",
    ),
    "turn hidden as well": (
        COINS, [("s.coin[friend] = HIDDEN", "s.coin[friend] = HIDDEN\n            s.turn = friend")],
        "hide", "heads", "in what Bob sees, player answers 0, not 1",
    ),
    "hiding twice hides more": (
        COINS, [("s.coin[friend] = HIDDEN", "s.coin[friend] += HIDDEN")],
        "hide", "heads", "hiding from Bob what is already hidden changes coin[0] = 4 or 7",
    ),
    "hidden from who sees all": (
        COINS, [("SEATS, TEAMS", 'SEES_ALL = ("Eve",)\nSEATS, TEAMS')],
        "hide", "heads", "Eve is in SEES_ALL, but hide changes coin[0] = ",
    ),
    "nothing is hidden": (
        COINS, [("s.coin[friend] = HIDDEN", "pass"), ("s.coin[friend] = HEADS + below(rng, 2)", "pass")],
        "hide", "", "hide blanks nothing",
    ),
    "blanks not filled": (
        COINS, [("s.coin[friend] = HEADS + below(rng, 2)", "pass")],
        "determinize", "", "determinize fills in nothing",
    ),
    "blanks filled against what was seen": (
        COINS, [("player, rng):\n", "player, rng):\n    if player != EVE and s.coin[player] == TAILS:\n"
                 "        s.coin[player] = HEADS\n")],
        "determinize", "tails", "Ann has seen coin[0] = 2 or 1",
    ),
    "blanks filled so that nobody can play": (
        COINS, [("HEADS + below(rng, 2)", "HEADS + below(rng, 2) + 5"),
                ("return 3 if s.turn == EVE else 2", "return 2 if s.turn != EVE else 0 if s.coin[0] > 5 else 3")],
        "determinize", "heads", "play goes on to break the law some",
    ),
    "blanks filled with a card that the player holds": (
        CARDS, [("        s.card[1 - player] = 1 + (s.card[player] + below(rng, 2)) % 3",
                 "        s.card[1 - player] = 1 + below(rng, 3)")],
        "determinize", "", "which lies behind what it sees in none of",
    ),
    "evaluation on another scale": (
        NIM + HOOKS, [("odd = 1.0 if", "odd = 100.0 if")],
        "evaluate", "a1", "evaluate gives 1 -100, far outside -1 … 1, the scale of the results",
    ),
    "random play that every search cuts off": (
        NIM, [("s.piles[pile] -= action % MOST + 1", "s.piles[pile] -= (action % MOST + 1) * (below(rng, 2000) == 0)"),
              ("SALT, TURN", "CHANCE = True\nSALT, TURN")],
        "ends", "", "random play takes more than 2000 actions in all 5 games",
    ),
    "what was done is impossible": (
        COINS, [("def format_action", "@rule\ndef likelihood(s):\n"
                 "    return 0.0 if s.coin[0] == TAILS else 1.0\n\n\ndef format_action")],
        "likelihood", "tails", "what others than Ann did has the likelihood 0 in the true position",
    ),
    "feature that no network has weights for": (
        NIM + HOOKS, [("FEATURES, SYMMETRIES = 7, 2", "FEATURES, SYMMETRIES = 6, 2")],
        "features", "", "features gives 2 the feature 6, FEATURES is 6",
    ),
    "more features than promised": (
        NIM + HOOKS, [("        out[n] = 6\n        n += 1\n    return n", "        n += 8\n    return n")],
        "features", "", "features says that 2 sees 10 of them, FEATURES is 7",
    ),
    "feature seen twice": (
        NIM + HOOKS, [("out[n] = 3 * pile + s.piles[pile] - 1", "out[n] = s.piles[pile] - 1")],
        "features", "", "features gives 1 the feature 2 twice",
    ),
    "features that change the state": (
        NIM + HOOKS, [("out[n] = 6\n", "out[n] = 6\n        s.key = 0\n")],
        "no-leak", "a1", "features writes to the state",
    ),
    "features of what is hidden": (
        COINS + SEEING, [("s.coin[friend] != NONE and friend == player:", "s.coin[friend] != NONE:")],
        "features", "heads", "features gives Bob 0 6, but 2 6 in what it sees",
    ),
    "features of what others choose": (
        VOTES + "\n\nFEATURES = 2\n\n\n@rule\ndef features(s, out):\n    out[0] = s.round_asked > 0\n    return 1\n",
        [], "features", "0", "features gives 2 1, but 0 in what it sees",
    ),
    "planes of what is no number": (
        NIM + "\n\nPLANES = (2, 3)\n\n\n@rule\ndef planes(s, out):\n    out[1, 2] = np.inf if s.mover else 1.0\n",
        [], "planes", "a1", "planes gives 1 inf at (1, 2)",
    ),
    "planes of another shape": (
        NIM + "\n\nPLANES = (2, 3)\n\n\n@rule\ndef planes(s, out):\n    out[2, 0] = 1.0\n",
        [], "hooks", "", "planes",
    ),
    "planes of what is hidden": (
        COINS + "\n\nPLANES = (2,)\n\n\n@rule\ndef planes(s, out):\n    out[0] = s.coin[0]\n",
        [], "planes", "heads", "planes gives Bob",
    ),
    "symmetry that maps two features to one": (
        NIM + HOOKS, [("(feature + 3) % 6 if", "feature % 3 if")],
        "symmetry", "", "symmetry(1, …) makes 0 of feature 0 and of feature 3",
    ),
    "symmetry beyond the features": (
        NIM + HOOKS, [("(feature + 3) % 6 if", "feature + 3 if")],
        "symmetry", "", "symmetry(1, …) makes 7 of feature 4, outside of 0 … 6",
    ),
    "first symmetry that changes something": (
        NIM + HOOKS, [("if which == 1 else action", "if which == 0 else action")],
        "symmetry", "", "symmetric_action(0, …) must leave everything as it is, but makes 2 of action 0",
    ),
    "symmetry of features alone": (
        NIM + HOOKS, [("(action + MOST) % ACTION_CODES if", "action if")],
        "symmetry", "a1", "by symmetry 1 after 0, the image of this game, 1 sees 1 5 6, not 2 4 6",
    ),
    "symmetry of other moves": (
        NIM + HOOKS, [("(action + MOST) % ACTION_CODES if", "ACTION_CODES - 1 - action if")],
        "symmetry", "a1", "by symmetry 1 after 3, the image of this game, the legal actions are",
    ),
    "narrow integer that wraps around": (
        NIM, [NARROW, ("    s.key ^= TURN\n", "    s.key ^= TURN\n    s.small = s.small + 100\n")],
        "legal-play", "a1 a1", "play wraps around in NumPy's add of narrow or unsigned integers; convert before",
    ),
    "unsigned number below zero": (
        NIM, [NARROW, ("    s.key ^= TURN\n", "    s.key ^= TURN\n    s.least -= np.uint8(1)\n")],
        "legal-play", "a1", "play wraps around in NumPy's subtract of narrow or unsigned integers",
    ),
    "wide number in a narrow field": (
        NIM, [NARROW, ("    s.key ^= TURN\n", "    s.key ^= TURN\n    s.small = 50 * s.piles[0]\n")],
        "legal-play", "b1", "play stores a number that does not fit: 150 in the field small of int8, which goes",
    ),
    "wide number in a narrow array": (
        NIM, [NARROW, ("    s.key ^= TURN\n", "    s.key ^= TURN\n    s.few[1] = 50 * s.piles[0]\n")],
        "legal-play", "b1", "play stores a number that does not fit: 150 in an array of int8",
    ),
    "narrow integer in a hook": (
        NIM + HOOKS, [("    return s.key\n", "    little = np.int8(60) * np.int8(s.piles[1])\n    return s.key\n")],
        "hooks", "", "key wraps around in NumPy's multiply",
    ),
    "scratch read before it is written": (
        NIM, [NARROW, ("def play(t, s, action, rng):\n", "def play(t, s, action, rng, scratch):\n    scratch.n += 1\n"),
              ("    s.key ^= TURN\n", "    s.key ^= TURN\n    s.small = scratch.n % 100\n"),
              ("PILES, MOST =", 'SCRATCH = np.dtype((np.record, [("n", "i8")]))\nPILES, MOST =')],
        "scratch", "", "play gives small = 1 or ",
    ),
    "scratch as an index before it is written": (
        NIM, [("def play(t, s, action, rng):\n", "def play(t, s, action, rng, scratch):\n"),
              ("    s.key ^= TURN\n", "    s.key ^= TURN\n    s.mover = s.piles[scratch.n] * 0 + s.mover\n"),
              ("PILES, MOST =", 'SCRATCH = np.dtype((np.record, [("n", "i8")]))\nPILES, MOST =')],
        "scratch", "", "play raised IndexError",
    ),
    "action that is counted but not written": (
        NIM, [("            n += 1\n    return n", "            n += 1\n    return n + (s.piles[0] == 1)")],
        "range", "a2", "actions offers the code -1",
    ),
    "team does not share": (
        COINS, [("out[1] = out[0]", "out[1] = 0.0")],
        "returns", "heads heads 0", "returns gives Bob 0 but Ann of the same team -1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("flaw", FLAWS)
def test_flaw_breaks_its_law_after_the_fewest_moves(build: Build, monkeypatch, flaw: str) -> None:
    text, changes, law, moves, reason = FLAWS[flaw]
    if law != "compiled":  # before the compiler is needed
        monkeypatch.setattr(sys.modules[check.__module__], "compilation_error", lambda game: "")
    breach = the_breach(build(flaw.replace(" ", "_").replace("'", ""), text, *changes))
    assert breach.law == law
    assert reason in breach.reason
    assert " ".join(breach.moves) == moves


def test_each_hook_is_judged_by_itself(build: Build) -> None:
    game = build(
        "hooks", NIM + HOOKS,
        ("below(rng, ACTION_CODES)", "below(rng, ACTION_CODES - 1)"),
        ("return 0 if s.piles[0] > 0 else MOST", "return 0"),
        ("out[i] = 1.0 / n", "out[i] = 0.25"),
        ("s.mover == player\n\n\n@rule\ndef policy", "np.nan\n\n\n@rule\ndef policy"),
        ("odd = 1.0 if (s.piles[0] + s.piles[1]) % 2 == 1 else -1.0", "odd = np.inf"),
        ("            return ply\n", "            return ply\n        if ply == 1:\n            return ply\n"),
    )  # fmt: skip
    found = broken(game)
    assert {law: (" ".join(verdict.moves), verdict.reason) for law, verdict in found.items()} == {
        "sample": ("", "sample never draws b2"),
        "policy": ("a1 a2", "policy 'first' chooses 0, legal are 2 3"),
        "prior": ("a2", "the preferences add up to 0.75"),
        "evaluate": ("", "evaluate gives 1 inf"),
        "metrics": ("", "metrics gives 1 turn = nan"),
        "playout": ("", "playout stops after 1 actions though the game is not over and the limit is 20000"),
    }


@pytest.mark.parametrize(
    ("most", "reason"),
    [
        (2, "sample draws a1 "),  # of four actions one is drawn nine times as often
        (9, "sample draws a1 or a2 or a3 "),  # of eighteen: told with those that stand beside it
    ],
)
def test_a_sample_that_prefers_something_is_found(build: Build, most: int, reason: str) -> None:
    sample = HOOKS[HOOKS.index("@rule\ndef sample") : HOOKS.index("@rule\ndef playout")]
    game = build(
        f"partial_{most}", NIM + "\n\n" + sample,
        ("np.array([3, 3])", f"np.array([{most + 1}, {most + 1}])"), ("MOST = 2, 2", f"MOST = 2, {most}"),
        ("action = below(rng, ACTION_CODES)", "action = max(0, below(rng, ACTION_CODES + 8) - 8)"),
    )  # fmt: skip
    breach = the_breach(game)
    assert breach.law == "sample" and breach.reason.startswith(reason) and breach.moves == ()
    assert "all legal actions must be as likely" in breach.reason


@pytest.mark.parametrize("one_for_each", [True, False])
def test_a_policy_that_is_illegal_in_one_of_sixty_decisions_is_found(build: Build, one_for_each: bool) -> None:
    rarely = "\n\n@rule\ndef {}(s, rng):\n    if below(rng, 60) == 0:\n        return 7\n"
    rarely += "    return 0 if s.piles[0] > 0 else MOST\n\n\nPOLICIES = {}\n"
    text = rarely.format("rarely", '{"rarely": rarely}') if one_for_each else rarely.format("policy", '("rarely",)')
    breach = the_breach(build(f"rarely_{one_for_each}", NIM + text))
    assert breach.law == "policy" and breach.reason.startswith("policy 'rarely' chooses 7, legal are ")


def test_dealt_cards_are_lawful(build: Build) -> None:
    assert_lawful(build("cards", CARDS), games=5)


def test_what_does_not_compile_is_told_before_anything_is_played(build: Build, monkeypatch) -> None:
    game = build("undecorated", NIM, ("@rule\ndef zobrist", "def zobrist"))
    monkeypatch.setattr(sys.modules[check.__module__], "nearest", None)  # nothing is played
    breach = the_breach(game)
    assert breach.law == "compiled" and "zobrist is not a rule; decorate it with @rule" in breach.reason
    statuses = {verdict.law: verdict.status for verdict in check(game, games=2)}
    assert statuses["legal-play"] == statuses["ends"] == "not reached"


def test_an_examination_without_time_is_honest_about_it_and_sees_the_ends_of_games_first(build: Build) -> None:
    game = build("nim", NIM + HOOKS)
    verdicts = {verdict.law: verdict for verdict in check(game, seconds=0.0)}
    assert verdicts["processes"].status == "not reached"
    assert verdicts["processes"].reason == "no time was left for it; give more with --seconds"
    assert verdicts["legal-play"].status == verdicts["replay"].status == verdicts["ends"].status == "passed"
    in_full = {verdict.law: verdict for verdict in check(game)}
    assert 0 < verdicts["legal-play"].positions < in_full["legal-play"].positions


def test_a_short_examination_finds_what_only_the_end_of_a_game_shows(build: Build) -> None:
    game = build(
        "short", NIM, ("np.array([3, 3])", "np.array([9, 9])"), ("= 1.0\n\n\ndef format", "= 7.0\n\n\ndef format")
    )
    assert {v.law for v in check(game, games=2, seconds=0.0) if v.status == "broken"} == {"returns"}


def test_progress_is_told_by_stages_that_never_go_back(build: Build) -> None:
    told: list[tuple[str, float]] = []
    check(build("nim", NIM + HOOKS), games=5, watch=lambda stage, share: told.append((stage, share)))
    stages = list(dict.fromkeys(stage for stage, _ in told))
    assert stages == ["compiling", "positions", "games", "laws", "laws, compiled", "another process"]
    shares = [share for _, share in told]
    assert shares == sorted(shares) and shares[0] >= 0.0 and shares[-1] <= 1.0


def test_flaw_far_from_the_start_is_reported_with_moves_left_out(build: Build) -> None:
    deep = build(
        "deep", NIM,
        ("np.array([3, 3])", "np.array([40, 40])"),
        ("s.piles[0] + s.piles[1] > 0", "s.piles[0] > 25"),
        ("out[1 - s.mover] = 1.0", "out[1 - s.mover] = 2.0"),
    )  # fmt: skip
    breach = the_breach(deep)
    assert breach.law == "returns"
    assert set(breach.moves) <= {"a1", "a2"}


def test_machine_code_that_writes_beyond_its_state_is_caught(build: Build) -> None:
    game = build("beyond", NIM, ("s.piles[pile] -= action % MOST + 1", "s.piles[pile + 5] -= action % MOST + 1"))
    machine = Machine(game, compiled=True)
    state, dice = machine.start_game(0)
    with pytest.raises(Leak, match="play writes beyond its state"):
        machine.advance(state, dice, 0)


# --- what authors see ---------------------------------------------------------------------------


def test_verdicts_follow_from_the_seed(build: Build) -> None:
    game = build("stuck", NIM, ("action % MOST < s.piles", "action % MOST + 1 < s.piles"))
    assert check(game, games=5, seed=3) == check(game, games=5, seed=3)


def test_failed_assertion_names_law_moves_seed_and_reason(build: Build) -> None:
    game = build("stuck", NIM, ("action % MOST < s.piles", "action % MOST + 1 < s.piles"))
    with pytest.raises(AssertionError) as failure:
        assert_lawful(game, games=2)
    assert str(failure.value) == "some: broken after a2 b2 (seed 0): 1 is to play but actions offers none"


def test_laws_beyond_a_broken_foundation_are_not_said_to_hold(build: Build) -> None:
    game = build("twice", NIM, ("out[n] = action", "out[n] = 0"))
    statuses = {verdict.law: verdict.status for verdict in check(game, games=2)}
    assert statuses["legal-play"] == "passed"
    assert statuses["distinct"] == "broken"
    assert statuses["determinism"] == statuses["compiled"] == "not reached"


def test_game_that_hides_must_be_able_to_fill_the_blanks(build: Build) -> None:
    with pytest.raises(GameError, match="hide needs determinize"):
        build("half", COINS, ("def determinize", "def guess"))


def test_field_named_like_a_numpy_method_is_refused(build: Build) -> None:
    with pytest.raises(GameError, match="can't have a field 'round'"):
        build("method", NIM, ('("mover", "i8")', '("mover", "i8"), ("round", "i8")'))


# --- rules that do not end ----------------------------------------------------------------------

LOOP = "    while {}:\n        s.key ^= np.uint64(1)\n"
MANY = ("np.array([3, 3])", "np.array([{}, {}])")
IN_PLAY = "    pile = action // MOST\n"
ENDLESS = {  # game, changes, random games, moves, who does not end; `endless` is what stands on the line of the loop
    "play after a certain move": (
        NIM, [(IN_PLAY, IN_PLAY + LOOP.format("s.piles[0] == 1 and action == 0"))], 5, "a2 a1", "play",
    ),
    "a helper of a rule": (
        NIM, [("count):\n", "count):\n    while pile == 1 and count == 2:\n        count |= 0\n")], 5, "b1", "play",
    ),
    "actions": (
        NIM, [("    n = 0\n", "    n = 0\n    while s.piles[1] == 1:\n        n += 0\n")], 5, "b2", "actions",
    ),
    "a rejection loop in determinize": (
        COINS, [("player, rng):\n", "player, rng):\n    while s.turn == EVE and below(rng, 2) < 2:\n        pass\n")],
        5, None, "determinize",
    ),
    "start": (NIM, [("def start(t, s, rng):\n", "def start(t, s, rng):\n" + LOOP.format("True"))], 5, "", "start"),
    "play where only machine code has come so far": (
        NIM, [(MANY[0], MANY[1].format(200, 200)),
              (IN_PLAY, IN_PLAY + LOOP.format("s.piles[0] + s.piles[1] < 100"))], 1, None, "play",
    ),
    "a policy where only it leads to": (
        NIM + '\n\nPOLICIES = ("first",)\n\n\n@rule\ndef policy(s):\n'
        + LOOP.format("s.piles[0] == 0 and s.piles[1] == 60").replace("s.key ^= np.uint64(1)", "pass")
        + "    return 0 if s.piles[0] > 0 else MOST\n",
        [(MANY[0], MANY[1].format(60, 60))], 5, " ".join(["a1"] * 60), "policy",
    ),
}  # fmt: skip


IN_PROCESS = """
import sys
from spielbaum.game import load
from spielbaum.testing import case, check

case.PATIENCE = 0.5
for verdict in check(load(sys.argv[1]), games=int(sys.argv[2])):
    if verdict.status == "broken":
        print(verdict.law, " ".join(verdict.moves), verdict.reason, sep="|")
"""


def test_a_rule_that_does_not_end_in_a_new_process_is_told_with_its_line(build: Build) -> None:
    elsewhere = "import os\n\nELSEWHERE = 'NUMBA_DISABLE_JIT' in os.environ\nPILES, MOST"
    game = build("endless_elsewhere", NIM, ("PILES, MOST", elsewhere), (IN_PLAY, IN_PLAY + LOOP.format("ELSEWHERE")))
    command = [sys.executable, "-c", IN_PROCESS, str(game.module.__file__), "2"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
    ((law, moves, reason),) = [line.split("|") for line in told.splitlines()]
    assert law == "processes" and moves in ("a1", "a2", "b1", "b2")
    assert (
        "without the compiler, endless-elsewhere: play does not end: after 0.5 s it was at endless_elsewhere" in reason
    )


@pytest.mark.parametrize("where", ENDLESS)
def test_a_rule_that_does_not_end_is_told_with_its_line_and_moves(build: Build, where: str) -> None:
    text, changes, games, moves, rule = ENDLESS[where]
    game = build("endless_" + where.replace(" ", "_"), text, *changes)
    command = [sys.executable, "-c", IN_PROCESS, str(game.module.__file__), str(games)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # what never ends, ends with it
    (line,) = told.splitlines()
    law, found, reason = line.split("|")
    assert law == "halts"
    words = re.fullmatch(r".*: (\w+) does not end: after 0.5 s it was at .*\.py:(\d+)( in zobrist)?", reason)
    assert words and words[1] == rule, reason
    lines = pathlib.Path(game.module.__file__).read_text().splitlines()
    loop = next(number for number, line in enumerate(lines, 1) if line.lstrip().startswith("while"))
    assert int(words[2]) in (loop, loop + 1)
    assert moves is None or found == moves
