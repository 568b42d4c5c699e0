"""What goes over the wire: compressed once, named by its content, and never together with a secret."""

from __future__ import annotations

import re

import httpx

from spielbaum.web.assets import STATIC, Assets
from tests.web.server import PERSON, Server

FOR_EVER = "public, max-age=31536000, immutable"


def plain(server: Server, path: str, **headers: str) -> httpx.Response:
    """An answer to a client that says itself what it understands."""
    return server.http.get(path, headers={"accept-encoding": "identity", **headers})


def named_files(page: str) -> list[str]:
    return re.findall(r'(?:href|src)="(static/[^"]+)"', page)


def test_a_file_is_compressed_for_those_who_understand_it(server: Server) -> None:
    whole = plain(server, "/js/words.js")
    packed = plain(server, "/js/words.js", **{"accept-encoding": "br, gzip"})
    assert "content-encoding" not in whole.headers and packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < 0.5 * int(whole.headers["content-length"])
    assert packed.text == whole.text == (STATIC / "js/words.js").read_text("utf-8")
    assert packed.headers["vary"] == whole.headers["vary"] == "accept-encoding"
    assert plain(server, "/js/words.js", **{"accept-encoding": "gzip;q=0"}).headers.get("content-encoding") is None


def test_what_has_not_changed_is_not_sent_again(server: Server) -> None:
    for path in ("/", "/js/words.js", "/api/games", "/api/games/latrunculi/symbols.svg"):
        first = plain(server, path)
        again = plain(server, path, **{"if-none-match": f'"other", {first.headers["etag"]}'})
        assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert first.headers["cache-control"] == again.headers["cache-control"] == "no-cache"
        assert plain(server, path, **{"if-none-match": '"other"'}).status_code == 200


def test_the_page_names_its_files_by_their_content(server: Server) -> None:
    names = named_files(plain(server, "/").text)
    assert {name.split("/", 2)[2] for name in names} >= {"css/base.css", "js/app.js", "js/screens/start.js", "icon.svg"}
    for name in names:
        answer = plain(server, f"/{name}")
        assert answer.status_code == 200 and answer.headers.get_list("cache-control") == [FOR_EVER], name


def test_other_content_has_other_names() -> None:
    files = {"index.html": b'<script type="module" src="js/app.js"></script>', "js/app.js": b"1"}
    one, same, other = (Assets({**files, "js/app.js": body}, ("js/app.js",)) for body in (b"1", b"1", b"2"))
    assert one.version == same.version != other.version
    assert one.find(f"static/{one.version}/js/app.js") and not one.find(f"static/{other.version}/js/app.js")


def test_the_page_loads_ahead_what_its_first_screen_imports_and_nothing_else() -> None:
    files = {
        "index.html": b'<head><script type="module" src="js/app.js"></script></head>',
        "js/app.js": b'import { a } from "./a.js";\nconst later = () => import("./screens/late.js");',
        "js/a.js": b'import {\n  b,\n} from "./parts/b.js";',
        "js/parts/b.js": b'import { a } from "../a.js";',
        "js/screens/late.js": b"",
    }
    page = Assets(files, ("js/app.js",)).find("")
    assert page is not None
    ahead = re.findall(rb'rel="modulepreload" href="static/\w+/([^"]+)"', page[0].body)
    assert ahead == [b"js/a.js", b"js/app.js", b"js/parts/b.js"]


def test_what_is_no_file_of_the_app_is_not_there(server: Server) -> None:
    for path in ("/js/nothing.js", "/js/types.d.ts", "/static/0123456789abcdef/js/app.js", "/%2e%2e/app.py"):
        answer = plain(server, path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found"), path


def test_an_answer_with_a_token_is_never_compressed(server: Server) -> None:
    begun = server.http.post(
        "/api/sessions",
        json={"game": "tic-tac-toe", "seats": [PERSON, PERSON]},
        headers={"accept-encoding": "gzip"},
    )
    assert begun.json()["token"] and "content-encoding" not in begun.headers


def test_a_setup_is_compressed(server: Server) -> None:
    answer = server.http.post("/api/games/latrunculi/setup", json={"options": {}}, headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip" and answer.json()["seats"]
