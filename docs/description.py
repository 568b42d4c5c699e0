"""The description of the package: README.md without what only works beside the repository.

An index of packages shows this text on its own, where no relative path leads anywhere: paragraphs with pictures are
left out, and of a link to a file its words are kept. Hatchling calls `update` when it builds.
"""

from __future__ import annotations

import pathlib
import re
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK_TO_A_FILE = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")


def described(readme: str) -> str:
    """What of the README can be read anywhere."""
    kept = [paragraph for paragraph in readme.split("\n\n") if "![" not in paragraph]
    return LINK_TO_A_FILE.sub(r"\1", "\n\n".join(kept))


class Description(MetadataHookInterface):
    """Puts the description into the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        readme = pathlib.Path(self.root, "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": described(readme)}
