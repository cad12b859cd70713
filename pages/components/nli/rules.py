"""One typed pair in both directions; and how a model with some labels is judged on data with others, cell by cell."""

from functools import partial
from itertools import product

import pandas as pd
import streamlit as st

from pages.components.nli.results import typed
from pages.components.nli.words import LANGUAGES, Words, words_of_visitor
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart
from pages.components.shared.models import unreadable
from pairlens.charts.nli import CELL, rule_grid
from pairlens.charts.style import in_language
from pairlens.files.labels import CODES, MODES, SYSTEMS, Cell, cell, codes, decode
from pairlens.messages import Message
from pairlens.studies.nli.contradictions import SYMMETRIC
from pairlens.studies.nli.examples import examples, worked
from pairlens.studies.nli.runs import NliRequest

DATA, MODEL, MODE = "data_system", "model_system", "mode"
_CHART = "nli_rules"
_MODES = {"strict": Message("strict"), "lenient": Message("lenient"), "forward": Message("one direction only")}
PREMISE, HYPOTHESIS = "premise", "hypothesis"
_ANSWERS = {
    "entailment": Message("{b} follows from {a}"), "paraphrase": Message("{a} and {b} say the same"),
    "none": Message("{b} does not follow from {a}"), "neutral": Message("{a} leaves open whether {b} is true"),
    "contradiction": Message("{a} and {b} cannot both be true"),
}  # fmt: skip
"""What an answer about the pair (a, b) says, to be filled in."""


def choose_mode(say: Words) -> str:
    mode = st.query_params.get(MODE, "")
    return str(
        st.segmented_control(
            say("Entailment in both directions"), list(MODES), default=mode if mode in MODES else next(iter(MODES)),
            required=True, key=f"nli_{MODE}", format_func=lambda name: say(_MODES[name]), on_change=_share_mode,
            help="  \n".join(f"{say(_MODES[name])}: {say(about)}" for name, about in MODES.items()),
        )
    )  # fmt: skip


def _share_mode() -> None:
    st.query_params[MODE] = st.session_state[f"nli_{MODE}"]


def show_rules(say: Words, mode: str) -> None:
    """The table, and beside it the chosen cell: in words, in symbols, on three pairs."""
    table, chosen = st.columns(2, gap="large")
    with table:
        rules = _choose_cell(say, mode)
    with chosen:
        _explain(say, rules)


def _choose_cell(say: Words, mode: str) -> Cell:
    titles = [system.title for system in SYSTEMS.values()]
    names = dict(zip(titles, SYSTEMS, strict=True))
    with st.container(horizontal=True):
        data = st.selectbox(say("Labels of the data (origem)"), titles, key=DATA, bind="query-params", width=190)
        model = st.selectbox(
            say("Labels of the model (destino)"), titles, index=titles.index(SYSTEMS["sick"].title), key=MODEL,
            bind="query-params", width=190,
        )  # fmt: skip
    chart = rule_grid(
        _cells(say, mode),
        say("For every system of labels of the data and of the model, the classes that can be evaluated."),
        (say("Labels of the data (origem)"), say("Labels of the model (destino)")),
        (data, model),
    )
    show_chart(in_language(chart, say), _CHART, _take_click)
    letters = " · ".join(f"{letter} {say.label(label)}" for label, letter in CODES.items())
    notices.text(letters, "pl-quiet")
    return cell(names[data], names[model], mode)


def _take_click() -> None:
    for point in st.session_state[_CHART].selection.get(CELL, []):
        if {"row", "column"} <= point.keys():
            st.session_state[DATA], st.session_state[MODEL] = point["row"], point["column"]


def _cells(say: Words, mode: str) -> pd.DataFrame:
    rows = []
    for data, model in product(SYSTEMS.values(), repeat=2):
        rules = cell(data.name, model.name, mode)
        classes = say(codes(rules.classes, " ")) + (" ⇄" if rules.needs_reverse else "")
        rows.append((data.title, model.title, classes, say(_kind(rules)), _symbols(say, rules.prediction_rule)))
    return pd.DataFrame(rows, columns=["row", "column", "classes", "kind", "rule"])


def _kind(rules: Cell) -> Message:
    if rules.collapses:
        return Message("gold labels merged")
    if rules.needs_reverse:
        return Message("⇄ asked in both directions")
    return Message("same labels") if rules.as_they_are else Message("either of two answers counts")


def _symbols(say: Words, rule: str) -> str:
    return say("answers unchanged") if rule == "unchanged" else say(rule)


def _explain(say: Words, rules: Cell) -> None:
    for sentence in (say(rules.gold_words), *map(say, rules.answer_words)):
        notices.text(sentence[:1].upper() + sentence[1:])
    symbols = _symbols(say, rules.prediction_rule)
    if rules.gold_rule != "unchanged":
        symbols = f"{say(rules.gold_rule)} · {symbols}"
    notices.text(symbols, "pl-piece pl-quiet")
    if rules.reason:
        merged = say(
            "The data's own labels cannot all be told apart by such a model: what is evaluated is {classes}.",
            classes=codes(rules.classes, ", "),
        )
        notices.note(merged)
    shown = [
        notices.fill(
            '<div class="pl-pair"><p class="pl-form">$premise<br>$hypothesis</p>'
            '<p class="pl-quiet">$gold <b>$label</b> → <b>$gold_class</b> · $model $answers → <b>$answer</b> '
            "$mark</p></div>",
            premise=f"a  {one.example.premise}", hypothesis=f"b  {one.example.hypothesis}", gold=say("gold"),
            label=say.label(one.gold), gold_class=say.label(one.gold_class), model=say("model"),
            answers=" / ".join(map(say.label, filter(None, (one.forward, one.reverse)))),
            answer=say.label(one.answer), mark="✓" if one.answer == one.gold_class else "✗",
        )
        for one in worked(rules, language=say.locale)
    ]  # fmt: skip
    st.html("".join(shown))


def follow_language() -> None:
    """The opening pair in the language that was just chosen, where the visitor has typed none."""
    typed_pair = st.session_state.get(PREMISE), st.session_state.get(HYPOTHESIS)
    openings = [examples(locale)[0] for locale in LANGUAGES.values()]
    if typed_pair in [(opening.premise, opening.hypothesis) for opening in openings]:
        opening = examples(words_of_visitor().locale)[0]
        st.session_state.update({PREMISE: opening.premise, HYPOTHESIS: opening.hypothesis})


def type_pair(say: Words, request: NliRequest | None) -> None:
    opening = examples(say.locale)[0]
    first, second, gallery = st.columns([5, 5, 2], vertical_alignment="bottom")
    premise = first.text_input(say("Premise (a)"), opening.premise, key=PREMISE, bind="query-params")
    hypothesis = second.text_input(say("Hypothesis (b)"), opening.hypothesis, key=HYPOTHESIS, bind="query-params")
    with gallery, st.popover(say("Examples"), icon=":material/menu_book:"), st.container(width=460):
        for example in examples(say.locale):
            take = partial(st.session_state.update, {PREMISE: example.premise, HYPOTHESIS: example.hypothesis})
            st.button(example.title, key=f"gallery_{example.id}", type="tertiary", on_click=take)
            notices.write(
                "$note ($reference)", "pl-quiet", note=example.note[say.locale], reference=example.reference
            )
    texts = [str(premise or ""), str(hypothesis or "")]
    if request is None:
        choose = say(
            "Choose a model above to have this pair answered: a classifier, or a language model "
            "that is asked in words. Everything below needs no model."
        )
        notices.note(choose)
    elif not all(map(str.strip, texts)):
        notices.note(say("Type a premise and a hypothesis."))
    elif texts[0].split() == texts[1].split():
        notices.instead(
            say("Both are the same sentence, and every sentence follows from itself: there is nothing to ask.")
        )
    elif reason := unreadable(texts, request.recipe):
        notices.instead(say(reason))
    else:
        with notices.explained_errors(say):
            _answer(say, request, *texts)


def _answer(say: Words, request: NliRequest, premise: str, hypothesis: str) -> None:
    """What a model says of both directions, what that is in every system, and what should be said of an example."""
    model = request.reading.system
    forward, reverse = typed(premise, hypothesis, request)
    first, second = (max(shares, key=lambda label: shares[label]) for shares in (forward, reverse))
    notices.text(_verdict(say, (first, forward[first]), (second, reverse[second])), "pl-headline")
    shares_of = [
        f"{of} " + ", ".join(f"{say.label(label)} {say.number(share, '.1%')}" for label, share in shares.items())
        for of, shares in (("a → b:", forward), ("b → a:", reverse))
    ]
    notices.text(" · ".join((request.recipe.model.name, *shares_of)), "pl-quiet")
    readings = dict[frozenset[str], str]()
    for system in SYSTEMS.values():
        there, back = map(say.label, decode([first, second], [second, first], system.name, model))
        readings.setdefault(frozenset(system.labels), f"{system.title}: {there} / {back}")
    notices.text(" ".join((say("In the labels of each system, a → b / b → a:"), " · ".join(readings.values()))))
    for example in examples():
        if (example.premise, example.hypothesis) == (premise, hypothesis):
            labels = " / ".join(say.label(example.label(model, reverse=back)) for back in (False, True))
            notices.text(say("Should be: {labels}. {note}", labels=labels, note=example.note[say.locale]), "pl-quiet")


def _verdict(say: Words, forward: tuple[str, float], reverse: tuple[str, float]) -> str:
    """Both answers, each a label and its share, in a sentence."""
    (first, p), (second, q) = forward, reverse
    there = Message(_ANSWERS[first], a="a", b="b")
    if first == second and first in SYMMETRIC:
        return say("{forward} ({p:.0%}; the other way round, {q:.0%}).", forward=there, p=p, q=q)
    back = Message(_ANSWERS[second], a="b", b="a")
    return say(
        "{forward} ({p:.0%}); the other way round, {reverse} ({q:.0%}).", forward=there, p=p, reverse=back, q=q
    )
