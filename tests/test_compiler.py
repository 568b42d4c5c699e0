"""Numba's insides: this version has them all, and games are played and explained without any of them."""

from __future__ import annotations

import pathlib
import re

import numba
import pytest

from spielbaum import numba_internals as compiler
from spielbaum import numba_shortcuts
from tests.tiny import python, write_race

SOURCE, SHORTCUTS = pathlib.Path(compiler.__file__), pathlib.Path(numba_shortcuts.__file__)
OPTIONS = ("_nrt", "no_cpython_wrapper", "no_cfunc_wrapper", "forceinline")
PROBES = (
    "can_count_again",
    "tells_options",
    "has_dispatcher_class",
    "forgets_failures",
    "can_flush",
    "tells_results",
    "tells_cache_use",
    "tells_dynamic_globals",
    "tells_passes",
    "looks_for_blas",
    "can_leave_to_kernels",
    "can_place_errors",
    "can_load_also",
)
INSIDES = re.compile(
    r"numba\.(core|np|cpython|misc)\b|from numba import .*\bcore\b|\bCPUDispatcher\b|\b_compile_for_args\b"
    r"|\bget_call_template\b|\b_failed_cache\b|\b_reset_overloads\b|\btargetoptions\b|\bhas_dynamic_globals\b"
    r"|\b_nrt\b|\bno_c\w+_wrapper\b|\bensure_blas\b|\brun_pass\b|\b_cache\.flush\b|\.overloads\b|\._compiler\b"
    r"|\.stats\.cache_|\b_optimize_final_module\b|\bset_env\b|\bget_pointer_to_function\b"
    r"|\bFunctionCache\b|\b_load_overload\b|\bentry_point\b|\blower_inst\b|\bbuild_excinfo_struct\b|\bnopython_signatures\b"
)

WITHOUT = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("spielbaum.numba_internals", {source!r})
compiler = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(compiler)
for probe in {probes!r}:
    setattr(compiler, probe, lambda *_: False)
import spielbaum, spielbaum.compile.link
"""
PLAY = """
state = spielbaum.load({path!r}).new(seed=1)
while not state.over:
    state.play(state.actions[-1])
print(state.history, state.returns)
"""
COMPLAIN = """
try:
    spielbaum.load({path!r}).new().play(1)
except spielbaum.GameError as error:
    print(error)
"""
SEARCH = """
game = spielbaum.load({path!r})
agent = spielbaum.agent("mcts:iterations=200", game, seed=7)
print(agent.act(game.new()), [edge.visits for edge in agent.report().edges])
"""
PLAYED = "[2, 2, 2, 2, 2] [1.0, -1.0]\n"
ALLOCATES = "seen = [action]\n    s.n += seen[0]"


def without(probes, code, path, cache):
    """Run some code in a process in which some probes answer no."""
    return python(WITHOUT.format(source=str(SOURCE), probes=probes) + code.format(path=str(path)), cache)


def test_every_probe_is_tried_here():
    own = re.findall(r'def (\w+)\(\) -> bool:\n    """Probe: ', SOURCE.read_text())
    assert sorted(own) == sorted(PROBES)


@pytest.mark.parametrize("probe", PROBES)
def test_this_version_has_what_is_probed_for(probe):
    assert getattr(compiler, probe)() is True


@pytest.mark.parametrize("option", OPTIONS)
def test_this_version_knows_the_options(option):
    assert compiler.knows(option)
    assert compiler.known(**{option: True, "no_such_option": True}) == {option: True}


ADDED = """
from numba.core import codegen
add, added = codegen.JITCPUCodegen._add_module, []
codegen.JITCPUCodegen._add_module = lambda self, module: added.append(module.name) or add(self, module)
import spielbaum
spielbaum.load({path!r}).new().play(1)
print(*sorted(added))
"""


def test_no_rule_becomes_machine_code_of_its_own_not_even_those_that_kernels_call(tmp_path):
    run = python(ADDED.format(path=str(write_race(tmp_path))), tmp_path / "cache")
    assert run.stdout.split() == ["advance", "look", "nrt", "start_game"]


def test_what_is_not_inside_is_not_found():
    assert compiler.inside("core.no_such_module", "name") is None
    assert compiler.inside("core.registry", "no_such_name", "below") is None


@pytest.mark.parametrize("probe", [*PROBES, "knows"])
def test_a_game_that_allocates_is_played_without(tmp_path, probe):
    run = without((probe,), PLAY, write_race(tmp_path, play=ALLOCATES), tmp_path / "cache")
    assert run.stdout == PLAYED
    assert run.stderr.startswith("compiling mine") == (probe != "tells_passes")


def test_kernels_are_kept_without_any_of_it(tmp_path):
    path, probes = write_race(tmp_path), {*PROBES, "knows"} - {"tells_passes"}
    assert without(probes, PLAY, path, tmp_path / "cache").stderr.startswith("compiling mine")
    again = without(probes, PLAY, path, tmp_path / "cache")
    assert (again.stdout, again.stderr) == (PLAYED, "")


def test_a_search_without_any_of_it_is_the_same(tmp_path):
    path = write_race(tmp_path)
    plain = without((*PROBES, "knows"), SEARCH, path, tmp_path / "plain")
    assert plain.stdout == without((), SEARCH, path, tmp_path / "cache").stdout


def test_a_compiled_function_of_the_author_s_is_called_by_rules_and_from_python(tmp_path):
    helpers = "import numba\n\n@numba.njit\ndef same(n):\n    return n\n"
    path = write_race(tmp_path, helpers=helpers, play="s.n += same(action)")
    code = PLAY + "print(state.game.module.same(2))"
    for _ in ("compiled", "from the cache"):
        assert without((), code, path, tmp_path / "cache").stdout == PLAYED + "2\n"


def test_a_nested_rule_raises_with_what_it_found(tmp_path):
    helpers = "@rule\ndef refuse(n):\n    if n > 1:\n        raise ValueError('too many', n)\n    return n\n"
    path = write_race(tmp_path, helpers=helpers, play="s.n += refuse(action)")
    code = COMPLAIN.replace("play(1)", "play(2)")
    for _ in ("compiled", "from the cache"):
        assert "too many" in without((), code, path, tmp_path / "cache").stdout


def test_rules_that_could_not_get_reference_counting_back_have_it_from_the_start(tmp_path):
    path = write_race(tmp_path)
    code = PLAY + "print(state.game.module.play.targetoptions.get('_nrt'))"
    assert without((), code, path, tmp_path / "cache").stdout.endswith("\nFalse\n")
    assert without(("forgets_failures",), code, path, tmp_path / "plain").stdout.endswith("\nNone\n")


def test_an_error_of_machine_code_names_the_rule_where_it_does_not_know_the_line(tmp_path):
    path = write_race(tmp_path, play="s.n = 1 // (s.n - s.n)")
    assert "play raised ZeroDivisionError" in without((), COMPLAIN, path, tmp_path / "cache").stdout
    plain = without(("can_place_errors",), COMPLAIN, path, tmp_path / "plain").stdout
    assert plain.startswith("mine: play raised ZeroDivisionError") and "NUMBA_DISABLE_JIT=1 tells where" in plain


def test_an_error_is_one_line_without_the_class_of_rules(tmp_path):
    path = write_race(tmp_path, play="s.n += s.missing")
    fine = without((), COMPLAIN, path, tmp_path / "cache").stdout
    plain = without(("has_dispatcher_class",), COMPLAIN, path, tmp_path / "plain").stdout
    assert fine.startswith("mine: play does not compile (mine.py:")
    assert plain.startswith("mine: ") and plain.count("\n") == 1


def test_a_rule_without_its_class_is_still_told_from_a_function(tmp_path):
    path = write_race(tmp_path)
    path.write_text(path.read_text().replace("@rule\ndef play(", "def play("))
    plain = without(("has_dispatcher_class",), COMPLAIN, path, tmp_path / "plain").stdout
    assert plain == "mine: play is not a rule; decorate it with @rule\n"


def test_a_damaged_cache_is_repaired_without_flush_and_statistics(tmp_path):
    path, probes = write_race(tmp_path), ("can_flush", "tells_cache_use")
    first = without(probes, PLAY, path, tmp_path / "cache")
    for file in (tmp_path / "cache").rglob("*.nbc"):
        file.write_bytes(b"")
    second = without(probes, PLAY, path, tmp_path / "cache")
    assert second.stdout == first.stdout
    assert second.stderr.startswith("compiling mine")
    assert without(probes, PLAY, path, tmp_path / "cache").stderr == ""


def test_numba_itself_tells_what_can_t_be_kept_where_we_can_t(tmp_path):
    path = write_race(tmp_path, helpers="LARGE = np.zeros(1_000_000)", play="s.n += action + int(LARGE[action])")
    said = without(("tells_dynamic_globals",), PLAY, path, tmp_path / "cache").stderr
    assert "Cannot cache compiled function" in said and "can't be kept" not in said


def test_changed_options_are_noticed_where_numba_does_not_tell_them(monkeypatch):
    def maker(**options):
        return numba.njit(**options)(lambda x: x)

    fast, exact = maker(fastmath=True), maker()
    assert compiler.options_of(fast) != compiler.options_of(exact)
    monkeypatch.setattr(compiler, "tells_options", lambda: False)
    assert "numba.njit(**options)" in compiler.options_of(fast)


def test_nobody_else_touches_numba_s_insides():
    others = [path for path in SOURCE.parent.rglob("*.py") if path not in (SOURCE, SHORTCUTS)]
    found = [f"{path.name}: {match[0]}" for path in others for match in INSIDES.finditer(path.read_text())]
    assert found == []
    assert INSIDES.search(SOURCE.read_text())


LITERALS = """
import numpy as np, numba
from spielbaum.rules import rule

@rule
def add(cells, n):
    return cells[0] + n

@rule
def pick(pair, n):
    return pair[n]

@numba.njit
def kernel(records, cells, n):
    s = records[0]
    return add(cells, 0) + add(cells, 1) + add(s.few, n) + add(s.many, 3) + pick((1, 2.5), 1)

records = np.zeros(1, np.dtype([("few", "i8", 2), ("many", "i8", 9)]))
print(kernel(records, np.ones(4, np.int64), 5), len(add.signatures), len(pick.signatures))
"""


def test_a_rule_is_compiled_once_whatever_number_stands_in_a_call_and_whatever_length_an_array_has(tmp_path):
    assert python(LITERALS, tmp_path).stdout.split() == ["13.5", "1", "1"]
