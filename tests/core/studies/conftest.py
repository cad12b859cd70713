"""What tests of studies share: counts of words that are read once, models that are opened once."""

from functools import cache

import pytest

from pairlens.studies.lint import pairs

_counts = cache(lambda read=pairs._word_counts: tuple(read()))


@pytest.fixture
def known_counts(monkeypatch):
    """Reports on stimuli take frequencies from counts that are in memory."""
    monkeypatch.setattr(pairs, "_word_counts", _counts)


@pytest.fixture(scope="module", autouse=True)
def opened_once(opened_once):
    """For all files here, where nothing is asked in SQL: finished runs leave the tables for that as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pairlens.evaluation.evaluate.catalog.publish", lambda store: None)
        yield
