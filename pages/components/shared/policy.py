"""How sentences are scored: a preset, every choice behind it, and what that changes in typed text."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

import streamlit as st

from pages.components.shared import notices
from pages.components.shared.frame import opened_page
from pages.components.shared.link import keep_in_link
from pairlens.errors import unknown
from pairlens.models.vocabulary import reads_whole_words
from pairlens.policies import CHOICES, PRESETS, Policy, preset_for
from pairlens.scoring.recipe import Recipe
from pairlens.studies.compare.typed import SentencePair
from pairlens.text import Change, describe, looks_tokenised, prepare

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
_USUAL, _SHOWN = ("first_token", "sentence_value", "word_value", "unit", "punctuation"), 3
"""What is asked about most; the first three of them that a page has stand at the top, the others behind a click."""
_NOTHING: Mapping[str, Mapping[str, object]] = MappingProxyType({})


def choose_policy(
    key: str = "as",
    fields: Sequence[str] = tuple(FIELDS),
    sets: Mapping[str, Mapping[str, object]] = _NOTHING,
    *,
    sentences: bool = True,
    above: Callable[[], None] = lambda: None,
) -> Policy:
    """A button that says how texts are scored and opens the choices. The preset is in the link as `key`, changes as
    `but`.

    `sets` are fields that a task needs otherwise than a preset has them, by preset (`pairlens.types.Task`).
    `sentences`: whether the page compares whole sentences; else it is about words or forms. `above` draws choices of
    the page's own.
    """
    name = st.query_params.get(key, "")
    if name and name not in PRESETS:
        notices.error(unknown("preset", name, PRESETS))
        del st.query_params[key]
    before = preset_for(str(st.session_state.get(key) or st.query_params.get(key) or next(iter(PRESETS))), sets)
    linked = _linked(before, fields).items()
    known = before.but(**{field: st.session_state.get(_key(before, field), value) for field, value in linked})
    phrase = known.phrase() if sentences else known.beginning()
    with (
        st.popover(notices.literal(f"Scoring: {phrase}"), icon=":material/tune:", key=f"scoring_{key}"),
        st.container(width=560),
    ):
        above()
        preset = st.selectbox(
            "Preset", list(PRESETS), key=key, bind="query-params",
            on_change=keep_in_link, args=("but", ""), kwargs={"unless": True},
            help="Sets every choice below at once, so that a published number can be reproduced by one name.",
        )  # fmt: skip
        return _changed(preset_for(preset, sets), fields)


def _linked(preset: Policy, fields: Sequence[str]) -> dict[str, str]:
    linked = dict(part.partition(":")[::2] for part in st.query_params.get("but", "").split(","))
    return {
        field: linked[field] if linked.get(field) in CHOICES[field] else str(getattr(preset, field))
        for field in fields
    }


def _changed(preset: Policy, fields: Sequence[str]) -> Policy:
    first = _linked(preset, fields)
    usual = [field for field in _USUAL if field in fields][:_SHOWN]
    rest = [field for field in fields if field not in usual]
    chosen = {field: _choose(preset, field, first[field]) for field in usual}
    with st.expander("All choices", expanded=any(first[field] != getattr(preset, field) for field in rest)):
        chosen |= {field: _choose(preset, field, first[field]) for field in rest}
    changes = {field: value for field, value in chosen.items() if value != getattr(preset, field)}
    if not changes:
        st.query_params.pop("but", None)
        return preset
    st.query_params["but"] = ",".join(f"{field}:{value}" for field, value in changes.items())
    return preset.but(name=f"{preset.name}, changed", **changes)


def _choose(preset: Policy, field: str, first: str) -> str:
    choices = list(CHOICES[field])
    return st.selectbox(
        FIELDS[field], choices, index=choices.index(first), format_func=CHOICES[field].__getitem__,
        key=_key(preset, field),
    )  # fmt: skip


def _key(preset: Policy, field: str) -> str:
    return f"policy_{opened_page()}_{preset.name}_{field}_{getattr(preset, field)}"


def show_changes(pairs: Sequence[SentencePair], recipe: Recipe) -> None:
    """One notice beside the input for each thing worth knowing; nothing for ordinary text."""
    policy = recipe.policy
    characters = recipe.model.card.get("characters")
    texts = [text for pair in pairs for text in pair]
    if done := _changes_of(texts, policy, characters):
        undo = ("detokenise", "") if policy.detokenise else ("text", "as-typed")
        _offer(describe(done), "Undo", policy, *undo)
    elif policy.text == "auto" and (possible := _changes_of(texts, policy.but(text="typographic"), characters)):
        signs = ", ".join(dict.fromkeys(f"{change.original} as {change.replacement}" for change in possible))
        _offer(f"This model may not know these characters. They could be read so: {signs}.", "Read them so", policy,
               "text", "typographic")  # fmt: skip
    if not policy.detokenise and (language := looks_tokenised(texts)) and not reads_whole_words(recipe.model):
        joined = prepare(texts[0], policy.but(detokenise=language), characters).text
        _offer(f"This looks like text cut into tokens. Joined, it would read: {joined}", "Join it", policy,
               "detokenise", language)  # fmt: skip


def _changes_of(texts: Iterable[str], policy: Policy, characters: str | None) -> list[Change]:
    return [change for text in texts for change in prepare(text, policy, characters).changes]


def _offer(text: str, label: str, policy: Policy, field: str, value: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.note(text)
        chosen = {_key(PRESETS[policy.name.partition(",")[0]], field): value}
        st.button(label, f"offer_{field}", on_click=st.session_state.update, args=(chosen,), type="tertiary")
