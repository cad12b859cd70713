"""How a model is asked for probabilities, where it can be asked in more than one way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from core.scorers import SCORERS, accepting
from core.types import Model, ScorerKind


def choose_scorers(models: Iterable[Model], key: str = "scorer") -> Mapping[str, ScorerKind]:
    """By kind of model its usual scorer, or another one that accepts it; shared in the link as `key` and the kind."""
    return {kind: _choose(kind, key) for kind in dict.fromkeys(model.kind for model in models)}


def _choose(kind: str, key: str) -> ScorerKind:
    names = accepting(kind)
    if len(names) == 1:
        return SCORERS[names[0]]
    titles = "  \n".join(SCORERS[name].title for name in names)
    chosen = st.selectbox("Scorer", names, key=f"{key}_{kind}", help=titles, bind="query-params")
    return SCORERS[chosen]
