"""One evaluation in full: what was taken for what, before and after translation; pairs; contradictions; the rest."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd
import streamlit as st

from core.charts.nli import confusion_grid
from core.files.labels import code
from core.messages import joined
from core.studies.nli.baselines import baselines
from core.studies.nli.evaluation import Evaluation
from core.studies.nli.translated import doubt
from core.studies.nli.wording import contradictions
from pages.components.nli.results import NliResult, answers_of
from pages.components.nli.words import Words
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart
from pages.components.shared.tables import show_table, show_tabs

_SHOWN = 500


def show_cell(say: Words, one: NliResult) -> None:
    """Tabs; only the open one is computed."""
    found = one.report.headline
    guessed = not (one.by.asked and one.by.asked.in_words)
    answered = found.answers[found.answers["forward"] != ""]
    labels = answered["gold"].tolist(), answered["forward"].tolist()
    if found.n and guessed and (doubted := doubt(*labels, found.data, found.model)):
        notices.warning(say(doubted))
    shows: dict[str, Callable[[], None]] = {
        say("Confusion"): lambda: _show_confusion(say, found),
        say("By class"): lambda: _show_classes(say, one, found),
        say("Pairs"): lambda: _show_pairs(say, one, found),
        say("Contradictions"): lambda: _show_diagnostics(say, one, found),
        say("Left out"): lambda: _show_left_over(say, one),
    }
    show_tabs(shows, key=f"nli_detail_{say.locale}", said=say)


def _show_confusion(say: Words, found: Evaluation) -> None:
    before, after = st.columns(2, gap="medium")
    titles = {
        "before": say("Before translation: the data's labels and what the model said"),
        "after": say("After translation: what both count as"),
    }
    for column, table, name, heads in (
        (before, found.confusion_before(), "before", (say("gold"), say("model"))),
        (after, found.confusion(), "after", (say("gold counts as"), say("counts as"))),
    ):
        with column:
            notices.text(titles[name])
            counts = table.rename_axis("row").reset_index().melt("row", var_name="column", value_name="n")
            totals = counts.groupby("row")["n"].transform("sum")
            named = counts.assign(share=counts["n"] / totals.where(totals > 0, 1))
            named["right"] = (named["row"] == named["column"]) if name == "after" else True
            named["row"] = named["row"].map(say.label)
            named["column"] = [_short(say, name) for name in named["column"]]
            show_chart(say.in_chart(confusion_grid(named, titles[name], heads)), f"nli_confusion_{name}")
    notices.text(
        say(
            "Rows are gold labels, columns answers. After translation blue is right and orange "
            "wrong. In both directions, an answer reads (a, b) / (b, a)."
        ),
        "pl-quiet",
    )


def _short(say: Words, said: str) -> str:
    """An answer; where both directions were asked, the letters of both."""
    parts = said.split(" / ")
    return say.label(said) if len(parts) == 1 else say(joined(map(code, parts), " / "))


def _show_classes(say: Words, one: NliResult, found: Evaluation) -> None:
    table = found.per_class()
    table["class"] = table["class"].map(say.label)
    titles = {
        "class": say("Class"), "n": say("Gold"), "answered": say("Answered"), "precision": say("Precision"),
        "recall": say("Recall"), "f1": say("F1"),
    }  # fmt: skip
    for name, form in {"n": ",", "answered": ",", "precision": ".3f", "recall": ".3f", "f1": ".3f"}.items():
        table[name] = [_number(say, value, form) for value in table[name]]
    _show_numbers(table.rename(columns=titles), 1)
    notices.text(say("Baselines that know less:"))
    known = [found.majority, *baselines(found, one.data.read())]
    rows = [
        {
            say("Who"): say(row.name),
            say("How"): say(row.how),
            say("Accuracy"): _number(say, row.accuracy, ".1%"),
            "macro-F1": _number(say, row.macro_f1, ".3f"),
        }
        for row in known
    ]
    _show_numbers(pd.DataFrame(rows), 2)


def _number(say: Words, value: float, form: str) -> str | None:
    """A number as the page's language writes it: a table itself would follow the browser."""
    return None if math.isnan(value) else say.number(value, form)


def _show_numbers(table: pd.DataFrame, first: int) -> None:
    right = st.column_config.TextColumn(alignment="right")
    show_table(table, column_config=dict.fromkeys(table.columns[first:], right))


def _show_pairs(say: Words, one: NliResult, found: Evaluation) -> None:
    texts = pd.DataFrame(
        [(pair.id, pair.premise, pair.hypothesis) for pair in one.data.read()], columns=["id", "a", "b"]
    )
    table = found.answers.merge(texts, on="id", how="left").sort_values("correct", kind="stable")
    wrong = int((~table["correct"]).sum())
    notices.text(say("{wrong:,} of {n:,} pairs are wrong; they come first.", wrong=wrong, n=len(table)), "pl-quiet")
    for name in ("gold", "forward", "reverse", "gold_class", "answer"):
        table[name] = [say.label(label) if label else "" for label in table[name]]
    shown = table.head(_SHOWN)[["id", "a", "b", "gold", "gold_class", "forward", "reverse", "answer", "correct"]]
    if not shown["reverse"].any():
        shown = shown.drop(columns="reverse")
    show_table(
        shown,
        column_config={
            "a": st.column_config.TextColumn("a · " + say("Premise (a)"), width="medium"),
            "b": st.column_config.TextColumn("b · " + say("Hypothesis (b)"), width="medium"),
            "gold": say("gold"), "gold_class": say("gold counts as"), "forward": say("says of (a, b)"),
            "reverse": say("says of (b, a)"), "answer": say("counts as"), "correct": say("Right"),
        },
    )  # fmt: skip


def _show_diagnostics(say: Words, one: NliResult, found: Evaluation) -> None:
    notices.text(say("Answers that cannot all be right. Nothing here changes a score."), "pl-quiet")
    said = [say(sentence) for sentence in contradictions(found)]
    asked_back = found.diagnostics.asked
    none = say("The model was asked in one direction only, so its answers cannot contradict each other.")
    for sentence in said or [say("Nothing found.") if asked_back else none]:
        notices.text(sentence)
    allowed = found.diagnostics.reverse_entailment
    if allowed:
        with st.expander(say("Reverse entailment, allowed: {n}", n=len(allowed))):
            wanted = set(allowed)
            pairs = [pair for pair in one.data.read() if pair.id in wanted][:_SHOWN]
            rows = [{"id": pair.id, "a": pair.premise, "b": pair.hypothesis} for pair in pairs]
            show_table(pd.DataFrame(rows))


def _show_left_over(say: Words, one: NliResult) -> None:
    corpus, rows = one.data.read(), []
    rows += [
        (say(reason), identifier) for reason, ids in one.report.everything.unmatched.items() for identifier in ids
    ]
    rows += [(say(why), say(where)) for where, why in corpus.left_out]
    if one.by.asked:
        answers = answers_of(one.run_id, one.by.asked)
        rows += [(say(reason), pair) for pair, reason in answers.refused.items()]
        rows += [(say("a tie: decided for the label that comes first"), pair) for pair in answers.ties]
    if not rows:
        notices.text(say("Nothing was left out."))
        return
    show_table(pd.DataFrame(rows, columns=[say("Why"), say("Where")]))
