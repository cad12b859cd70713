"""The models on this machine, and the card of one: what it is, how well it scores, how it was made."""

from __future__ import annotations

import json

import pandas as pd
import streamlit as st

from core.charts.accuracy import reached
from core.models.inventory import Entry, in_millions, inventory
from core.models.resolve import is_open
from core.reports.model_evaluation import group_rows, in_words, published_rows, score_rows
from core.runs.command import line
from core.training.card import account, words_read
from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.models import SCORABLE
from pages.components.shared.tables import choose_row, show_table

PARAMETER = "model"
KINDS = {
    "causal": "left to right", "masked": "masked", "seq2seq": "encoder-decoder", "classifier": "entailment",
    "next-sentence": "next sentence", "unigram": "word counts",
}  # fmt: skip
LANGUAGES = {"en": "English", "fr": "French", "pt": "Portuguese"}
ORIGINS = {"bundled": "comes with Pairlens", "own": "made here", "hub": "from the hub", "folder": "a folder"}
_COLUMNS = {
    "name": st.column_config.TextColumn("Name", width="medium"),
    "kind": "Kind",
    "language": "Language",
    "parameters": st.column_config.TextColumn("Parameters", alignment="right"),
    "size": st.column_config.TextColumn("On disk", alignment="right"),
    "text": st.column_config.TextColumn("Training words", alignment="right"),
    "reaches": st.column_config.TextColumn("Accuracy (95 % interval)", width="large"),
    "origin": "From",
}
_PAGES = {
    "classifier": ("pages/nli.py", "Open in Entailment", ":material/rule:", "nli_model"),
    "next-sentence": ("pages/stereoset.py", "Open in Stereotypes", ":material/groups:", "model_name"),
}
"""Where models are asked that give no sentence a number: page, label, icon, and what its links call the model."""
_SOURCES = {
    "title": st.column_config.TextColumn("Training text", width="large"),
    "words": st.column_config.NumberColumn("Words", format="localized"),
    "licence": st.column_config.TextColumn("Licence", width="medium"),
    "where": st.column_config.TextColumn("Where", width="large"),
}
_SHARES = {"value": "Accuracy", "low": "95 % from", "high": "to", "chance": "Guessing"}
_SCORES = {
    "set": st.column_config.TextColumn("Test set", width="medium"),
    **{name: st.column_config.NumberColumn(title, format="percent") for name, title in _SHARES.items()},
    "baseline": "Best simple rule",
    "baseline_value": st.column_config.NumberColumn("its accuracy", format="percent"),
    "items": st.column_config.NumberColumn("Items", format="localized"),
    "policy": st.column_config.TextColumn("Scoring", width="large"),
    "signature": "Signature",
}
_GROUPS = {
    "set": "Test set", "by": "By", "name": "Group",
    "value": st.column_config.NumberColumn("Accuracy", format="percent"),
}  # fmt: skip


def choose_entry() -> Entry | None:
    """The model of the link, or the first; None where there is none at all."""
    entries = sorted(
        (entry for entry in inventory(resources.catalogue()) if is_open(entry.name)),
        key=lambda entry: list(KINDS).index(entry.kind),
    )
    if not entries:
        notices.note(
            "There are no models on this machine: add one below, train one on the page Train, or restore the folder "
            "data/models."
        )
        return None
    rows = pd.DataFrame([_row(entry) for entry in entries])
    names = [entry.name for entry in entries]
    chosen = choose_row(
        rows,
        names,
        _COLUMNS,
        "The models on this machine",
        version=" ".join(names),
        parameter=PARAMETER,
        noun="model",
    )
    return entries[names.index(chosen)]


def languages(entry: Entry) -> str:
    """`English, Portuguese`; empty where the card names none."""
    return ", ".join(LANGUAGES.get(code, code) for code in str(entry.card.get("language", "")).split())


def _row(entry: Entry) -> dict[str, str]:
    return {
        "name": entry.name,
        "kind": KINDS.get(entry.kind, entry.kind),
        "language": languages(entry),
        "parameters": in_millions(entry.parameters),
        "size": f"{entry.megabytes:,.1f} MB",
        "text": in_millions(words_read(entry.card)),
        "reaches": " · ".join(in_words(entry.card)),
        "origin": ORIGINS[entry.origin],
    }


def show_card(entry: Entry) -> None:
    """Everything that is known about one model, and the way to the pages that ask it."""
    title = str(entry.card.get("title") or entry.name)
    notices.write("<strong>$title</strong>", "pl-second", title=title)
    parameters = f"{in_millions(entry.parameters)} parameters" if entry.parameters else ""
    facts = [KINDS.get(entry.kind, entry.kind), languages(entry), parameters, f"{entry.megabytes:,.1f} MB"]
    notices.text(entry.card.get("description") or "This model has no model card.")
    notices.text(" · ".join(fact for fact in facts if fact), "pl-quiet")
    _show_ways(entry)
    _show_scores(entry)
    for name, told in account(entry.card).items():
        notices.write("<strong>$name:</strong> $told", name=name, told=told)
    _show_text(entry)


def _show_ways(entry: Entry) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if entry.kind in SCORABLE:
            open_in_compare(entry.name)
            st.page_link(
                "pages/zero_shot.py", label="Benchmarks", icon=":material/play_arrow:",
                query_params={"model_name": entry.name},
            )  # fmt: skip
        elif entry.kind in _PAGES:
            page, label, icon, parameter = _PAGES[entry.kind]
            st.page_link(page, label=label, icon=icon, query_params={parameter: entry.name})
        with st.popover("On the command line", icon=":material/terminal:"):
            st.code(_command(entry), language="bash", wrap_lines=True)
        if entry.card:
            st.download_button(
                "Card (JSON)", json.dumps(dict(entry.card), ensure_ascii=False, indent=1), f"{entry.name}-card.json",
                "application/json", key="get_card", on_click="ignore", icon=":material/download:",
            )  # fmt: skip


def open_in_compare(name: str) -> None:
    """The link that asks a model about two sentences."""
    st.page_link(
        "pages/compare.py", label="Open in Compare", icon=":material/compare_arrows:", query_params={"model": name}
    )


def _command(entry: Entry) -> str:
    asked = {
        "classifier": ["nli", "predict", "--data", "pairs.csv", "--output-file", "answers.csv"],
        "next-sentence": ["stereoset", "predict", "--gold-file", "dev.json", "--output-dir", "predictions"],
    }.get(entry.kind, ["score", "The keys to the cabinet are here."])
    return line([*asked, "--model", entry.name])


def _show_text(entry: Entry) -> None:
    if sources := entry.card.get("sources"):
        rows = [
            {**source, "where": ", ".join(origin["repository"] for origin in source.get("origins", ()))}
            for source in sources
        ]
        show_table(pd.DataFrame(rows)[list(_SOURCES)], column_config=_SOURCES, alt="Training texts")
    if characters := str(entry.card.get("characters", "")).strip():
        lower = " It reads lower-case text only." if entry.card.get("lower_case") else ""
        notices.write(
            "<strong>Characters seen often in training:</strong> <span class=\"pl-piece\">$characters</span>$lower",
            characters=characters, lower=lower,
        )  # fmt: skip


def _show_scores(entry: Entry) -> None:
    rows = score_rows(entry.card)
    if rows.empty:
        notices.note("No scores yet. Run a benchmark to get some.")
        return
    said = "Accuracy, with 95 % intervals: " + "; ".join(in_words(entry.card)) + "."
    rules = rows[["set", "baseline", "baseline_value"]].dropna()
    rules = rules.rename(columns={"baseline": "name", "baseline_value": "value"}).assign(published=False)
    published = published_rows(entry.card).assign(published=True)
    chart = reached(rows, pd.concat([rules, published], ignore_index=True), said)
    notices.text(said)
    show_chart(chart, "reached")
    notices.write(
        "Blue: the model, with its 95 % interval over items. Tick: guessing. Diamond: the best simple rule. "
        "Triangle: published results on the same items.", "pl-quiet",
    )  # fmt: skip
    with st.expander("As a table, and by group"):
        show_table(rows, column_config=_SCORES, alt="Accuracy on whole test sets")
        groups = group_rows(entry.card)
        if len(groups):
            show_table(groups, column_config=_GROUPS, alt="The same by group")
        show_downloads(f"{entry.name}-scores", rows, chart, {"scores": rows, "groups": groups})
