"""Which model, or which models: by catalogue name, by folder, or by the name it has on a model hub."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from core.errors import PairlensError
from core.types import Model
from pages.components import notices, resources

SCORABLE = ("causal", "masked", "unigram")
_HELP = (
    "Bundled models work without a network. To add another, type the folder of a Hugging Face checkpoint or its name "
    "on the hub (org/name or org/name@revision)."
)


def choose_model(key: str = "model", kinds: Collection[str] = SCORABLE) -> Model | None:
    """One model, shared in the link as `key`; None, with the reason beside the control, if it cannot be used."""
    names = _names(kinds)
    chosen = st.selectbox(
        "Model", names, key=key, accept_new_options=True, help=_HELP, bind="query-params", placeholder="Choose a model"
    )
    return next(iter(_find([chosen] if chosen else [], kinds)), None)


def choose_models(key: str = "model", kinds: Collection[str] = SCORABLE) -> list[Model]:
    """Any number of models, the first one of the catalogue to begin with; those that cannot be used are left out."""
    names = _names(kinds)
    chosen = st.multiselect(
        "Models", names, default=names[:1], key=key, accept_new_options=True, help=_HELP, bind="query-params",
        placeholder="Choose or type a model",
    )  # fmt: skip
    return _find(chosen, kinds)


def describe(model: Model) -> str:
    """What a visitor should know before believing a number: what the model was trained on, and how big it is."""
    about = model.card.get("about") or f"{model.kind} language model"
    size = model.card.get("size_mb")
    return f"{about}, {size:.0f} MB" if size else str(about)


def _names(kinds: Collection[str]) -> list[str]:
    return [model.name for model in resources.catalogue() if model.kind in kinds]


def _find(names: Collection[str], kinds: Collection[str]) -> list[Model]:
    found = []
    for name in names:
        try:
            model = resources.model(name)
        except PairlensError as error:
            notices.error(error)
            continue
        if model.kind in kinds:
            found.append(model)
        else:
            notices.error(f"{name} is a {model.kind} model. This page takes: {', '.join(kinds)}.")
    return found
