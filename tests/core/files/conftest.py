"""Large files are read in this process; that they have one of their own is tested in `test_apart`."""

import pytest


@pytest.fixture(autouse=True)
def read_here(monkeypatch):
    monkeypatch.setenv("PAIRLENS_READER", "1")
