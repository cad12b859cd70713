"""Our own sample, read once."""

from __future__ import annotations

import pytest

from core.files.stereoset.reading import read_examples
from core.settings import ROOT


@pytest.fixture(scope="session")
def examples():
    return read_examples(ROOT / "data" / "samples" / "stereoset" / "dev.json")
