"""What one model, or a file made elsewhere, says of StereoSet's examples: scores and numbers, however defined."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pairlens import __version__
from pairlens.evaluation.receipts import sentences
from pairlens.evaluation.receipts.bibtex import STATISTICS, bibtex, keys_of_scores
from pairlens.evaluation.receipts.scored_by import by_recipe
from pairlens.files.stereoset.examples import Examples, Remark
from pairlens.files.stereoset.predictions import Predictions
from pairlens.models.unreadable import why_unreadable
from pairlens.results.result import Provenance
from pairlens.statistics.few import CLUSTERED
from pairlens.store import Store
from pairlens.studies.stereoset.cases import CASES, WORD_VALUES, Definition, possible
from pairlens.studies.stereoset.measured import AGGREGATIONS, FEWEST_TERMS, TIES, Measured, measure
from pairlens.studies.stereoset.runs import TaskRequest, predictions
from pairlens.tasks import TASKS

_LOOKED_AT = 50
"""Examples, for what a model cannot read."""


@dataclass(frozen=True)
class Answer:
    """The scores of one `name`, and what they come to under every definition, that of the headline first.

    `requests` are what a model was asked, `runs` the manifests of their runs by task; a file has neither. `sample`:
    whether the examples are our own. `unreadable` says why nothing can be said about them with this model.
    """

    name: str
    examples: Examples
    defined: Mapping[Definition, tuple[Predictions, Measured]]
    requests: Sequence[TaskRequest] = ()
    runs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    sample: bool = False
    unreadable: str = ""

    @property
    def definition(self) -> Definition:
        return next(iter(self.defined))

    @property
    def predictions(self) -> Predictions:
        return self.defined[self.definition][0]

    @property
    def measured(self) -> Measured:
        return self.defined[self.definition][1]

    @cached_property
    def published(self) -> Measured:
        """The numbers with ties as published."""
        return measure(self.examples, self.predictions, "legacy") if self.measured.has_ties else self.measured


def answer_of_file(
    examples: Examples, scores: Predictions, ties: str, name: str = "", *, sample: bool = False
) -> Answer:
    """The answer of predictions made elsewhere; errors as `measure`."""
    defined = {Definition(elsewhere=True): (scores, measure(examples, scores, ties))}
    return Answer(name or scores.name, examples, defined, sample=sample)


def answer_of_runs(
    requests: Sequence[TaskRequest],
    store: Store,
    examples: Examples,
    wanted: Definition,
    ties: str,
    *,
    sample: bool = False,
) -> Answer:
    """The answer of the model that was asked, the wanted definition first; the runs of all requests are finished."""
    recipe = requests[0].planned.recipe
    runs = {request.task: store.manifest(request.planned.run_id) for request in requests}
    first, only = usual(requests, wanted), any(request.only_case for request in requests)
    definitions = [one for one in possible(first) if not only or one.case == first.case]
    scored: dict[Definition, Predictions] = {}
    for words in dict.fromkeys(
        definition.words for definition in definitions
    ):  # the runs are read once for all cases
        cases = {
            definition: definition.case or wanted.case for definition in definitions if definition.words == words
        }
        worded = [replace(request, words=words or request.words) for request in requests]
        by_case = predictions(worded, store, [*cases.values()], recipe.model.name)
        scored |= {one: by_case[case] for one, case in cases.items()}
    reasons = {remark.where: remark.text for request in requests for remark in request.left_out}
    for task, run in runs.items():
        reasons |= {f"{task} {item}": reason for item, reason in (run.get("refused") or {}).items()}
    defined = {}
    for definition, scores in scored.items():
        measured = measure(examples, scores, ties)
        left_out = (Remark(one.where, reasons.get(one.where, one.text)) for one in measured.left_out)
        defined[definition] = scores, replace(measured, left_out=tuple(left_out))
    texts = [candidate.sentence for one in [*examples][:_LOOKED_AT] for candidate in one.candidates]
    # A file that does not say its language is taken for English.
    language = "" if examples.language == "en" else examples.language
    unreadable = why_unreadable(texts, recipe.policy, recipe.model, language)
    return Answer(recipe.model.name, examples, defined, requests, runs, sample, unreadable)


def usual(requests: Sequence[TaskRequest], wanted: Definition) -> Definition:
    """The definition that is wanted, without the choices that this way of asking does not leave."""
    cases = [request.only_case or wanted.case for request in requests if request.has_cases]
    has_words = any(request.model_class.words for request in requests)
    return Definition(cases[0] if cases else "", wanted.words if has_words else "")


def provenance(answers: Sequence[Answer]) -> Provenance:
    """How the numbers of each were made; the receipt is that of the only one, or all of them by name."""
    receipts = {answer.name: _receipt(answer) for answer in answers}
    signatures = " · ".join(filter(None, (receipt.get("signature", "") for receipt in receipts.values())))
    recipes = [request.planned.recipe for answer in answers for request in answer.requests]
    scored = [key for recipe in recipes for key in keys_of_scores(by_recipe(recipe))]
    cited = [*TASKS["stereoset"].cites, *scored, *STATISTICS[CLUSTERED], *STATISTICS["MOVER"]]
    return Provenance(
        receipts[answers[0].name] if len(receipts) == 1 else {"signature": signatures, "models": receipts},
        " ".join(map(methods, answers)),
        bibtex(cited, *(recipe.model for recipe in recipes)),
        [run["run_id"] for answer in answers for run in answer.runs.values()],
    )


def _receipt(answer: Answer) -> dict[str, Any]:
    """What went into the numbers of one, and every number; as plain values, null where there is none."""
    measured, examples = answer.measured, answer.examples
    rows = measured.table().drop(columns="model").astype(object)
    scored = {
        "signature": " · ".join(request.signature(answer.definition.case) for request in answer.requests),
        "runs": {task: dict(run) for task, run in answer.runs.items()},
    }
    return {
        **(scored if answer.requests else {}),
        "predictions": measured.name,
        "pairlens": __version__,
        "language": examples.language,
        "examples": {kind: len(part) for kind, part in examples.by_kind.items()},
        "measured": {kind: measured.cell(kind).n for kind in measured.kinds},
        "left_out": [str(remark) for remark in measured.left_out],
        "ties": measured.ties,
        "numbers": rows.where(rows.notna(), None).to_dict("records"),
    }


def methods(answer: Answer) -> str:
    """What was scored, with what and how, and what was done with the scores, in sentences that a paper can print."""
    measured = answer.measured
    cells = {kind: measured.cell(kind) for kind in measured.kinds}
    numbers = (
        f"{kind} {one.term_means} ({one.n:,} examples, {one.n_terms:,} terms, {one.ties:,} ties)"
        for kind, one in cells.items()
    )
    scored = [_method(request, answer.definition) for request in answer.requests] or [
        f"Scores: {answer.predictions.name}."
    ]
    return " ".join(scored) + (
        f" LMS, SS and ICAT (Nadeem, Bethke & Reddy 2021) were computed in Pairlens {__version__}: "
        f"{'; '.join(numbers)}. "
        f"Numbers are {AGGREGATIONS['term_means']}, 95 % intervals over target terms (from {FEWEST_TERMS} terms on), "
        f"that of ICAT from those of LMS and SS (Zou & Donner 2008); {TIES[measured.ties]}. "
        f"{len(measured.left_out):,} examples left out."
    )


def _method(one: TaskRequest, definition: Definition) -> str:
    what = one.model_class.about
    if one.has_cases:
        case = CASES[definition.case]
        what = f"case {case.letter}, {case.formula} with A the context and B the candidate, geometric means per token"
    elif one.model_class.words:
        what = f"{what}, {WORD_VALUES[definition.words]}"
    return sentences.sentence(
        sentences.computed(by_recipe(one.planned.recipe)),
        f"{one.task} candidates in the format of StereoSet (sha256 {one.planned.data[:12]})",
        what,
    )
