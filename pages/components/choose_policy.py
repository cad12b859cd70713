"""How sentences are scored: a named preset, and every single choice behind it in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.policies import CHOICES, PRESETS, Policy
from pages.components import notices

FIELDS: Mapping[str, str] = {
    "first_token": "First word",
    "pll": "Masked models",
    "sentence_value": "Sentence value",
    "word_value": "Word value",
    "punctuation": "Punctuation",
    "unit": "Unit",
    "ties": "Ties",
    "text": "Typed characters",
    "detokenise": "Pre-tokenised text",
}


def choose_policy(key: str = "as", fields: Sequence[str] = tuple(FIELDS)) -> Policy:
    """A policy as a phrase, with a popover that changes it. The preset is in the link as `key`, changes as `but`."""
    with st.container(gap="xxsmall", width="content"):
        phrase = st.container()
        with st.popover("Change", icon=":material/tune:"), st.container(width=560):
            preset = st.selectbox(
                "Preset", list(PRESETS), key=key, bind="query-params", on_change=_forget_changes,
                help="Sets every choice below at once, so that a published number can be reproduced by one name.",
            )  # fmt: skip
            policy = _changed(PRESETS[preset], fields)
    with phrase:
        notices.write("Scoring: $phrase", "pl-label", phrase=policy.phrase())
    return policy


def _changed(preset: Policy, fields: Sequence[str]) -> Policy:
    linked = dict(part.partition(":")[::2] for part in st.query_params.get("but", "").split(","))
    chosen = {}
    for field in fields:
        choices = list(CHOICES[field])
        first = linked[field] if linked.get(field) in choices else getattr(preset, field)
        chosen[field] = st.selectbox(
            FIELDS[field], choices, index=choices.index(first), format_func=CHOICES[field].__getitem__,
            key=_key(preset.name, field), persist_state="session",
        )  # fmt: skip
    changes = {field: value for field, value in chosen.items() if value != getattr(preset, field)}
    if not changes:
        _forget_changes()
        return preset
    st.query_params["but"] = ",".join(f"{field}:{value}" for field, value in changes.items())
    return preset.but(name=f"{preset.name}, changed", **changes)


def change_policy(policy: Policy, field: str, value: str) -> None:
    """Callback for notices that offer another choice: as if it had been made in the popover."""
    st.session_state[_key(policy.name.partition(",")[0], field)] = value


def _key(preset: str, field: str) -> str:
    return f"policy_{preset}_{field}"


def _forget_changes() -> None:
    st.query_params.pop("but", None)
