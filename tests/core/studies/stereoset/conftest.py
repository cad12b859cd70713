"""Our own sample, read once."""

import pytest

from core.files.stereoset.reading import read_examples
from core.settings import ROOT


@pytest.fixture(scope="session")
def examples():
    return read_examples(ROOT / "data" / "samples" / "stereoset" / "dev.json")
