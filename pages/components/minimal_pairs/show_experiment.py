"""An experiment in the frame of all results, with what its charts and tables cannot say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from pages.components.minimal_pairs.choose import Choices
from pages.components.shared import notices, resources
from pages.components.shared.experiment import Experiment
from pages.components.shared.frame import own_place
from pages.components.shared.jobs import show_command, watch_jobs
from pages.components.shared.link import open_in_compare, parameters_of
from pages.components.shared.models import choose_shown, offer_reader
from pages.components.shared.predict_first import ask_for_better, choice_of, predicts_first, show_reveal
from pages.components.shared.run_policies import show_number_match
from pages.components.shared.runs import say_saved
from pages.components.shared.show_result import Rows, Views, show_evidence, show_findings
from pages.components.shared.tables import show_table
from pairlens.analysis.experiment import Analysis, Columns
from pairlens.analysis.interaction import contrast
from pairlens.charts.experiment import PAIR
from pairlens.errors import InputError
from pairlens.evaluation import command
from pairlens.evaluation.estimate import duration_in_words, estimate
from pairlens.evaluation.evaluate import save
from pairlens.files.exports import written
from pairlens.files.tables import Layout, read_as
from pairlens.results.result import Result
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings
from pairlens.store import jobs, uploads
from pairlens.studies.experiment import wording
from pairlens.studies.experiment.answer import Answer
from pairlens.studies.experiment.design import Design, Region
from pairlens.studies.experiment.evaluate import evaluate, missing
from pairlens.studies.experiment.findings import Findings, crossed, everywhere, find
from pairlens.studies.experiment.policies import printable
from pairlens.studies.experiment.result import result
from pairlens.studies.experiment.tables import ROWS_COUNTED, beside, tally, to_predict
from pairlens.studies.experiment.words import words_of_scores
from pairlens.types import Item

SHOWN = 24
"""Positions that a chart shows at once; longer sentences are shown from a place on."""
_EXCLUDED = {"row": "Row", "sentid": "Sentence", "pairid": "Pair", "reason": "Reason"}
_LEGEND = (
    "Mean surprisal by position, with 95 % intervals over sentences. A position is named by its word, or by its "
    "number where the words differ.$grey High intervals are cut."
)
_GREY = " Grey: the region of interest, paler what follows it."


@dataclass(frozen=True)
class Question:
    """An experiment, its region, the models that were asked and how their scores are looked at."""

    experiment: Experiment
    region: Region
    recipes: tuple[Recipe, ...]
    analysis: Analysis

    @property
    def design(self) -> Design:
        return resources.design(self.experiment).marked(self.region)

    @property
    def identity(self) -> tuple[object, ...]:
        models = [(recipe.model.name, recipe.fingerprint, repr(recipe.policy)) for recipe in self.recipes]
        return repr(self.experiment), repr(self.region), models, repr(self.analysis)


_BY_QUESTION: dict[str | type, Callable[[Any], object]] = {Question: lambda asked: asked.identity, Choices: repr}


@resources.remembered(False, 6)
def columns_in_words(experiment: Experiment) -> str:
    return wording.columns(experiment.columns, resources.experiment_table(experiment.source)[0])


@st.cache_resource(show_spinner=False)
def _refused() -> dict[tuple[str, str], dict[str, str]]:
    """By experiment and fingerprint of those that are scored as far as possible: why a sentence is not, by sentid."""
    return {}


def _unscored(experiment: Experiment, recipe: Recipe) -> int:
    key = repr(experiment), recipe.fingerprint
    if key not in _refused():
        if n := missing(resources.design(experiment), recipe, resources.store()):
            return n
        _refused()[key] = {}
    return 0


def _score(experiment: Experiment, recipe: Recipe) -> None:
    reasons: dict[str, str] = {}
    with st.spinner(f"Scoring with {recipe.model.name} …", show_time=True):
        opened = partial(resources.scorer, recipe)
        for _ in evaluate(resources.design(experiment), recipe, resources.store(), scorer=opened, refused=reasons):
            continue
    _refused()[repr(experiment), recipe.fingerprint] = reasons


@resources.remembered()
def _words_of_model(experiment: Experiment, recipe: Recipe, analysis: Analysis) -> pd.DataFrame:
    return words_of_scores(resources.design(experiment), recipe, resources.store(), analysis)


@resources.remembered(most=6, by=_BY_QUESTION)
def findings_of(question: Question) -> Findings:
    """What follows from the scores, of which only what changes words computes these again; PairlensError in words."""
    changing = ("word_summary", "word_probability", "punctuation", "fold")
    of_words = Analysis(**{name: getattr(question.analysis, name) for name in changing})
    parts = [_words_of_model(question.experiment, recipe, of_words) for recipe in question.recipes]
    return find(question.design, pd.concat(parts, ignore_index=True), question.analysis)


@resources.remembered(most=6, by=_BY_QUESTION)
def result_of(question: Question, choices: Choices, shown: str = "") -> Result:
    """Everything that follows from the scores, with charts of the model that is `shown`; InputError in words."""
    findings, source = findings_of(question), question.experiment.source
    answer = Answer(
        findings, question.recipes, resources.store(), source.name, source.language,
        facets=choices.facets, first=shown,
        refused={recipe.model.name: _refused().get((repr(question.experiment), recipe.fingerprint), {})
                 for recipe in question.recipes},
    )  # fmt: skip
    try:
        if choices.factors:
            answer = replace(answer, interaction=crossed(findings, choices.factors))
            answer = replace(answer, everywhere=everywhere(findings, choices.factors))
        if choices.contrast:
            sentences, roles = findings.design.sentences, findings.design.columns
            of_cells = contrast(choices.contrast, findings.regions, sentences, roles, question.analysis)
            answer = replace(answer, contrast=of_cells)
    except InputError as wrong:
        answer = replace(answer, unasked=str(wrong))
    return result(answer)


def score_sentences(experiment: Experiment, recipes: Sequence[Recipe]) -> list[Recipe]:
    """The recipes under which every sentence that can be scored is; for the others, what that would take."""
    ready, waiting = [], []
    for recipe in recipes:
        with notices.explained_errors():
            missing = _unscored(experiment, recipe)
            if missing > settings().interactive_texts and not _is_settled(experiment, recipe, missing):
                waiting.append((recipe, missing))
                continue
            with own_place():
                if missing:
                    _score(experiment, recipe)
            ready.append(recipe)
    if waiting:
        watch_jobs("minimal-pair")
        _offer(experiment, waiting)
    return ready


def _is_settled(experiment: Experiment, recipe: Recipe, missing: int) -> bool:
    """Whether a job has scored all but these, which it found that it cannot score: they are told apart in no time."""
    job = jobs.latest(_arguments(experiment, recipe))
    return job is not None and job.state == "done" and len((job.result or {}).get("refused", ())) >= missing


def _offer(experiment: Experiment, waiting: Sequence[tuple[Recipe, int]]) -> None:
    idle = []
    for recipe, n in waiting:
        job = jobs.latest(arguments := _arguments(experiment, recipe))
        if job is None or job.ended:
            idle.append((recipe, n, arguments))
        if job is not None and job.state in ("failed", "lost"):
            notices.error(job.error)
    if not idle:
        return
    seconds = sum(estimate(n, recipe, resources.store()).seconds for recipe, n, _ in idle)
    notices.write(
        "<strong>$n</strong> to be scored, about $time here. Analysing them in other ways later needs no scoring.",
        n=notices.counted(max(n for _, n, _ in idle), "sentence"), time=duration_in_words(seconds),
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Run", type="primary", icon=":material/play_arrow:"):
            for recipe, _, arguments in idle:
                jobs.start(arguments, f"{experiment.source.name} · {recipe.model.name}")
            st.rerun()
        show_command(arguments for _, _, arguments in idle)


def _arguments(experiment: Experiment, recipe: Recipe) -> list[str]:
    """Of the visitor's own file, if a command reads it as it was read here, else of one of sentences alone."""
    source = experiment.source
    if isinstance(source.data, Path) and source.layout == Layout():
        return command.minimal_pair(source.data, experiment.columns, recipe)
    sentences = resources.design(experiment).sentences[["sentid", "sentence"]]
    path = uploads.keep([("sentences.tsv", written(sentences, ".tsv"))])
    return command.minimal_pair(path, Columns(pairid="", comparison="", roi=""), recipe)


def show_experiment(question: Question, choices: Choices, names: Sequence[str]) -> None:
    """`names` are the parameters of the page's link, which is saved with its runs."""
    result = result_of(question, choices)
    show_findings(result)
    offer_reader(question.experiment.source.language, [recipe.model for recipe in question.recipes])
    _show_own(question)
    recipes = {recipe.model.name: recipe for recipe in question.recipes}
    shown = choose_shown([*recipes])
    if len(recipes) > 1:
        result = result_of(question, choices, shown)
    show_evidence(result, _views(question, result, recipes[shown], names))


def _views(question: Question, result: Result, recipe: Recipe, names: Sequence[str]) -> Views:
    matching = partial(show_number_match, f"analyses_{recipe.model.name}", lambda: printable(result.analyses))
    return Views(
        partial(_choose_window, result, recipe.model.name),
        partial(_explain, question, result),
        partial(_offer_to_save, question, result.file, names),
        filters={table.name: partial(_listed, question, recipe, table.name) for table in result.tables},
        clicks={"pairs": lambda: None},  # without one Streamlit forgets what is selected
        below={"analyses": matching},
        rows={"by_pair": partial(_open, recipe)},
    )


def _explain(question: Question, result: Result) -> None:
    """What the chart along the sentence draws, where there is one."""
    if any(not figure.beside for figure in result.figures):
        notices.write(_LEGEND, "pl-quiet", grey=_GREY * question.design.has_region)


def _choose_window(result: Result, model: str) -> Rows | None:
    """All positions of short sentences, else those near the region until moved."""
    profile = result.profile[result.profile["model"] == model]
    last = int(profile["position"].max()) if len(profile) else 0
    if last < SHOWN:
        return None
    inside = profile.loc[profile["region"], "position"]
    near = max(0, min((int(inside.min()) if len(inside) else 0) - SHOWN // 2, last - SHOWN + 1))
    start = st.slider(
        f"{SHOWN} of {last + 1} positions are drawn, from", 0, last - SHOWN + 1, near, key=f"profile_from_{last}",
        persist_state="session",
    )  # fmt: skip

    def window(frame: pd.DataFrame) -> pd.DataFrame:
        if "position" not in frame:  # a chart of something else, in a tab
            return frame
        return frame[frame["position"].between(start, start + SHOWN - 1)]

    return window


def _listed(question: Question, recipe: Recipe, name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of the model that is shown: of pairs those that were clicked, else the worst decision first."""
    own = frame[frame["model"] == recipe.model.name] if "model" in frame and name != "excluded" else frame
    if name == "by_cond" and len(own) > 1:
        return own[~own["overall"]]
    if name != "by_pair":
        return own
    event = st.session_state.get("pairs_chart")
    clicked = {point["pairid"] for point in event.selection.get(PAIR, [])} if event else set()
    which = "The pairs you clicked" if clicked else "The worst decision first. Click points to see them alone"
    notices.write("$which. Click a row to open it.", "pl-quiet", which=which)
    ordered = own.sort_values("diff", ascending=question.analysis.measure == "prob", kind="stable")
    chosen = ordered[ordered["pairid"].isin(clicked)]
    if chosen.empty:
        return ordered
    _open(recipe, chosen.iloc[0])
    return chosen


def _open(recipe: Recipe, row: pd.Series) -> None:
    open_in_compare(row["text_expected"], row["text_unexpected"], recipe.model.name, recipe.policy)


def question_of(design: Design) -> object:
    return "experiment", *to_predict(design)


def ask_for_pairs(design: Design) -> None:
    if pairs := list(to_predict(design)):
        ask_for_better(pairs, question_of(design))
    else:
        notices.note("The table has no pairs, so there is no better sentence to choose.")
        show_reveal(question_of(design))


def _show_own(question: Question) -> None:
    findings = findings_of(question)
    if not predicts_first() or not (pairs := to_predict(findings.design)):
        return
    table = beside(findings, {pair: choice_of(pair) for pair in pairs})
    if len(table):
        notices.text(tally(table, findings.design.columns.expected), "pl-second")
        show_table(table, alt="One row per pair that you decided: both sentences, your choice, each model's")


def show_design(design: Design, experiment: Experiment, measure: str) -> None:
    """The direction of every difference; the sentences, pairs and conditions; the columns that gave them."""
    if direction := wording.direction(design, measure):
        notices.text(direction)
    for remark in filter(None, (tell(design) for tell in wording.REMARKS)):
        notices.warning(remark)
    if chunks := wording.chunked(design):
        notices.warning(f"{chunks} To read chunks as regions, switch that on under Columns.")
    table, _ = resources.experiment_table(experiment.source)
    read = "" if experiment.source.ours else read_as(table)
    summary, columns = wording.summary(design), columns_in_words(experiment)
    notices.write("$summary $columns $read", "pl-about", summary=summary, columns=columns, read=read)
    if n := design.n_left_out:
        with st.popover(f"{notices.counted(n, 'row')} left out", icon=":material/filter_alt:"):
            notices.text(ROWS_COUNTED, "pl-quiet")
            show_table(design.excluded, column_config=_EXCLUDED, alt="Rows of the table that are left out, and why")


def _offer_to_save(question: Question, title: str, names: Sequence[str]) -> None:
    """A run per model, with the link to what is chosen here: design, region, interaction, models."""
    design = findings_of(question).design
    if not (items := design.items()):
        st.button(
            "Save to Results", disabled=True, icon=":material/bookmark_add:",
            help="Results hold pairs of which one sentence should win; here are none. Download the tables.",
        )  # fmt: skip
        return
    with st.popover("Save to Results", icon=":material/bookmark_add:"), st.container(width=420):
        named = st.text_input("Title", title, key=f"save_title_{title}")
        notices.write(
            "$runs of whole sentences as pairs ($one against $other), by condition. Open its page, below a run in "
            "Results, leads back here, to the same columns, region, interaction and models.", "pl-quiet",
            runs=notices.counted(len(question.recipes), "run"), one=design.columns.expected,
            other=design.columns.unexpected,
        )  # fmt: skip
        if st.button("Save", type="primary"):
            _save(items, question.recipes, named.strip(), names)


def _save(items: Sequence[Item], recipes: Sequence[Recipe], title: str, names: Sequence[str]) -> None:
    models = {"model_name": [recipe.model.name for recipe in recipes]}  # on arrival the link names nothing
    chosen = models | {name: value for name, value in parameters_of(names).items() if name != "reveal"}
    link = urlencode(chosen, doseq=True)
    for recipe in recipes:
        with notices.explained_errors():
            scorer = partial(resources.scorer, recipe)
            say_saved(save(items, recipe, resources.store(), title=title, scorer=scorer, link=link))
