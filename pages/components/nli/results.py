"""Data sets, whose answers, how these are judged, kept between reruns; and asking models for what is missing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import streamlit as st

from pages.components.nli.words import Words, words_of_visitor
from pages.components.shared import notices, resources
from pages.components.shared.jobs import show_command
from pages.components.shared.models import unreadable
from pairlens.errors import InputError, PairlensError
from pairlens.evaluation import command
from pairlens.evaluation.estimate import duration_in_words, estimate
from pairlens.evaluation.requests import Plan
from pairlens.evaluation.result import settle
from pairlens.files.nli.items import Labels
from pairlens.files.nli.label_map import LabelMap
from pairlens.files.nli.pairs import Corpus, Pair, Predictions
from pairlens.files.nli.readers import read_corpus
from pairlens.files.tables import Layout
from pairlens.messages import Message
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings
from pairlens.store import jobs
from pairlens.studies.nli import runs as nli_runs
from pairlens.studies.nli.examples import corpus
from pairlens.studies.nli.matched import match, read_predictions
from pairlens.studies.nli.report import Judged, NliReport
from pairlens.studies.nli.report import report as reported
from pairlens.studies.nli.runs import Answers, NliRequest

_BY_IDENTITY: dict[str | type, Callable[[Any], object]] = {
    NliRequest: lambda asked: (asked.recipe, repr(asked.asks), repr(asked.reading), asked.calibrated),
    **dict.fromkeys((Corpus, Predictions), id),
    LabelMap: repr,
}

_LOOKED_AT = 100
"""Pairs, for what a model cannot read."""


@dataclass(frozen=True)
class DataSet:
    """A file of pairs; `system` is empty where its labels show it, `columns` names those of a table by their role.

    `title` is what it is called, if not by its file. `like` is the data set that our own sample is written like,
    empty if it is none of ours; `language` is a code, empty if unknown.
    """

    path: Path
    system: str = ""
    columns: Mapping[str, str] = field(default_factory=dict, hash=False)
    title: str = ""
    part: str = ""
    like: str = ""
    language: str = ""
    layout: Layout = Layout()  # noqa: RUF009 (frozen)

    @property
    def name(self) -> str:
        name = self.title or self.path.name.partition(".")[0].replace("_", " ")
        return f"{name} {self.part}" if self.part else name

    def read(self) -> Corpus:
        arguments = self.path, self.system, dict(self.columns), self.layout, self.part
        return resources.read_file(self.path, read_corpus, *arguments, translate=words_of_visitor())


@dataclass(frozen=True)
class Answering:
    """Whose answers: a `file` about the data set `about`, or a model, which is `asked`.

    `reverse` is a file with the answers for swapped pairs, where these have one of their own; `columns` names those
    of a table by their role.
    """

    name: str
    reading: LabelMap
    file: Path | None = None
    reverse: Path | None = None
    about: DataSet | None = None
    asked: NliRequest | None = None
    columns: Mapping[str, str] = field(default_factory=dict, hash=False)
    layout: Layout = Layout()  # noqa: RUF009 (frozen)


@dataclass(frozen=True)
class NliResult:
    """Answers about a data set and their evaluation; `answers` are those of the run in which a model was asked."""

    data: DataSet
    by: Answering
    report: NliReport
    run_id: str = ""
    answers: Answers | None = None

    @property
    def judged(self) -> Judged:
        request, corpus, row = self.by.asked, self.data.read(), self.report.headline
        excluded, unread = list[tuple[str, str]](), ""
        if request and self.answers:
            excluded = [(reason, pair) for pair, reason in self.answers.refused.items()]
            tie = Message("a tie: decided for the label that comes first")
            excluded += [(tie, pair) for pair in self.answers.ties]
            texts = [text for pair in corpus.pairs[:_LOOKED_AT] for text in (pair.premise, pair.hypothesis)]
            unread = unreadable(texts, request.recipe, self.data.language)
        ours, like = self.by.file and self.data.like, self.data.like
        sample = Message("our {n:,} sample pairs with the labels of {system}", n=row.n, system=like)
        return Judged(
            self.report,
            corpus,
            Message("Our sample answers, {name}", name=self.by.name) if ours else self.by.name,
            self.data.name,
            about=sample if like else "",
            made=resources.store().manifest(self.run_id) if self.run_id else {"answers": self.by.name},
            model=request.recipe.model if request else None,
            classes=self.by.reading.labels,
            sure=bool(request and request.in_words),
            excluded=excluded,
            unread=unread if row.n else "",
        )


def numbered(names: Iterable[str]) -> Iterator[str]:
    """The names in their order; one that comes again has a number after it, so that all are different."""
    seen: set[str] = set()
    for name in names:
        free = next(one for n in count(1) if (one := f"{name} ({n})" if n > 1 else name) not in seen)
        seen.add(free)
        yield free


def predictions(
    path: Path,
    columns: Mapping[str, str] | None = None,
    layout: Layout = Layout(),  # noqa: B008 (frozen)
) -> Predictions:
    return resources.read_file(
        path, read_predictions, path, dict(columns or {}), layout, translate=words_of_visitor()
    )


@resources.remembered("Evaluating …", 32, _BY_IDENTITY)
def _report(
    pairs: Corpus, forward: Predictions, reverse: Predictions | None, reading: LabelMap, mode: str
) -> NliReport:
    named = forward.renamed(reading.labels)
    swapped = reverse.renamed(reading.labels) if reverse else None
    return reported(match(pairs, named, swapped), reading.system, mode)


@resources.remembered("Reading …", 8, _BY_IDENTITY)
def _plan(pairs: Corpus, asked: NliRequest, mode: str) -> Plan:
    return nli_runs.plan(pairs, asked, reverse=nli_runs.needs_reverse(pairs, asked, mode))


@resources.remembered("Reading …", 32, _BY_IDENTITY)
def _answers(run_id: str, finished: str, asked: NliRequest) -> Answers:  # noqa: ARG001
    return nli_runs.answers(resources.store(), run_id, asked)


@resources.remembered("Asking …", 32)
def classes_of_examples(recipe: Recipe, names: tuple[str, ...]) -> list[tuple[Pair, str]]:
    """The examples and the class, by its own name, that a classifier gives each; PairlensError in words."""
    own = NliRequest(recipe, Labels(names), LabelMap("", {name: name for name in names}))
    store, scorer = resources.store(), lambda: resources.scorer(recipe)
    shares = [(pair, nli_runs.typed(pair.premise, pair.hypothesis, own, store, scorer)[0]) for pair in corpus()]
    return [(pair, max(of_pair, key=lambda name: of_pair[name])) for pair, of_pair in shares]


@resources.remembered("Asking …", 256, _BY_IDENTITY)
def typed(premise: str, hypothesis: str, asked: NliRequest) -> tuple[Mapping[str, float], Mapping[str, float]]:
    return nli_runs.typed(premise, hypothesis, asked, resources.store(), lambda: resources.scorer(asked.recipe))


@dataclass(frozen=True)
class Missing:
    """A model, and a data set about which it has not been asked, all or in part."""

    data: DataSet
    by: Answering
    asked: NliRequest
    mode: str

    @property
    def planned(self) -> Plan:
        return _plan(self.data.read(), self.asked, self.mode)

    @property
    def command(self) -> list[str]:
        request, columns = self.asked, ",".join(map("=".join, self.data.columns.items()))
        output = settings().home.resolve() / "reports" / "nli" / f"{self.planned.run_id}.csv"
        return command.nli_predict(
            self.data.path.resolve(), request.recipe.model, request.asks, request.reading, output,
            calibrated=request.calibrated, mode=self.mode, split=self.data.part, column=columns,
            **{"gold-system": self.data.system}, **asdict(self.data.layout),
        )  # fmt: skip


def judge(say: Words, data: DataSet, by: Answering, mode: str) -> NliResult | Missing | None:
    """The evaluation of these answers, or what a model has not been asked yet; None, and why is said, without one."""
    try:
        corpus = data.read()
        if by.asked is None:
            assert by.file
            forward = predictions(by.file, by.columns, by.layout)
            reverse = predictions(by.reverse) if by.reverse else None
            return NliResult(data, by, _report(corpus, forward, reverse, by.reading, mode))
        store = resources.store()
        run_id = settle(_plan(corpus, by.asked, mode), store, corpus.name)
        if run_id is None:
            return Missing(data, by, by.asked, mode)
        answers = _answers(run_id, store.manifest(run_id)["finished"], by.asked)
        if not len(answers.predictions):
            raise InputError(next(iter(answers.refused.values())), Message("no pair could be asked about"))
        own = LabelMap(by.asked.reading.system, {})  # the answers of a run are labels already
        return NliResult(data, by, _report(corpus, answers.predictions, None, own, mode), run_id, answers)
    except PairlensError as wrong:
        notices.error(f"{by.name}, {data.name}: {say(wrong.message)}")
        return None


def run_nli(say: Words, missing: Sequence[Missing]) -> None:
    """Say how long it takes, how the latest attempt ended, and offer to start it; nothing while all is under way."""
    latest = [(one, jobs.latest(one.command)) for one in missing]
    idle = [(one, job) for one, job in latest if job is None or job.ended]
    if not idle:
        return
    for name in dict.fromkeys(one.by.name for one, _ in idle):
        notices.text(_expected(say, name, [one for one, _ in idle if one.by.name == name]))
    for _, job in idle:
        if job and job.state in ("failed", "lost"):
            notices.error(say(job.error))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(say("Ask the models"), type="primary", icon=":material/play_arrow:", key="run_nli"):
            settings().home.joinpath("reports", "nli").mkdir(parents=True, exist_ok=True)
            for one, _ in idle:
                jobs.start(one.command, f"{one.data.name} · {one.by.name}")
            st.rerun()
        show_command((one.command for one, _ in idle), say("The same from the command line"))


def _expected(say: Words, name: str, missing: Sequence[Missing]) -> str:
    """How many questions a model has to answer, and how long that takes here."""
    store, plans = resources.store(), [one.planned for one in missing]
    seconds = sum(estimate(plan.missing(store), plan.recipe, store).seconds for plan in plans)
    return say(
        "{model} on {data}: {n:,} questions, about {time} here.",
        model=name, data=", ".join(one.data.name for one in missing), n=sum(plan.n_items for plan in plans),
        time=duration_in_words(seconds),
    )  # fmt: skip
