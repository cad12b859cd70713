"""How a model with some labels is judged on data with others, cell by cell; and one typed pair in both directions."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.charts.nli import CELL, rule_grid
from core.charts.style import in_language
from core.files.labels import MODES, SYSTEMS, Cell, System, cell, code, codes, decode, in_words
from core.messages import Message
from core.studies.nli.examples import NliExample, Worked, examples, worked
from core.studies.nli.runs import NliRequest
from pages.components.nli.results import typed
from pages.components.nli.words import Words
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart
from pages.components.shared.models import unreadable

DATA, MODEL, MODE = "data_system", "model_system", "mode"
_CHART = "nli_rules"
_MODES = {"strict": Message("strict"), "lenient": Message("lenient"), "forward": Message("one direction only")}
_ABOUT_MODES = (
    Message("strict: a model that entails both ways has said paraphrase"),
    Message("lenient: such a model is right on entailment and on paraphrase"),
    Message("one direction only: the model is never asked back, entailment and paraphrase count as one class"),
)
PREMISE, HYPOTHESIS = "premise", "hypothesis"


def choose_mode(say: Words) -> str:
    """How strictly an entailment in both directions is taken; shared in the link."""
    asked = st.query_params.get(MODE, "")
    return str(
        st.segmented_control(
            say("Entailment in both directions"), list(MODES), default=asked if asked in MODES else next(iter(MODES)),
            required=True, key=f"nli_{MODE}", format_func=lambda name: say(_MODES[name]), on_change=_share_mode,
            help="  \n".join(map(say, _ABOUT_MODES)),
        )
    )  # fmt: skip


def _share_mode() -> None:
    st.query_params[MODE] = st.session_state[f"nli_{MODE}"]


def show_rules(say: Words, mode: str) -> None:
    """The table, and under it the chosen cell: in words, in symbols, on three pairs."""
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
    _explain(say, cell(names[data], names[model], mode))


def _take_click() -> None:
    for point in st.session_state[_CHART].selection.get(CELL, []):
        if {"row", "column"} <= point.keys():
            st.session_state[DATA], st.session_state[MODEL] = point["row"], point["column"]


def _cells(say: Words, mode: str) -> pd.DataFrame:
    rows = []
    for data in SYSTEMS.values():
        for model in SYSTEMS.values():
            rules = cell(data.name, model.name, mode)
            rows.append(
                {
                    "row": data.title,
                    "column": model.title,
                    "classes": say(codes(rules.classes, " ")) + (" ⇄" if rules.needs_reverse else ""),
                    "kind": say(_kind(rules)),
                    "rule": _symbols(say, rules.prediction_rule),
                }
            )
    return pd.DataFrame(rows)


def _kind(rules: Cell) -> Message:
    if rules.collapses:
        return Message("gold labels merged")
    if rules.needs_reverse:
        return Message("⇄ asked in both directions")
    alike = all(rule.forward == (rule.label,) for rule in rules.rules)
    return Message("same labels") if alike else Message("either of two answers counts")


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
        notices.note(
            say(
                "The data's own labels cannot all be told apart by such a model: what is evaluated is {classes}.",
                classes=codes(rules.classes, ", "),
            )
        )
    st.html("".join(_example(say, one) for one in worked(rules)))


def _example(say: Words, one: Worked) -> str:
    """A pair, its gold label, and what a model that is right says."""
    said = say.label(one.forward) + (f" / {say.label(one.reverse)}" if one.reverse else "")
    mark = "✓" if one.answer == one.gold_class else "✗"
    return notices.fill(
        '<div class="pl-pair"><p class="pl-form">$premise<br>$hypothesis</p>'
        '<p class="pl-quiet">$gold <b>$label</b> → <b>$gold_class</b> · $model $said → <b>$answer</b> $mark</p>'
        "</div>",
        premise=f"a  {one.example.premise}", hypothesis=f"b  {one.example.hypothesis}", gold=say("gold"),
        label=say.label(one.gold), gold_class=say.label(one.gold_class), model=say("model"), said=said,
        answer=say.label(one.answer), mark=mark,
    )  # fmt: skip


def type_pair(say: Words, asked: NliRequest | None) -> None:
    """Two lines to type; the answers of the model, if one can answer."""
    opening = examples()[0]
    first, second, gallery = st.columns([5, 5, 2], vertical_alignment="bottom")
    premise = first.text_input(say("Premise (a)"), opening.premise, key=PREMISE, bind="query-params")
    hypothesis = second.text_input(say("Hypothesis (b)"), opening.hypothesis, key=HYPOTHESIS, bind="query-params")
    with gallery, st.popover(say("Examples"), icon=":material/menu_book:"), st.container(width=460):
        for example in examples():
            st.button(example.title, key=f"gallery_{example.id}", type="tertiary", on_click=_take, args=(example,))
            notices.write(
                "$note ($reference)", "pl-quiet", note=example.note[say.locale], reference=example.reference
            )
    if asked is None:
        notices.note(
            say(
                "Choose a model above to have this pair answered: a classifier, or a language model "
                "that is asked in words. Everything below needs no model."
            )
        )
        return
    if not (premise or "").strip() or not (hypothesis or "").strip():
        notices.note(say("Type a premise and a hypothesis."))
        return
    if str(premise).split() == str(hypothesis).split():
        notices.instead(
            say("Both are the same sentence, and every sentence follows from itself: there is nothing to ask.")
        )
        return
    if reason := unreadable([str(premise), str(hypothesis)], asked.recipe):
        notices.instead(say(reason))
        return
    with notices.explained_errors(say):
        forward, reverse = typed(str(premise), str(hypothesis), asked)
        _answer(say, asked, forward, reverse)
        _compare_with_gallery(say, premise, hypothesis, asked)


def _take(example: NliExample) -> None:
    st.session_state[PREMISE], st.session_state[HYPOTHESIS] = example.premise, example.hypothesis


def _answer(say: Words, asked: NliRequest, forward: Mapping[str, float], reverse: Mapping[str, float]) -> None:
    (first, p_first), (second, p_second) = (max(one.items(), key=lambda pair: pair[1]) for one in (forward, reverse))
    notices.write(
        "(a, b): <strong>$first</strong> $p_first · (b, a): <strong>$second</strong> $p_second", "pl-headline",
        first=say.label(first), second=say.label(second), p_first=say.number(p_first, ".0%"),
        p_second=say.number(p_second, ".0%"),
    )  # fmt: skip
    shares = [
        f"{direction}: "
        + ", ".join(f"{say.label(label)} {say.number(share, '.1%')}" for label, share in said.items())
        for direction, said in (("(a, b)", forward), ("(b, a)", reverse))
    ]
    notices.write("$who · $shares", "pl-quiet", who=asked.recipe.model.name, shares=" · ".join(shares))
    read = [f"{system.title}: {_in(system.name, asked, first, second, say)}" for system in _distinct()]
    notices.text(" ".join((say("Read as"), " · ".join(read))))


def _distinct() -> list[System]:
    found = {frozenset(system.labels): system for system in reversed(SYSTEMS.values())}
    return sorted(found.values(), key=lambda system: [*SYSTEMS].index(system.name))


def _in(data: str, asked: NliRequest, forward: str, reverse: str, say: Words) -> str:
    """What both answers are in the labels of a system, for (a, b) and (b, a)."""
    model = asked.reading.system
    rules = cell(data, model)
    said = [
        decode([one], [other] if rules.needs_reverse else None, data, model)[0]
        for one, other in ((forward, reverse), (reverse, forward))
    ]
    letters = {"letter": code(said[0]), "reverse": code(said[1])}
    return say("{label} ({letter}), back {reverse}", label=in_words(said[0]), **letters)


def _compare_with_gallery(say: Words, premise: str | None, hypothesis: str | None, asked: NliRequest) -> None:
    """Where the pair is one of the gallery: what should be said, and whether it was."""
    known = next((one for one in examples() if (one.premise, one.hypothesis) == (premise, hypothesis)), None)
    if known:
        expected = [known.label(asked.reading.system, reverse=back) for back in (False, True)]
        notices.text(
            say(
                "Should be: {labels}. {note}",
                labels=" / ".join(map(say.label, expected)),
                note=known.note[say.locale],
            ),
            "pl-quiet",
        )
