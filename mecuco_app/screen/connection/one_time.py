"""Addresses that work once: they hand a browser the dataset that a program brought for it.

For Streamlit 1.67, which serves pages and nothing else: the server it runs is wrapped. It goes when
Streamlit lets an app answer addresses of its own. tests/browser/test_show.py opens them.
"""

from typing import Any
from urllib.parse import urlencode

from mecuco_app.data.offers import OFFERS, PATH
from mecuco_app.data.visits import Visit
from mecuco_app.view import links

_PAGE = "/Explore"
_USED = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>MeCuCo Explorer</title>"
    "<p>This address has been used, or its program has ended: it opens once, in one browser. "
    "Ask the program for a new one, as in <code>shown.url</code>, or call <code>mecuco.show</code> "
    "again.</p></html>"
)

Header = tuple[bytes, bytes]


def token_of(scope: Any) -> str | None:
    """Return the token of a request for such an address, None for any other request."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    _, found, token = str(scope["path"]).rpartition(PATH)
    return token if found and "/" not in token else None


def is_embedded(scope: Any) -> bool:
    """Whether a page of another site shows ours inside, as notebooks do."""
    said = dict(scope["headers"])
    inside = said.get(b"sec-fetch-dest", b"") in (b"iframe", b"frame")
    return inside and said.get(b"sec-fetch-site", b"") == b"cross-site"


async def answer(scope: Any, send: Any, token: str, visit: Visit | None, cookie: bytes) -> None:
    """Lead the browser to its dataset; a token that was used gets a sentence.

    Parameters
    ----------
    visit : Visit or None
        Of the browser; None where nothing is to be had.
    cookie : bytes
        To be set with the answer; empty for none.
    """
    view = None if visit is None else OFFERS.take(token, visit)
    headers: list[Header] = [(b"cache-control", b"no-store"), (b"referrer-policy", b"no-referrer")]
    if view is None:
        headers.append((b"content-type", b"text/html; charset=utf-8"))
        await _send(send, 410, headers, _USED.encode())
        return
    before = str(scope["path"]).rpartition(PATH)[0]  # of a server below another address
    place = f"{before}{_PAGE}?{urlencode(links.encoded(view))}"
    headers += [(b"location", place.encode("ascii"))]
    headers += [(b"set-cookie", cookie)] if cookie else []
    await _send(send, 303, headers, b"")


async def _send(send: Any, status: int, headers: list[Header], body: bytes) -> None:
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
