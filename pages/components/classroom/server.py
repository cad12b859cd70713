"""The server of one class: Streamlit for the teacher, a few routes for phones. `pairlens class` starts it.

python -m pages.components.classroom.server NAME BIND ADDRESS PORT [eof]

A phone is known by a random cookie; what is kept is the cookie's hash. A phone that asks what is shown waits until
something else is shown, so that all learn of it at once, without a session of Streamlit. The teacher's key stands in
the link that the terminal prints. Whoever opens it gets a cookie, and goes on without the key in the address.
"""

import asyncio
import json
import logging
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable, Sequence
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from threading import Thread
from typing import Any

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.components.classroom.served import SERVED, Served
from pairlens import identity
from pairlens.errors import InputError, StoreError
from pairlens.places import FOLDER
from pairlens.studies.classroom.classroom import Classroom
from pairlens.studies.classroom.kept import Kept, opened
from pairlens.studies.classroom.shares import told

PAGE, LINK = "/classroom", "/teacher"
_TEACHER, _DAY = "pairlens_teacher", 86_400
_CLOSED = "Only the teacher of this class opens this page: by the link in the window where the class was started."
_HERE = Path(__file__).parent
_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_PHONE, _SECONDS, _LONGEST = "pairlens_phone", 86_400, 1_000
_PATIENCE, _LOOK = 20.0, 0.1
"""Seconds that a phone waits for something new, and between two looks."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_NOT_JOINED = "Type the code that stands on the screen."


def main(name: str, bind: str, address: str, port: str, until: str = "") -> None:
    """Serve a class until Ctrl-C, or also until "eof"; `bind` is where to listen, `address` what phones open."""
    if until == "eof":
        Thread(target=_end_with_input, daemon=True).start()
    dashboard = str(FOLDER / "app.py")
    sys.argv[:] = [dashboard]  # Streamlit looks for its settings beside the program that was started
    logging.getLogger("pairlens.sharing").setLevel(logging.ERROR)  # that it is shared is no news to the teacher
    with opened(name) as votes:
        SERVED[:] = [Served(votes, f"http://{address}:{port}")]
        phones = routes(votes)
        guard = Middleware(OnlyTheTeacher, key=votes.see(lambda room: room.key), open_to_all=phones)
        app = st.App(dashboard, routes=phones, middleware=[guard])
        app.run(config={"server.address": bind, "server.port": int(port), "logger.hideWelcomeMessage": True})


def _end_with_input() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGINT)


class OnlyTheTeacher:
    def __init__(self, app: ASGIApp, key: str, open_to_all: Sequence[Route]) -> None:
        self._app, self._key, self._open = app, key, open_to_all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        phones = any(route.matches(scope)[0] is Match.FULL for route in self._open)  # by path and method
        teacher = scope["type"] != "lifespan" and self._is_key(cookie(Headers(scope=scope), _TEACHER))
        if phones or scope["type"] == "lifespan" or (teacher and scope["path"] != LINK):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._instead(Request(scope))(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _is_key(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self._key.encode())

    def _instead(self, request: Request) -> Response:
        if request.url.path == LINK and self._is_key(request.query_params.get("key", "")):
            response = RedirectResponse(PAGE, 303)
            response.set_cookie(_TEACHER, self._key, _DAY, httponly=True, samesite="lax")
            return response
        if request.url.path == "/":
            return RedirectResponse(self._open[0].path, 303)
        if request.url.path in {route.path for route in self._open}:
            return PlainTextResponse("There is nothing here to read.", 404)
        return PlainTextResponse(_CLOSED, 403)


def cookie(headers: Headers, name: str) -> str:
    """A cookie of a request; empty if there is none, or what was sent is no list of cookies."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def routes(votes: Kept) -> list[Route]:
    phones = _Phones(votes)
    return [
        *(Route(path, _file) for path in ("/join", "/join/phone.css", "/join/phone.js")),
        Route("/class/join", phones.join, methods=["POST"]),
        Route("/class/state", phones.state),
        Route("/class/vote", phones.vote, methods=["POST"]),
    ]


async def _file(request: Request) -> Response:
    kind = request.url.path.rpartition(".")[2] if "." in request.url.path else "html"
    return Response((_HERE / f"phone.{kind}").read_bytes(), media_type=_KINDS[kind], headers=_HEADERS)


class _Phones:
    def __init__(self, votes: Kept) -> None:
        self._kept = votes

    async def join(self, request: Request) -> Response:
        """Give a new phone its cookie if it knows the code; one that has joined stays what it is."""
        values = await _body(request)
        if not isinstance(code := values.get("code"), str):
            return _no("There is no code.", 400)
        if code.strip().upper() != self._kept.see(lambda room: room.code):
            return _no("This is not the code of this class. It stands on the screen.", 403)
        number = cookie(request.headers, _PHONE)
        if not self._kept.see(lambda room: _hash(number) in room.phones):
            number = secrets.token_hex(16)
        response = await self._changed(number, lambda room, phone: room.join(phone))
        response.set_cookie(_PHONE, number, _SECONDS, httponly=True, samesite="strict")
        return response

    async def state(self, request: Request) -> Response:
        """What is shown: at once if the phone knows another turn, else when something else is, or after a while."""
        phone, until = _hash(cookie(request.headers, _PHONE)), time.monotonic() + _PATIENCE
        if not self._kept.see(lambda room: phone in room.phones):
            return _no(_NOT_JOINED, 401)
        while request.query_params.get("turn") == str(self._kept.turn) and time.monotonic() < until:
            await asyncio.sleep(_LOOK)
        return JSONResponse(self._kept.see(lambda room: told(room, phone)), headers=_HEADERS)

    async def vote(self, request: Request) -> Response:
        number, values = cookie(request.headers, _PHONE), await _body(request)
        step, choice = values.get("step"), values.get("choice")
        if type(step) is not int or not isinstance(choice, str):
            return _no("There is no step and no choice.", 400)
        if not self._kept.see(lambda room: _hash(number) in room.phones):
            return _no(_NOT_JOINED, 401)
        return await self._changed(number, lambda room, phone: room.vote(phone, step, choice))

    async def _changed(self, number: str, act: Callable[[Classroom, str], None]) -> Response:
        phone = _hash(number)

        def change(room: Classroom) -> dict[str, Any]:
            act(room, phone)
            return told(room, phone)

        try:
            return JSONResponse(await run_in_threadpool(self._kept.change, change), headers=_HEADERS)
        except InputError as refused:
            return _no(str(refused), 409)
        except StoreError:
            return _no("The vote could not be kept: tell your teacher that the disk may be full.", 503)


async def _body(request: Request) -> dict[str, Any]:
    """The object that was sent as JSON; an empty one for anything else, or too much of it."""
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > _LONGEST:
            return {}
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def _hash(number: str) -> str:
    return identity.digest(number)[:16]


def _no(why: str, status: int) -> JSONResponse:
    return JSONResponse({"error": why}, status, _HEADERS)


if __name__ == "__main__":
    main(*sys.argv[1:])
