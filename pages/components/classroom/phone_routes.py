"""What phones ask for: one small page, and as JSON to join, to be told what is shown, and to vote.

A phone is known by a random cookie; what is kept is the cookie's hash. A phone that asks what is shown waits until
something else is shown, so that all learn of it at once, without a session of Streamlit.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core import identity
from core.errors import InputError, StoreError
from core.studies.classroom.classroom import Classroom
from core.studies.classroom.shares import told
from pages.components.classroom.only_the_teacher import cookie
from pages.components.classroom.served import Served

_HERE = Path(__file__).parent
_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_COOKIE, _SECONDS, _LONGEST = "pairlens_phone", 86_400, 1_000
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


def routes(served: Served) -> list[Route]:
    """The routes, the phones' page first."""
    phones = _Phones(served)
    files = [Route(f"/join/phone.{kind}", _file) for kind in ("css", "js")]
    return [
        Route("/join", _file),
        *files,
        Route("/class/join", phones.join, methods=["POST"]),
        Route("/class/state", phones.state),
        Route("/class/vote", phones.vote, methods=["POST"]),
    ]


async def _file(request: Request) -> Response:
    kind = request.url.path.rpartition(".")[2] if "." in request.url.path else "html"
    return Response(_content(kind), media_type=_KINDS[kind], headers=_HEADERS)


@cache
def _content(kind: str) -> bytes:
    return (_HERE / f"phone.{kind}").read_bytes()


class _Phones:
    """The answers to phones."""

    def __init__(self, served: Served) -> None:
        self._kept = served.kept

    async def join(self, request: Request) -> Response:
        """Give a new phone its cookie if it knows the code; one that has joined stays what it is."""
        given = await _body(request)
        if not isinstance(code := given.get("code"), str):
            return _no("There is no code.", 400)
        if code.strip().upper() != self._kept.see(lambda room: room.code):
            return _no("This is not the code of this class. It stands on the screen.", 403)
        number = cookie(request.headers, _COOKIE)
        if not self._kept.see(lambda room: _hash(number) in room.phones):
            number = secrets.token_hex(16)
        response = await self._changed(number, lambda room, phone: room.join(phone))
        response.set_cookie(_COOKIE, number, _SECONDS, httponly=True, samesite="strict")
        return response

    async def state(self, request: Request) -> Response:
        """What is shown: at once if the phone knows another turn, else when something else is, or after a while."""
        phone, until = _hash(cookie(request.headers, _COOKIE)), time.monotonic() + _PATIENCE
        if not self._kept.see(lambda room: phone in room.phones):
            return _no(_NOT_JOINED, 401)
        while request.query_params.get("turn") == str(self._kept.turn) and time.monotonic() < until:
            await asyncio.sleep(_LOOK)
        return JSONResponse(self._kept.see(lambda room: told(room, phone)), headers=_HEADERS)

    async def vote(self, request: Request) -> Response:
        """Count the phone's choice; what it gets back is on disk."""
        number, given = cookie(request.headers, _COOKIE), await _body(request)
        step, choice = given.get("step"), given.get("choice")
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
        given = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


def _hash(number: str) -> str:
    return identity.digest(number)[:16]


def _no(why: str, status: int) -> JSONResponse:
    return JSONResponse({"error": why}, status, _HEADERS)
