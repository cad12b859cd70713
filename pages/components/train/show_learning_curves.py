"""Learning curves: what a bundled model got right during its training, played from a table."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.charts.training import margin_over_training
from core.training.learning_curves import PAIR
from core.training.watched_pairs import GALLERY
from pages.components.shared import notices
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.train import resources
from pages.components.train.show_curves import show_headline, show_right

_SECONDS = 0.35
_ABOUT = (
    "Tested during training on the pairs of the gallery and twenty more of each kind. The dashed line at 50 % is "
    "guessing."
)


def show_learning_curves(name: str) -> None:
    """Headline and curves; they grow once by themselves, and again when asked to."""
    curves = resources.shipped(name)
    show_headline(curves, name)
    notices.write("$about", "pl-quiet", about=_ABOUT)
    playing = "film_frame" in st.session_state
    if st.button("Play", icon=":material/play_arrow:", disabled=playing):
        st.session_state["film_frame"] = 0
        st.rerun()
    if playing:
        st.fragment(_play, run_every=_SECONDS)(name)
    else:
        chart = show_right(curves, name, int(curves["tokens"].max()), "film_right")
        _show_one(curves)
        show_downloads(f"film of {name}", curves, chart)


def _play(name: str) -> None:
    """One frame more than last time; after the last one the whole page is drawn again."""
    curves = resources.shipped(name)
    steps = sorted(curves["step"].unique())
    frame = st.session_state.get("film_frame", len(steps))
    if frame >= len(steps):
        st.session_state.pop("film_frame", None)
        st.rerun()
    st.session_state["film_frame"] = frame + 1
    show_right(curves[curves["step"] <= steps[frame]], name, int(curves["tokens"].max()), "film_right")


def _show_one(curves: pd.DataFrame) -> None:
    """One pair of the gallery: how far the better sentence was ahead."""
    gallery = curves[curves["group"] == GALLERY]
    if gallery.empty:
        return
    titles = list(dict.fromkeys(gallery[PAIR]))
    title = st.selectbox("One pair through the training", titles, key="film_pair", bind="query-params")
    own = gallery[gallery[PAIR] == title]
    good, bad = own["good"].iloc[0], own["bad"].iloc[0]
    last = float(own[own["step"] == own["step"].max()]["margin"].iloc[0])
    one = own[(own["good"] == good) & (own["bad"] == bad)]
    notices.write('<bdi class="pl-form">$good</bdi> · <bdi class="pl-form">$bad</bdi>', good=good, bad=bad)
    said = f"{title}: at the end the better sentence is ahead by {last:+.1f} bits."
    show_chart(margin_over_training(one, said, int(curves["tokens"].max())), "film_one")
