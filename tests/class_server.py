"""A class that is served as `pairlens class` serves it, and phones that are no more than their requests."""

from __future__ import annotations

import http.client
import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pairlens.settings import settings
from pairlens.studies.classroom import kept
from pairlens.studies.classroom.classroom import Answer, Classroom, choices
from pairlens.studies.lesson import Lesson, Step
from tests import forked

MODEL = "english-small"


def lesson(n: int = 4) -> Lesson:
    """Steps of all kinds: pairs, with the expected one in either place; a form to choose; any word."""
    steps = [
        Step(pair=("The horses are tired.", "The horses is tired."), expected="A", notice="The verb agrees."),
        Step(pair=("The letters in the drawer was old.", "The letters in the drawer were old."), expected="B"),
        Step(prefix="The man who had seen the ships", forms=("was", "were"), expected="was", reference="Bock 1991"),
        Step(prefix="The keys to the cabinet", question="How does it go on?"),
    ]
    return Lesson("Agreement & <attraction>", tuple(steps[number % 4] for number in range(n)), model=MODEL)


def answers(of: Lesson) -> tuple[Answer, ...]:
    """Made up: the first choice of each step, by so many bits as its number; *were* is the likeliest word."""
    return tuple(
        Answer(first[0], f"by {number}.0 bits", {one: -10.0 - number * place for place, one in enumerate(first)})
        if (first := choices(step))
        else Answer("were", "Expects “were” (31 %).", {"were": -1.7, "are": -3.9})
        for number, step in enumerate(of.steps, start=1)
    )


@dataclass
class ClassServer:
    """A class on a port of this machine; `start` again after `stop`, as after a restart."""

    home: Path
    name: str
    port: int
    process: forked.Popen | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def room(self) -> Classroom:
        """As it is on disk."""
        return kept.read(self.name)

    @property
    def link(self) -> str:
        """The teacher's."""
        return f"{self.address}/teacher?key={self.room.key}"

    def start(self) -> None:
        command = [sys.executable, "-m", "pages.components.classroom.server", self.name, "127.0.0.1", "127.0.0.1"]
        own = {"PAIRLENS_HOME": str(self.home), "PAIRLENS_OFFLINE": "1", "PAIRLENS_SHARED": "on"}
        with (self.home / "server.log").open("ab") as log:
            self.process = forked.Popen([*command, str(self.port)], env={**os.environ, **own}, stdout=log)
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if Phone(self.port).get("/join")[0] == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError((self.home / "server.log").read_text()[-3000:])

    def stop(self, *, kill: bool = False) -> None:
        assert self.process
        (self.process.kill if kill else self.process.terminate)()
        self.process.wait(20)


@contextmanager
def serve_class(home: Path, of: Lesson) -> Iterator[ClassServer]:
    """Begin a class in this home (that of the settings too) and serve it."""
    assert settings().home == home
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = ClassServer(home, kept.begin(of, MODEL, answers(of)), port)
    server.start()
    try:
        yield server
    finally:
        server.stop(kill=True)


@dataclass
class Phone:
    """What a phone asks, with a cookie of its own; `get` and `post` return status and JSON."""

    port: int
    cookie: str = ""
    _open: http.client.HTTPConnection | None = field(default=None, repr=False)

    def get(self, path: str) -> tuple[int, Any]:
        return self.ask("GET", path)

    def post(self, path: str, **body: object) -> tuple[int, Any]:
        return self.ask("POST", path, json.dumps(body))

    def join(self, code: str) -> tuple[int, Any]:
        return self.post("/class/join", code=code)

    def vote(self, step: int, choice: str) -> tuple[int, Any]:
        return self.post("/class/vote", step=step, choice=choice)

    def state(self, turn: int | None = None) -> Any:
        """What the phone is told; with a turn it waits for another one."""
        status, said = self.get("/class/state" + ("" if turn is None else f"?turn={turn}"))
        assert status == 200, said
        return said

    def ask(self, method: str, path: str, body: str | None = None) -> tuple[int, Any]:
        try:
            response = self._answer(method, path, body)
        except (OSError, http.client.HTTPException):
            if self._open is None:
                raise
            self._open = None  # the server ends connections that were idle for some seconds: browsers ask again
            response = self._answer(method, path, body)
        content = response.read()
        if given := response.headers.get("Set-Cookie"):
            self.cookie = given.partition(";")[0]
        is_json = response.headers.get_content_type() == "application/json"
        return response.status, json.loads(content) if is_json else content.decode()

    def _answer(self, method: str, path: str, body: str | None) -> http.client.HTTPResponse:
        connection = self._open or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body, {"Cookie": self.cookie, "Content-Type": "application/json"})
        response = connection.getresponse()
        self._open = connection
        return response
