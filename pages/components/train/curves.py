"""The curves of a training: pairs right by group, and the loss; those that ship as a film, and a trained model's."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.charts.training import loss_over_training, margin_over_training, right_over_training
from core.models import find
from core.settings import settings
from core.training.learning_curves import PAIR, curves_of, headline, order, read_curves, shares, shipped_curves
from core.training.own_models import History, Moment, history_folder
from core.training.watched_pairs import GALLERY
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.models import describe
from pages.components.shared.resources import look_for_models, remembered
from pages.components.shared.rights import rights

_SAMPLES = 4
_SECONDS = 0.35
_ABOUT = (
    "Tested during training on the pairs of the gallery and twenty more of each kind. The dashed line at 50 % is "
    "guessing."
)


def show_headline(curves: pd.DataFrame, name: str) -> None:
    """How much is right at the end, and what was learnt first; nothing without watched pairs."""
    points = shares(curves)
    if not points.empty:
        notices.text(headline(points, name), "pl-second")
        if said := order(points):
            notices.text(said, "pl-quiet")


def show_right(curves: pd.DataFrame, name: str, most_tokens: int, key: str) -> alt.LayerChart | None:
    """Pairs right over the tokens read; None while there are none."""
    points = shares(curves)
    if points.empty:
        return None
    said = f"{headline(points, name)} {order(points)}".strip()
    chart = right_over_training(points, said, most_tokens)
    show_chart(chart, key)
    return chart


def show_losses(moments: Sequence[Moment], key: str) -> None:
    """Loss on the training text and on text that was held out."""
    rows = [
        {"tokens": moment.tokens, "text": text, "loss": loss}
        for moment in moments
        for text, loss in (("training text", moment.loss), ("held-out text", moment.validation_loss))
        if loss is not None
    ]
    if rows:
        last = next((m.validation_loss for m in reversed(moments) if m.validation_loss is not None), None)
        said = "Loss by tokens read." + (
            f" At the end, on held-out text: {last:.2f} nats." if last is not None else ""
        )
        show_chart(loss_over_training(pd.DataFrame(rows), said), key)


def show_samples(moments: Sequence[Moment]) -> None:
    """What the model wrote, the latest last."""
    written = [moment for moment in moments if moment.sample]
    if written:
        notices.write("What it writes", "pl-label")
    for moment in [*written[:1], *written[1:][-_SAMPLES:]]:
        with st.container(gap=None):
            notices.write("after $tokens tokens", "pl-quiet", tokens=f"{moment.tokens:,}")
            notices.text(moment.sample, "pl-second")


def show_learning_curves(name: str) -> None:
    """Headline and curves; they grow once by themselves, and again when asked to."""
    curves = _shipped(name)
    show_headline(curves, name)
    notices.text(_ABOUT, "pl-quiet")
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
    curves = _shipped(name)
    steps = sorted(curves["step"].unique())
    frame = st.session_state.get("film_frame", len(steps))
    if frame >= len(steps):
        st.session_state.pop("film_frame", None)
        st.rerun()
    st.session_state["film_frame"] = frame + 1
    show_right(curves[curves["step"] <= steps[frame]], name, int(curves["tokens"].max()), "film_right")


def _show_one(curves: pd.DataFrame) -> None:
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


def show_trained(name: str) -> None:
    """Headline, link, curves, samples, card."""
    curves, moments = curves_of_model(name), History(history_folder(name)).moments()
    show_headline(curves, name)
    if curves.empty:
        notices.write("$name has been saved. No pairs were tested during its training.", "pl-second", name=name)
    pairs = History(history_folder(name)).pairs()
    texts = {"a": pairs[0][1], "b": pairs[0][2]} if pairs else {}
    st.page_link(
        "pages/compare.py", label="Open in Compare", icon=":material/compare_arrows:",
        query_params={"model": name, **texts},
    )  # fmt: skip
    chart = show_right(curves, name, int(moments[-1].tokens), "right_of_trained") if moments else None
    show_losses(moments, "losses_of_trained")
    show_samples(moments)
    model = find(name)
    with st.expander("Model card"):
        notices.text(describe(model))
        st.json(dict(model.card), expanded=1)
    show_downloads(f"film of {name}", curves, chart)
    if not rights().may("housekeeping"):
        return
    with st.popover("Delete", icon=":material/delete:"):
        notices.write("Delete $name from this machine? Its scores are kept.", name=name)
        if st.button("Delete the model"):
            shutil.rmtree(settings().models / name)
            look_for_models()
            st.rerun()


@remembered("Reading …", 8)
def _shipped(name: str) -> pd.DataFrame:
    return read_curves(shipped_curves()[name])


def curves_of_model(name: str) -> pd.DataFrame:
    """The learning curves of a model that was or is being trained here."""
    return curves_of(history_folder(name))
