"""How sentences are scored: a named preset, and every single choice behind it in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import streamlit as st

from core.errors import unknown
from core.policies import CHOICES, PRESETS, Policy, preset_for
from pages.components.shared import notices

FIELDS: Mapping[str, str] = {
    "first_token": "First word",
    "pll": "Masked models",
    "words_by": "Their words",
    "sentence_value": "Sentence value",
    "word_value": "Word value",
    "punctuation": "Punctuation",
    "unit": "Unit",
    "ties": "Ties",
    "text": "Typed characters",
    "detokenise": "Pre-tokenised text",
}

_NOTHING: Mapping[str, Mapping[str, object]] = MappingProxyType({})


def choose_policy(
    key: str = "as",
    fields: Sequence[str] = tuple(FIELDS),
    sets: Mapping[str, Mapping[str, object]] = _NOTHING,
    *,
    sentences: bool = True,
) -> Policy:
    """A policy as a phrase, with a popover that changes it. The preset is in the link as `key`, changes as `but`.

    `sets` are fields that a task needs otherwise than a preset has them, by preset (`core.types.Task`). `sentences`:
    whether the page compares whole sentences; else it is about words or forms.
    """
    _refuse_unknown(key)
    with st.container(gap="xxsmall", width="content"):
        phrase = st.container()
        with st.popover("Change", icon=":material/tune:"), st.container(width=560):
            preset = st.selectbox(
                "Preset", list(PRESETS), key=key, bind="query-params", on_change=_forget_changes,
                help="Sets every choice below at once, so that a published number can be reproduced by one name.",
            )  # fmt: skip
            policy = _changed(preset_for(preset, sets), fields)
    with phrase:
        phrase_of = policy.phrase if sentences else policy.beginning
        notices.write("Scoring: $phrase", "pl-label", phrase=phrase_of())
    return policy


def _refuse_unknown(key: str) -> None:
    """Say so if a link asks for a preset that is not there; the usual one is used instead."""
    asked = st.query_params.get(key, "")
    if asked and asked not in PRESETS:
        notices.error(unknown("preset", asked, PRESETS))
        del st.query_params[key]


def _changed(preset: Policy, fields: Sequence[str]) -> Policy:
    linked = dict(part.partition(":")[::2] for part in st.query_params.get("but", "").split(","))
    chosen = {}
    for field in fields:
        choices = list(CHOICES[field])
        first = linked[field] if linked.get(field) in choices else getattr(preset, field)
        chosen[field] = st.selectbox(
            FIELDS[field], choices, index=choices.index(first), format_func=CHOICES[field].__getitem__,
            key=_key(preset, field), persist_state="session",
        )  # fmt: skip
    changes = {field: value for field, value in chosen.items() if value != getattr(preset, field)}
    if not changes:
        _forget_changes()
        return preset
    st.query_params["but"] = ",".join(f"{field}:{value}" for field, value in changes.items())
    return preset.but(name=f"{preset.name}, changed", **changes)


def change_policy(policy: Policy, field: str, value: str) -> None:
    """Callback for notices that offer another choice: as if it had been made in the popover."""
    st.session_state[_key(PRESETS[policy.name.partition(",")[0]], field)] = value


def _key(preset: Policy, field: str) -> str:
    return f"policy_{preset.name}_{field}_{getattr(preset, field)}"


def _forget_changes() -> None:
    st.query_params.pop("but", None)
