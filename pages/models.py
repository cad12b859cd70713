"""Models: which are here and how well they score, which are in memory, and what adding one would fetch."""

import streamlit as st

from pages.components.models.show_card import NAMED, PARAMETER, add_model, choose_entry, show_card, show_memory
from pages.components.shared import notices
from pages.components.shared.frame import open_page
from pages.components.shared.link import show_share

open_page("Models", "Which models are here, how well do they score, and how do I add one?")
with notices.explained_errors():
    add_model()
with st.container(horizontal=True, vertical_alignment="bottom"):
    notices.write("Click a row for details.", "pl-quiet")
    st.space("stretch")
    place = st.container(width="content")
with notices.explained_errors():
    if chosen := choose_entry():
        show_card(chosen)
st.header("In memory", anchor=False)
show_memory()
with place:
    show_share((PARAMETER, NAMED), "on any machine that has the model")
