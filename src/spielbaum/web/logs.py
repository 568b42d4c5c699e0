"""Structured logs: one JSON object per line, in a file that does not grow for ever."""

from __future__ import annotations

import json
import logging
import logging.handlers
import pathlib
import sys

LARGEST, KEPT = 5_000_000, 3


class JsonLines(logging.Formatter):
    """A record as one line of JSON: when, how bad, what, and the facts."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}",
            "level": record.levelname.lower(),
            "source": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def start_logging(folder: pathlib.Path | None) -> None:
    """Log into `server.jsonl` of a folder, or to standard error where there is none that can be written."""
    handler: logging.Handler
    try:
        if folder is None:
            raise OSError
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "server.jsonl"
        handler = logging.handlers.RotatingFileHandler(file, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8")
    except OSError:
        handler = logging.StreamHandler(sys.stderr)
        handler.setLevel(logging.WARNING)
    handler.setFormatter(JsonLines())
    for name in ("spielbaum.web", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if name == "spielbaum.web" else logging.WARNING)
