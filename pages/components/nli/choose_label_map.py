"""What a model's classes mean: read from their names, shown, correctable; asked where the names do not say it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType

import pandas as pd
import streamlit as st

from core.files.labels import SYSTEMS
from core.files.nli.label_map import LabelMap, possible
from core.files.nli.pairs import Pair
from pages.components.nli.words import Words
from pages.components.shared import notices
from pages.components.shared.tables import show_table

Shown = tuple[Pair, str]
"""A pair, and the class that was answered."""


def choose_label_map(
    say: Words,
    key: str,
    names: Sequence[str],
    found: LabelMap | None,
    shown: Callable[[], Sequence[Shown]],
    *,
    partly: bool = False,
) -> LabelMap | None:
    """The reading of these names; None, with three pairs under every reading, until somebody says what they mean.

    `found` is what the names say, `shown` gives pairs with the model's own answers to look at. With `partly` there
    may be labels that no name stands for.
    """
    said = (
        say("What the classes mean: {classes}", classes=_meanings(say, found))
        if found
        else say("What do the classes mean? {names}", names=", ".join(names))
    )
    with st.expander(notices.literal(said), expanded=found is None, key=f"map_{key}"):
        fitting = [one.system for one in possible(names, partly=partly)]
        if not fitting:
            notices.error(
                say(
                    "No system of labels has as many classes as these {n}: {names}.",
                    n=len(names),
                    names=", ".join(names),
                )
            )
            return None
        systems = [name for name, one in SYSTEMS.items() if _fits(len(one.labels), len(names), partly=partly)]
        system = st.selectbox(
            say("Labels of the model (destino)"), systems, key=f"map_system_{key}", width=240,
            index=systems.index(found.system) if found else None, format_func=lambda name: SYSTEMS[name].title,
            placeholder=say("Choose an option"), persist_state="session",
        )  # fmt: skip
        chosen = _choose(say, key, names, found, system) if system else found
        if found is None:
            _show_readings(say, names, shown(), partly=partly)
    return chosen


def _meanings(say: Words, found: LabelMap) -> str:
    return ", ".join(f"{name} = {say.label(label)}" for name, label in found.labels.items())


def _fits(labels: int, names: int, *, partly: bool) -> bool:
    return labels >= names if partly else labels == names


def _choose(say: Words, key: str, names: Sequence[str], found: LabelMap | None, system: str) -> LabelMap | None:
    """What each name means in this system; None while one is missing or two are the same."""
    labels = SYSTEMS[system].labels
    with st.container(horizontal=True):
        picked = {
            name: st.selectbox(
                notices.literal(name), labels, key=f"map_{key}_{system}_{name}", width=190, format_func=say.label,
                placeholder=say("Choose an option"), persist_state="session",
                index=labels.index(found.labels[name]) if found and found.labels[name] in labels else None,
            )
            for name in names
        }  # fmt: skip
    if None in picked.values():
        return None
    if len(set(picked.values())) < len(names):
        notices.error(say("Two classes cannot mean the same: choose another label for one of them."))
        return None
    return LabelMap(system, MappingProxyType({name: str(label) for name, label in picked.items()}))


def _show_readings(say: Words, names: Sequence[str], shown: Sequence[Shown], *, partly: bool) -> None:
    """The pairs, what was answered, and what that would mean under each reading."""
    notices.write(
        "$ask",
        "pl-quiet",
        ask=say(
            "The names do not say it. Three pairs and what was answered; below, every reading, "
            "and what it makes of these answers (→ 1, 2, 3):"
        ),
    )
    pairs = [
        {
            "": number,
            say("Premise (a)"): pair.premise,
            say("Hypothesis (b)"): pair.hypothesis,
            say("gold"): say.label(pair.gold) if pair.gold else "",
            say("answer"): answer,
        }
        for number, (pair, answer) in enumerate(shown, start=1)
    ]
    show_table(pd.DataFrame(pairs))
    readings = [
        {name: say.label(label) for name, label in one.labels.items()}
        | {f"→ {number}": say.label(one.labels[answer]) for number, (_, answer) in enumerate(shown, start=1)}
        for one in possible(names, partly=partly)
    ]
    show_table(pd.DataFrame(readings), height=260)
