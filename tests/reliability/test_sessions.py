"""Many visitors at once: every answer is the visitor's own, and nobody waits long. See `sessions`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.dashboard import serve
from tests.reliability.sessions import load

pytestmark = [pytest.mark.model, pytest.mark.soak]

SECONDS = 5.0
"""What 95 % of the interactions must stay below, on two processor cores that run the server and its visitors."""


def test_fifty_sessions_for_ten_minutes(home: Path) -> None:
    home.mkdir()
    with serve(home) as address:
        record = load(address, 50, 600.0)
    print(record.table())
    assert not record.wrong, record.wrong[:5]
    assert record.right > 500
    assert record.quantile(0.95) < SECONDS, record.table()
