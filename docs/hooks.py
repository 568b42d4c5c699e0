"""What the pages do not say twice: tables made from declarations and results, an assembled file, formulas.

A page asks for generated text with a comment on a line of its own, `<!-- generated: NAME ARGUMENT -->`, and holds it
up to `<!-- end of generated -->`, so that whoever reads the Markdown sees it as well: `python docs/hooks.py` writes it
there anew, and into README.md. MkDocs calls `on_page_markdown` for every page. A formula, `$…$` or `$$…$$`, becomes
MathML here, so that the site needs no script and no network to show it.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import typer

import spielbaum
from spielbaum.agents import agent_types, own_agents
from spielbaum.agents.registry import AGENT_TYPES
from spielbaum.cli.commands import app
from spielbaum.cli.output import value_text
from spielbaum.experiments.results import page as results_page
from spielbaum.experiments.results import quotes as quotes_of_results
from spielbaum.experiments.results import table
from spielbaum.game import Game, load, names
from spielbaum.params import Param
from spielbaum.protocol import HOOKS
from spielbaum.testing import LAWS

PAGES = pathlib.Path(__file__).parent
RESULTS = PAGES / "results"
PART = re.compile(r"^(<!-- generated: (\S+) ?(.*?) -->)\n.*?^(<!-- end of generated -->)$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)
FILE_BLOCK = re.compile(r'^```python title="(.+?)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
WEIGHT = "weight."
STYLES = pathlib.Path(spielbaum.__file__).parent / "web" / "static" / "css" / "base.css"


def on_page_markdown(markdown: str, **_: object) -> str:
    """The page with everything filled in that is not written there."""
    return with_formulas(PART.sub(lambda part: generated(markdown, part), markdown))


def generated(markdown: str, part: re.Match[str]) -> str:
    return GENERATORS[part[2]](markdown, part[3])


def refreshed(markdown: str) -> str:
    """The source of a page with what is generated in it written anew."""
    return PART.sub(lambda part: f"{part[1]}\n\n{generated(markdown, part)}\n\n{part[4]}", markdown)


# --- formulas -----------------------------------------------------------------------------------


def with_formulas(markdown: str) -> str:
    """The formulas outside of code as MathML."""
    done, at = "", 0
    for code in CODE.finditer(markdown):
        done += FORMULA.sub(formula, markdown[at : code.start()]) + code[0]
        at = code.end()
    return done + FORMULA.sub(formula, markdown[at:])


def formula(found: re.Match[str]) -> str:
    from latex2mathml.converter import convert  # only a page with formulas needs it

    if found[1]:
        return str(convert(found[1], display="block"))
    return f"<span>{convert(found[2])}</span>"  # Markdown takes a line that begins with <math> for a block


# --- tables from declarations -------------------------------------------------------------------


def agents(_page: str, _: str) -> str:
    """Every general agent with its parameters."""
    example = load(names()[0])
    sections = [
        f"## {each.name}\n\n{sentence(each.help)}\n\n{params_table(each.params(example))}" for each in AGENT_TYPES
    ]
    return "\n\n".join(sections)


def games(_page: str, _: str) -> str:
    """Every built-in game with what it offers."""
    return "\n\n".join(game_section(load(name)) for name in names())


def game_section(game: Game) -> str:
    own = [kind.name for kind in agent_types(game) if kind not in AGENT_TYPES]
    fitting = [kind.name for kind in agent_types(game) if kind in AGENT_TYPES]
    facts = {
        "Name": f"`{game.name}`",
        "Seats": ", ".join(game.seats),
        "Chance": "yes" if game.chance else "no",
        "Hidden information": "yes" if game.hidden else "no",
        "Agents that can play it": codes(fitting),
        "Policies": codes(own) or "none of its own",
        "Prunings": codes(game.filters) or "none",
    }
    parts = [f"## {game.title}", game.about, table(("", ""), facts.items())]
    parts += titled("Options", game.params)
    if own_agents(game):
        rows = [(f"`{name}`", f"`{spec}`") for name, spec in own_agents(game).items()]
        parts += ["**Named agents**", table(("name", "stands for"), rows)]
    parts += titled("Weights of the evaluation", game.weights)
    return "\n\n".join(parts)


def titled(title: str, params: Sequence[Param]) -> list[str]:
    return [f"**{title}**", params_table(params)] if params else []


def options(_page: str, command: str) -> str:
    """The arguments and options of a command, or the commands that it is made of."""
    found: Any = typer.main.get_group(app)
    for name in command.split():
        found = found.commands[name]
    if hasattr(found, "commands"):
        rows = [(f"`{command} {name}`", prose(part.help)) for name, part in sorted(found.commands.items())]
        return f"{found.help}\n\n" + table(("", ""), rows)
    return f"{found.help}\n\n" + table(("", ""), [(f"`{usage(param)}`", meaning(param)) for param in found.params])


def usage(param: Any) -> str:
    """`--moves MOVES` for an option, `[GAME]` for an argument."""
    metavar, name = param.metavar, param.opts[0]
    if not name.startswith("-"):
        return str(metavar or name.upper())
    return f"{name} {metavar}" if metavar else str(name)


def meaning(param: Any) -> str:
    """What a command's parameter is, with the default if there is one to speak of."""
    text, default = prose(param.help), param.default
    if isinstance(default, bool) or not isinstance(default, int | float | str):
        return text
    return f"{text} Default: `{default}`."


def laws(_page: str, _: str) -> str:
    """The laws in the order in which they are judged."""
    rows = [(f"`{law.name}`", law.description, f"`{law.needs}`" if law.needs else "") for law in LAWS]
    return table(("law", "what it says", "needs"), rows)


def hooks(_page: str, _: str) -> str:
    """Every hook with what it may ask for."""
    return table(
        ("rule", "may ask for"), [(f"`{name}`", codes(offered.split(", "))) for name, offered in HOOKS.items()]
    )


def params_table(params: Iterable[Param]) -> str:
    """Parameters as a table; an evaluation's weights belong to a game and are left to it."""
    rows = [
        (f"`{param.name}`", prose(param.help), f"`{value_text(param.default)}`", param.allowed().replace("|", "·"))
        for param in params
        if not param.name.startswith(WEIGHT)
    ]
    return table(("parameter", "what it does", "default", "allowed"), rows) if rows else "No parameters."


def prose(text: str) -> str:
    """Help as Markdown: an asterisk outside of code is an asterisk."""
    return re.sub(r"`[^`]*`|\*", lambda found: r"\*" if found[0] == "*" else found[0], text)


def codes(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


# --- files that a page writes step by step ------------------------------------------------------


def file(page: str, name: str) -> str:
    """The whole file, from the blocks of the page that carry its name."""
    return f'```python title="{name}"\n{assembled(page, name)}```'


def assembled(page: str, name: str) -> str:
    """The blocks with this title, one after the other, without those that were assembled before."""
    return "\n\n".join(block[2] for block in FILE_BLOCK.finditer(PART.sub("", page)) if block[1] == name)


def results(_page: str, _: str) -> str:
    """Every experiment with what came out of it, from the summaries."""
    return results_page(RESULTS)


def quotes(_page: str, wanted: str) -> str:
    """Cells of results for README.md, on each line an experiment, the name of a cell, and after a bar what it is."""
    lines = [line.partition(" | ") for line in wanted.splitlines() if line]
    cells = [(*cell.partition(" ")[::2], words) for cell, _, words in lines]
    return quotes_of_results(RESULTS, cells, "docs/results.md")


def roles(_page: str, _: str) -> str:
    """The colours of the roles, from the style sheet of the app."""
    day, _, night = STYLES.read_text("utf-8").partition("prefers-color-scheme: dark")
    by_day, by_night = (dict(re.findall(r"--r-([\w-]+): (#\w+);", part)) for part in (day, night))
    rows = [(f"`{role}`", f"`{colour}`", f"`{by_night[role]}`") for role, colour in by_day.items()]
    return table(("role", "by day", "by night"), rows)


GENERATORS: dict[str, Callable[[str, str], str]] = {
    "agents": agents,
    "file": file,
    "games": games,
    "hooks": hooks,
    "laws": laws,
    "options": options,
    "quotes": quotes,
    "results": results,
    "roles": roles,
}


if __name__ == "__main__":
    for path in (*PAGES.glob("*.md"), PAGES.parent / "README.md"):
        path.write_text(refreshed(path.read_text("utf-8")), "utf-8")
