"""Our own sample, read once, and workbooks read in this process."""

import pytest

from pairlens.files.stereoset.reading import read_examples
from pairlens.places import FOLDER as ROOT


@pytest.fixture(scope="session")
def examples():
    return read_examples(ROOT / "data" / "samples" / "stereoset" / "dev.json")


@pytest.fixture(autouse=True)
def read_here(monkeypatch):
    """Workbooks and Parquet files are read in this process: to start another takes half a second."""
    monkeypatch.setenv("PAIRLENS_READER", "1")
