"""A folder of checkpoints that was typed as a model: it is opened where a whole training is shown."""

from __future__ import annotations

import streamlit as st

from core.scoring.checkpoints import holds_checkpoints, is_training
from pages.components.shared import resources
from pages.components.shared.models import MODEL as MODELS
from pages.components.shared.models import SCORABLE
from pages.components.zero_shot.show_checkpoints import MODEL


def find_checkpoints(view: str) -> None:
    """Take such a folder out of the chosen models, before they are drawn, and open the tab for it."""
    followed = MODELS not in st.session_state
    chosen = st.query_params.get_all(MODELS) if followed else st.session_state[MODELS]
    if folders := [name for name in chosen if holds_checkpoints(name) and is_training(name)]:
        others = [name for name in chosen if name not in folders] or _first()
        asked = {MODEL: folders[-1], view: "Checkpoints", MODELS: others}
        if followed:
            kept = {name: st.query_params.get_all(name) for name in st.query_params}
            st.switch_page("pages/zero_shot.py", query_params=kept | asked)
        if MODEL not in st.session_state:  # nothing is bound to it yet that would write it there
            st.query_params[MODEL] = folders[-1]
        st.session_state.update(asked)


def _first() -> list[str]:
    """The model with which a visitor begins."""
    known = [model for model in resources.catalogue() if model.kind in SCORABLE]
    return [min(known, key=lambda model: SCORABLE.index(model.kind)).name] if known else []
