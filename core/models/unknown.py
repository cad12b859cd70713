"""The symbol for words outside a model's vocabulary, read from its tokenizer's files without loading it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import ModelError
from core.models.checkpoint import read_json
from core.types import Model


def unknown_token(model: Model) -> str:
    """The tokenizer's symbol for a word outside its vocabulary; empty if it can encode any text."""
    return _unknown_token(model.folder, model.tokenizer)


@lru_cache(maxsize=64)
def _unknown_token(folder: Path, _: str) -> str:
    algorithm = _read(folder / "tokenizer.json").get("model")
    if not isinstance(algorithm, dict):
        named = _read(folder / "tokenizer_config.json").get("unk_token", "")
        return str(named.get("content", "") if isinstance(named, dict) else named or "")
    if isinstance(id := algorithm.get("unk_id"), int):
        return str(algorithm["vocab"][id][0])
    return str(algorithm.get("unk_token") or "")


def _read(path: Path) -> dict[str, Any]:
    """A tokenizer's file, empty if it is missing or damaged; loading it will report that."""
    try:
        return read_json(path, path.parent.name)
    except ModelError:
        return {}
