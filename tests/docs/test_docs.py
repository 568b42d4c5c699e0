"""The documentation says what is so: examples run, commands print what is shown, nothing is left out."""

from __future__ import annotations

import pathlib
import re
import tomllib

import pytest
import typer

import spielbaum
from spielbaum import protocol
from spielbaum.agents.registry import AGENT_TYPES
from spielbaum.cli.commands import app
from spielbaum.game import names
from spielbaum.scenes.scene import ROLES
from spielbaum.testing import LAWS, assert_lawful
from tests.docs.pages import DOCS, NUMBER, agrees, blocks, commands, hooks, page, place, run_command, run_examples

HOOKS = hooks()
PAGES = sorted(path.name for path in DOCS.glob("*.md"))
WITH_FILES = ("first-game.md", "own-agent.md", "own-component.md")  # tested on their own
SEEDED = ("arena.md",)  # whose figures follow from seeds, all but times
TIMES = r"[\d.,]+ (?:s|ms|µs)\b|[\d.,]+ (?:games|moves)/s"
GAMES_OF_THE_PROTOCOL = ("nim.py", "dash.py", "rps.py")


def filled(name: str) -> str:
    """A page as the site shows it."""
    return str(HOOKS.on_page_markdown(page(name)))


@pytest.fixture
def folder(pytestconfig: pytest.Config, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder of one's own with the games of the protocol's page: links to files that are always the same, so that
    kernels are found again."""
    kept = pathlib.Path(pytestconfig.cache.mkdir("docs-protocol"))  # type: ignore[union-attr]
    for name in GAMES_OF_THE_PROTOCOL:
        (tmp_path / name).symlink_to(place(kept / name, HOOKS.assembled(page("protocol.md"), name)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", [name for name in PAGES if name not in WITH_FILES])
def test_examples_run(name):
    run_examples(page(name), {})


@pytest.mark.parametrize("name", PAGES)
def test_code_is_python(name):
    for block in blocks(page(name), "python"):
        compile(block, name, "exec")


@pytest.mark.parametrize("name", GAMES_OF_THE_PROTOCOL)
def test_games_of_the_protocol_are_lawful(folder, name):
    assert_lawful(folder / name, games=10)


@pytest.mark.parametrize("name", ["protocol.md", "cli.md", "arena.md", "scotland-yard.md"])
def test_commands_print_what_is_shown(folder, name):
    free = TIMES if name in SEEDED else NUMBER
    for command, shown in commands(page(name)):
        if shown:
            printed = run_command(command, shown)
            assert agrees(shown, printed, free), f"$ {command}\n{printed}"


def test_a_result_that_is_not_the_seed_s_is_found():
    shown, printed = "hold-at-20  866  43.3 %  0.4 s", "hold-at-20    867   43.4 %  0.5 s"
    assert agrees(shown, printed) and not agrees(shown, printed, TIMES)
    assert agrees(shown.replace("866  43.3", "867  43.4"), printed, TIMES)


@pytest.mark.parametrize("name", PAGES)
def test_what_is_generated_stands_in_the_page_as_it_is_generated_now(name):
    assert HOOKS.refreshed(page(name)) == page(name), "python docs/hooks.py writes it anew"


def test_whoever_reads_the_markdown_sees_what_is_generated():
    assert "| `resolve` | `t`, `s`, `choices`, `rng` |" in page("protocol.md")
    assert "| `some` | While the game goes on there is a legal action." in page("testing.md")
    assert "| `--seconds" in page("cli.md") and "**Named agents**" in page("games.md")
    assert page("first-game.md").count("STATE = np.dtype(") == 2  # in its step, and in the whole file


def test_every_hook_is_explained_and_listed_with_what_it_may_ask_for():
    explained = set(re.findall(r"^\| `(\w+)[`(]|^- `(\w+)\(", page("protocol.md"), re.MULTILINE))
    names = {name for pair in explained for name in pair}
    assert [name for name in protocol.HOOKS if name not in names] == []
    assert "| `resolve` | `t`, `s`, `choices`, `rng` |" in filled("protocol.md")


def test_every_command_has_a_section():
    sections = re.findall(r"^## (\w+)$", page("cli.md"), re.MULTILINE)
    assert sections == list(typer.main.get_group(app).commands)
    assert all(f"<!-- generated: options {name} -->" in page("cli.md") for name in sections)


@pytest.mark.parametrize("name", PAGES)
def test_commands_can_be_pasted_into_any_shell(name):
    for command in re.findall(r"^(?:\$ )?(?:spielbaum|pip) .*", page(name), re.MULTILINE):
        bare = re.sub(r"'[^']*'|\"[^\"]*\"|#.*", "", command)
        assert not re.search(r"[][*?|;<>]", bare), command


def test_every_extra_is_listed():
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]
    listed = re.findall(r"^\| (`.*?) \|", page("index.md"), re.MULTILINE)
    assert {name for cell in listed for name in re.findall(r"`(\w+)`", cell)} == set(project["optional-dependencies"])
    whole = set(project["optional-dependencies"]) - {"all", "dev", "docs", "bench"}
    assert project["optional-dependencies"]["all"] == [f"spielbaum[{','.join(sorted(whole))}]"]


def test_every_role_has_its_colours():
    rows = dict(re.findall(r"^\| `([\w-]+)` \| `(#\w+)` \|", page("scene.md"), re.MULTILINE))
    assert set(rows) == set(ROLES) - {"none"}


def test_every_agent_and_parameter_is_listed():
    text = filled("agents.md")
    for kind in AGENT_TYPES:
        assert f"## {kind.name}\n" in text
        for param in kind.params(spielbaum.load(names()[0])):
            if not param.name.startswith("weight."):
                assert f"| `{param.name}` |" in text


def test_every_game_and_option_is_listed():
    text = filled("games.md")
    for game in map(spielbaum.load, names()):
        assert f"## {game.title}\n" in text
        assert all(f"| `{param.name}` |" in text for param in game.params)


def test_every_law_is_listed_and_explained():
    text = filled("testing.md")
    for law in LAWS:
        assert f"| `{law.name}` | {law.description} |" in text
        assert f"`{law.name}`" in page("testing.md"), f"{law.name} is not explained"


@pytest.mark.needs("mkdocs")
def test_formulas_become_mathml_and_code_stays():
    text = HOOKS.with_formulas("$Q$ and `$HOME`\n```console\n$ spielbaum play $x\n```\n")
    assert text.count("<math") == 1
    assert "`$HOME`" in text and "$ spielbaum play $x" in text
