"""Data: what is here, what can be fetched, what was uploaded; and the problems found in it."""

import streamlit as st

from pages.components.data.choose import READER, choose_public, choose_sample, choose_upload
from pages.components.data.show_dataset import TOKENS, show_dataset
from pages.components.shared import notices
from pages.components.shared.frame import open_page
from pages.components.shared.link import keep_in_link, show_share
from pages.components.shared.tables import PARAMETER

SHELVES = {"Our samples": choose_sample, "Public sets": choose_public, "Your files": choose_upload}
HERE, EVERYWHERE = "on this machine, which keeps the uploaded file", "on any machine that runs Pairlens"

open_page("Data", "Which data are here, which can be fetched, and are they sound?")
with st.container(horizontal=True, vertical_alignment="bottom"):
    shelf = st.segmented_control(
        "Data", list(SHELVES), default=next(iter(SHELVES)), required=True, key="shelf", bind="query-params",
        on_change=keep_in_link, args=(PARAMETER, ""), kwargs={"unless": True},  # it means nothing in another table
    )  # fmt: skip
    st.space("stretch")
    place = st.container(width="content")
with notices.explained_errors():
    if chosen := SHELVES[str(shelf)]():
        show_dataset(chosen)
with place:
    show_share(("shelf", PARAMETER, READER, TOKENS), HERE if SHELVES[str(shelf)] is choose_upload else EVERYWHERE)
