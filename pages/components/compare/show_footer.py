"""The footer of a comparison: downloads, Save to Results, How this number was made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import altair as alt
import streamlit as st

from core.runs.evaluate import save
from core.runs.receipts.bibtex import bibtex
from core.studies.compare import Comparison
from core.studies.compare.receipt import keys, methods, receipts
from core.studies.compare.tables import of_models, word_table
from core.studies.compare.typed import SentencePair, items
from core.studies.gallery import WorkedExample
from core.studies.lesson import Step
from core.studies.lesson.lesson import EXPECTED
from pages.components.compare.in_view import in_view
from pages.components.shared import resources
from pages.components.shared.downloads import Part, show_menu
from pages.components.shared.make_lesson import asked_of, make_lesson
from pages.components.shared.receipt import Made, show_receipt
from pages.components.shared.runs import say_saved


def show_footer(
    comparisons: Sequence[Comparison],
    pairs: Sequence[SentencePair],
    chart: alt.TopLevelMixin | None,
    parts: Sequence[Part] = (),
    example: WorkedExample | None = None,
) -> None:
    """`comparisons` are those of the pair in full, one for each model, the first with its `chart`.

    `parts` are charts. All `pairs` are saved, a run for each model, or become steps of a lesson.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        others = [part for part in parts if part.chart is not chart]
        show_menu("comparison", [Part("comparison", lambda: of_models(word_table, comparisons), chart), *others])
        pressed = st.button("Save to Results", icon=":material/bookmark_add:")
        show_receipt(lambda: _made(comparisons), "comparison")
        label = "Add this pair" if len(pairs) == 1 else f"Add these {len(pairs)} pairs"
        make_lesson(label, _steps(pairs, example), asked_of(comparisons[0].recipe.model))
    if pressed:
        for comparison in comparisons:
            _save(comparison, pairs, example.expected if example else "")


def _steps(pairs: Sequence[SentencePair], example: WorkedExample | None) -> list[Step]:
    """The pairs as steps of a lesson, with what the gallery knows about them."""
    if example is None:
        return [Step(pair) for pair in pairs]
    expected = example.expected if example.expected in EXPECTED else ""
    return [Step(pair, expected=expected, notice=example.note, reference=example.reference) for pair in pairs]


def _made(comparisons: Sequence[Comparison]) -> Made:
    cited = [key for comparison in comparisons for key in keys(comparison)]
    return Made(
        receipts(comparisons),
        " ".join(map(methods, comparisons)),
        bibtex(cited, *(comparison.recipe.model for comparison in comparisons)),
    )


def _save(shown: Comparison, pairs: Sequence[SentencePair], expected: str) -> None:
    asked = items(list(pairs), gold=expected if expected in ("A", "B") else None)
    title = f"{pairs[0][0]} / {pairs[0][1]}"
    with in_view(shown.recipe.model.name):
        scorer = partial(resources.scorer, shown.recipe)
        run_id = save(asked, shown.recipe, resources.store(), title=title, scorer=scorer)
    say_saved(run_id)
