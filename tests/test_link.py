"""Kernels are compiled once per game and machine, kept, found again, and never stale.

Most of this is about processes, so most tests start some. They use a tiny game, which is compiled in
a second, in a cache folder of their own.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import pytest

import spielbaum
from spielbaum.compile import cache as cache_module
from spielbaum.compile import link
from tests.docs.pages import hooks, page
from tests.test_digest import edit
from tests.tiny import COMPLAIN, environment, python, write_race

GAME_API = 3  # kernels of the template `game_api` in a game without hidden information

PLAY = """
import sys
import spielbaum, spielbaum.compile.link
state = spielbaum.load({path!r}).new()
while not state.over:
    state.play(state.actions[-1])
print(state.history, *spielbaum.compile.link.cache_counts())
"""
GAME = [2, 2, 2, 2, 2]


def play(path, cache, **variables) -> tuple[str, int, int, str]:
    """Play a game in a process of its own: its history, kernels from the cache, kernels compiled, stderr."""
    run = python(PLAY.format(path=str(path)), cache, **variables)
    return outcome(run.stdout, run.stderr)


def outcome(out: str, err: str) -> tuple[str, int, int, str]:
    history, _, counts = out.strip().rpartition("]")
    hits, misses = map(int, counts.split())
    return history + "]", hits, misses, err


def compiled_for(path: pathlib.Path) -> int:
    """Load a game as if for the first time and play a move: the kernels that had to be compiled."""
    edit(path, "", "")
    before = link.cache_counts()[1]
    assert spielbaum.load(path).new().play(2).actions == [1, 2]
    return link.cache_counts()[1] - before


def folders(cache: pathlib.Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir())


def kept(cache: pathlib.Path, template: str) -> int:
    """How many kernels of the tiny game are kept that were linked from a template."""
    return len([name for name in folders(cache) if name.startswith(f"mine-{template}-")])


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache folder, for this process and those that it starts."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("SPIELBAUM_CACHE", str(folder))
    return folder


# --- the cache ----------------------------------------------------------------------------------


def test_the_first_process_compiles_with_one_line_and_the_second_says_nothing(tmp_path, cache):
    path = write_race(tmp_path)
    history, hits, misses, said = play(path, cache / "deep" / "down")
    assert (history, hits, misses) == (str(GAME), 0, GAME_API)
    assert re.fullmatch(r"compiling mine \(game-api\) for this machine, once … \d+\.\d s\n", said)
    assert play(path, cache / "deep" / "down") == (str(GAME), GAME_API, 0, "")


def test_numba_s_own_cache_folder_is_respected(tmp_path, cache):
    path = write_race(tmp_path)
    assert play(path, cache, NUMBA_CACHE_DIR=str(tmp_path / "numba"))[1:3] == (0, GAME_API)
    assert play(path, cache, NUMBA_CACHE_DIR=str(tmp_path / "numba"))[1:] == (GAME_API, 0, "")


def test_of_four_processes_at_once_one_compiles(tmp_path, cache):
    wait = "print('ready', flush=True)\nsys.stdin.read()\nstate = "
    code = PLAY.format(path=str(write_race(tmp_path))).replace("state = ", wait, 1)
    gate, key = os.pipe()
    pipes = {"stdin": gate, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen([sys.executable, "-c", code], env=environment(cache), **pipes) for _ in range(4)]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * 4
    os.close(key)
    outcomes = [outcome(*process.communicate()) for process in processes]
    os.close(gate)
    assert [history for history, *_ in outcomes] == [str(GAME)] * 4
    assert sorted(misses for _, _, misses, _ in outcomes) == [0, 0, 0, GAME_API]
    assert len("".join(said for *_, said in outcomes).splitlines()) == 1


def test_a_cache_that_can_t_be_written_is_replaced_for_the_run(tmp_path):
    path = write_race(tmp_path)
    (tmp_path / "file").write_text("not a folder")
    code = PLAY.format(path=str(path)) + "print(state.game.kernels.game_api.__file__)"
    run = python(code, tmp_path / "file" / "below")
    first, second = run.stderr.splitlines()
    assert re.fullmatch(r"cache folder .*below can't be written \(Not a directory\); .*", first)
    assert second.startswith("compiling mine")
    assert not pathlib.Path(run.stdout.splitlines()[-1]).parent.parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="folders are made read-only by permissions")
def test_a_warm_cache_that_can_only_be_read_is_used_from_a_copy(tmp_path):
    path, other = write_race(tmp_path), write_race(tmp_path, "other", play="s.n += 3")
    with tempfile.TemporaryDirectory() as open_to_all:
        shared = pathlib.Path(open_to_all) / "cache"
        play(path, shared)
        everything = [pathlib.Path(open_to_all), *pathlib.Path(open_to_all).rglob("*")]
        for place in everything:
            place.chmod(0o555 if place.is_dir() else 0o444)
        warm = f"spielbaum.load({str(other)!r}).new()"  # what is imported late is imported now
        become = f"game = spielbaum.load({str(path)!r}); os.environ['SPIELBAUM_CACHE'] = {str(shared)!r}"
        code = f"import os, spielbaum; from spielbaum.compile import link; {warm}; {become}\n"
        code += "if os.getuid() == 0: os.seteuid(65534)\n"
        code += "print(game.new().play(1).actions, *link.cache_counts(), game.kernels.game_api.__file__)"
        run = python(code, tmp_path / "cache")
        for place in everything:
            place.chmod(0o755)
    played, used = run.stdout.strip().rsplit(" ", 1)
    assert played == f"[1, 2] {GAME_API} {GAME_API}"
    assert not used.startswith(open_to_all) and not pathlib.Path(used).exists()
    assert "can't be written (Permission denied)" in run.stderr and "compiling mine" not in run.stderr


@pytest.mark.parametrize(
    ("pattern", "damage", "compiled"),
    [
        ("*.nbi", lambda content: content[: len(content) // 2], GAME_API),
        ("*.nbi", lambda content: b"\x80garbage\n", GAME_API),
        ("*.nbc", lambda content: content[: len(content) // 2], GAME_API),
        ("*.nbc", lambda content: b"", GAME_API),
        ("*.py", lambda content: content[: len(content) // 2], 0),
        ("*.py", lambda content: b"garbage", 0),
    ],
)
def test_a_damaged_cache_is_repaired(tmp_path, cache, pattern, damage, compiled):
    path = write_race(tmp_path)
    assert compiled_for(path) == GAME_API
    for file in cache.rglob(pattern):
        file.write_bytes(damage(file.read_bytes()))
    assert compiled_for(path) == compiled
    assert compiled_for(path) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_compilation_that_is_stopped_leaves_nothing_behind_that_harms(tmp_path, cache, number):
    code = PLAY.format(path=str(write_race(tmp_path)))
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=environment(cache), stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stderr.read(9) == b"compiling"
    time.sleep(0.1)
    process.send_signal(number)
    rest = process.communicate()[1].decode()
    assert process.returncode != 0
    assert number == signal.SIGKILL or rest.splitlines()[0].endswith("stopped")
    history, hits, misses, _ = play(tmp_path / "mine.py", cache)
    assert (history, hits + misses) == (str(GAME), GAME_API)
    assert play(tmp_path / "mine.py", cache) == (str(GAME), GAME_API, 0, "")


def test_folders_that_nobody_uses_are_removed_when_a_new_one_is_made(cache):
    names = {"old": "mine-0123456789abcdef", "recent": "mine-fedcba9876543210", "foreign": "something-else"}
    for name in names.values():
        (cache / name).mkdir(parents=True)
    long_ago = time.time() - cache_module.UNUSED - 60
    for name in ("old", "foreign"):
        os.utime(cache / names[name], (long_ago, long_ago))
    cache_module.home(cache / "mine-1111111111111111")
    assert folders(cache) == sorted([names["recent"], names["foreign"], "mine-1111111111111111"])


def test_using_a_folder_keeps_it_young(cache):
    folder = cache / "mine-2222222222222222"
    folder.mkdir(parents=True)
    os.utime(folder, (0, 0))
    cache_module.home(folder)
    assert folder.stat().st_mtime > time.time() - 60


def test_code_that_can_t_be_kept_is_told(tmp_path, cache):
    path = write_race(tmp_path, helpers="LARGE = np.zeros(1_000_000)", play="s.n += action + int(LARGE[action])")
    history, _, _, said = play(path, cache)
    assert history == str(GAME)
    assert re.search(r"\nmine: its kernels can't be kept .* large global array .*\n$", said)
    assert "Warning" not in said


# --- never stale --------------------------------------------------------------------------------


def test_an_edited_rule_is_noticed_by_the_next_process(tmp_path, cache):
    path = write_race(tmp_path)
    play(path, cache)
    edit(path, "s.n += action", "s.n += 2 * action")
    history, _, misses, _ = play(path, cache)
    assert (history, misses) == ("[2, 2, 2]", GAME_API)
    assert kept(cache, "game-api") == 2


def test_an_edited_rule_is_noticed_when_the_game_is_loaded_again(tmp_path, cache):
    path = write_race(tmp_path)
    before = spielbaum.load(path)
    assert before.new().play(2).record.n == 2
    edit(path, "s.n += action", "s.n += 2 * action")
    after = spielbaum.load(path)
    assert after.new().play(2).record.n == 4
    assert before.new().play(2).record.n == 2
    assert after.kernels.game_api.__file__ != before.kernels.game_api.__file__
    assert kept(cache, "game-api") == 2


def test_an_edited_helper_is_noticed_by_the_next_process(tmp_path, cache):
    helper = tmp_path / "steps_of_mine.py"
    helper.write_text("from spielbaum.rules import rule\n\n@rule\ndef step(action):\n    return action\n")
    path = write_race(tmp_path, helpers="from steps_of_mine import step", play="s.n += step(action)")
    assert play(path, cache)[0] == str(GAME)
    edit(helper, "return action", "return action + 3")
    assert play(path, cache)[0] == "[2, 2]"


def test_fields_of_the_tables_that_change_places_are_noticed(tmp_path, cache):
    helpers = "class Pair(NamedTuple):\n    one: int\n    two: int\n\ndef tables(options): return Pair(one=1, two=2)"
    path = write_race(tmp_path, helpers=helpers, actions="out[0] = t.two\n    return 1", play="s.n += t.two")
    assert play(path, cache)[0] == str(GAME)
    edit(path, "    one: int\n    two: int", "    two: int\n    one: int")
    assert play(path, cache)[0] == str(GAME)


def test_an_edited_comment_compiles_nothing(tmp_path, cache):
    path = write_race(tmp_path, helpers="# a comment")
    play(path, cache)
    edit(path, "# a comment", "# another\n# and one more")
    assert play(path, cache) == (str(GAME), GAME_API, 0, "")


def test_a_run_without_the_jit_shares_nothing_with_compiled_ones(tmp_path, cache):
    path = write_race(tmp_path)
    assert play(path, cache, NUMBA_DISABLE_JIT="1") == (str(GAME), 0, 0, "")
    assert play(path, cache)[:3] == (str(GAME), 0, GAME_API)
    assert kept(cache, "game-api") == 2


def test_bounds_are_checked_on_demand(tmp_path, cache):
    path = write_race(tmp_path, play="s.n += action + s.b[s.n + 3] * 0")
    code = COMPLAIN.format(path=str(path))
    assert python(code, cache).stdout == ""
    assert python(code, cache, NUMBA_BOUNDSCHECK="1").stdout.startswith("mine: play raised IndexError: index ")


# --- rules --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("helpers", "play"),
    [
        ("@rule\ndef helper(x):\n    a = np.zeros(2)\n    a[0] = x\n    return a", "s.n += int(helper(action)[0])"),
        ("", "s.n += [x * x for x in (action, 1)][1] * action"),
        ("", "seen = {action}\n    known = {1: 1, 2: 2}\n    s.n += known[action] * len(seen) * len(str(action))"),
        ("", "more = s.b + action\n    s.b[:2] = s.b[2:]\n    s.n += more[0]"),
        ("@rule\ndef helper(s):\n    return s.b", "helper(s)[0] = action\n    s.n += s.b[0]"),
        ("import lists_of_mine", "s.n += lists_of_mine.make(action)[0]"),
        ("from lists_of_mine import make", "s.n += make(action)[0]"),
        ("def maker():\n    @rule\n    def make(x):\n        return [x]\n    return make\nmake = maker()",
         "s.n += make(action)[0]"),
    ],
)  # fmt: skip
def test_rules_may_allocate(tmp_path, cache, helpers, play):
    source = "from spielbaum.rules import rule\n\n@rule\ndef make(x):\n    return [x]\n"
    (tmp_path / "lists_of_mine.py").write_text(source)
    state = spielbaum.load(write_race(tmp_path, helpers=helpers, play=play)).new()
    assert state.play(2).play(1).record.n == 3


def test_a_game_that_allocates_can_be_searched(tmp_path, cache):
    helpers = "@rule\ndef helper(t):\n    return t.steps, np.ones(2)"
    helpers += "\n\n@rule\ndef evaluate(t, s, weights, player):\n    return [0.0, 0.5][player]"
    actions = "steps, ones = helper(t)\n    out[0] = steps[0]\n    out[1] = steps[1]\n    return 2"
    game = spielbaum.load(write_race(tmp_path, helpers=helpers, actions=actions))
    state = game.new()  # tables that are constants are held by those
    before = sys.getrefcount(game.tables.steps)
    move = spielbaum.agent("minimax:depth=10", game).act(state)
    after = sys.getrefcount(game.tables.steps)
    assert (move, after) == (1, before)  # nine to go, three in two moves: a loss for who is next


def test_rules_agree_on_reference_counting_once_one_of_them_allocates(tmp_path, cache):
    path = write_race(
        tmp_path,
        helpers="@rule\ndef pair(array):\n    return array, 1",
        actions="steps, one = pair(t.steps)\n    out[0] = steps[0]\n    out[1] = steps[1]\n    return 2",
        play="made = np.zeros(2, np.int64)\n    same, one = pair(made)\n    same[0] = action\n    s.n += made[0]",
    )
    game = spielbaum.load(path)
    assert game.new().play(2).record.n == 2
    pair = game.module.pair.overloads.values()  # `actions` needed it before `play` was compiled
    assert [overload.target_context.enable_nrt for overload in pair] == [True]


def test_rules_that_do_not_allocate_are_compiled_without_reference_counting(tmp_path, cache):
    game = spielbaum.load(write_race(tmp_path))
    game.new().play(1)
    assert game.module.play.targetoptions["_nrt"] is False
    other = spielbaum.load(write_race(tmp_path, "other", play="s.n += [action][0]"))
    other.new().play(1)
    assert other.module.play.targetoptions["_nrt"] is True


def test_tables_of_other_types_are_compiled_anew(tmp_path, cache, capsys):
    game, other = (spielbaum.load(write_race(tmp_path)) for _ in range(2))
    other.tables = game.module.Tables(np.array([1.0, 2.0]), 0)
    for each in (game, other):
        assert each.new().play(2).actions == [1, 2]
    assert capsys.readouterr().err.count("compiling mine (game-api)") == 2


def test_tables_that_look_alike_do_not_slow_each_other_down(tmp_path, cache, monkeypatch):
    games = [spielbaum.load(write_race(tmp_path, name)) for name in ("one", "two", "three")]
    for game in games:
        for _ in range(2):
            game.new().play(1).play(1)
    looked = []
    monkeypatch.setattr(link.Kernel, "signature", lambda kernel, arguments: looked.append(kernel))
    for game in games:
        assert game.new().play(1).play(1).record.n == 2
    assert looked == []


# --- searches are put together from parts ---------------------------------------------------------


def searched(game: spielbaum.Game, text: str) -> int:
    """Let an agent decide once: the kernels that had to be compiled for it."""
    before = link.cache_counts()[1]
    spielbaum.agent(text, game, seed=1).act(game.new())
    return link.cache_counts()[1] - before


def test_a_search_is_linked_for_its_parts_and_not_for_its_numbers(tmp_path, cache):
    game = spielbaum.load(write_race(tmp_path))
    game.new()
    assert searched(game, "mcts:iterations=20,select=greedy") == 1
    assert searched(game, "mcts:iterations=20,select=random") == 1
    assert searched(game, "mcts:iterations=30,select=greedy,limit=5,decide=max,threads=2") == 0
    assert kept(cache, "mcts") == 2


NEWEST = "search/mcts/select/newest.py"
USE_NEWEST = """
import spielbaum
from spielbaum.search.mcts.tree import USED_EDGES
game = spielbaum.load({path!r})
for rate in (0, 1):
    agent = spielbaum.agent(f"mcts:select=newest,rate={{rate}},iterations=50", game, seed=1)
    agent.act(game.new())
    tree = agent.search.trees[0].arrays
    print(sorted({{float(x) for x in tree.edges["newest"]["recent"][: tree.used[USED_EDGES]]}}))
try:
    spielbaum.agent("mcts:select=newest,rate=2", game)
except spielbaum.SpielbaumError as error:
    print(error)
"""


def test_a_new_selection_is_a_new_file_and_nothing_else(tmp_path, cache):
    package = pathlib.Path(spielbaum.__file__).parent
    shutil.copytree(package, tmp_path / "spielbaum", ignore=shutil.ignore_patterns("__pycache__", "static"))
    (tmp_path / "spielbaum" / NEWEST).write_text(hooks().assembled(page("search.md"), NEWEST))
    path = write_race(tmp_path)
    run = python(USE_NEWEST.format(path=str(path)), cache, PYTHONPATH=str(tmp_path))
    never, always, refused = run.stdout.splitlines()
    assert (never, always) == ("[0.0]", "[-1.0, 0.0, 1.0]")  # 0 where nothing was tried
    assert refused.startswith("rate=2 is not possible")


# --- threads and interpreters -------------------------------------------------------------------


def test_threads_that_need_a_kernel_at_once_compile_it_once(tmp_path, cache, capsys):
    game = spielbaum.load(write_race(tmp_path))
    ready, results = threading.Barrier(4), []

    def run():
        ready.wait()
        results.append(game.new().play(1).record.n)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [1] * 4
    assert capsys.readouterr().err.count("compiling") == 1


SEARCH = """
import spielbaum
game = spielbaum.load("connect-four")
state, agents = game.new(3), [spielbaum.agent("random", game, seed) for seed in (1, 2)]
searcher = spielbaum.agent("mcts:iterations=100", game, seed=7)
searcher.act(state)
print([(edge.action, edge.visits) for edge in searcher.report().edges])
while not state.over:
    state.play(agents[state.player].act(state))
print(state.history, state.returns)
"""


def test_without_the_jit_games_and_searches_are_the_same():
    shared = cache_module.cache_folder()
    interpreted = python(SEARCH, shared, NUMBA_DISABLE_JIT="1")
    assert interpreted.stderr == ""
    assert python(SEARCH, shared).stdout == interpreted.stdout
