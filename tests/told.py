"""What a command says on standard error, apart from what it says only where nothing was compiled before."""

from __future__ import annotations


def complaints(error: str) -> list[str]:
    """Its lines without the notices of compiling, which depend on the tests that ran before."""
    return without_notices(error).splitlines()


def without_notices(error: str) -> str:
    """The same as one text."""
    return "".join(line for line in error.splitlines(keepends=True) if not line.startswith("compiling"))
