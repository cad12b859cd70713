"""The command line without what each run of it would begin with: models opened again, tables for other programs."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def opened_once(opened_once):
    """For all files here."""


@pytest.fixture(autouse=True)
def unpublished(unpublished):
    """For all files here but those that use `published`."""


@pytest.fixture(autouse=True)
def read_here(monkeypatch):
    """Workbooks and Parquet files are read in this process: to start another takes half a second."""
    monkeypatch.setenv("PAIRLENS_READER", "1")
