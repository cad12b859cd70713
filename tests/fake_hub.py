"""A model hub on this machine that serves folders: the few answers that the hub's client asks for, over HTTP.

with fake_hub({"some-lab/tiny": folder}) as address:      # for processes of their own: HF_ENDPOINT
    ...
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from huggingface_hub import constants

from pairlens.settings import settings
from pairlens.store import jobs

_FILE = "/{repo_id}/resolve/{revision}/{filename}"
COMMIT = "fedcba9876543210fedcba9876543210fedcba98"


@contextmanager
def fake_hub(models: Mapping[str, Path], cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The hub has these models, each at one commit, which is also its `main`; what is fetched lies in `cache`.

    It is asked by this process and by those that it starts.
    """
    with _served(models) as address:
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cache))
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "ENDPOINT", address)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", f"{address}{_FILE}")
        for name, value in {"HF_ENDPOINT": address, "HF_HUB_CACHE": str(cache), "PAIRLENS_OFFLINE": "0"}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        monkeypatch.setattr(jobs, "subprocess", subprocess)  # the hub's library reads the environment when imported
        settings.cache_clear()
        yield


@contextmanager
def _served(models: Mapping[str, Path]) -> Iterator[str]:

    class Answers(_Answers):
        folders = models

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class _Answers(BaseHTTPRequestHandler):
    folders: Mapping[str, Path] = {}

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        parts = unquote(urlsplit(self.path).path).strip("/").split("/")
        api = parts[:2] == ["api", "models"]
        repo, rest = "/".join(parts[2:4] if api else parts[:2]), parts[4:] if api else parts[2:]
        folder = self.folders.get(repo)
        if folder is None:
            self._send(404, b"", {"X-Error-Code": "RepoNotFound"})
        elif api and rest[:1] == ["tree"]:
            self._send(200, json.dumps([_entry(file) for file in sorted(folder.iterdir())]).encode())
        elif api:
            self._send(200, json.dumps(_about(repo, folder)).encode())
        elif len(rest) == 3 and (folder / rest[2]).is_file():
            self._send(200, (folder / rest[2]).read_bytes())
        else:
            self._send(404, b"", {"X-Error-Code": "EntryNotFound"})

    def _send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        digest = hashlib.sha1(body).hexdigest()
        known = {"Content-Length": str(len(body)), "ETag": f'"{digest}"', "X-Repo-Commit": COMMIT, **(headers or {})}
        for name, value in known.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


def _about(repo: str, folder: Path) -> dict[str, Any]:
    files = [{"rfilename": file.name, "size": file.stat().st_size} for file in sorted(folder.iterdir())]
    return {"id": repo, "sha": COMMIT, "siblings": files, "tags": ["license:mit"]}


def _entry(file: Path) -> dict[str, Any]:
    digest = hashlib.sha1(file.read_bytes()).hexdigest()
    return {"type": "file", "path": file.name, "size": file.stat().st_size, "oid": digest}
