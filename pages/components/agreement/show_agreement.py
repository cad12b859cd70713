"""Answers to an agreement set: in words, by attractors, distance, heuristics, item by item; several side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.analysis import agreement_wording as wording
from core.analysis.agreement import as_json, in_group
from core.analysis.agreement_wording import flipped
from core.charts.agreement import GROUP, accuracy_by_group, accuracy_of_heuristics
from core.charts.run_numbers import margin_histogram
from core.files.exports import written
from core.runs.receipts.bibtex import bibtex
from core.studies.agreement.predictions import predictions, raw_predictions
from core.studies.agreement.receipt import keys, methods, receipt
from pages.components.agreement.results import AgreementResult
from pages.components.shared import notices
from pages.components.shared.datasets import show_whole_set
from pages.components.shared.downloads import File, Part, gathered_downloads, show_chart, show_downloads, show_menu
from pages.components.shared.link import keep_in_link, open_in_compare
from pages.components.shared.paradigms import show_paired
from pages.components.shared.receipt import Made, receipt_of_run, show_receipt
from pages.components.shared.tables import choose_detail, show_table, show_tabs

CLICKED = "group"
_TITLES = {
    "attractors": "Attractors",
    "distance": "Words from head to verb",
    "heuristics": "Heuristics that give the right number",
    "number": "Number of the head",
    "inverted": "Subject after the verb",
    "type": "Sentences",
}
_EXPLAINED = {
    "attractors": wording.ATTRACTOR,
    "distance": "How many words stand between the head and the verb.",
    "heuristics": "The control: where no heuristic gives the answer, the model has to know the head.",
}
_CHOOSERS = {"always_singular", "frequency", "cls_noun"}
"""Columns of baselines."""
_PERCENT = {
    "share": "Right (share)", "low": "95 % from", "high": "95 % to", "always_singular": "Always the singular",
    "frequency": "The more frequent form", "cls_noun": "The last noun", "model": "The model on the same",
    "model_share": "The model where it is wrong", "model_low": "95 % from (there)", "model_high": "95 % to (there)",
}  # fmt: skip
_PLAIN = {
    "model_name": "Model", "n": "Items", "right": "Right", "contrasts": "Pairs of forms", "ties": "Ties",
    "title": "Heuristic", "none": "Predicts nothing", "n_wrong": "Wrong in", "model_right": "Model right there",
}  # fmt: skip
_SHOWN = 500
_COLUMNS = {
    "context": st.column_config.TextColumn("Before the form", width="large"),
    "right": st.column_config.TextColumn("Right", width="medium"),
    "rival": st.column_config.TextColumn("Wrong", width="medium"),
    "margin": st.column_config.NumberColumn("Margin (bits)", format="%.2f"),
    "number": "Number",
    "attractors": "Attractors",
    "heuristics": "Heuristics right",
    "distance": "Distance",
}


def show_agreement(shown: Sequence[AgreementResult], chooser: str = "") -> None:
    """Headlines, tabs and footers. All are about the same items.

    `chooser` is the key of the control in which a published set can be chosen instead of our sample, if one can.
    """
    first = shown[0].answers
    choosers = wording.beside(first.numbers)
    for one in shown:
        _headline(one, choosers if len(shown) == 1 else "")
    if choosers and len(shown) > 1:
        notices.text(choosers, "pl-quiet")
    if first.participles:
        notices.note(wording.PARTICIPLES)
    runs = [one.result for one in shown if one.result]
    show_whole_set(runs, chooser)
    if shown[0].sample and not chooser:
        st.page_link(
            "pages/zero_shot.py", label="Published sets of English, such as Linzen et al.: under Benchmarks",
            icon=":material/database:", query_params={"task": "linzen"},
        )  # fmt: skip
    alike = [run for run in runs if run.rule == runs[0].rule]  # margins of another question are no comparison
    if len(alike) > 1:
        with notices.explained_errors():
            show_paired(alike, "accuracy")
    if len(alike) < len(runs):
        notices.write("Models of which another value is compared are not tested against these.", "pl-quiet")
    by_name = {one.name: one for one in shown}
    with gathered_downloads() as parts:
        show_tabs(
            {
                "Attractors": lambda: _show_by(shown, "attractors"),
                "Distance": lambda: _show_by(shown, "distance"),
                "Heuristics": lambda: _show_heuristics(shown),
                "Number": lambda: _show_by(shown, "number", "inverted", "type"),
                "Items by margin": lambda: _show_items(choose_detail(by_name, "details_of_agreement")),
                "Left out": lambda: _show_left_out(choose_detail(by_name, "details_of_agreement")),
            }
        )
    for place, one in enumerate(shown):
        _show_footer(one, () if place else parts)


def _headline(one: AgreementResult, choosers: str) -> None:
    """The answer, the choosers beside it, and what stands behind it."""
    numbers = one.answers.numbers
    if one.unreadable:
        notices.instead(one.unreadable)
        return
    with st.container(gap="xxsmall"):
        answer = wording.answer(numbers, sample=one.sample)
        notices.write("<strong>$name</strong>: $answer", "pl-headline", name=one.name, answer=answer)
        for sentence in filter(None, (choosers, wording.counts(numbers, one.answers.policy.ties))):
            notices.text(sentence, "pl-quiet")
        if faults := one.result and one.result.manifest.get("faults"):
            notices.note(faults)
        if caution := wording.caution(numbers):
            notices.warning(caution)


def _show_by(shown: Sequence[AgreementResult], *columns: str) -> None:
    """A chart and a table for each of these groups of which the data say something."""
    known = {column: list(_table(shown[0], column)["group"]) for column in columns}
    for column, groups in known.items():
        if len(groups) > 1 or (groups and len(columns) == 1):
            _show_groups(shown, column)
        elif groups:
            notices.write("$what: $group, in all items.", "pl-quiet", what=_TITLES[column], group=groups[0])
    if not any(known.values()):
        said = " or ".join(_TITLES[column].lower() for column in columns)
        notices.note(f"These files do not say anything about this ({said}); a .tab file beside the sentences does.")


def _show_heuristics(shown: Sequence[AgreementResult]) -> None:
    """The control, by how many heuristics give the right number; and how often each is right alone."""
    _show_by(shown, "heuristics")
    first = shown[0].answers.numbers.heuristics
    if len(first):
        finding = wording.misled(first)
        chart = accuracy_of_heuristics({one.name: one.answers.numbers for one in shown}, finding)
        notices.write(
            "Grey: how often each heuristic alone is right. Coloured: how often the model is right where that one is "
            "wrong. Dashed: the model on all items.", "pl-quiet",
        )  # fmt: skip
        show_chart(chart, "agreement_heuristics")
        tables = {one.name: one.answers.numbers.heuristics.drop(columns="heuristic") for one in shown}
        _show_rows("choosers", tables, {}, chart, shown[0].key)


def _show_groups(shown: Sequence[AgreementResult], column: str) -> None:
    tables = {one.name: _table(one, column) for one in shown}
    finding = wording.by_group(_table(shown[0], column), _TITLES[column].lower())
    known = ["$explained"] if column in _EXPLAINED else []
    if _CHOOSERS & {*tables[shown[0].name].dropna(axis=1, how="all")}:
        known.append("$choosers")
    if known:
        notices.write(" ".join(known), "pl-quiet", explained=_EXPLAINED.get(column, ""), choosers=wording.CHOOSERS)
    chart = accuracy_by_group(tables, _TITLES[column], finding)
    key = f"agreement_{column}_{'_'.join(one.key for one in shown)}"
    show_chart(chart, key, lambda: _take_click(key, column))
    of, _, group = st.query_params.get(CLICKED, "").partition(":")
    if of == column and group in set(_table(shown[0], column)["group"]):
        notices.write("$who. Only $what: $group.", who=shown[0].name, what=_TITLES[column].lower(), group=group)
        _show_item_table(shown[0], in_group(shown[0].answers.items, column, group), f"{column}_{group}")
    _show_rows(column, tables, {"group": _TITLES[column]}, chart, shown[0].key)


def _take_click(key: str, column: str) -> None:
    """Callback: the group that was clicked is named in the link, so that its items are there again."""
    clicked = [point["group"] for point in st.session_state[key].selection.get(GROUP, []) if "group" in point]
    keep_in_link(CLICKED, f"{column}:{clicked[0] if clicked else ''}", unless=not clicked)


def _table(one: AgreementResult, column: str) -> pd.DataFrame:
    table: pd.DataFrame = getattr(one.answers.numbers, f"by_{column}")
    return table


def _show_rows(
    name: str, tables: Mapping[str, pd.DataFrame], titles: Mapping[str, str], chart: alt.LayerChart, key: str
) -> None:
    rows = pd.concat(tables, names=["model_name"]).reset_index(0).dropna(axis=1, how="all")
    shares = {column: st.column_config.NumberColumn(title, format="percent") for column, title in _PERCENT.items()}
    shown = rows if len(tables) > 1 else rows.drop(columns="model_name")
    show_table(shown, column_config={**_PLAIN, **titles, **shares})
    show_downloads(f"{key}-{name}", rows, chart)


def _show_items(one: AgreementResult) -> None:
    if one.answers.items.empty:
        notices.note("No item can be judged; Left out says why.")
        return
    chart = margin_histogram(
        one.answers.items[["margin"]], f"Margins of {notices.counted(len(one.answers.items), 'item')}."
    )
    show_chart(chart, "agreement_margins")
    _show_item_table(one, one.answers.items, "all")
    show_downloads(f"{one.key}-items", one.answers.items, chart)
    if one.answers.flips:
        notices.text(flipped(one.answers.flips), "pl-quiet")
    if one.answers.flips and len(one.answers.flips.items):
        with st.expander("Items that the end of the word decides"):
            show_table(
                one.answers.flips.items,
                column_config={
                    "item": "Item", "right": "Right form", "wrong": "Wrong form", "word": "With the end of the word",
                    "form": "Form only",
                    "margin_word": st.column_config.NumberColumn("Margin with it (bits)", format="%.2f"),
                    "margin_form": st.column_config.NumberColumn("Margin without (bits)", format="%.2f"),
                },
            )  # fmt: skip


def _show_item_table(one: AgreementResult, items: pd.DataFrame, key: str) -> None:
    worst = items.head(_SHOWN)
    notices.write(
        "$shown of $n, the worst decision first. Choose one to open it in Compare.", "pl-quiet",
        shown=f"{len(worst):,}", n=notices.counted(len(items), "item"),
    )  # fmt: skip
    columns = [name for name in _COLUMNS if name in worst]
    event = show_table(
        worst[columns], column_config=_COLUMNS, on_select="rerun", selection_mode="single-row",
        key=f"agreement_items_{one.key}_{key}", selection_default={"selection": {"rows": [0]}},
    )  # fmt: skip
    for place in event.selection.rows[:1]:
        row = worst.iloc[place]
        right, rival = (f"{row['context']}{row[side]}" for side in ("right", "rival"))
        open_in_compare(right, rival, one.result.manifest["model"] if one.result else "", one.answers.policy)


def _show_left_out(one: AgreementResult) -> None:
    answers, counts = one.answers, one.answers.numbers.overall
    notices.write(
        "$ties, each counted as $rule; $undecided decided by less than 1e-4 nats, which another device could turn; "
        "$excluded left out.",
        ties=notices.counted(counts["ties"], "tie"), rule=answers.policy.ties, undecided=f"{counts['undecided']:,}",
        excluded=notices.counted(counts["excluded"], "item"),
    )  # fmt: skip
    if len(answers.undecided):
        show_table(
            answers.undecided[["item", "why", "margin", "texts"]],
            column_config={
                "item": "Item", "why": "Why", "texts": "Texts",
                "margin": st.column_config.NumberColumn("Margin (bits)", format="%.3g"),
            },
        )  # fmt: skip


def _show_footer(one: AgreementResult, parts: Sequence[Part] = ()) -> None:
    """Downloads, those of the open tab (`parts`) among them, and what went into the numbers."""
    if one.result:
        notices.text(one.result.manifest["signature"], "pl-piece pl-quiet")
    answers = one.answers
    files = (
        File("All numbers (JSON)", lambda: json.dumps(as_json(answers.numbers), indent=1), f"{one.key}.json"),
        File(".raw-pred", lambda: written(raw_predictions(answers.candidates), ".raw-pred"), f"{one.key}.raw-pred"),
        File(".pred", lambda: written(predictions(answers.candidates), ".pred"), f"{one.key}.pred"),
    )
    with st.container(horizontal=True, key=f"agreement_footer_{one.key}"):
        show_menu(f"agreement_{one.key}", [*parts, Part(one.key, lambda: answers.items)], files)
        show_receipt(lambda: _made(one), one.key)


def _made(one: AgreementResult) -> Made:
    if one.result:
        return receipt_of_run(one.result.manifest["run_id"])
    return Made(receipt(one.answers, one.name), methods(one.answers, one.name), bibtex(keys()))
