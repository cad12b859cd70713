"""Next-sentence models: do they recognise the second sentence of a text, and a sentence that fits?

Each of our own texts has two sentences. Every first sentence is paired with all second ones of its language: a model
that reads only second sentences prefers the right one as often as any other, so chance is 50 % for it too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pairlens.files.stereoset.examples import INTERSENTENCE
from pairlens.files.stereoset.reading import read_examples
from pairlens.files.tables import read_table
from pairlens.identity import request_key
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.into_store import score_missing
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.stereoset import runs as stereoset_runs
from pairlens.studies.stereoset.cases import DEFAULT
from pairlens.studies.stereoset.classes import usual_class
from pairlens.studies.stereoset.measured import measure
from pairlens.types import Model, Request
from workshop.evaluation_sets import FOLDERS
from workshop.model_evaluation.figures import Figures, Measurement, percent, signature

if TYPE_CHECKING:
    from numpy.typing import NDArray

KIND = "next-sentence"
STORIES = FOLDERS["stories"] / "stories.tsv"
EVEN = np.log(0.5)


def following(model: Model, public: Path) -> Iterator[Measurement]:
    """The measurements, for next-sentence models."""
    if model.kind != KIND:
        return
    recipe = Recipe(model, SCORERS[default_for(KIND)], Policy())
    yield Measurement("stories", STORIES, partial(_stories, recipe))
    stereoset = public / "stereoset" / "dev_en_reconstructed.json.gz"
    yield Measurement("stereoset_intersentence", stereoset, partial(_stereoset, model, stereoset))


def _stories(recipe: Recipe, store: Store) -> Figures:
    """`macro`: how often the true second sentence beats another one; `by_decision`: decisions at 50 %."""
    table = read_table(STORIES)
    parts = {
        str(language): _logs(part["first"].tolist(), part["next"].tolist(), recipe, store)
        for language, part in table.groupby("language")
    }
    shares = {language: _above(logs) for language, logs in parts.items()}
    true = np.concatenate([np.diag(logs) for logs in parts.values()])
    false = np.concatenate([logs[~np.eye(len(logs), dtype=bool)] for logs in parts.values()])
    return {
        "macro": percent(np.mean(np.concatenate([*shares.values()]))),
        "pairs": len(false),
        "texts": len(true),
        "by_language": {language: percent(share.mean()) for language, share in shares.items()},
        "by_decision": {"next": percent(np.mean(true > EVEN)), "not next": percent(np.mean(false < EVEN))},
        "baselines": {"second sentence alone": 50.0},
        "policy": f"{recipe.kind.name}: log p(next | first) of the true second sentence and of all others",
        "signature": signature("stories", [*table["first"], *table["next"]], recipe),
    }


def _logs(firsts: Sequence[str], seconds: Sequence[str], recipe: Recipe, store: Store) -> NDArray[np.float64]:
    """Log-probability that each second sentence (column) follows each first one (row), scored if missing."""
    requests = [recipe.request(Request(first, f" {second}")) for first in firsts for second in seconds]
    keys = [request_key(recipe.fingerprint, request) for request in requests]
    deque(score_missing(dict(zip(keys, requests, strict=True)), recipe, store), maxlen=0)
    known = store.scores(recipe.fingerprint).set_index("request_key")["logprob"]
    return known.loc[keys].to_numpy(np.float64).reshape(len(firsts), len(seconds))


def _above(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each row, the share of other columns below the true one, on the diagonal; ties count half."""
    true = np.diag(logs)[:, None]
    above: NDArray[np.float64] = np.sum((true > logs) + 0.5 * (true == logs), axis=1)
    return (above - 0.5) / (len(logs) - 1)  # each ties with itself


def _stereoset(model: Model, file: Path, store: Store) -> Figures:
    """`macro` is LMS: how often a fitting sentence beats an unfitting one; SS and ICAT beside it."""
    examples = read_examples(file, kind=INTERSENTENCE)
    model_class = usual_class(INTERSENTENCE, model.kind)
    request = stereoset_runs.ask(examples.intersentence, INTERSENTENCE, model, model_class, Policy())
    run = deque(stereoset_runs.run(request, store, data=file.name), maxlen=1)[0].run_id
    found = measure(examples, stereoset_runs.predictions([request], store, [DEFAULT])[DEFAULT]).cell(INTERSENTENCE)
    return {
        "macro": round(found.pooled.lms.value, 2),
        "low": round(found.pooled.lms.low, 2),
        "high": round(found.pooled.lms.high, 2),
        "pairs": found.n,
        "ss": round(found.pooled.ss.value, 2),
        "icat": round(found.pooled.icat.value, 2),
        "policy": f"{model_class.name}: {model_class.about}; LMS, pooled over examples",
        "signature": store.manifest(run)["signature"],
    }
