"""The card of a model in full: what it is, how well it scores, how it was made, what it is not for."""

from __future__ import annotations

import json

import pandas as pd
import streamlit as st

from core.models.inventory import Entry, in_millions
from core.runs.command import line
from core.training.card import account
from pages.components.models.choose_entry import KINDS, languages
from pages.components.models.show_card_scores import show_card_scores
from pages.components.shared import notices
from pages.components.shared.choose_models import SCORABLE
from pages.components.shared.show_table import show_table

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


def show_card(entry: Entry) -> None:
    """Everything that is known about one model, and the way to the pages that ask it."""
    title = str(entry.card.get("title") or entry.name)
    notices.write("<strong>$title</strong>", "pl-second", title=title)
    facts = [KINDS.get(entry.kind, entry.kind), languages(entry), _parameters(entry), f"{entry.megabytes:,.1f} MB"]
    notices.write("$about", about=entry.card.get("description") or "This model has no model card.")
    notices.write("$facts", "pl-quiet", facts=" · ".join(fact for fact in facts if fact))
    _show_ways(entry)
    show_card_scores(entry)
    for name, told in account(entry.card).items():
        notices.write("<strong>$name:</strong> $told", name=name, told=told)
    _show_text(entry)


def _parameters(entry: Entry) -> str:
    return f"{in_millions(entry.parameters)} parameters" if entry.parameters else ""


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
    """What it has read: the texts, and the characters that it knows."""
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
