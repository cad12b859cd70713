"""Runs without what each would begin and end with: models opened again, tables for other programs."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def opened_once(opened_once):
    """For all files here."""


@pytest.fixture(autouse=True)
def unpublished(unpublished):
    """For all files here but tests that use `published`."""
