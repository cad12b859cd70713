"""Queries that are answered in this process, where the process of their own is not what is tested."""

import io
import sys
from types import SimpleNamespace

import pytest

from pairlens.store import sandbox
from tests.run_of_pairs import run_of_pairs


class _Worker:
    """What `pairlens.store.sandbox` uses of the process that answers a query."""

    def __init__(self, *_, **__):
        self.stdin = self.stdout = self

    def write(self, job):
        self.job = io.BytesIO(job)

    def read(self, _):
        from pairlens.store import sandbox_worker

        answer = io.BytesIO()
        streams = {"stdin": SimpleNamespace(buffer=self.job), "stdout": SimpleNamespace(buffer=answer)}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sandbox_worker, "bound", lambda limits: None)
            patch.setattr(sandbox_worker, "sys", SimpleNamespace(**streams))
            sandbox_worker.main()
        return answer.getvalue()

    def close(self):
        pass

    kill = wait = close


@pytest.fixture
def run_id(store):
    return run_of_pairs(store)


@pytest.fixture
def asked_here(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["", "."])  # of which the program reads where DuckDB is
    from pairlens.store import sandbox_worker  # noqa: F401

    monkeypatch.setattr(sandbox, "subprocess", SimpleNamespace(Popen=_Worker, PIPE=-1, DEVNULL=-3))
