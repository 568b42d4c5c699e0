"""A server in a process of its own: `python -m tests.web.ui.serve '{"kiosk": "latrunculi"}' PORT`."""

from __future__ import annotations

import json
import pathlib
import socket
import sys

from spielbaum.web import session_manager
from spielbaum.web.app import create_server
from spielbaum.web.settings import Settings
from tests.web.server import any_seeds


def main(settings: str, port: str) -> None:
    """Serve until ended; the first line that is printed is the port."""
    session_manager.seeds = any_seeds
    given = json.loads(settings)
    folder = given.pop("folder", None)
    given |= {"store": pathlib.Path(given["store"])} if "store" in given else {}
    door = socket.create_server(("127.0.0.1", int(port)))
    chosen = Settings(**given, folder=folder and pathlib.Path(folder), searches=2, megabytes=32)
    server = create_server(chosen, "127.0.0.1", door.getsockname()[1])
    print(door.getsockname()[1], flush=True)
    server.run(sockets=[door])


if __name__ == "__main__":
    main(*sys.argv[1:])
