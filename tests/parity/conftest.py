"""Tiny checkpoints, each built once per session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tiny import tiny_model


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`tiny("llama", ...)`: the folder of a tiny model, see `tiny_model`."""
    built: dict[str, Path] = {}

    def build(architecture: str, **options: object) -> Path:
        key = repr((architecture, sorted(options.items())))
        if key not in built:
            built[key] = tiny_model(tmp_path_factory.mktemp(architecture), architecture, **options)
        return built[key]

    return build
