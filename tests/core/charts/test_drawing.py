"""Charts are drawn whatever characters their words hold: some would end the process."""

from __future__ import annotations

import json

import altair as alt
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.charts.drawing import drawable, svg
from core.charts.named_rows import named_rows
from core.charts.style import finish


@pytest.mark.parametrize("name", ["a\x00b", "\x01\x08\x0c\x1f", "\uffff\ufffe", "\\u0000 \\beta"])
def test_rows_may_bear_any_name(name):
    rows = pd.DataFrame({"group": [name, "other"], "section": [name, "other"], "value": [1.0, 2.0]})
    chart = alt.Chart(rows).mark_bar().encode(y=named_rows(rows), x="value:Q")
    assert "other" in svg(finish(chart, name))


@given(st.text())
def test_only_what_xml_lacks_is_replaced(text):
    clean = drawable({"title": text})["title"]
    assert len(clean) == len(text)
    changed = {before for before, after in zip(text, clean, strict=True) if before != after}
    assert all(ord(one) < 32 or one in "\ufffe\uffff" for one in changed)
    inside = drawable({"labelExpr": json.dumps([text]) + "[0]"})["labelExpr"].removesuffix("[0]")
    assert json.loads(inside) == [clean]
