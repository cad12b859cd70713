"""StereoSet on a model: each task a stored run, and predictions in the published form out of such runs.

Between sentences a candidate makes three requests (rule `cases`): after its context, the context alone, itself alone.
They are terms of one run, the last two of weight 0, so that one resumable run holds what all cases need, each
distinct text scored once, and the run's own number is that of the default case. Where only that one counts, as
published for encoder-decoders, it alone is asked for.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pairlens.errors import ModelError, PolicyError, unknown
from pairlens.evaluation.evaluate import Context
from pairlens.evaluation.evaluate import run as run_plan
from pairlens.evaluation.requests import Plan, plan
from pairlens.files.stereoset.as_items import item, without_word
from pairlens.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE, Example, Examples, Remark
from pairlens.files.stereoset.predictions import Predictions, predictions_name
from pairlens.models import find
from pairlens.models.checkpoint import read_json
from pairlens.models.resolve import is_folder
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, default_for
from pairlens.scorers._unlisted import WORD_IN_GAP
from pairlens.scoring.into_store import Progress
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.stereoset.cases import CASES, DEFAULT, WORD_VALUES, ScoredRun
from pairlens.studies.stereoset.classes import AUTO, USUAL, ModelClass, StereoSetChoices, class_named, usual_class
from pairlens.tasks import TASKS
from pairlens.types import Extras, Model

PRESET = "stereoset"
"""The preset under which everything is asked as the programs of StereoSet and its successor ask it."""

_FOLLOWING = "the candidate after its context, per token, the context in the encoder"
TOKENIZERS = ("AutoTokenizer", "BertTokenizer", "GPT2Tokenizer", "GPT2TokenizerFast", "T5Tokenizer", "MT5Tokenizer")
_ANY = frozenset({"", "PreTrainedTokenizer", "TokenizersBackend", "PythonBackend"})
"""What a tokenizer's settings say that does not tell its kind."""


@dataclass(frozen=True, slots=True)
class TaskRequest:
    """One of the two tasks on its way to a model. `left_out` are examples that cannot be asked about, and why.

    `words` is one of `WORD_VALUES`; `end`: whether the end of the text counts as a last token of the candidate.
    `only_case` is the case that counts whichever is chosen; empty where the choice counts.
    """

    task: str
    model_class: ModelClass
    planned: Plan
    words: str
    end: bool
    examples: tuple[Example, ...]
    left_out: tuple[Remark, ...]
    from_context: bool = False
    only_case: str = ""

    @property
    def extras(self) -> Extras:
        """What the scorer must report beside log-probabilities."""
        return Extras(boundary=self.end and not self.model_class.words)

    def missing(self, store: Store) -> int:
        """How many texts the store cannot answer yet, with the ends of texts where they count."""
        requests, fingerprint = self.planned.requests, self.planned.recipe.fingerprint
        return len(requests.keys() - store.known(fingerprint, boundary=self.extras.boundary, keys=requests))

    @property
    def has_cases(self) -> bool:
        return bool(self.only_case) or self.planned.rule.startswith("cases")

    def note(self, *cases: str) -> str:
        """A sentence if the choice of these cases does not count; empty otherwise."""
        if not self.only_case or set(cases) == {self.only_case}:
            return ""
        return (
            f"{self.task}: as published, {self.model_class.name} has one formula, {CASES[self.only_case].formula} "
            f"(case {self.only_case}), whichever case is chosen."
        )

    def signature(self, case: str) -> str:
        """The line printed beside numbers of this case."""
        parts = [self.planned.signature, f"class:{self.model_class.name}"]
        if self.has_cases:
            parts.append(f"case:{self.only_case or case}")
        if self.model_class.words:
            parts.append(f"words:{self.words}")
        elif self.from_context:
            parts.append("sentences:context")
        return "|".join([*parts, *(["end:counted"] if self.extras.boundary else [])])


def model_and_class(
    task: str, source: str, class_name: str = AUTO, *, allow_code: str = ""
) -> tuple[Model, ModelClass]:
    """A model (found, not loaded) and how it is asked about a task, by a class's published name or as is usual.

    A BERT with both heads is asked for the next sentence where that is the question. ModelError or PolicyError, with
    the choices, for what is unknown or does not go together.
    """
    if class_name == AUTO:
        model = find(source, allow_code=allow_code)
        if task == INTERSENTENCE and model.kind == "masked":
            with suppress(ModelError):
                model = find(source, kind="next-sentence", allow_code=allow_code)
        return model, usual_class(task, model.kind)
    chosen = class_named(task, class_name)
    kinds = f"{class_name} asks {' and '.join(chosen.kinds)} models."
    try:
        model = find(source, kind=chosen.kinds[0] if len(chosen.kinds) == 1 else "", allow_code=allow_code)
    except ModelError as error:
        raise ModelError(f"{error} {kinds}") from error
    if model.kind not in chosen.kinds:
        raise ModelError(f"'{model.name}' is a {model.kind} model. {kinds}")
    return model, chosen


def check_tokenizer(name: str, model: Model) -> None:
    """PolicyError for a name that is not published, and for one that is not the class of the model's own tokenizer.

    Reading a model with another model's tokenizer gives numbers that mean nothing, and with MT5Tokenizer on a GPT one
    candidate token was booked to the context. Models that do not say their tokenizer's class are taken at their word.
    """
    if not name:
        return
    if name not in TOKENIZERS:
        raise PolicyError(unknown("tokenizer", name, TOKENIZERS))
    settings = model.folder / "tokenizer_config.json"
    own = str(read_json(settings, model.name).get("tokenizer_class") or "") if settings.is_file() else ""
    # One name for the slow and the fast class, and for MT5's, which is T5's.
    kinds = [one.removesuffix("Fast").replace("MT5", "T5") for one in (own, name)]
    if name != "AutoTokenizer" and kinds[0] not in _ANY | {kinds[1]}:
        raise PolicyError(
            f"'{model.name}' is read with its own tokenizer, a {own}, not with {name}: leave --tokenizer-name out."
        )


def ask(
    examples: Sequence[Example],
    task: str,
    model: Model,
    model_class: ModelClass,
    policy: Policy,
    choices: StereoSetChoices = USUAL,
) -> TaskRequest:
    """The requests of these examples, all of one task. Reads no scores and loads no model.

    Under the preset `stereoset`: the programs' word and their way to hide it, candidates alone without a space, the
    mean of a word's probabilities, contexts closed by a full stop, and for encoder-decoders the end symbol counted
    and no choice of a case.
    """
    published = policy.name.partition(",")[0] == PRESET
    encoder = published and model.kind == "seq2seq"
    words = choices.words or ("mean" if published else "joint")
    if words not in WORD_VALUES:
        raise PolicyError(unknown("value of words", words, WORD_VALUES))
    in_context = model_class.words or (choices.from_context and task == INTRASENTENCE)
    reasons = {example.id: without_word(example, published=published) for example in examples if in_context}
    usable = [example for example in examples if not reasons.get(example.id)]
    if not usable:
        raise PolicyError(f"There is no {task} example that can be asked about.")
    closed = model_class.closed or (published and model_class.rule == "cases")
    as_item = partial(
        item, words=model_class.words, from_context=choices.from_context, published=published, closed=closed
    )
    only_case = DEFAULT if encoder and model_class.rule == "cases" else ""
    if only_case:
        model_class = replace(model_class, rule="conditional", about=_FOLLOWING)  # nothing else is asked
    spaced = not published if choices.spaced is None else choices.spaced
    rule = model_class.rule if spaced or model_class.rule == "conditional" else f"{model_class.rule}_unspaced"
    as_published = published and model_class.words
    scorer = WORD_IN_GAP if as_published else SCORERS[model_class.scorer or default_for(model.kind)]
    recipe = Recipe(model, scorer, policy.but(sentence_value="sum" if model_class.words else "mean"))
    return TaskRequest(
        task,
        model_class,
        plan(TASKS["stereoset"], map(as_item, usable), recipe, rule),
        words,
        encoder if choices.end is None else choices.end,
        tuple(usable),
        tuple(Remark(f"{task} {id}", reason) for id, reason in reasons.items() if reason),
        from_context=in_context and not model_class.words,
        only_case=only_case,
    )


def ask_all(
    examples: Examples,
    model: str,
    policy: Policy,
    choices: StereoSetChoices = USUAL,
    *,
    tokenizer_name: str = "",
    allow_code: str = "",
) -> list[TaskRequest]:
    """Both tasks, as far as there are examples.

    Everything that can be wrong is found before anything is scored: errors as in `model_and_class` and `ask`, and
    where a head has no effect.
    """
    head, between = choices.nsp_model_path, choices.intersentence_model
    if head and not examples.intersentence:
        raise PolicyError("--nsp-model-path has no effect without intersentence examples: leave it out.")
    if head and between not in (AUTO, "ModelNSP", "BertNextSentence"):
        raise PolicyError(f"--nsp-model-path goes with ModelNSP and BertNextSentence, not with {between}.")
    if head and between == AUTO:
        between = "ModelNSP"
    sources = {INTRASENTENCE: (model, choices.intrasentence_model), INTERSENTENCE: (head or model, between)}
    parts = {task: part for task, part in examples.by_kind.items() if part}
    sought = {task: model_and_class(task, *sources[task], allow_code=allow_code) for task in parts}
    for loaded, _ in sought.values():
        check_tokenizer(tokenizer_name, loaded)
    return [ask(part, task, *sought[task], policy, choices) for task, part in parts.items()]


def file_names(requests: Sequence[TaskRequest], source: str, cases: Sequence[str], language: str) -> dict[str, str]:
    """By case, the published name of its predictions; with its letter where that does not tell it from another.

    `source` is the model as the user named it. Only the first case is named if none of the tasks leaves the choice.
    """
    model = Path(source).resolve().name if is_folder(source) else source
    classes = {INTRASENTENCE: "", INTERSENTENCE: ""} | {
        request.task: request.model_class.name for request in requests
    }
    has_cases = any(request.has_cases and not request.only_case for request in requests)
    names: dict[str, str] = {}
    for case in cases if has_cases else cases[:1]:
        name = predictions_name(model, classes[INTRASENTENCE], classes[INTERSENTENCE], case, language)
        lettered = f"_{case}_{language}.json"
        if has_cases and case != DEFAULT and not name.endswith(lettered):
            name = name.removesuffix(f"_{language}.json") + lettered
        names[case] = name
    return names


def run(request: TaskRequest, store: Store, *, data: str = "", rescore: bool = False) -> Iterator[Progress]:
    """Score what the store lacks and keep it as a run, which the last Progress names; a stopped one goes on."""
    title = f"StereoSet, {request.task}: {data or 'examples'}"
    context = Context(store, data=data, title=title, extras=request.extras, rescore=rescore)
    yield from run_plan(request.planned, context)


def predictions(
    requests: Sequence[TaskRequest], store: Store, cases: Sequence[str], name: str = ""
) -> dict[str, Predictions]:
    """By case, the scores of all candidates of finished runs. Candidates that could not be scored are NaN."""
    read = {
        request.task: ScoredRun(store, request.planned.run_id, request.words, end=request.end) for request in requests
    }
    by_case: dict[str, Predictions] = {}
    for case in cases:
        scores = {
            request.task: read[request.task].by_id(request.examples, request.only_case or case)
            for request in requests
        }
        notes = tuple(filter(None, (request.note(case) for request in requests)))
        by_case[case] = Predictions(**scores, name=name, notes=notes)
    return by_case
