"""A model that was trained here: what it has learnt, its card, and the way to Compare."""

from __future__ import annotations

import shutil

import streamlit as st

from core.models import find
from core.settings import settings
from core.training.history import History
from core.training.own_models import history_folder
from pages.components.shared import notices
from pages.components.shared.choose_models import describe
from pages.components.shared.resources import look_for_models
from pages.components.shared.rights import rights
from pages.components.shared.show_downloads import show_downloads
from pages.components.train import resources
from pages.components.train.show_curves import show_headline, show_losses, show_right, show_samples


def show_trained(name: str) -> None:
    """Headline, link, curves, samples, card."""
    curves, moments = resources.curves(name), History(history_folder(name)).moments()
    show_headline(curves, name)
    if curves.empty:
        notices.write("$name has been saved. No pairs were tested during its training.", "pl-second", name=name)
    _open_in_compare(name)
    chart = show_right(curves, name, int(moments[-1].tokens), "right_of_trained") if moments else None
    show_losses(moments, "losses_of_trained")
    show_samples(moments)
    model = find(name)
    with st.expander("Model card"):
        notices.write("$about", about=describe(model))
        st.json(dict(model.card), expanded=1)
    show_downloads(f"film of {name}", curves, chart)
    if rights().may("housekeeping"):
        _offer_to_delete(name)


def _open_in_compare(name: str) -> None:
    pairs = History(history_folder(name)).pairs()
    shown = {"a": pairs[0][1], "b": pairs[0][2]} if pairs else {}
    st.page_link(
        "pages/compare.py", label="Open in Compare", icon=":material/compare_arrows:",
        query_params={"model": name, **shown},
    )  # fmt: skip


def _offer_to_delete(name: str) -> None:
    with st.popover("Delete", icon=":material/delete:"):
        notices.write("Delete $name from this machine? Its scores are kept.", name=name)
        if st.button("Delete the model"):
            shutil.rmtree(settings().models / name)
            look_for_models()
            st.rerun()
