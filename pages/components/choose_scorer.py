"""How a model is asked for probabilities, where it can be asked in more than one way."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core.scorers import SCORERS, accepting
from core.types import Model, ScorerKind


def choose_scorer(model: Model, key: str = "scorer") -> ScorerKind:
    """The model's usual scorer, or another one that accepts it; shared in the link as `key`."""
    names = accepting(model.kind)
    if len(names) == 1:
        return SCORERS[names[0]]
    titles = "  \n".join(SCORERS[name].title for name in names)
    chosen = st.selectbox("Scorer", names, key=f"{key}_{model.kind}", help=titles, bind="query-params")
    return SCORERS[cast(str, chosen)]
