"""Asking with SQL in a real browser: type, ask, look, cancel, follow the link, on a phone too."""

from __future__ import annotations

SLOW = "/results?view=sql&query=select+sleep_ms(60000)"


def test_a_query_is_typed_asked_cancelled_and_found_again(visitor):
    visitor.open("/results?view=sql")
    visitor.type("SELECT ...", "select range as n, range * range as square from range(12)")
    visitor.press("Run query")
    assert visitor.reads("12 rows")
    visitor.tab("Chart")
    visitor.until(lambda: visitor.all('[data-testid="stVegaLiteChart"] svg.marks'), reason="no chart")
    assert visitor.linked("square")
    visitor.reload()
    assert visitor.reads("12 rows")
    visitor.driver.get(visitor.address + SLOW)  # it never settles while the query runs
    visitor.press("Cancel")
    assert visitor.reads("The query was cancelled.")
    visitor.width(390, 844)
    visitor.open("/results?view=sql&query=select+model+from+rums")
    assert visitor.reads('Did you mean "runs"?')
    assert visitor.overflow() <= 0
    assert visitor.strangers() == set() and visitor.complaints == []
