"""What is the same for everybody: the app's files and the answers about games, compressed once, named by content.

The page refers to its files as `static/DIGEST/js/app.js`, where the digest is that of all files together: a browser
keeps them for ever, relative imports stay as they are written, and a new version has new names. The page itself and
the answers about games carry an `ETag` and are asked for anew; what has not changed is answered with 304 (RFC 9110,
section 13). Modules that the first screen needs are named in the page's head, so that they come all at once instead
of one import after the other.

Only what holds no secret is compressed. Where a secret and a text of an attacker's choice are compressed together,
the length gives the secret away (BREACH, Prado, Harris & Gluck 2013); answers with a token go out as they are.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
import pathlib
import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

STATIC = pathlib.Path(__file__).with_name("static")
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
FOR_EVER, ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"
SMALL = 500  # bytes; below that compression gains nothing
IMPORT = re.compile(rb'^(?:import|export)\b[^;]*?"(\.[^"]+)";', re.MULTILINE)
NAMED = re.compile(rb'\b(href|src)="((?:css|js)/[^"]+|icon\.svg)"')


class Asset(NamedTuple):
    """A body, the same compressed where that is worth it, and what tells it from any other."""

    body: bytes
    packed: bytes | None
    digest: str


@functools.lru_cache(maxsize=128)
def asset(body: bytes) -> Asset:
    """Cached by content, so that it can't be stale."""
    packed = gzip.compress(body, mtime=0) if len(body) > SMALL else None
    return Asset(body, packed, digest_of([body]))


def digest_of(bodies: Iterable[bytes]) -> str:
    """A short name for some content."""
    total = hashlib.sha256()
    for body in bodies:
        total.update(hashlib.sha256(body).digest())
    return total.hexdigest()[:16]


def sent(request: Request, found: Asset, suffix: str, cache: str = ASK_AGAIN) -> Response:
    """The answer to a request for an asset: 304 if the client has it, compressed if the client understands that."""
    tag = f'W/"{found.digest}"'
    headers = {"etag": tag, "vary": "accept-encoding", "cache-control": cache}
    if tag.removeprefix("W/") in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if found.packed is None or not takes_gzip(request):
        return Response(found.body, headers=headers, media_type=MEDIA[suffix])
    return Response(found.packed, headers=headers | {"content-encoding": "gzip"}, media_type=MEDIA[suffix])


def takes_gzip(request: Request) -> bool:
    """Whether a client understands gzip; `gzip;q=0` says that it does not."""
    said = [part.replace(" ", "").partition(";") for part in request.headers.get("accept-encoding", "").split(",")]
    return any(name == "gzip" and quality not in ("q=0", "q=0.0") for name, _, quality in said)


def json_response(request: Request, answer: Any) -> Response:
    """An answer as JSON, compressed and with an `ETag`; only for what holds no secret."""
    return sent(request, asset(as_json(answer)), ".json")


def as_json(answer: Any) -> bytes:
    """JSON that every client understands; `ValueError` where there is none, as for NaN and halves of characters."""
    return json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def sound(answer: dict[str, Any]) -> dict[str, Any]:
    """Return what was read from a file; raise `ValueError` if it is no valid JSON."""
    as_json(answer)
    return answer


class Assets:
    """The app's files by their addresses, read once; an ASGI application."""

    def __init__(self, files: Mapping[str, bytes], entries: Iterable[str]):
        self.version = digest_of(part for name in sorted(files) for part in (name.encode(), files[name]))
        page = with_names(files["index.html"], self.version, imported(files, entries))
        self.files = {name: asset(body) for name, body in files.items()} | {"index.html": asset(page)}

    def find(self, path: str) -> tuple[Asset, str, str] | None:
        """What is at an address, its kind, and how long it may be kept."""
        prefix = f"static/{self.version}/"
        name = path.removeprefix(prefix) or "index.html"
        found = self.files.get(name)
        return found and (found, pathlib.PurePosixPath(name).suffix, FOR_EVER if path.startswith(prefix) else ASK_AGAIN)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, "this can only be read")
        found = self.find(scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/"))
        if found is None:
            raise HTTPException(404, "there is nothing at this address")
        asset, suffix, cache = found
        await sent(request, asset, suffix, cache)(scope, receive, send)


def read_files(folder: pathlib.Path) -> dict[str, bytes]:
    """All files of a folder that a browser needs, by their relative paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in MEDIA and path.name != "tsconfig.json"
    }


def imported(files: Mapping[str, bytes], entries: Iterable[str]) -> list[str]:
    """Some modules with all that they import, directly or not; what is imported while the app runs can wait."""
    found: set[str] = set()
    waiting = list(entries)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        folder = posixpath.dirname(name)
        waiting += [posixpath.normpath(posixpath.join(folder, one.decode())) for one in IMPORT.findall(files[name])]
    return sorted(found)


def with_names(page: bytes, version: str, ahead: Iterable[str]) -> bytes:
    """The page with its files under names that change with their content, and the modules to load at once."""
    links = "".join(f'<link rel="modulepreload" href="js{name[2:]}" />' for name in ahead)
    linked = page.replace(b"</head>", f"{links}</head>".encode())
    return NAMED.sub(rb'\1="static/%s/\2"' % version.encode(), linked)
