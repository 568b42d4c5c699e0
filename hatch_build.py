"""A wheel with kernels in it is for one system and one version of Python; one without them is for all.

`make kernels` puts them into the package; see `spielbaum.compile.shipped`.
"""

from __future__ import annotations

import pathlib
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Gives the wheel the tags of this Python where there are kernels."""

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        """Called by Hatch before it packs."""
        if any(pathlib.Path(self.root).glob("src/spielbaum/shipped/*/manifest.json")):
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
