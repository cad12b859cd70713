"""Data sets x models: every number with its classes, its n and the majority beside it; in words; the footer."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.charts.nli import CELL, result_grid
from core.files.labels.systems import code, codes
from core.messages import Message, joined
from core.runs.receipts.bibtex import bibtex
from core.studies.nli.evaluation import Evaluation
from core.studies.nli.metrics import Bounds
from core.studies.nli.report import as_json
from core.studies.nli.wording import few_sets, keys, methods, receipt, units
from core.studies.nli.writing import assin_xml
from core.types import Model
from pages.components.nli.choose_data import offer_public
from pages.components.nli.results import NliResult
from pages.components.nli.words import Words
from pages.components.shared import notices, resources
from pages.components.shared.datasets import say_on_published
from pages.components.shared.downloads import File, Part, show_chart, show_menu
from pages.components.shared.models import unreadable
from pages.components.shared.receipt import Made, show_receipt

_CHART = "nli_results"
CHOSEN = "nli_cell"
TRAINED = "trained"
_LOOKED_AT = 100
"""Pairs, for what a model cannot read."""


def show_results(say: Words, known: Sequence[NliResult], models: Sequence[Model]) -> NliResult | None:
    """The headline, the table, and which of its cells is chosen; None if nothing was evaluated.

    `models` are those on the page: beside a number of our own samples stands what they reach on published sets.
    """
    if not known:
        return None
    known = _of_trained(say, known)
    names = {f"{one.data.name} · {one.by.name}": one for one in known}
    asked = st.session_state.get(CHOSEN) or st.query_params.get(CHOSEN, "")
    if asked not in names:
        st.session_state[CHOSEN] = asked = next(iter(names))
    _headline(say, names[asked])
    if names[asked].data.like:
        say_on_published(models, "nli", "pairs", say)
        offer_public(say)
    cells = _cells(say, known)
    if len(cells):
        titles = say("Data sets"), say("Answers of")
        finding = say(
            "Macro-F1 of {n} evaluations, by data set and model; those with other classes are apart.", n=len(known)
        )
        show_chart(say.in_chart(result_grid(cells, finding, titles)), _CHART, _take_click)
        notices.text(
            say(
                "Each cell: macro-F1, that of always answering the commonest class, the number of "
                "classes and of pairs. Blue is above that baseline, orange below; compare colours, "
                "and numbers only within a block: other classes are another question."
            ),
            "pl-quiet",
        )
    return names[st.selectbox(say("Details of"), list(names), key=CHOSEN, bind="query-params", width=420)]


def _of_trained(say: Words, known: Sequence[NliResult]) -> Sequence[NliResult]:
    """The same; where a visitor says that the models were trained on the other sets, with the headline for that."""
    if not any(one.report.overlaps for one in known):
        return known
    trained = st.toggle(
        say("The models were trained on the sets that share pairs"), key=TRAINED, bind="query-params",
        help=say("The headline is then that of the pairs which these sets do not hold."),
    )  # fmt: skip
    return [replace(one, report=one.report.of_trained) for one in known] if trained else known


def _take_click() -> None:
    for point in st.session_state[_CHART].selection.get(CELL, []):
        if {"row", "column"} <= point.keys():
            st.session_state[CHOSEN] = f"{point['row'].partition(' — ')[0]} · {point['column']}"


def _headline(say: Words, one: NliResult) -> None:
    found = one.report.headline
    if not found.n:
        said = say("no label to judge on {data}", data=one.data.name)
        if one.report.everything.n:
            said = say(
                "no number of its own on {data}, because each of its pairs is in {other} too",
                data=one.data.name,
                other=_others(one),
            )
            _warn(say, one)
        notices.write("<strong>$who</strong>: $said", "pl-second", who=one.by.name, said=said)
        _relatedness(say, found)
        return
    if reason := _unreadable(one):
        notices.instead(say(reason))
        return
    said = say("macro-F1 {f1:.3f} on {data}", f1=found.macro_f1, data=one.data.about(found.n))
    ours = one.data.like and one.by.file
    who = say("Our sample answers, {name}", name=one.by.name) if ours else one.by.name
    notices.write("<strong>$who</strong>: $said", "pl-second", who=who, said=said)
    of_macro = say(
        "Over {classes}, {n:,} pairs; {interval}, over {units}. Always the commonest class: {majority:.3f}.",
        interval=_interval(found.macro_f1_interval), units=units(found), classes=_balance(found), n=found.n,
        majority=found.majority.macro_f1,
    )  # fmt: skip
    of_accuracy = say(
        "Accuracy {accuracy:.1%} ({interval}); always the commonest class: {majority:.1%}. Matthews' correlation "
        "{mcc:.3f}.",
        accuracy=found.accuracy, interval=_interval(found.accuracy_interval, percent=True),
        majority=found.majority.accuracy, mcc=found.mcc,
    )  # fmt: skip
    for sentence in (of_macro, of_accuracy):
        notices.text(sentence, "pl-quiet")
    _relatedness(say, found)
    if warning := few_sets(found):
        notices.warning(say(warning))
    _warn(say, one)


def _unreadable(one: NliResult) -> str:
    """Why nothing can be said about these pairs with the model that was asked; empty for answers from files."""
    if not one.by.asked:
        return ""
    texts = [text for pair in one.data.read().pairs[:_LOOKED_AT] for text in (pair.premise, pair.hypothesis)]
    return unreadable(texts, one.by.asked.recipe, one.data.language)


def _interval(bounds: Bounds, *, percent: bool = False) -> Message:
    low, high = bounds
    if math.isnan(low):
        return Message("no interval")
    if percent:
        return Message("{low:.1%} to {high:.1%}", low=low, high=high)
    return Message("95 % interval {low:.3f} to {high:.3f}", low=low, high=high)


def _relatedness(say: Words, found: Evaluation) -> None:
    related = found.relatedness
    if related.n:
        said = say(
            "Relatedness: Pearson {pearson:.3f}, mean squared error {mse:.2f}, over {n:,} pairs.",
            pearson=related.pearson, mse=related.mse, n=related.n,
        )  # fmt: skip
        notices.text(said, "pl-quiet")


def _warn(say: Words, one: NliResult) -> None:
    """What the numbers leave out, and pairs that may have been seen in training."""
    if left_over := sum(map(len, one.report.everything.unmatched.values())):
        notices.warning(
            say("Pairs or answers that are not in these numbers: {n:,}. Left out, below, says why.", n=left_over)
        )
    if one.report.overlaps:
        seen = len(set().union(*(overlap.ids for overlap in one.report.overlaps)))
        said = [
            Message(
                "Pairs that are in {other} too, in one order or the other: {n:,}. Whoever was trained on it has seen "
                "them.",
                n=seen, other=_others(one),
            ),
            *(_row(name, row) for name, row in one.report.rows.items() if name != one.report.named and row.n),
        ]  # fmt: skip
        notices.warning(" ".join(map(say, said)))
    elif one.report.unchecked:
        notices.warning(say(one.report.unchecked))


def _row(name: str, found: Evaluation) -> Message:
    """The numbers of a row that is not the headline, with how many of its pairs each class has."""
    return Message(
        "Beside the headline, {name}: macro-F1 {f1:.3f} and accuracy {accuracy:.1%} over {classes}, {n:,} pairs.",
        name=name, f1=found.macro_f1, accuracy=found.accuracy, classes=_balance(found), n=found.n,
    )  # fmt: skip


def _balance(found: Evaluation) -> Message:
    shares = found.balance.items()
    return joined((Message("{label} {share:.1%}", label=code(name), share=share) for name, share in shares), ", ")


def _others(one: NliResult) -> str:
    return " / ".join(overlap.other for overlap in one.report.overlaps)


def _cells(say: Words, known: Sequence[NliResult]) -> pd.DataFrame:
    """One row per evaluation: where pairs may have been seen in training, all of them and those that were not.

    Evaluations without any label have none.
    """
    rows = []
    for one in known:
        for name, found in one.report.rows.items():
            about = one.data.name
            if found is not one.report.everything:
                about += f" — {say(name)}"
            if found.n:
                n, f1, majority = len(found.classes), found.macro_f1, found.majority.macro_f1
                shown = say(
                    "{f1:.3f}\nmajority {majority:.3f}\n{n_classes} classes · n {n:,}",
                    f1=f1, majority=majority, n_classes=n, n=found.n,
                )  # fmt: skip
                classes = say("{n} classes: {codes}", n=n, codes=codes(found.classes, " "))
                rows.append((classes, n, about, one.by.name, f1, f1 - majority, shown))
    columns = ["classes", "n_classes", "row", "column", "value", "gain", "shown"]
    return pd.DataFrame(rows, columns=columns).sort_values("n_classes", ascending=False, kind="stable")


def show_footer(say: Words, one: NliResult, parts: Sequence[Part]) -> None:
    """Downloads, with the charts of the page as `parts`, and what went into the numbers."""
    found, corpus = one.report.everything, one.data.read()
    answers = dict(zip(found.answers["id"], found.answers["answer"], strict=True))
    files = (
        File(say("All numbers (JSON)"), lambda: json.dumps(as_json(one.report, corpus), indent=1), f"{one.key}.json"),
        File(say("Answers (ASSIN XML)"), lambda: assin_xml(corpus, answers), f"{one.key}.xml", "application/xml"),
    )
    if one.run_id:
        signature = resources.store().manifest(one.run_id)["signature"]
        notices.text(signature, "pl-piece pl-quiet")
    with st.container(horizontal=True, key="nli_footer"):
        show_menu("nli", [Part(one.key, lambda: found.answers), *parts], files, said=say)
        show_receipt(lambda: _made(one), one.key, say)


def _made(one: NliResult) -> Made:
    """Everything behind the numbers: the run if a model was asked, the file if not; the reading and the rules."""
    made = resources.store().manifest(one.run_id) if one.run_id else {"answers": one.by.name}
    corpus, asked = one.data.read(), one.by.asked
    return Made(
        receipt(one.report, corpus, one.data.name, one.by.reading, made),
        methods(one.report, one.data.name, one.by.name, made),
        bibtex(keys(corpus), asked.recipe.model if asked else None),
        (one.run_id,) if one.run_id else (),
    )
