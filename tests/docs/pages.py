"""The pages of the documentation as tests read them: code blocks, and commands with what they print.

A transcript is compared as a reader would: numbers may be others, because time and machines differ;
`…` stands for anything; widths of columns do not count.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import os
import pathlib
import re
import shlex
import sys
import types
from collections.abc import Iterator

from spielbaum.cli import main

DOCS = pathlib.Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"(\(\? lists them\): )(.+)\n")
NUMBER = r"(?<![A-Za-z0-9])[-+]?\d[\d,]*(?:\.\d+)?"


def page(name: str) -> str:
    """The source of a page."""
    return (DOCS / name).read_text("utf-8")


def hooks() -> types.ModuleType:
    """What MkDocs runs to fill the pages."""
    spec = importlib.util.spec_from_file_location("docs_hooks", DOCS / "hooks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def place(file: pathlib.Path, text: str) -> pathlib.Path:
    """Write a file unless it is there already; others who read it at the same time see all of it or nothing."""
    if not file.exists() or file.read_text("utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_suffix(f".{os.getpid()}")
        temporary.write_text(text, "utf-8")
        os.replace(temporary, file)
    return file


def blocks(text: str, language: str) -> Iterator[str]:
    """The code blocks of a language."""
    return (found[3] for found in BLOCK.finditer(text) if found[1] == language)


def run_examples(text: str, names: dict[str, object]) -> None:
    """Run the interactive examples of a page, which share their names; a difference raises."""
    parser, runner = doctest.DocTestParser(), doctest.DebugRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate(blocks(text, "pycon"), 1):
        test = parser.get_doctest(block, names, f"example {number}", None, None)
        try:
            runner.run(test, clear_globs=False)
        except doctest.DocTestFailure as failure:
            source, wanted = failure.example.source, failure.example.want
            raise AssertionError(f"{source}gives\n{failure.got}and not\n{wanted}") from None
        names.update(test.globs)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command that a page shows, with what it says that the command prints."""
    for block in blocks(text, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def run_command(command: str, shown: str) -> str:
    """What a command of the page prints; what the page shows after a prompt is typed."""
    program, *arguments = shlex.split(command)
    assert program == "spielbaum", command
    typed = "".join(f"{answer}\n" for _, answer in PROMPT.findall(shown))
    printed = io.StringIO()
    before, sys.stdin = sys.stdin, io.StringIO(typed)
    try:
        with contextlib.redirect_stdout(printed):
            code = main(arguments)
    finally:
        sys.stdin = before
    assert code in (0, None), f"{command} ended with {code}"
    return printed.getvalue()


def agrees(shown: str, printed: str, free: str = NUMBER) -> bool:
    """Whether a page shows what a command prints; what the pattern `free` finds may differ."""
    known = re.split(r"\s*…\s*", normal(PROMPT.sub(r"\1", shown), free))
    return re.fullmatch("(?s:.*?)".join(map(re.escape, known)), normal(printed, free)) is not None


def normal(text: str, free: str) -> str:
    """The text without what may differ, widths of columns and empty lines among it."""
    lines = [" ".join(re.sub("─+", "─", line).split()) for line in text.splitlines()]
    return re.sub(free, "@", "\n".join(line for line in lines if line))
