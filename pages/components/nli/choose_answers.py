"""Whose answers: files of answers, and models that are asked; each with what its labels mean."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from types import MappingProxyType

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.nli.choose_data import choose_columns, samples
from pages.components.nli.results import Answering, DataSet, classes_of_examples, numbered, predictions
from pages.components.nli.words import Words
from pages.components.shared import notices
from pages.components.shared.given_files import given_files
from pages.components.shared.models import choose_models, describe
from pages.components.shared.sentences import choose_reading
from pages.components.shared.tables import show_table
from pairlens.files.labels import SYSTEMS
from pairlens.files.nli.items import PROMPTS
from pairlens.files.nli.label_map import LabelMap, fitting, named, names_in, possible
from pairlens.files.nli.pairs import Pair
from pairlens.messages import joined
from pairlens.models import labels_of
from pairlens.policies import PRESETS
from pairlens.reports.whole_set import for_demonstration
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.studies.nli import runs as nli_runs
from pairlens.studies.nli.matched import COLUMNS

_MODELS = "nli_model"
GIVEN, REVERSED = "nli_answers", "nli_reverse"
_USUAL = {role: COLUMNS[role] for role in ("id", "label")}
_SHOWN = 3


def choose_models_to_ask(say: Words, row: DeltaGenerator) -> list[Answering]:
    """In this row of the page, and below it what is known and asked about them."""
    with row:
        models = choose_models(
            _MODELS, nli_runs.KINDS, opening=("classifier",), label=say("Models to ask"), translate=say
        )
    prompted = any(model.kind != "classifier" for model in models)
    prompt, calibrated = _choose_prompt(say) if prompted else ("", False)
    answering = []
    for model in models:
        about = joined(filter(None, (describe(model), for_demonstration(model.card))))
        notices.write("$name: $about", "pl-about", name=model.name, about=say(about))
        with notices.explained_errors(say):
            recipe = Recipe(model, SCORERS[default_for(model.kind)], PRESETS["pairlens"])
            if model.kind != "classifier":
                question = nli_runs.ask(recipe, prompt=prompt, calibrated=calibrated)
            elif reading := _reading_of(say, recipe, row):
                question = nli_runs.ask(recipe, reading.labels, reading.system)
            else:
                continue
            answering.append(Answering(model.name, question.reading, asked=question))
    return answering


def _reading_of(say: Words, recipe: Recipe, row: DeltaGenerator) -> LabelMap | None:
    """What a classifier's classes mean; None until somebody has said it."""
    names = labels_of(recipe.model)
    answered = partial(classes_of_examples, recipe, tuple(names))
    with row if named(names) else st.container():
        return _choose_label_map(say, recipe.model.name, names, named(names), answered)


def choose_files(say: Words, data: Sequence[DataSet], asked: Sequence[Answering], *, ours: bool) -> list[Answering]:
    """The files of answers: ours where the data are, and the visitor's, under other names than the `asked` have."""
    answer_sets = [answers for _, answers in samples(say)] if ours else []
    label = say("Answers from a file")
    with st.popover(label, icon=":material/upload_file:") if ours or asked else st.expander(label, expanded=True):
        about = say(
            "CSV, JSON lines, JSON or ASSIN's XML with id and label; reverse_label for the "
            "swapped pair, or a second file."
        )
        notices.text(about, "pl-quiet")
        files = given_files(label, GIVEN, say)
        swapped = say("Its answers with premise and hypothesis swapped, if they are in a file of their own")
        reverse = given_files(swapped, REVERSED, say)
        taken = [one.name for one in (*answer_sets, *asked)]
        names = [*numbered([*taken, *(DataSet(file).name for file in files)])][len(taken) :]
        for file, name in zip(files, names, strict=True):
            with notices.explained_errors(say):
                turned = next(iter(reverse), None)
                if reverse and not len(reverse) == len(files) == 1:
                    turned = st.selectbox(
                        say("Swapped answers that go with {name}", name=notices.literal(file.name)), reverse,
                        index=None, key=f"reverse_{file}", format_func=lambda one: one.name, width=300,
                        placeholder=say("Choose an option"), persist_state="session",
                    )  # fmt: skip
                if one := _of_file(say, file, name, data, turned):
                    answer_sets.append(one)
    return answer_sets


def _choose_prompt(say: Words) -> tuple[str, bool]:
    caution = say(
        "A language model was not trained for this: it is asked in words, and the likeliest "
        "of three words is its answer. The number says how far a question gets, not what the "
        "model knows."
    )
    notices.note(caution)
    titles = {prompt.title: name for name, prompt in PROMPTS.items()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.selectbox(
            say("Asked in"), list(titles), index=int(say.locale == "pt"), key="prompt", bind="query-params", width=220
        )
        about = say(
            "Each word is judged by how much likelier the pair makes it than a question about "
            "nothing (N/A) does (Zhao et al. 2021)."
        )
        calibrated = st.toggle(say("Calibrated"), key="calibrated", bind="query-params", help=about)
    return titles[str(title)], calibrated


def _of_file(say: Words, file: Path, name: str, data: Sequence[DataSet], reverse: Path | None) -> Answering | None:
    """What a file's labels mean and which data set it is about: that with most of its ids."""
    layout = choose_reading(file, say, GIVEN).layout
    columns = choose_columns(say, file, layout, _USUAL, ("label",), COLUMNS["relatedness"])
    if columns is None:
        return None
    written = predictions(file, columns, layout)
    shared = [len({*written.ids} & {pair.id for pair in one.read()}) for one in data]
    if not any(shared):
        notices.warning(say("None of the ids in {name} is that of a pair here.", name=file.name))
        return None
    about = data[shared.index(max(shared))]
    if len(data) > 1:
        about = st.selectbox(
            say("The answers in {name} are about", name=notices.literal(file.name)), data, index=data.index(about),
            key=f"about_{file}", format_func=lambda one: one.name, width=300, persist_state="session",
        )  # fmt: skip
    gold = {pair.id: pair for pair in about.read()}
    answered = [(gold[id], label) for id, label in zip(written.ids, written.labels, strict=True) if id in gold]
    names = names_in(written)
    reading = _choose_label_map(say, str(file), names, fitting(names), lambda: answered, partly=True)
    return Answering(name, reading, file, reverse, about, columns=columns, layout=layout) if reading else None


def _choose_label_map(
    say: Words,
    key: str,
    names: Sequence[str],
    inferred: LabelMap | None,
    answered: Callable[[], Sequence[tuple[Pair, str]]],
    *,
    partly: bool = False,
) -> LabelMap | None:
    """The reading of these names; None, with three pairs under every reading, until somebody says what they mean.

    `inferred` is what the names say, `answered` gives pairs with the model's own answers. With `partly` there may be
    labels that no name stands for.
    """
    if inferred:
        labels = {name: say.label(label) for name, label in inferred.labels.items()}
        meanings = ", ".join(name if name.lower() == label else f"{name} = {label}" for name, label in labels.items())
        title = say("What the classes mean: {classes}", classes=meanings) if partly else say("What the classes mean")
    else:
        title = say("What do the classes mean? {names}", names=", ".join(names))
    place: Callable[..., AbstractContextManager[object]] = st.popover
    if partly or inferred is None:
        place = partial(st.expander, expanded=inferred is None)
    with place(notices.literal(title), key=f"map_{key}"):
        sizes = {name: len(one.labels) for name, one in SYSTEMS.items()}
        systems = [name for name, n in sizes.items() if n == len(names) or (partly and n > len(names))]
        if not systems:
            listed = ", ".join(names)
            notices.error(
                say("No system of labels has as many classes as these {n}: {names}.", n=len(names), names=listed)
            )
            return None
        system = st.selectbox(
            say("Labels of the model (destino)"), systems, key=f"map_system_{key}", width=240,
            index=systems.index(inferred.system) if inferred else None,
            format_func=lambda name: SYSTEMS[name].title, placeholder=say("Choose an option"),
            persist_state="session",
        )  # fmt: skip
        chosen = _choose_meanings(say, key, names, inferred, system) if system else inferred
        if inferred is None:
            _show_readings(say, names, answered()[:_SHOWN], partly=partly)
    return chosen


def _choose_meanings(
    say: Words, key: str, names: Sequence[str], inferred: LabelMap | None, system: str
) -> LabelMap | None:
    """What each name means in this system; None while one is missing or two are the same."""
    labels, usual = SYSTEMS[system].labels, inferred.labels if inferred else {}
    with st.container(horizontal=True):
        meanings = {
            name: st.selectbox(
                notices.literal(name), labels, key=f"map_{key}_{system}_{name}", width=190, format_func=say.label,
                placeholder=say("Choose an option"), persist_state="session",
                index=labels.index(usual[name]) if usual.get(name) in labels else None,
            )
            for name in names
        }  # fmt: skip
    if None in meanings.values():
        return None
    if len(set(meanings.values())) < len(names):
        notices.error(say("Two classes cannot mean the same: choose another label for one of them."))
        return None
    return LabelMap(system, MappingProxyType({name: str(label) for name, label in meanings.items()}))


def _show_readings(say: Words, names: Sequence[str], answered: Sequence[tuple[Pair, str]], *, partly: bool) -> None:
    """The pairs, what was answered, and what that would mean under each reading."""
    about = say(
        "The names do not say it. Three pairs and what was answered; below, every reading, "
        "and what it makes of these answers (→ 1, 2, 3):"
    )
    notices.text(about, "pl-quiet")
    headings = ("", *map(say, ("Premise (a)", "Hypothesis (b)", "gold", "answer")))
    pairs = [
        (number, pair.premise, pair.hypothesis, pair.gold and say.label(pair.gold), answer)
        for number, (pair, answer) in enumerate(answered, start=1)
    ]
    show_table(pd.DataFrame(pairs, columns=list(headings)))
    readings = [
        {name: say.label(label) for name, label in one.labels.items()}
        | {f"→ {number}": say.label(one.labels[answer]) for number, (_, answer) in enumerate(answered, start=1)}
        for one in possible(names, partly=partly)
    ]
    show_table(pd.DataFrame(readings), height=260)
