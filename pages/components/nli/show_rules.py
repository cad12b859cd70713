"""The table of label systems: how a model with some labels is judged on data with others, cell by cell."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.charts.nli import CELL, rule_grid
from core.files.labels import MODES, SYSTEMS, Cell, Rule, cell, code
from core.files.labels.systems import codes
from core.messages import Message, both, either, joined
from core.studies.nli.examples import Worked, worked
from pages.components.nli.words import Words, label
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart

DATA, MODEL, MODE = "data_system", "model_system", "mode"
_CHART = "nli_rules"
_MODES = {"strict": Message("strict"), "lenient": Message("lenient"), "forward": Message("one direction only")}
_ABOUT_MODES = (
    Message("strict: a model that entails both ways has said paraphrase"),
    Message("lenient: such a model is right on entailment and on paraphrase"),
    Message("one direction only: the model is never asked back, entailment and paraphrase count as one class"),
)


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
    show_chart(say.in_chart(chart), _CHART, _take_click)
    _explain(say, cell(names[data], names[model], mode))


def _take_click() -> None:
    """Callback: a click on a cell chooses it."""
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
    for sentence in (say(_gold_rule(rules)), *map(say, _answer_rules(rules))):
        notices.write("$sentence", sentence=sentence[:1].upper() + sentence[1:])
    symbols = _symbols(say, rules.prediction_rule)
    if rules.gold_rule != "unchanged":
        symbols = f"{say(rules.gold_rule)} · {symbols}"
    notices.write("$symbols", "pl-piece pl-quiet", symbols=symbols)
    if rules.reason:
        notices.note(
            say(
                "The data's own labels cannot all be told apart by such a model: what is evaluated is {classes}.",
                classes=codes(rules.classes, ", "),
            )
        )
    st.html("".join(_example(say, one) for one in worked(rules)))


def _gold_rule(cell: Cell) -> Message:
    """What becomes of the gold labels."""
    merged = {name: [one for one in cell.gold if cell.gold[one] == name] for name in cell.classes}
    changed = {name: labels for name, labels in merged.items() if labels != [name]}
    if not changed:
        return Message("The gold labels stay as they are.")
    return joined(
        Message("Gold {labels} count as {name}.", labels=both(map(label, labels)), name=label(name))
        for name, labels in changed.items()
    )


def _answer_rules(cell: Cell) -> list[Message]:
    """What the model's answers amount to, a sentence each."""
    if all(rule.forward == (rule.label,) and not rule.reverse for rule in cell.rules):
        return [Message("The model's answers are taken as they are.")]
    return [_answer_rule(rule) for rule in cell.rules]


def _answer_rule(rule: Rule) -> Message:
    forward, name = either(map(label, rule.forward)), label(rule.label)
    if rule.reverse:
        return Message(
            "{forward} for (a, b) together with {reverse} for (b, a) counts as {name}.",
            forward=forward, reverse=either(map(label, rule.reverse)), name=name,
        )  # fmt: skip
    if len(rule.forward) > 1:
        return Message(
            "{letters} counts: either answer, {forward}, is taken as {name}.",
            letters=either(map(code, rule.forward)), forward=forward, name=name,
        )  # fmt: skip
    return Message("The answer {forward} counts as {name}.", forward=forward, name=name)


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
