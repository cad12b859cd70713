"""Beside a number on our own sample: what the model reaches on the published set, and the way there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import streamlit as st

from core.files.datasets import Dataset, of_task, path_of
from core.reports.whole_set import on_cards, on_whole_set
from core.runs.result import Result
from core.runs.samples import is_sample
from core.types import Model, Task
from pages.components.shared import notices, resources
from pages.components.shared.fetch_dataset import ask_for, megabytes
from pages.components.shared.rights import rights


def show_whole_set(results: Sequence[Result], key: str = "") -> None:
    """For runs on our own sample: a sentence for each model of which more is known, and the button (`key`)."""
    cards = {model.weights: model.card for model in resources.catalogue()}
    samples = [result for result in results if is_sample(result.manifest["data"])]
    with st.container(horizontal=True, vertical_alignment="center"):
        for result in samples:
            found = on_whole_set(result, resources.store(), cards.get(result.manifest.get("weights", ""), {}))
            if found:
                model = f"{result.manifest['model']}: " if len(samples) > 1 else ""
                notices.write("$model$said", model=model, said=found.in_words)
        if samples and key:
            offer_whole_set(samples[0].task, key)


def say_on_published(models: Iterable[Model], task: str, noun: str, said: Callable[[str], str] = str) -> None:
    """A line for each model whose card says what it reached on published sets of the task; `noun` is their items'."""
    for model in models:
        if sentence := on_cards(model.name, model.card, task, noun):
            notices.write("$sentence", "pl-quiet", sentence=said(sentence))


def offer_whole_set(task: Task, key: str = "data") -> None:
    """The button that chooses the task's main published set in `choose_dataset`, and fetches it if it is not here."""
    sets = of_task(task.name)
    if sets and (path_of(sets[0]) or rights().may("fetch")):
        st.button(
            _label(sets[0]), icon=":material/download:" if not path_of(sets[0]) else ":material/database:",
            key=f"whole_{sets[0].name}", on_click=_choose, args=(sets[0], key),
        )  # fmt: skip


def _label(dataset: Dataset) -> str:
    if path_of(dataset):
        return f"Use {notices.literal(dataset.title)}"
    verb = "Get" if dataset.fetchable else "How to get"
    parts = [f"{verb} {dataset.title}", megabytes(dataset), f"licence {dataset.licence}"]
    return notices.literal(" · ".join(filter(None, parts)))


def _choose(dataset: Dataset, key: str) -> None:
    st.session_state[key] = dataset.title
    if dataset.fetchable and not dataset.needs_consent:
        ask_for(dataset)
