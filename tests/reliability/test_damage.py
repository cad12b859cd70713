"""No damaged file changes a number: single bits of every kind of file are flipped, and everything is asked again."""

from collections import Counter

import pytest

from pairlens.settings import settings
from tests.reliability.flips import KINDS, OUTCOMES, Laboratory, attack, table

pytestmark = pytest.mark.model

READABLE = ("identical", "repaired", "named otherwise", "left out")
NEVER = OUTCOMES[-2:]


@pytest.fixture
def laboratory(home, monkeypatch):
    monkeypatch.setenv("PAIRLENS_MIRROR", str(home / "mirror"))
    settings.cache_clear()
    return Laboratory(home)


def flipped(laboratory, number, seed):
    """Outcomes by kind of file; fails for a number that changed without a word, or a traceback."""
    counted = Counter()
    wrong = []
    for kind, outcome, about in attack(laboratory, number, seed):
        counted[kind, outcome] += 1
        if outcome in NEVER:
            wrong.append(f"{outcome}: {about}")
    print(table(counted))
    assert not wrong, "\n".join([f"{len(wrong)} flips:", *wrong[:20]])
    return counted


def test_some_bits_of_every_kind_of_file(laboratory):
    assert flipped(laboratory, number=1, seed=22).total() == len(KINDS)


@pytest.mark.soak
def test_two_thousand_readable_flips(laboratory):
    """Until so many were read without a complaint: those that a reader refuses hide those that it should refuse."""
    readable = 0
    for seed in range(100):
        counted = flipped(laboratory, number=60, seed=seed)
        readable += sum(n for (_, outcome), n in counted.items() if outcome in READABLE)
        if readable >= 2_000:
            return
    pytest.fail(f"only {readable} readable flips")
