"""What a command says on standard error, apart from what it says only where nothing was compiled before."""

from __future__ import annotations


def complaints(error: str) -> list[str]:
    """Its lines without the notices of compiling, which depend on the tests that ran before."""
    return [line for line in error.splitlines() if not line.startswith("compiling")]
