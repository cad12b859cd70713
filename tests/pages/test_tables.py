"""Numbers in tables: a share is rounded as in the sentence above it."""

import json
import math

from streamlit.testing.v1 import AppTest


def test_a_share_in_a_table_reads_as_in_a_sentence():
    """Streamlit cuts off what is beyond the step of a column: 93.75 % would be 93.7 % there."""

    def page():
        import pandas as pd

        from pages.components.shared.show_result import show_rows
        from pairlens.results.result import Column, Table

        shares = pd.DataFrame({"share": [*(n / 2_000 for n in range(2_001)), float("nan")]})
        for form in (".0%", ".1%", ".2%"):
            column = Column("share", "Share", "A share.", form=form)
            show_rows(Table.of(form, form, [column], shares, most=9_999), None, form)

    app = AppTest.from_function(page).run()
    assert not app.exception
    for drawn, form in zip(app.dataframe, (".0%", ".1%", ".2%"), strict=True):
        step = json.loads(drawn.proto.columns)["Share"]["type_config"]["step"]
        shares = drawn.value["Share"].dropna()
        units = round(1 / step)
        shown = [f"{math.trunc(share * units * (1 + 10 * 2**-52)) / units:{form}}" for share in shares]
        assert shown == [f"{n / 2_000:{form}}" for n in range(2_001)]
