"""The curves of a training: pairs right by group, and the loss; the same while it runs and afterwards."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.charts.training import loss_over_training, right_over_training
from core.training.history import Moment
from core.training.learning_curves import headline, order, shares
from pages.components.shared import notices
from pages.components.shared.show_chart import show_chart

_SAMPLES = 4


def show_headline(curves: pd.DataFrame, name: str) -> None:
    """How much is right at the end, and what was learnt first; nothing without watched pairs."""
    points = shares(curves)
    if not points.empty:
        notices.write("$said", "pl-second", said=headline(points, name))
        if said := order(points):
            notices.write("$said", "pl-quiet", said=said)


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
            notices.write("$sample", "pl-second", sample=moment.sample)
