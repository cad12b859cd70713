"""One pair, and all that were typed, under every policy; and which policy gives a published number."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.analysis.multiverse import ADDED_UP, printable, verdict, verdict_of_several
from core.reports.multiverse.unigrams import UNTOLD, unigrams_of
from core.reports.multiverse.wording import slor
from core.studies.compare import Comparison
from core.studies.compare.typed import SentencePair
from pages.components.compare import resources
from pages.components.shared import notices
from pages.components.shared.run_policies import show_number_match
from pages.components.shared.tables import show_table

_HEADINGS = {
    "policy": "Policy", "presets": "Presets", "value_a": "Value of A", "value_b": "Value of B",
    "difference": "Difference", "unit": "Unit", "decision": "Decision", "holds": "Holds",
}  # fmt: skip


def show_pair_policies(comparison: Comparison, pairs: Sequence[SentencePair]) -> None:
    """All pairs in one sentence if there are several, the opened one policy by policy, a box for a number."""
    asked = [comparison.pair, *(pair for pair in pairs if pair != comparison.pair)]
    tables = resources.policies(asked, comparison.recipe)
    if len(asked) > 1:
        _show_all(asked, tables)
    frame = tables[0]
    notices.write("$text", text=f"{'The pair above. ' if len(asked) > 1 else ''}{verdict(frame)}")
    _table(frame, "One row per policy: both values, their difference, the decision")
    notices.write("$said", "pl-quiet", said=_about_slor(frame, comparison))
    show_number_match("pair", lambda: printable(frame))


def _about_slor(frame: pd.DataFrame, comparison: Comparison) -> str:
    """What SLOR is and was made with, or why there is none."""
    unigrams = unigrams_of(comparison.recipe.model)
    if isinstance(unigrams, str):
        return f"No SLOR: {unigrams}"
    return slor(unigrams.about) if frame["policy"].str.endswith(ADDED_UP["slor"]).any() else f"No SLOR: {UNTOLD}"


def _show_all(pairs: Sequence[SentencePair], tables: Sequence[pd.DataFrame]) -> None:
    """How many decisions hold, and on which pairs how many policies agree, the least agreed first."""
    notices.write("<strong>$text</strong>", text=verdict_of_several(tables))
    rows = pd.DataFrame(
        {
            "A": [a for a, _ in pairs],
            "B": [b for _, b in pairs],
            "Decision": [table["decision"].iloc[0] for table in tables],
            "Policies that agree": [int(table["holds"].sum()) for table in tables],
            "Of": [len(table) for table in tables],
        }
    )
    ordered = rows.sort_values("Policies that agree", kind="stable")
    show_table(ordered, alt="One row per pair: how many policies agree on it")


def _table(frame: pd.DataFrame, alt: str) -> None:
    show_table(frame.rename(columns=_HEADINGS), alt=alt)
