"""One server over HTTP. Redirects are not followed, proxies not used; whatever is wrong is a sentence."""

from __future__ import annotations

import json
import os
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pairlens.errors import ModelError

if TYPE_CHECKING:
    import httpx

_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before a question is repeated that was not answered."""
_BUSY = 429
_FAULTS = 500
_SECONDS = 600.0
"""How long an answer may take: a slow server works on many texts at once."""
_TO_CONNECT = 5.0
_QUOTED = 200


class RefusedError(ModelError):
    """The server does not know or not want the question; `status` is that of HTTP."""

    def __init__(self, problem: str, status: int) -> None:
        super().__init__(problem)
        self.status = status


class Connection:
    """`passed` is when its self-test passed (UTC), with what `drift` (nats); empty before, and again where a question
    had to be repeated: somebody else may answer since.
    """

    def __init__(self, base: str, place: str = "", server: object = None) -> None:
        self.base, self.place, self._server = base, place or base.partition("://")[2], server
        self.passed, self.drift = "", 0.0

    @cached_property
    def _client(self) -> httpx.Client:
        import httpx  # 0.2 s that a program without servers does not wait

        # Read when it is needed and never kept: no key is stored, shown or logged.
        key = os.environ.get("PAIRLENS_SERVER_KEY", "")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        timeout = httpx.Timeout(_SECONDS, connect=_TO_CONNECT)
        return httpx.Client(
            base_url=self.base, headers=headers, timeout=timeout, follow_redirects=False, trust_env=False
        )

    def ask(self, path: str, question: object = None, *, patient: bool = True, hopeless: str = "\0") -> Any:
        """The answer as plain values, asked again while the server is away or busy, `patient` or once.

        ModelError where it stays away; RefusedError for a redirect, for what is no JSON, for a question that it does
        not take, or where a fault of its own says what is `hopeless`.
        """
        import httpx

        why = ""
        for pause in (*(_PAUSES if patient else ()), None):
            try:
                reply = self._client.request("GET" if question is None else "POST", path, json=question)
                again = reply.status_code == _BUSY or reply.status_code >= _FAULTS
                if not again or hopeless in reply.text:
                    return self._read(reply)
                why = f"it answers with status {reply.status_code}: {_short(reply.text)}"
            except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
                why = f"{type(error).__name__} {error}".strip()
            if pause is not None:
                self.passed = ""
                time.sleep(pause)
        todo = "What it has scored is stored: start it again, and the same run continues."
        if not patient:
            todo = "Start it, or correct the address."
        raise ModelError(f"The server at {self.place} does not answer ({why}). {todo}")

    def _read(self, reply: httpx.Response) -> Any:
        if reply.is_redirect:
            raise RefusedError(
                f"The server at {self.place} sends elsewhere ({_short(reply.headers.get('location', ''))}), which is "
                "not followed: name the address itself.", reply.status_code,
            )  # fmt: skip
        if reply.is_error:
            raise RefusedError(
                f"The server at {self.place} refuses {reply.request.url.path} (status {reply.status_code}): "
                f"{_short(reply.text) or 'without a reason'}.", reply.status_code,
            )  # fmt: skip
        try:
            return reply.json()
        except (json.JSONDecodeError, UnicodeDecodeError):
            raise RefusedError(
                f"What answers at {self.place} is no model server: {reply.request.url.path} gives no JSON.",
                reply.status_code,
            ) from None


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _QUOTED else f"{words[:_QUOTED]}…"
