"""What comes before all else: without the teacher's key, a request gets the phones' routes and nothing of Streamlit.

The key stands in the link that the terminal prints. Whoever opens it gets a cookie, and goes on without the key in
the address.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

PAGE, LINK = "/classroom", "/teacher"
_COOKIE, _SECONDS = "pairlens_teacher", 86_400
_CLOSED = "Only the teacher of this class opens this page: by the link in the window where the class was started."


class OnlyTheTeacher:
    """Middleware around the whole server. `open_to_all` are the phones' routes, the first to their page."""

    def __init__(self, app: ASGIApp, key: str, open_to_all: Sequence[Route]) -> None:
        self._app, self._key, self._open = app, key, open_to_all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, let in, send to the phones' page, or refuse."""
        phones = any(route.matches(scope)[0] is Match.FULL for route in self._open)  # by path and method
        if phones or scope["type"] == "lifespan" or self._is_teacher(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._instead(Request(scope))(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _is_teacher(self, scope: Scope) -> bool:
        return self._is_key(cookie(Headers(scope=scope), _COOKIE)) and scope["path"] != LINK

    def _is_key(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self._key.encode())

    def _instead(self, request: Request) -> Response:
        if request.url.path == LINK and self._is_key(request.query_params.get("key", "")):
            response = RedirectResponse(PAGE, 303)
            response.set_cookie(_COOKIE, self._key, _SECONDS, httponly=True, samesite="lax")
            return response
        if request.url.path == "/":
            return RedirectResponse(self._open[0].path, 303)
        if request.url.path in {route.path for route in self._open}:
            return PlainTextResponse("There is nothing here to read.", 404)
        return PlainTextResponse(_CLOSED, 403)


def cookie(headers: Headers, name: str) -> str:
    """A cookie of a request; empty if there is none, or what was sent is no list of cookies."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""
