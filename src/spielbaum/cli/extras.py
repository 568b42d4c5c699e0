"""What a plain installation leaves out: the modules that an extra brings, and what is said where they are missing."""

from __future__ import annotations

import importlib

BROUGHT = {
    "report": ("jinja2", "matplotlib"),
    "tune": ("optuna", "tomlkit"),
    "web": ("fastapi", "uvicorn", "websockets"),
}
PURPOSES = {
    "report": "reports and their pictures need",
    "tune": "tuning by Optuna and 'tune --apply' need",
    "web": "the browser app and play over the network need",
}


def require(extra: str) -> None:
    """Import what an extra brings, for a command that would miss it only after long work, or never say so."""
    for module in BROUGHT[extra]:
        importlib.import_module(module)


def advice(error: ModuleNotFoundError) -> str | None:
    """What to install for a module that is missing; None where no extra brings it.

    >>> advice(ModuleNotFoundError(name="uvicorn.protocols"))
    "the browser app and play over the network need uvicorn, which is not installed; pip install 'spielbaum[web]'"
    >>> advice(ModuleNotFoundError(name="scipy"))
    """
    missing = (error.name or "").partition(".")[0]
    for extra, modules in BROUGHT.items():
        if missing in modules:
            return f"{PURPOSES[extra]} {missing}, which is not installed; pip install 'spielbaum[{extra}]'"
    return None
