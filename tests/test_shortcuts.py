"""Less of Numba's Python while it compiles: the same machine code, and Numba's own way where a version is unknown."""

from __future__ import annotations

import re

import pytest

from spielbaum import numba_shortcuts as shortcuts
from tests.tiny import python, write_race

ADDRESS = re.compile(r"\d{9,}|0x[0-9a-f]+")  # of an object of the process, in names of older versions of Numba
MACHINE_CODE = """
import spielbaum, spielbaum.numba_shortcuts as shortcuts
for name in {left!r}:
    del shortcuts.SHORTCUTS[name]
look = spielbaum.load({path!r}).kernels.game_api.look
game = spielbaum.load({path!r}).new(1)
game.actions
print(len(shortcuts.take_shortcuts()), *look.compiled.inspect_asm().values())
"""


def test_this_version_of_numba_can_take_them_all():
    assert shortcuts.take_shortcuts() == tuple(shortcuts.SHORTCUTS)


def machine_code(tmp_path, left: tuple[str, ...]) -> tuple[str, str]:
    """How many shortcuts were taken, and the instructions of a kernel."""
    folder = tmp_path / "-".join(left or ("all",))
    folder.mkdir()
    path = write_race(tmp_path)
    printed = python(MACHINE_CODE.format(path=str(path), left=left), folder).stdout
    number, _, code = printed.partition(" ")
    instructions = [line for line in code.splitlines() if line.startswith("\t") and not line.startswith("\t.")]
    return number, ADDRESS.sub("", "\n".join(instructions))


def test_machine_code_is_the_same_without_any_of_them(tmp_path):
    (all_of_them, with_them), (none, without) = (
        machine_code(tmp_path, left) for left in ((), tuple(shortcuts.SHORTCUTS))
    )
    assert (all_of_them, none) == (str(len(shortcuts.SHORTCUTS)), "0")
    assert len(with_them) > 1000 and with_them == without


@pytest.mark.parametrize(
    ("module", "owner", "function", "fits"),
    [
        ("compiler_machinery", "PassManager", "_runPass", shortcuts.can_run_passes),
        ("postproc", "PostProcessor", "run", shortcuts.can_put_off_lifetimes),
        ("ir", "Inst", "_rec_list_vars", shortcuts.can_list_variables),
        ("targetconfig", "TargetConfig", "values", shortcuts.can_compare_options),
    ],
)
def test_a_function_that_does_something_new_is_kept(monkeypatch, module, owner, function, fits):
    def newer(self, *arguments):
        return self.a_step_that_nobody_knew(*arguments)

    monkeypatch.setattr(getattr(shortcuts.inner(module), owner), function, newer)
    assert not fits()


def test_options_are_compared_by_value_whether_they_are_set_or_left_at_their_default():
    shortcuts.take_shortcuts()
    flags = shortcuts.inner("compiler").Flags
    plain, told, other = flags(), flags(), flags()
    told.nrt, other.nrt = plain.nrt, not plain.nrt
    assert plain == told and hash(plain) == hash(told)
    assert plain != other and plain != "options"
    assert other.values() == {**plain.values(), "nrt": other.nrt}


def test_other_compilations_of_the_process_are_still_timed():
    import numba

    shortcuts.take_shortcuts()
    double = numba.njit(lambda x: 2 * x)
    assert double(2) == 4
    timers = next(iter(double.overloads.values())).metadata["timers"]
    assert timers["compiler_lock"] > 0 and timers["llvm_lock"] > 0
