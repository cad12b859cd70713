"""Which items: our sample, a public set and the way to get it, files from the visitor, or a path on this machine."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import notices, resources
from pages.components.shared.given_files import given_file
from pages.components.shared.resources import read_file
from pages.components.shared.rights import may_name_paths, rights
from pages.components.shared.rights import path_of as named_path
from pairlens.errors import InputError
from pairlens.evaluation.estimate import duration_in_words
from pairlens.evaluation.result import Run
from pairlens.evaluation.samples import is_sample
from pairlens.evaluation.zero_shot import sample
from pairlens.files.datasets import Dataset, folder_of, get, mirroring, of_task, path_of, remove, state
from pairlens.files.tables import guesses
from pairlens.messages import Message, joined
from pairlens.reports.whole_set import on_cards, on_whole_set
from pairlens.settings import settings
from pairlens.sharing import why_not
from pairlens.tasks.pairs import Pairs
from pairlens.types import Model, Task

SAMPLE, UPLOAD, PATH = "Our sample", "Upload", "Path"
FILE = "file"
"""In the link: the id of what was uploaded."""
_ASKED = "asked_for"
_EVERY_SECONDS = 0.1
_STOPPED = "Stopped. Files that came whole are kept: getting it again goes on from there."


def choose_dataset(
    task: Task, key: str = "data", samples: Mapping[str, Path] | None = None, expected: str = ""
) -> Path | None:
    """A file or folder in the task's format; None, and what to do next, without one. `samples` are ours by name."""
    sets = of_task(task.name)
    here = {known.title: path for known in sets if (path := path_of(known))}
    absent: dict[str, Path | None] = {known.title: None for known in sets[:1]}
    listed = {**(samples or {SAMPLE: sample(task)}), **absent, **here}
    paths = [PATH] if may_name_paths(key, PATH) else []
    source = st.segmented_control(
        "Data", (*listed, UPLOAD, *paths), default=next(iter(listed)), required=True, key=key, bind="query-params"
    )
    if source in listed:
        if not (path := listed[source]):
            show_fetching(sets[0])
        return path
    if source == UPLOAD:
        label = expected or f"Files in the format of {task.title}; text also as .gz or .xz"
        path = given_file(label, f"{task.name}_files", FILE, several=True)
    else:
        about = "A file, or a folder of files, on the machine that runs Pairlens"
        example = f"/home/me/{task.name}/data"
        path = named_path(st.text_input(about, key="path", bind="query-params", placeholder=example))
    if path and path.exists() and not isinstance(task, Pairs):
        with suppress(InputError):  # said when the items are read
            for guess in read_file(path, guesses, path):
                notices.note(guess)
    return path


def megabytes(dataset: Dataset) -> str:
    """`1.2 MB`; empty if its size is not known."""
    return f"{max(dataset.size_bytes / 1e6, 0.1):,.1f} MB" if dataset.size_bytes else ""


def show_fetching(dataset: Dataset, translate: Callable[[str], str] = str) -> None:
    facts = joined(filter(None, (_items(dataset), megabytes(dataset))), " · ")
    absent = Message("{title} is not on this machine yet: {facts}.", title=dataset.title, facts=facts)
    licence = (
        Message("licence not stated") if dataset.needs_consent else Message("licence {name}", name=dataset.licence)
    )
    notices.text(translate(absent))
    notices.write("$licence. $terms", "pl-quiet", licence=translate(licence), terms=dataset.terms)
    with notices.explained_errors(translate):
        fetch_dataset(dataset, translate)


def _items(dataset: Dataset) -> str:
    """How many items it has, as a message that a language can write; else in the catalogue's words."""
    number, _, noun = dataset.items.partition(" ")
    digits = number.replace(",", "")
    return Message("{n:,} {noun}", n=int(digits), noun=Message(noun)) if digits.isdecimal() else dataset.items


def fetch_dataset(dataset: Dataset, translate: Callable[[str], str] = str) -> None:
    """The button that gets it, or what its user has to do, in the page's language; nothing for one that is here."""
    where = state(dataset)
    if where == "here":
        return
    if not rights().may("fetch"):
        notices.text(translate(why_not("fetch")), "pl-quiet")
    elif where == "bring":
        notices.note(
            f"Not fetched by Pairlens. {dataset.bring} Then upload it under Your files, put it into "
            f"{folder_of(dataset)}, or give its path under Benchmarks."
        )
    elif where == "absent" and settings().offline:
        offline = Message(
            "It is not here, and Pairlens is offline (PAIRLENS_OFFLINE): get it on a machine with a network, or "
            "{otherwise}.",
            otherwise=mirroring(dataset),
        )
        notices.note(translate(offline))
    else:
        _offer_to_get(dataset, translate)


def _offer_to_get(dataset: Dataset, translate: Callable[[str], str]) -> None:
    accepted = not dataset.needs_consent or st.checkbox(
        translate("Its authors state no licence: I have the right to use it."), key=f"accept_{dataset.name}"
    )
    if st.session_state.get(_ASKED) != dataset.name:  # perhaps it is the next set on the page
        st.button(
            translate(Message("Get ({size})", size=megabytes(dataset))), type="primary", icon=":material/download:",
            disabled=not accepted, key=f"get_{dataset.name}", on_click=ask_for, args=(dataset,),
        )  # fmt: skip
        return
    del st.session_state[_ASKED]
    with st.container(horizontal=True, vertical_alignment="center", key="fetching"):
        bar = st.progress(0.0, translate(Message("Getting {name} …", name=notices.literal(dataset.title))))
        # The press itself stops the script at the next step of the bar.
        st.button(translate("Cancel"), icon=":material/stop:", on_click=_say_stopped)
    get(dataset, _Bar(bar), accepted=accepted)
    st.toast(translate(Message("{name} is here.", name=notices.literal(dataset.title))))
    st.rerun()


def _say_stopped() -> None:
    st.toast(_STOPPED)


def ask_for(dataset: Dataset) -> None:
    """Callback: `fetch_dataset` begins at once the next time it shows this set."""
    st.session_state[_ASKED] = dataset.name


class _Bar:
    """A progress bar that is drawn ten times a second at most; time left is told by what came since it began."""

    def __init__(self, bar: DeltaGenerator) -> None:
        self._bar, self._drawn = bar, 0.0
        self._begun: tuple[float, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        since, before = self._begun = self._begun or (now, done)
        if now - self._drawn < _EVERY_SECONDS:
            return
        self._drawn = now
        line = f"{done / 1e6:,.1f} of {total / 1e6:,.1f} MB"
        if (came := done - before) and (left := (now - since) * (total - done) / came) > 1:
            line += f" · about {duration_in_words(left)} left"
        self._bar.progress(min(done / total, 1.0), line)


def offer_to_remove(dataset: Dataset) -> None:
    with st.popover("Delete", icon=":material/delete:"):
        notices.write("$size on this machine. It can be fetched again.", size=megabytes(dataset))
        if st.button("Delete it here", key=f"remove_{dataset.name}"):
            remove(dataset)
            st.rerun()


def show_whole_set(results: Sequence[Run], key: str = "") -> None:
    """For runs on our own sample: a sentence for each model of which more is known, and the button (`key`)."""
    cards = {model.weights: model.card for model in resources.catalogue()}
    samples = [result for result in results if is_sample(result.manifest["data"])]
    with st.container(horizontal=True, vertical_alignment="center"):
        for result in samples:
            card = cards.get(result.manifest.get("weights", ""), {})
            if measured := on_whole_set(result, resources.store(), card):
                model = f"{result.manifest['model']}: " if len(samples) > 1 else ""
                notices.text(f"{model}{measured.in_words}")
        if samples and key:
            offer_whole_set(samples[0].task, key)


def say_on_published(models: Iterable[Model], task: str, noun: str, translate: Callable[[str], str] = str) -> None:
    """A line for each model whose card says what it reached on published sets of the task; `noun` is their items'."""
    for model in models:
        if sentence := on_cards(model.name, model.card, task, noun):
            notices.text(translate(sentence), "pl-quiet")


def offer_whole_set(task: Task, key: str = "data") -> None:
    """The button that chooses the task's main published set in `choose_dataset`, and fetches it if it is not here."""
    sets = of_task(task.name)
    if sets and (path_of(sets[0]) or rights().may("fetch")):
        st.button(
            _label(sets[0]), icon=":material/download:" if not path_of(sets[0]) else ":material/database:",
            key=f"whole_{sets[0].name}", on_click=_choose_whole, args=(sets[0], key),
        )  # fmt: skip


def _label(dataset: Dataset) -> str:
    if path_of(dataset):
        return f"Use {notices.literal(dataset.title)}"
    verb = "Get" if dataset.fetchable else "How to get"
    parts = [f"{verb} {dataset.title}", megabytes(dataset), f"licence {dataset.licence}"]
    return notices.literal(" · ".join(filter(None, parts)))


def _choose_whole(dataset: Dataset, key: str) -> None:
    st.session_state[key] = dataset.title
    if dataset.fetchable and not dataset.needs_consent:
        ask_for(dataset)
