"""Models: which are here and what they reach, which are in memory, and what another one would bring."""

from __future__ import annotations

import streamlit as st

from pages.components.models.bring_model import NAMED, bring_model
from pages.components.models.choose_entry import PARAMETER, choose_entry
from pages.components.models.show_card import show_card
from pages.components.models.show_memory import show_memory
from pages.components.shared import notices
from pages.components.shared.frame import open_page
from pages.components.shared.share import show_share

open_page("Models", "Which models are here, what do they reach, and how do I bring another?")
with st.container(horizontal=True, vertical_alignment="bottom"):
    notices.write("A press on a row opens its card.", "pl-quiet")
    st.space("stretch")
    place = st.container(width="content")
with notices.explained_errors():
    if chosen := choose_entry():
        show_card(chosen)
st.subheader("In memory", anchor=False)
show_memory()
st.subheader("Another model", anchor=False)
with notices.explained_errors():
    bring_model()
with place:
    show_share((PARAMETER, NAMED), "on any machine that has the model")
