"""The cookie by which a browser is known again: set with the page, read when it connects.

For Streamlit 1.67, which can read a cookie and not set one: the server it runs is wrapped. It goes
when Streamlit sets cookies. tests/browser/test_coming_back.py comes back.
"""

import time
from collections.abc import Iterator
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import cookie_parser

from mecuco_app.data.offers import OFFERS
from mecuco_app.data.visits import VISITS, Visit
from mecuco_app.screen.connection import one_time as one_time_address

_PREFIX = "mecuco-visit-"


class VisitCookie:
    """ASGI middleware: a browser that asks for a page and shows no token of ours is given one.

    The cookie can't be read by scripts, is not sent along by other sites, and ends with the
    browser. Its name holds the port: cookies of one machine are shared by all its servers.
    """

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        known = [token for token in _tokens(_cookies(scope)) if VISITS.issued(token)]
        one_time = one_time_address.token_of(scope)
        if one_time is not None:
            await self._hand_over(scope, send, one_time, known)
            return
        if not _asks_for_page(scope) or known:
            if known and _asks_again(scope):
                VISITS.visit(known[0]).reloaded = time.monotonic()
            await self.app(scope, receive, send)
            return
        cookie = _set_cookie(scope, VISITS.issue())

        async def send_with_cookie(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), (b"set-cookie", cookie)]
                message = {**message, "headers": headers}
            await send(message)

        await self.app(scope, receive, send_with_cookie)

    async def _hand_over(self, scope: Any, send: Any, one_time: str, known: list[str]) -> None:
        """Answer an address that works once; a browser without a visit begins one."""
        if not OFFERS.has(one_time):
            await one_time_address.answer(scope, send, one_time, None, b"")
            return
        own = known[0] if known else VISITS.issue()
        cookie = b"" if known else _set_cookie(scope, own)
        await one_time_address.answer(scope, send, one_time, VISITS.visit(own), cookie)


MIDDLEWARE = [Middleware(VisitCookie)]
"""For the server of the app."""


def visit() -> Visit:
    """Return the visit of the browser that is being answered; an unheld one without a cookie."""
    for token in _tokens(st.context.cookies):
        if VISITS.issued(token):
            return VISITS.visit(token)
    return Visit()


def _asks_for_page(scope: Any) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def _asks_again(scope: Any) -> bool:
    """Whether the browser reloads a page: it then wants nothing from its store."""
    said = dict(scope["headers"]).get(b"cache-control", b"")
    return _asks_for_page(scope) and (b"max-age=0" in said or b"no-cache" in said)


def _cookies(scope: Any) -> dict[str, str]:
    sent = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
    return cookie_parser("; ".join(sent))


def _tokens(cookies: Any) -> Iterator[str]:
    return (value for name, value in cookies.items() if name.startswith(_PREFIX))


def _set_cookie(scope: Any, token: str) -> bytes:
    port = (scope.get("server") or ("", 0))[1]
    parts = [f"{_PREFIX}{port}={token}", "Path=/", "HttpOnly"]
    if one_time_address.is_embedded(scope):
        # A notebook at localhost that shows 127.0.0.1 inside is another site: Chromium 141 drops a
        # cookie with SameSite=Lax there, and keeps this one, which counts inside that notebook
        # only. It takes Secure from a loopback address without https.
        parts += ["SameSite=None", "Secure", "Partitioned"]
    else:
        parts.append("SameSite=Lax")
        if scope.get("scheme") == "https":
            parts.append("Secure")
    return "; ".join(parts).encode()
