"""The items of an agreement set: by margin, each opens in Compare; and those without a clear decision."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.agreement_wording import flipped
from core.charts.run_numbers import margin_histogram
from pages.components.agreement.results import AgreementResult
from pages.components.shared import notices
from pages.components.shared.open_in_compare import open_in_compare
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table

_SHOWN = 500
_COLUMNS = {
    "context": st.column_config.TextColumn("Before the form", width="large"),
    "right": st.column_config.TextColumn("Right", width="medium"),
    "rival": st.column_config.TextColumn("Wrong", width="medium"),
    "margin": st.column_config.NumberColumn("Margin (bits)", format="%.2f"),
    "number": "Number",
    "attractors": "Attractors",
    "heuristics": "Heuristics right",
    "distance": "Distance",
}


def show_items(one: AgreementResult) -> None:
    """How margins are spread, what the ends of words change, and all items."""
    if one.answers.items.empty:
        notices.note("No item can be judged; Left out says why.")
        return
    chart = margin_histogram(
        one.answers.items[["margin"]], f"Margins of {notices.counted(len(one.answers.items), 'item')}."
    )
    show_chart(chart, "agreement_margins")
    show_item_table(one, one.answers.items, "all")
    show_downloads(f"{one.key}-items", one.answers.items, chart)
    if one.answers.flips:
        notices.write("$flipped", "pl-quiet", flipped=flipped(one.answers.flips))
    if one.answers.flips and len(one.answers.flips.items):
        with st.expander("Items that the end of the word decides"):
            show_table(
                one.answers.flips.items,
                column_config={
                    "item": "Item", "right": "Right form", "wrong": "Wrong form", "word": "With the end of the word",
                    "form": "Form only",
                    "margin_word": st.column_config.NumberColumn("Margin with it (bits)", format="%.2f"),
                    "margin_form": st.column_config.NumberColumn("Margin without (bits)", format="%.2f"),
                },
            )  # fmt: skip


def show_item_table(one: AgreementResult, items: pd.DataFrame, key: str) -> None:
    """These items, the worst decision first; one can be chosen."""
    worst = items.head(_SHOWN)
    notices.write(
        "$shown of $n, the worst decision first. Choose one to open it in Compare.", "pl-quiet",
        shown=f"{len(worst):,}", n=notices.counted(len(items), "item"),
    )  # fmt: skip
    columns = [name for name in _COLUMNS if name in worst]
    event = show_table(
        worst[columns], column_config=_COLUMNS, on_select="rerun", selection_mode="single-row",
        key=f"agreement_items_{one.key}_{key}", selection_default={"selection": {"rows": [0]}},
    )  # fmt: skip
    for place in event.selection.rows[:1]:
        row = worst.iloc[place]
        right, rival = (f"{row['context']}{row[side]}" for side in ("right", "rival"))
        open_in_compare(right, rival, one.result.manifest["model"] if one.result else "", one.answers.policy)


def show_left_out(one: AgreementResult) -> None:
    """Ties, decisions too close to call and items that do not count, each with why."""
    answers, counts = one.answers, one.answers.numbers.overall
    notices.write(
        "$ties, each counted as $rule; $undecided decided by less than 1e-4 nats, which another device could turn; "
        "$excluded left out.",
        ties=notices.counted(counts["ties"], "tie"), rule=answers.policy.ties, undecided=f"{counts['undecided']:,}",
        excluded=notices.counted(counts["excluded"], "item"),
    )  # fmt: skip
    if len(answers.undecided):
        show_table(
            answers.undecided[["item", "why", "margin", "texts"]],
            column_config={
                "item": "Item", "why": "Why", "texts": "Texts",
                "margin": st.column_config.NumberColumn("Margin (bits)", format="%.3g"),
            },
        )  # fmt: skip
