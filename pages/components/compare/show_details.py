"""The tabs under a comparison: words, tokens, all policies, twenty pairs like it, inside the network."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.studies.compare import Comparison
from core.studies.compare.tables import of_models, token_table, word_table
from core.studies.compare.typed import SentencePair
from core.studies.compare.variants import trial_sentence, try_variants
from core.studies.gallery import WorkedExample
from pages.components.compare.show_inside import show_inside
from pages.components.compare.show_pair_policies import show_pair_policies
from pages.components.shared import notices, resources
from pages.components.shared.tables import show_table, show_tabs

_HEADINGS = {
    "logprob": "Log-probability (nats)", "surprisal_bits": "Surprisal (bits)", "n_tokens": "Tokens",
}  # fmt: skip


def show_details(
    comparisons: Sequence[Comparison], example: WorkedExample | None, pairs: Sequence[SentencePair]
) -> None:
    """A tab is computed when it is opened. `comparisons` has one of each model, the one in full first.

    `pairs` are all that are compared.
    """
    comparison = comparisons[0]
    heading = f"Surprisal ({comparison.recipe.policy.unit})"
    by_word = of_models(word_table, comparisons).drop(columns="label").rename(columns={"surprisal": heading})
    show_tabs(
        {
            "Words": lambda: _table(by_word, "One row per word"),
            "Tokens": lambda: _table(of_models(token_table, comparisons), "One row per token"),
            "All policies": lambda: show_pair_policies(comparison, pairs),
            "Try twenty like it": lambda: _show_variants(comparison, example.expected if example else ""),
            "Inside": lambda: show_inside(comparison),
        }
    )


def _table(frame: pd.DataFrame, alt: str) -> None:
    names = {name: _HEADINGS.get(name, name[0].upper() + name[1:].replace("_", " ")) for name in map(str, frame)}
    formats = {"Probability": st.column_config.NumberColumn(format="%.3g")}
    show_table(frame.rename(columns=names), alt=alt, column_config=formats)


def _show_variants(comparison: Comparison, expected: str) -> None:
    frame = try_variants(comparison, resources.store(), lambda: resources.scorer(comparison.recipe))
    notices.write("$text", "pl-headline", text=trial_sentence(frame, expected))
    notices.write(
        "Words of the pair were exchanged for others of their class and number, in both sentences alike.", "pl-quiet"
    )
    margin = f"A ahead by ({comparison.recipe.policy.unit})"
    _table(frame.rename(columns={"margin": margin}), "One row per variant, the closest decision first")
