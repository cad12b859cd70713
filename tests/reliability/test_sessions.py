"""Many visitors at once: every answer is the visitor's own; how long they waited is printed. See `sessions`."""

import pytest

from tests.browser.dashboard import serve
from tests.reliability.sessions import load

pytestmark = [pytest.mark.model, pytest.mark.soak]


def test_fifty_sessions_for_ten_minutes(home):
    home.mkdir()
    with serve(home, program="streamlit") as address:
        record = load(address, 50, 600.0)
    print(record.table())
    assert not record.wrong, record.wrong[:5]
    assert record.right > 500
