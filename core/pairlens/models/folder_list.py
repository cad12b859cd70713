"""Folders, files and servers that somebody wants in every list, by name, a line each beside our own models."""

import os
from pathlib import Path

from pairlens import servers
from pairlens.models import gguf
from pairlens.settings import settings


def folders() -> list[str]:
    """Those that are still there, servers in any case, in the order in which they came."""
    return [name for name in _paths() if servers.is_address(name) or Path(gguf.named(name)[0]).exists()]


def contains(source: str) -> bool:
    return _absolute(source) in _paths()


def add(source: str) -> str:
    """List this folder from now on; its absolute path is returned, by which it is listed."""
    path = _absolute(source)
    _write([*dict.fromkeys((*_paths(), path))])
    return path


def remove(source: str) -> None:
    _write([path for path in _paths() if path != _absolute(source)])


def _file() -> Path:
    return settings().models / "folders.txt"


def _paths() -> list[str]:
    return _file().read_text("utf-8").splitlines() if _file().is_file() else []


def _write(paths: list[str]) -> None:
    """All at once: another process may be reading."""
    _file().parent.mkdir(parents=True, exist_ok=True)
    temporary = _file().with_suffix(f".{os.getpid()}.tmp")
    temporary.write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")
    temporary.replace(_file())


def _absolute(source: str) -> str:
    return source if servers.is_address(source) else str(Path(source).expanduser().resolve())
