"""`spielbaum serve`: the browser app."""

from __future__ import annotations

import errno
import os
import pathlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.extras import require
from spielbaum.cli.inputs import DEFAULT_STORE, Games, StoreFile
from spielbaum.errors import SpielbaumError

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping

    import uvicorn
    from fastapi import APIRouter

    from spielbaum.web.settings import Settings

HERE = ("127.0.0.1", "localhost", "::1")


def command(
    games: Games,
    proxy: Annotated[
        list[str],
        typer.Option(
            "--proxy",
            metavar="ADDRESS",
            help="A reverse proxy whose word is taken for who asks; may be given several times.",
            default_factory=list,
            show_default=False,
        ),
    ],
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes a free one.")] = 8321,
    host: Annotated[str, typer.Option("--host", help="The address to listen on; 0.0.0.0 is open to all.")] = HERE[0],
    kiosk: Annotated[
        str | None, typer.Option("--kiosk", metavar="GAME", help="Show this game only, in full screen, for a museum.")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    store: StoreFile = DEFAULT_STORE,
    data: Annotated[
        pathlib.Path | None,
        typer.Option("--data", metavar="DIR", help="Where sessions and logs are kept.", show_default="the user's"),
    ] = None,
) -> None:
    """Play, watch and analyse in a browser."""
    require("web")  # without websockets uvicorn would serve pages that no game comes to
    from spielbaum.web.app import create_server
    from spielbaum.web.logs import start_logging
    from spielbaum.web.settings import Settings
    from spielbaum.web.store import default_folder

    folder = data or default_folder()
    start_logging(folder)
    offered = dict.fromkeys([*games, *([kiosk] if kiosk else [])])
    door = listening(host, port)
    hosts = HERE if host in HERE and not proxy else ()
    settings = Settings(tuple(offered), folder, pathlib.Path(store), hosts, named(kiosk), proxies=tuple(proxy))
    server = create_server(settings, host, port, stage_of(offered, settings))
    run(server, door, opened=not no_open)


def stage_of(offered: Mapping[str, None], settings: Settings) -> APIRouter | None:
    """A stage for the stored games of spe_ed, where that is offered."""
    from spielbaum.online.stage import stage_router
    from spielbaum.online.stage_store import GAME, StageStore

    if settings.kiosk is not None or settings.store is None or (offered and GAME not in offered):
        return None
    return stage_router(StageStore(settings.store), settings)


def named(kiosk: str | None) -> str | None:
    """The name of the kiosk's game, which may be given as a path."""
    from spielbaum.game import load

    return None if kiosk is None else load(kiosk).name


def listening(host: str, port: int) -> socket.socket:
    """A socket at the address, or an error that says what is wrong with it."""
    from spielbaum.web.app import listen

    try:
        return listen(host, port)
    except PermissionError:
        raise SpielbaumError(f"port {port} needs more rights; take one from 1024 with --port") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise SpielbaumError(f"port {port} is taken; choose another one with --port, or 0 for any") from None
        raise SpielbaumError(f"can't listen on {host}, port {port}: {error.strerror or error}") from None


def run(server: uvicorn.Server, door: socket.socket, *, opened: bool) -> None:
    """Serve until Ctrl-C, and tell where."""
    host, port = door.getsockname()[:2]
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    address = f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"
    print(f"Spielbaum is at {address} (Ctrl-C ends it)", flush=True)
    if host not in HERE:
        print("It can be reached by everybody in your network.", file=sys.stderr)
    if opened:
        open_browser(address)
    server.run(sockets=[door])


def open_browser(address: str) -> None:
    """Show the page where there is a screen; the socket listens already, so it need not wait."""
    import webbrowser

    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)
