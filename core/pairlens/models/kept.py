"""Folders of models that somebody wants to find in every list, by their paths, a line each in the home folder."""

from pathlib import Path

from pairlens.settings import settings


def kept() -> list[str]:
    """The folders that are still there, in the order in which they came."""
    return [name for name in _written() if Path(name).is_dir()]


def is_kept(source: str) -> bool:
    return _whole(source) in _written()


def keep(source: str) -> str:
    """List this folder from now on; its whole path is returned, by which it is listed."""
    name = _whole(source)
    _write([*dict.fromkeys((*_written(), name))])
    return name


def forget(source: str) -> None:
    _write([name for name in _written() if name != _whole(source)])


def _file() -> Path:
    return settings().home / "model-folders.txt"


def _written() -> list[str]:
    return _file().read_text("utf-8").splitlines() if _file().is_file() else []


def _write(names: list[str]) -> None:
    _file().parent.mkdir(parents=True, exist_ok=True)
    _file().write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def _whole(source: str) -> str:
    return str(Path(source).expanduser().resolve())
