"""A result of Compare: a pair in the frame of all results, with the strip of words and what a place expected.

Of several pairs it is the one that is opened in their table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages.components.compare import resources
from pages.components.compare.change_word import show_change, show_dots
from pages.components.compare.resources import in_view
from pages.components.compare.show_inside import show_inside
from pages.components.compare.type_sentences import invite
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart
from pages.components.shared.make_lesson import asked_of, make_lesson
from pages.components.shared.models import choose_shown
from pages.components.shared.predict_first import choice_of, predicts_first
from pages.components.shared.resources import scorer, store
from pages.components.shared.run_policies import show_number_match
from pages.components.shared.runs import say_saved
from pages.components.shared.show_result import Rows, Views, show_evidence, show_findings
from pages.components.shared.tables import real, show_strip, show_table
from pairlens.analysis.multiverse import ADDED_UP, printable, verdict, verdict_of_several
from pairlens.charts.next_word import PIECE, likeliest
from pairlens.charts.sentence_pair import WORD
from pairlens.evaluation.evaluate import save
from pairlens.reports.multiverse.unigrams import UNTOLD, unigrams_of
from pairlens.reports.multiverse.wording import slor
from pairlens.results.result import Result
from pairlens.studies import gallery
from pairlens.studies.compare import wording
from pairlens.studies.compare.pair import Comparison, Expectation, expectations
from pairlens.studies.compare.robustness import trial_sentence, try_variants, under_all_policies
from pairlens.studies.compare.study import STUDY
from pairlens.studies.compare.tables import pair_table, word_table
from pairlens.studies.compare.typed import Fields, SentencePair, items
from pairlens.studies.gallery import WorkedExample, outcome
from pairlens.studies.lesson import Step
from pairlens.studies.lesson.lesson import EXPECTED
from pairlens.studies.next_word.wording import share

_TWENTY, _INSIDE = "Try twenty like it", "Inside"
_QUESTIONS = {"Does it hold for twenty like it?": _TWENTY, "Where in the network is it decided?": _INSIDE}
"""The tabs that answer them."""
SHOWN = 24
"""Words that a chart shows at once; longer texts are shown from a place on."""
_HEADINGS = {
    "policy": "Policy", "presets": "Presets", "value_a": real("Value of A"), "value_b": real("Value of B"),
    "difference": real("Difference"), "unit": "Unit", "decision": "Decision", "holds": "Holds",
}  # fmt: skip


def show_pair(answers: Sequence[Sequence[Comparison]], pairs: Sequence[SentencePair]) -> None:
    """One list of comparisons per model: the answer in words, strip, charts, tabs, footer."""
    example = gallery.find(pairs, resources.examples())
    choices = [choice_of(pair) for pair in pairs] if predicts_first() else []
    opened = _choose_pair(answers, choices) if len(pairs) > 1 else 0
    if own := wording.beside(choices, answers):
        notices.text(own, "pl-second")
    comparisons = {own[opened].recipe.model.name: own[opened] for own in answers}
    result = _result([*comparisons.values()], example)
    show_findings(result)
    if example and not any(map(result.instead_of, result.models)):
        outcomes = [outcome(example, comparisons) for comparisons in answers]
        notices.text(f"{example.phenomenon}. {' '.join(outcomes)}")
    if len(pairs) == 1:
        show_dots(next(iter(comparisons.values())), example.expected if example else "")
    shown = comparisons.pop(choose_shown([*comparisons]))
    ordered = [shown, *comparisons.values()]
    if shown.recipe.model.name != result.models[0]:
        result = _result(ordered, example)
    answer = str(result.headlines[0].sentence) if len(pairs) == 1 and result.headlines else ""
    show_evidence(result, _views(ordered, example, pairs, answer))


def _result(comparisons: Sequence[Comparison], example: WorkedExample | None) -> Result:
    """Of one pair, one comparison per model; an example's sentences are known to make a pair."""
    result = STUDY.result(Fields(*comparisons[0].pair), [[comparison] for comparison in comparisons])
    if example is None or example.expected == "none":
        return result
    return replace(result, notices=[notice for notice in result.notices if notice.name != "not_minimal"])


def _choose_pair(answers: Sequence[Sequence[Comparison]], choices: Sequence[str]) -> int:
    notices.text(" ".join(map(wording.tally, answers)))
    table = pair_table(answers, choices)
    event = show_table(
        table, on_select="rerun", selection_mode="single-row", key="pairs",
        alt="One row per pair: the sentences and each model's answer",
    )  # fmt: skip
    rows = [row for row in event.selection.rows if row < len(table)]
    if rows:
        st.query_params["pair"] = str(rows[0] + 1)
    number = st.query_params.get("pair", "1")
    opened = int(number) - 1 if number.isdecimal() and 0 < int(number) <= len(table) else 0
    notices.text(f"Pair {opened + 1} in full. Click another row to open it.", "pl-quiet")
    return opened


def _views(
    comparisons: Sequence[Comparison], example: WorkedExample | None, pairs: Sequence[SentencePair], answer: str
) -> Views:
    """What Compare has beside its charts and tables: of `comparisons`, one per model, the one in full first; of a
    single pair the `answer` in words."""
    comparison = comparisons[0]
    words, expected = word_table(comparison), example.expected if example else ""
    tabs = {
        "All policies": partial(_show_policies, comparison, pairs),
        _TWENTY: partial(_show_variants, comparison, expected),
        _INSIDE: partial(show_inside, comparison),
    }
    beside = partial(_show_actions, comparisons, pairs, example)
    if words.empty:
        why = "No word is left of these sentences under these choices: keep the punctuation to see some."
        return Views(lambda: notices.note(why), partial(invite, comparison.recipe.model), beside, tabs=tabs)
    below = partial(_show_below, comparison, words, example)
    return Views(
        partial(_show_words, comparison, words, answer), below, beside, {"surprisal": _take_click}, tabs=tabs
    )


def _show_words(comparison: Comparison, words: pd.DataFrame, answer: str) -> Rows:
    """The strip of all words; returns the rows of those that charts show: near the first difference, until moved."""
    show_strip(words)
    if answer:
        show_change(comparison, answer)
    start, n_words, first = 1, len(comparison.contrast.frame), comparison.contrast.first
    if (last := n_words - SHOWN + 1) > 1:
        near, label = max(1, min((first.position if first else 0) - 4, last)), f"{SHOWN} of {n_words} words are drawn"
        start = st.slider(f"{label}, from word", 1, last, near, key="from", bind="query-params")
    return lambda frame: frame[frame["position"].between(start, start + SHOWN - 1)]


def _show_below(comparison: Comparison, words: pd.DataFrame, example: WorkedExample | None) -> None:
    """Under the charts: two more questions, other pairs, what an example shows, what was expected at a place."""
    with st.container(horizontal=True, gap="small"):
        for question, tab in _QUESTIONS.items():
            st.button(question, on_click=st.session_state.update, args=({"tab": tab},), key=f"ask_{tab}")
    invite(comparison.recipe.model)
    if example:
        with st.expander("For teachers"):
            notices.text(example.note)
            notices.text(f"On the phenomenon: {example.reference}.", "pl-quiet")
    _show_place(comparison, words)


def _take_click() -> None:
    points = st.session_state["surprisal_chart"].selection.get(WORD, [])
    st.session_state["place"] = int(points[0]["position"]) if points else None


def _show_place(comparison: Comparison, words: pd.DataFrame) -> None:
    firsts = words.drop_duplicates("position")
    labels: Mapping[int, str] = dict(zip(firsts["position"], firsts["label"], strict=True))
    if st.session_state.get("place", next(iter(labels))) not in labels:
        st.session_state["place"] = None
    place = st.selectbox(
        "What did the model expect at", list(labels), index=None, key="place", width=360, bind="query-params",
        format_func=lambda n: f"{n}  {labels[n]}", placeholder="Choose a word, or click a bar below",
    )  # fmt: skip
    if place is None:
        return
    with notices.explained_errors():
        recipe = comparison.recipe
        make = partial(expectations, comparison, place, store(), partial(scorer, recipe))
        if not (expected := resources.once(("expected", place, comparison.pair), recipe, make)):
            why = "The first token of this word is not scored under these choices"
            notices.note(f"{why}, so nothing was expected there.")
        for column, expectation in zip(st.columns(2, gap="large"), expected, strict=False):
            with column:
                _show_expectation(expectation)


def _show_expectation(expected: Expectation) -> None:
    forms = ", ".join(f"{form} {share(probability)}" for form, probability in expected.forms)
    notices.write(
        'After <span class="pl-form">$before</span> … &nbsp; As whole words, once what stands before has ended: '
        '<span class="pl-form">$forms</span>.',
        before=expected.before or "the start", forms=forms,
    )  # fmt: skip
    about = f"Ten likeliest next tokens (· is a leading space). {wording.uncertainty(expected.entropy)}"
    notices.text(about, "pl-quiet")
    pieces = expected.pieces.rename(columns={"piece": "label"})
    finding = f"Likeliest token: {pieces['label'].iloc[0]}"
    show_chart(likeliest(pieces, finding, PIECE), f"next_{expected.member}")


def _show_policies(comparison: Comparison, pairs: Sequence[SentencePair]) -> None:
    """All pairs in one sentence if there are several, the opened one policy by policy, a box for a number."""
    ordered_pairs = [comparison.pair, *(pair for pair in pairs if pair != comparison.pair)]
    make = partial(under_all_policies, ordered_pairs, comparison.recipe, store(), scorer)
    tables = resources.once(("policies", *ordered_pairs), comparison.recipe, make)
    if len(ordered_pairs) > 1:
        notices.write("<strong>$text</strong>", text=verdict_of_several(tables))
        rows = (
            (*pair, table["decision"].iloc[0], int(table["holds"].sum()), len(table))
            for pair, table in zip(ordered_pairs, tables, strict=True)
        )
        agreement = pd.DataFrame(rows, columns=["A", "B", "Decision", "Policies that agree", "Of"])
        ordered = agreement.sort_values("Policies that agree", kind="stable")
        show_table(ordered, alt="One row per pair: how many policies agree on it")
    frame = tables[0]
    notices.text(f"{'The pair above. ' if len(ordered_pairs) > 1 else ''}{verdict(frame)}")
    show_table(frame, column_config=_HEADINGS, alt="One row per policy: both values, their difference, the decision")
    notices.text(_about_slor(frame, comparison), "pl-quiet")
    show_number_match("pair", lambda: printable(frame))


def _about_slor(frame: pd.DataFrame, comparison: Comparison) -> str:
    unigrams = unigrams_of(comparison.recipe.model)
    if isinstance(unigrams, str):
        return f"No SLOR: {unigrams}"
    return slor(unigrams.about) if frame["policy"].str.endswith(ADDED_UP["slor"]).any() else f"No SLOR: {UNTOLD}"


def _show_variants(comparison: Comparison, expected: str) -> None:
    frame = try_variants(comparison, store(), lambda: scorer(comparison.recipe))
    notices.text(trial_sentence(frame, expected), "pl-headline")
    notices.text(
        "Words of the pair were exchanged for others of their class and number, in both sentences alike.", "pl-quiet"
    )
    headings = {"preferred": "Preferred", "margin": real(f"A ahead by ({comparison.recipe.policy.unit})")}
    show_table(frame, column_config=headings, alt="One row per variant, the closest decision first")


def _show_actions(
    comparisons: Sequence[Comparison], pairs: Sequence[SentencePair], example: WorkedExample | None
) -> Callable[[], None] | None:
    """All pairs are saved, a run for each model, or become steps; returns what is said of the runs, if any."""
    label = "Add this pair" if len(pairs) == 1 else f"Add these {len(pairs)} pairs"
    expected = example.expected if example and example.expected in EXPECTED else ""
    about: dict[str, Any] = {"notice": example.note, "reference": example.reference} if example else {}
    pressed = st.button("Save to Results", icon=":material/bookmark_add:")
    make_lesson(
        label, [Step(pair, expected=expected, **about) for pair in pairs], asked_of(comparisons[0].recipe.model)
    )
    return partial(_save, comparisons, pairs, expected) if pressed else None


def _save(comparisons: Sequence[Comparison], pairs: Sequence[SentencePair], expected: str) -> None:
    texts = items(list(pairs), gold=expected if expected in ("A", "B") else None)
    title = f"{pairs[0][0]} / {pairs[0][1]}"
    for comparison in comparisons:
        recipe = comparison.recipe
        with in_view(recipe.model.name):
            run_id = save(texts, recipe, store(), title=title, scorer=partial(scorer, recipe))
        say_saved(run_id)
