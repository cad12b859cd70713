"""Models asked about pairs, as stored runs like any other: resumable, each distinct question scored once.

A classifier is asked for its own labels, a language model by a prompt (`pairlens.files.nli.items`). What the
answers mean for the data (`pairlens.files.nli.label_map`, `pairlens.files.labels`) is applied to what is stored:
correcting it scores nothing again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.errors import ModelError, PolicyError
from pairlens.evaluation import evaluate
from pairlens.evaluation.requests import Plan
from pairlens.evaluation.requests import plan as plan_of
from pairlens.files.labels import cell
from pairlens.files.nli import items
from pairlens.files.nli.label_map import LabelMap, reading
from pairlens.files.nli.pairs import Corpus, Predictions
from pairlens.messages import unpacked
from pairlens.models import labels_of
from pairlens.scoring.into_store import Progress, scores_now
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import Item, Request, Scorer

if TYPE_CHECKING:
    from collections.abc import Callable

Reals = NDArray[np.float64]

KINDS = ("classifier", "causal", "masked", "seq2seq")
"""Kinds of models that can be asked, those trained for it first."""


@dataclass(frozen=True)
class NliRequest:
    """A model, how it is asked, and what its answers mean; `calibrated` by a prompt without content."""

    recipe: Recipe
    asks: items.Asks
    reading: LabelMap
    calibrated: bool = False

    @property
    def meanings(self) -> list[str]:
        return list(self.reading.labels.values())

    @property
    def in_words(self) -> bool:
        """Whether a language model answers a prompt, so that what its answers mean is no guess."""
        return isinstance(self.asks, items.Prompt)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What a model said; `refused` has reasons by pair, `ties` pairs with two best labels, decided for the first."""

    predictions: Predictions
    refused: Mapping[str, str]
    ties: Sequence[str]


def ask(
    recipe: Recipe,
    labels: Mapping[str, str] | None = None,
    system: str = "",
    prompt: str = "",
    calibrated: bool = False,
    data: str = "",
) -> NliRequest:
    """How this model is asked. `labels` and `system` say what a classifier's classes mean (`label_map`).

    `data` is the label system of the data at hand, which a hint at missing meanings then names. Raises PolicyError
    where the classes' names do not say it, and for a choice that such a model does not have; ModelError for a model
    that cannot be asked.
    """
    if recipe.model.kind not in KINDS:
        raise ModelError(
            f"'{recipe.model.name}' is a {recipe.model.kind} model, which cannot be asked about pairs; take one of "
            f"these kinds: {', '.join(KINDS)}."
        )
    if recipe.kind.name != "entailment":
        if labels or system:
            raise PolicyError(f"'{recipe.model.name}' is asked in words: it has no classes of its own to be named.")
        chosen = items.prompt_named(prompt or "english")
        classes = LabelMap(items.PROMPTED, {label: label for label in chosen.words})
        return NliRequest(recipe, chosen, classes, calibrated)
    if calibrated or prompt:
        why = (
            "only words that answer a prompt are calibrated"
            if calibrated
            else "it is not asked in words, so no prompt"
        )
        raise PolicyError(f"'{recipe.model.name}' is a classifier: {why}.")
    names = labels_of(recipe.model)
    return NliRequest(recipe, items.Labels(names), reading(names, labels or {}, system, data))


def needs_reverse(corpus: Corpus, request: NliRequest, mode: str = "strict") -> bool:
    """Whether these data can be judged only with the answers for swapped pairs."""
    return cell(corpus.system, request.reading.system, mode).needs_reverse


def plan(corpus: Corpus, request: NliRequest, *, reverse: bool) -> Plan:
    """The questions, each distinct one once; nothing is scored yet."""
    asked_items: Iterator[Item] = items.items(corpus, request.asks, request.reading, reverse=reverse)
    if request.in_words:
        asked_items = chain(asked_items, (items.content_free(request.asks, items.NO_CONTENT),))
    return plan_of(TASKS["nli"], asked_items, request.recipe)


def run(
    corpus: Corpus,
    request: NliRequest,
    store: Store,
    *,
    reverse: bool,
    scorer: Callable[[], Scorer] | None = None,
    rescore: bool = False,
) -> Iterator[Progress]:
    """Ask what is not stored yet; the last Progress names the run."""
    context = evaluate.Context(store, data=corpus.name, scorer=scorer, rescore=rescore)
    yield from evaluate.run(plan(corpus, request, reverse=reverse), context)


def answers(store: Store, run_id: str, request: NliRequest) -> Answers:
    """What a finished run found: each pair's likeliest label and the probabilities of all, in both directions."""
    manifest, table = store.manifest(run_id), store.candidates(run_id)
    logs = table.pivot(index="item", columns="label", values="logprob")[list(request.reading.labels)]
    about = table.drop_duplicates("item").set_index("item")[["direction", "pair"]]
    if request.calibrated:
        logs = logs - logs.loc[about.index[about["direction"] == items.CONTENT_FREE][0]]
    forward, backward = (_direction(logs, about, way, request) for way in (items.FORWARD, items.REVERSE))
    reverse = backward["label"].reindex(forward.index).fillna("").tolist() if len(backward) else []
    predictions = Predictions(
        manifest["model"],
        forward.index.tolist(),
        forward["label"].tolist(),
        reverse,
        probabilities={label: forward[label].tolist() for label in request.meanings},
    )
    reasons = manifest["refused"] | manifest.get("refused_messages", {})
    refused = {about["pair"].get(item, item): unpacked(reason) for item, reason in reasons.items()}
    return Answers(predictions, refused, forward.index[forward["tie"]].tolist())


def typed(
    premise: str, hypothesis: str, request: NliRequest, store: Store, scorer: Callable[[], Scorer] | None = None
) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """The labels' probabilities for the pair and the swapped one; InputError for a text that cannot be scored."""
    first, second = items.on_one_line(premise), items.on_one_line(hypothesis)
    questions = [(first, second), (second, first), *[(items.NO_CONTENT,) * 2] * request.calibrated]
    candidates = [candidate for question in questions for candidate in request.asks.candidates(*question)]
    requests = [Request(candidate.context, candidate.text) for candidate in candidates]
    scores = scores_now(requests, request.recipe, store, scorer=scorer)
    logs = np.array([one.total for one in scores]).reshape(len(questions), -1)
    if request.calibrated:
        logs = logs - logs[2]
    forward, reverse = (dict(zip(request.meanings, row, strict=True)) for row in _probabilities(logs[:2]).tolist())
    return forward, reverse


def _direction(logs: pd.DataFrame, about: pd.DataFrame, direction: str, request: NliRequest) -> pd.DataFrame:
    """By pair: `label`, whether it is a `tie`, and the probability of each label, of the pairs that were scored."""
    chosen = about[about["direction"] == direction]
    of_pairs = logs.loc[chosen.index].set_axis(chosen["pair"], axis=0).dropna()
    labels, values = np.array(request.meanings), of_pairs.to_numpy()
    table = pd.DataFrame(_probabilities(values), index=of_pairs.index, columns=labels)
    best = values.max(axis=1, keepdims=True)
    return table.assign(label=labels[values.argmax(axis=1)], tie=(values == best).sum(axis=1) > 1)


def _probabilities(logs: Reals) -> Reals:
    """Log-probabilities, a row per pair, as probabilities that sum to one over the labels."""
    shares = np.exp(logs - logs.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)
