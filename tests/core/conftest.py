"""User files for tests, and other limits than the usual ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.settings import settings


@pytest.fixture
def save(tmp_path):
    """`save("a.csv", "text", encoding="utf-8")` or `save("a.csv", b"bytes")`: the path of a new file."""

    def make(name: str, content: str | bytes, encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return make


@pytest.fixture
def limit(monkeypatch):
    """`limit("max_rows", 3)`: another limit for this test."""

    def change(name: str, value: int) -> None:
        monkeypatch.setenv(f"PAIRLENS_{name.upper()}", str(value))
        settings.cache_clear()

    return change


@pytest.fixture
def published():
    """A test of a file that uses `unpublished` is about the tables for other programs."""


@pytest.fixture
def unpublished(request, monkeypatch):
    """Finished runs leave the tables for other programs as they are: nothing here is asked in SQL."""
    if "published" not in request.fixturenames:
        monkeypatch.setattr("core.runs.evaluate.catalog.publish", lambda store: None)


@pytest.fixture(scope="module")
def once():
    """What a file's first test has made, for those after it: a dictionary."""
    return {}
