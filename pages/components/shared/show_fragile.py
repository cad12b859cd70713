"""Items whose decision depends on the policy: how many policies agree on each."""

from __future__ import annotations

import pandas as pd

from core.reports.multiverse import Layout
from core.reports.multiverse.items import Decisions
from pages.components.shared import notices
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table

_LISTED = 1_000
_TEXTS = ("context", "right", "rival", "texts")
_COLUMNS = {
    "right": "Right", "rival": "Against", "texts": "Texts", "context": "After", "here": "This run",
    "agree": "Policies that agree", "of": "Of", "against": "Decided differently under",
}  # fmt: skip


def show_fragile(layout: Layout, decisions: Decisions) -> None:
    """How many items how many policies agree on, and the items on which not all do, the least agreed first."""
    fragile = decisions.fragile
    if fragile.empty:
        return
    otherwise = fragile["of"] - fragile["agree"]
    notices.write(
        "<strong>Fragile: $n.</strong> One policy decides $few of them differently; half of the $of policies or "
        "more decide $most differently.",
        n=notices.counted(len(fragile), layout.task.noun), of=decisions.n_ways, few=f"{(otherwise == 1).sum():,}",
        most=f"{(2 * otherwise >= fragile['of']).sum():,}",
    )  # fmt: skip
    if layout.task.confidential:
        notices.note("The items are confidential: they are counted, not listed.")
        return
    main = layout.task.groups[0]
    columns = [main, "here", "agree", "of", *(name for name in _TEXTS if name in fragile), "against"]
    if (fragile["context"].fillna("") == "").all():
        columns.remove("context")
    if len(fragile) > _LISTED:
        notices.write("The first $n are listed; the download has all.", "pl-quiet", n=f"{_LISTED:,}")
    shown: pd.DataFrame = fragile[columns].head(_LISTED)
    show_table(shown, column_config={main: "Paradigm", **_COLUMNS}, alt="One row per fragile item")
    show_downloads(f"{layout.run_id}-fragile-{layout.metric}", fragile)
