"""The training under way, and its curves; those that ship as a film, and those of a model trained here."""

import shutil
from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from pages.components.shared import notices
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.jobs import cancel, show_command
from pages.components.shared.link import link_to_compare
from pages.components.shared.models import describe
from pages.components.shared.resources import look_for_models, remembered
from pages.components.shared.rights import rights
from pairlens.charts.training import loss_over_training, margin_over_training, right_over_training
from pairlens.errors import InputError
from pairlens.evaluation.estimate import duration_in_words
from pairlens.models import find
from pairlens.settings import settings
from pairlens.store import jobs
from pairlens.training.checkpoint import ask_to_stop, has_checkpoint, work_folder
from pairlens.training.learning_curves import PAIR, curves_of, headline, order, read_curves, shares, shipped_curves
from pairlens.training.own_models import History, Moment, history_folder, place_of
from pairlens.training.specification import Choice
from pairlens.training.watched_pairs import GALLERY

_SAMPLES = 4
_FRAME = 0.35
_ABOUT = (
    "Tested during training on the pairs of the gallery and twenty more of each kind. The dashed line at 50 % is "
    "guessing."
)


def show_headline(curves: pd.DataFrame, name: str) -> None:
    """How much is right at the end, and what was learnt first; nothing without watched pairs."""
    points = shares(curves)
    if not points.empty:
        notices.text(headline(points, name), "pl-second")
        if learnt := order(points):
            notices.text(learnt, "pl-quiet")


def show_right(curves: pd.DataFrame, name: str, most_tokens: int, key: str) -> alt.LayerChart | None:
    """Pairs right over the tokens read; None while there are none."""
    points = shares(curves)
    if points.empty:
        return None
    sentence = f"{headline(points, name)} {order(points)}".strip()
    chart = right_over_training(points, sentence, most_tokens)
    show_chart(chart, key)
    return chart


def show_losses(moments: Sequence[Moment], key: str) -> None:
    rows = [
        {"tokens": moment.tokens, "text": text, "loss": loss}
        for moment in moments
        for text, loss in (("training text", moment.loss), ("held-out text", moment.validation_loss))
        if loss is not None
    ]
    if rows:
        held = [row["loss"] for row in rows if row["text"] == "held-out text"]
        end = f" At the end, on held-out text: {held[-1]:.2f} nats." if held else ""
        show_chart(loss_over_training(pd.DataFrame(rows), f"Loss by tokens read.{end}"), key)


def show_samples(moments: Sequence[Moment]) -> None:
    written = [moment for moment in moments if moment.sample]
    if written:
        notices.write("What it writes", "pl-label")
    for moment in [*written[:1], *written[1:][-_SAMPLES:]]:
        with st.container(gap=None):
            notices.write("after $tokens tokens", "pl-quiet", tokens=f"{moment.tokens:,}")
            notices.text(moment.sample, "pl-second")


def show_learning_curves(name: str) -> None:
    curves = _shipped(name)
    show_headline(curves, name)
    notices.text(_ABOUT, "pl-quiet")
    playing = "film_frame" in st.session_state
    if st.button("Play", icon=":material/play_arrow:", disabled=playing):
        st.session_state["film_frame"] = 0
        st.rerun()
    if playing:
        st.fragment(_play, run_every=_FRAME)(name)
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
    sentence = f"{title}: at the end the better sentence is ahead by {last:+.1f} bits."
    show_chart(margin_over_training(one, sentence, int(curves["tokens"].max())), "film_one")


def show_trained(name: str) -> None:
    curves, history = curves_of(history_folder(name)), History(history_folder(name))
    moments, pairs = history.moments(), history.pairs()
    show_headline(curves, name)
    if curves.empty:
        notices.write("$name has been saved. No pairs were tested during its training.", "pl-second", name=name)
    link_to_compare(model=name, **({"a": pairs[0][1], "b": pairs[0][2]} if pairs else {}))
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


_VERB, _NAME = "train", "--name"
SHOWN = "shown"
"""Key of what the page shows while nothing is trained; what has just been trained comes first."""
_SECONDS = 1.5
_STOPPING = "Stopping: saving the best state so far as a model …"


def active_training() -> jobs.Job | None:
    return next((job for job in jobs.jobs() if not job.ended and job.arguments[0] == _VERB), None)


def latest_training() -> jobs.Job | None:
    return next((job for job in jobs.jobs() if job.arguments[0] == _VERB), None)


def name_of(job: jobs.Job) -> str:
    """The name of the model that a job trains; empty for one that was started in another way."""
    options = dict(zip(job.arguments, job.arguments[1:], strict=False))
    return options.get(_NAME, "")


def run_training(choice: Choice) -> None:
    running = active_training()
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button(
            "Start training", type="primary", icon=":material/play_arrow:", disabled=running is not None
        )
        show_command([choice.arguments()])
    if running:
        notices.note("One model is trained at a time: wait until this one has finished, or stop it.")
    if pressed:
        with notices.explained_errors():
            place_of(choice.name)
            if has_checkpoint(work_folder(settings().models / choice.name)):
                before = next((job for job in jobs.jobs() if name_of(job) == choice.name), None)
                if before is None or before.arguments != tuple(choice.arguments()):
                    raise InputError(f"A training of {choice.name} is paused: resume it, or choose another name.")
            start(choice.arguments(), choice.name)


def start(arguments: Sequence[str], name: str) -> None:
    jobs.start(arguments, f"Training {name}")
    st.rerun()


@st.fragment(run_every=_SECONDS)
def show_training(identifier: str) -> None:
    job = jobs.job(identifier)
    if job.ended:
        look_for_models()
        st.session_state.pop(SHOWN, None)
        st.rerun()
    name = name_of(job)
    moments = History(history_folder(name)).moments()
    notices.text(f"{name} is learning", "pl-second")
    st.progress(job.done / job.total if job.total else 0.0)
    notices.text(_state(job, moments[-1].tokens_per_second if moments else 0.0), "pl-quiet")
    if rights().may("train"):
        _offer_to_end(job, name)
    if not moments:
        return
    curves = curves_of(history_folder(name))
    most = int(moments[-1].tokens / max(moments[-1].fraction, 1e-3))
    show_right(curves, name, most, "right_now")
    show_losses(moments, "losses_now")
    show_samples(moments)


def _state(job: jobs.Job, speed: float) -> str:
    if job.state == "queued":
        return f"Waiting: place {job.place} in the queue."
    if not job.done:
        return "Reading the text and building a vocabulary …"
    left = f"about {duration_in_words(job.seconds_left)} left" if job.seconds_left else ""
    rate = f"{speed:,.0f} tokens per second" if speed else ""
    return " · ".join(filter(None, [f"{job.done / job.total:.0%}", rate, left]))


def _offer_to_end(job: jobs.Job, name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Stop and save", icon=":material/stop:", help="The best state so far is saved as the model."):
            ask_to_stop(settings().models / name)
            st.session_state["stopping"] = job.id
        st.button(
            "Pause", icon=":material/pause:", on_click=cancel, args=(job.id,),
            help="Nothing is saved as a model yet; you can resume later from the last checkpoint.",
        )  # fmt: skip
        if st.session_state.get("stopping") == job.id:
            notices.text(_STOPPING, "pl-quiet")
