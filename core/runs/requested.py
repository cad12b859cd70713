"""The texts of a run as its model read them, rebuilt from the items and verified by the keys of the scores."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd

from core import identity
from core.errors import ModelError, StoreError
from core.models import find
from core.rules import RULES
from core.runs.result import Result
from core.scorers import SCORERS
from core.scoring.recipe import Recipe
from core.store import Store
from core.types import Candidate, Model

WHOLE_TEXTS = ("joint", "conditional", "cases", "cases_unspaced")
"""The rules whose requests follow from context and text alone; others score part of the text."""


def scored_texts(result: Result, store: Store) -> pd.DataFrame:
    """One row per item and candidate: the text as the tokenizer saw it, and its score.

    Columns: item, candidate, label, gold, `context` and `text` (prepared by the policy, leading space included),
    logprob (nats, NaN if not scored), n_tokens, n_scored, n_straddling. StoreError if the texts cannot be rebuilt:
    each must have the key under which its score is stored.
    """
    rows = store.items(result.manifest["run_id"])
    rows = rows[rows["weight"] != 0]
    manifest = result.manifest
    card: Mapping[str, Any] = {}
    if result.policy.text != "as-typed":  # which depends on the model, if it is still here
        with suppress(ModelError):
            card = find(manifest["model"]).card
    model = Model(manifest["model"], "", Path(), "", "", "", card=card)
    recipe, terms = Recipe(model, SCORERS[manifest["scorer"]], result.policy), RULES[result.rule].terms
    known: dict[tuple[str, str], tuple[str, str, str]] = {}
    texts_read = []
    for context, text, key in zip(rows["context"], rows["text"], rows["request_key"], strict=True):
        if (context, text) not in known:
            request = recipe.request(terms(Candidate(text, "", context))[0])
            key_of_text = identity.request_key(manifest["fingerprint"], request)
            known[context, text] = request.context, request.continuation, key_of_text
        *read, key_of_text = known[context, text]
        if key_of_text != key:
            raise StoreError(
                f"The texts of run '{manifest['run_id']}' as its model read them cannot be made again: "
                f"'{manifest['model']}' is not here any more, or the scores came from another program."
            )
        texts_read.append(read)
    texts = pd.DataFrame(texts_read, columns=["context", "text"], dtype="str")
    names = rows[["item_id", "candidate", "label", "gold"]].rename(columns={"item_id": "item"}).reset_index(drop=True)
    scores = result.candidates[["item", "candidate", "logprob", "n_tokens", "n_scored", "n_straddling"]]
    return names.join(texts).merge(scores, on=["item", "candidate"], how="left")
