"""Which model, or which models: by catalogue name, by folder, or by the name it has on a model hub."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import streamlit as st

from core.errors import PairlensError
from core.messages import Message, joined
from core.scoring.model_cache import weight_megabytes
from core.types import Model
from pages.components.shared import notices, resources
from pages.components.shared.rights import rights

NO_MODEL = "Choose a model above: the bundled ones are small and work without a network."
"""What a page says that cannot do anything without one."""
SCORABLE = ("causal", "masked", "seq2seq", "unigram")
_HELP = Message(
    "Bundled models work without a network. To add another, type the folder of a Hugging Face checkpoint or its name "
    "on the hub (gpt2, org/name or org/name@revision)."
)
_CLOSED = Message(
    "Bundled models work without a network. Of other models, those that the operator of this dashboard names can be "
    "typed."
)


def choose_models(
    key: str = "model",
    kinds: Sequence[str] = SCORABLE,
    opening: Sequence[str] = (),
    label: str = "Model",
    said: Callable[[str], str] = str,
) -> list[Model]:
    """Any number of models, the first one of the catalogue to begin with; those that cannot be used are left out.

    `opening` are the kinds of which the first one may be, if not all; `said` puts sentences into the page's language.
    """
    names = listed(kinds)
    first = listed(opening) if opening else names
    chosen = st.multiselect(
        label, names, default=first[:1], key=key, accept_new_options=True, help=said(_help()), bind="query-params",
        placeholder=said("Choose or type a model"), width=250, wrap=True,
    )  # fmt: skip
    return _find(chosen, kinds, said)


def choose_model(key: str, kinds: Sequence[str]) -> Model | None:
    """One model, the first of these kinds to begin with; any other can be named. None if it cannot be used."""
    chosen = st.selectbox(
        "Model", listed(kinds), key=key, accept_new_options=True, help=_help(), bind="query-params",
        placeholder="Choose or type a model", width=300,
    )  # fmt: skip
    return named(str(chosen or ""), SCORABLE)


def named(name: str, kinds: Collection[str]) -> Model | None:
    """The model of this name; None, with the reason, if it cannot be used, and for no name."""
    return next(iter(_find([name] if name else [], kinds)), None)


def choose_shown(names: Sequence[str]) -> str:
    """Whose words are shown in full, where several models answered."""
    if len(names) == 1:
        return names[0]
    return st.selectbox("Shown word by word", names, key="in_full", bind="query-params", width=300)


def describe(model: Model) -> Message:
    """What a visitor should know before believing a number: what the model has read, and how big it is."""
    described = str(model.card.get("description", "")).rstrip(".")
    about = [Message(described) if described else Message("A {kind} language model", kind=model.kind)]
    if model.card.get("lower_case") and "lower case" not in described:
        about.append(Message("lower case"))
    if (size := weight_megabytes(model)) >= 1 and "MB" not in described:
        about.append(Message("{size:.0f} MB", size=size))
    return joined((joined(about, ", "), "."), "")


def say_about(models: Iterable[Model]) -> None:
    """A line for each chosen model."""
    for model in models:
        notices.write("$name: $about", "pl-quiet", name=model.name, about=describe(model))


def _help() -> Message:
    return _HELP if rights().everything else _CLOSED


def listed(kinds: Sequence[str]) -> list[str]:
    """The names of the models in the catalogue, kind by kind."""
    found = [model for model in resources.catalogue() if model.kind in kinds]
    return [model.name for model in sorted(found, key=lambda model: kinds.index(model.kind))]


def _find(names: Collection[str], kinds: Collection[str], said: Callable[[str], str] = str) -> list[Model]:
    found = []
    for name in names:
        try:
            model = resources.model(name)
        except PairlensError as error:
            notices.error(said(error.message))
            continue
        if model.kind in kinds:
            found.append(model)
        else:
            notices.error(
                said(
                    Message(
                        "{name} is a {kind} model. This page takes: {kinds}.",
                        name=name,
                        kind=model.kind,
                        kinds=", ".join(kinds),
                    )
                )
            )
    return found
