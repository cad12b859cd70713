"""Models that a test may change."""

import shutil

import pytest


@pytest.fixture
def copy(tiny, tmp_path):
    """`copy("bert", "mine")`: a folder of this test's own with a tiny model; its name is else the architecture."""
    return lambda architecture, place="": shutil.copytree(tiny(architecture), tmp_path / (place or architecture))
