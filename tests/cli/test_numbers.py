"""Numbers that nobody can mean are refused by every option of every command, in one line."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from spielbaum.cli import main
from spielbaum.cli.commands import app
from spielbaum.errors import SpielbaumError

IMPOSSIBLE = {
    float: ("inf", "-inf", "nan", "1e300", "9" * 29, "9" * 5000),
    int: ("9" * 29, "-" + "9" * 29, "9" * 5000, "1e300", "nan"),
}
ROOT: Any = typer.main.get_command(app)


def commands(group: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*names, name))
        else:
            yield (*names, name), command


def numbers() -> Iterator[tuple[tuple[str, ...], Any, str, type]]:
    """Every option and argument that is a number: its command, its name, and whether it is whole."""
    for names, command in commands(ROOT):
        for name, each in inspect.signature(command.callback, eval_str=True).parameters.items():
            for kind in (int, float):
                if kind in (each.annotation, *getattr(each.annotation, "__args__", ())):
                    yield names, command, name, kind


def call(names: tuple[str, ...], command: Any, wanted: str, value: str) -> list[str]:
    """A call in which everything that is needed is there, and one number is the value."""
    arguments, options = [], []
    for param in command.params:
        text = value if param.name == wanted else "1" if param.required else None
        if text is not None:
            is_argument = param.param_type_name == "argument"
            (arguments if is_argument else options).append(text if is_argument else f"{param.opts[-1]}={text}")
    return [*names, *(text for text in options), "--", *arguments]


def test_numbers_that_nobody_can_mean_are_refused_by_every_option():
    tried = 0
    for names, command, name, kind in numbers():
        for value in IMPOSSIBLE[kind]:
            with pytest.raises((SpielbaumError, typer.TyperException)) as refused:
                ROOT(args=call(names, command, name, value), prog_name="spielbaum", standalone_mode=False)
            told = refused.value.format_message() if hasattr(refused.value, "format_message") else str(refused.value)
            assert "is not possible: it is a number up to" in told or "Invalid value for" in told, (names, name, told)
            assert "\n" not in told and len(told) < 200, (names, name, told)
            tried += 1
    assert tried > 100


def test_a_time_that_never_ends_is_refused_in_one_line(capsys):
    assert main(["tune", "pig", "--agent", "greedy", "--minutes", "inf"]) == 2
    assert capsys.readouterr().err == "minutes inf is not possible: it is a number up to 1,000,000,000\n"


@pytest.mark.parametrize("value", ["inf", "nan", "1e300", "-inf", "9" * 5000])
@pytest.mark.parametrize("agent", ["mcts:c={}", "mcts:iterations={}", "mcts:seconds={}"])
def test_numbers_that_nobody_can_mean_are_refused_in_agents(capsys, tmp_path, agent, value):
    agents = f"1*{agent.format(value)},1*random"
    code = main(["match", "tic-tac-toe", "--agents", agents, "-n", "1", "--store", str(tmp_path / "store.db")])
    said = capsys.readouterr().err
    assert code == 2 and said.count("\n") == 1 and len(said) < 500, said
