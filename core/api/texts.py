"""Texts by token, by word and as wholes: the verbs `score` and `perplexity`, and the words of `minimal-pair`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Unpack

from core.api.asking import Choices, asking
from core.api.given import texts_of
from core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_WORD_COLUMNS = (
    "item", "text", "word_position", "word", "start", "end", "n_tokens", "surprisal_bits", "probability",
)  # fmt: skip


def score(texts: str | Iterable[str], model: str = "english-small", **choices: Unpack[Choices]) -> pd.DataFrame:
    """A row per token, in order: item, text, position, token, token_id, start, end, word, word_position, logprob
    (nats), surprisal_bits (`core.analysis.tokens`). `item` counts texts from 1; unscored values are missing. A `text`
    of more than 1,000 characters is in its first row only. `attrs["note"]` says so, and what the text policy changed.

    >>> tokens = api.score(["The keys are here.", "The keys is here."])
    >>> int(tokens.groupby("item")["surprisal_bits"].sum().idxmin())
    1
    """
    from core.analysis.tokens import token_table
    from core.store import Store

    request = asking(choices)
    table, note = token_table(
        texts_of(texts), request.recipe(model), Store(), watch=request.finish, rescore=request.rescore
    )
    table.attrs["note"] = note
    return table


def words(texts: str | Iterable[str], model: str = "english-small", **choices: Unpack[Choices]) -> pd.DataFrame:
    """A row per word, in order: item, text, word_position, word, start, end, n_tokens, surprisal_bits, probability.

    A word includes its end (`word_value`; Pimentel & Meister 2024) and the punctuation that touches it
    (`punctuation`), as in `minimal-pair`. Positions and characters count from 0; unscored values are missing.

    >>> api.words("The keys are here.")["word"].tolist()
    ['The', 'keys', 'are', 'here.']
    """
    from core.store import Store
    from core.studies.experiment.design import design_of
    from core.studies.experiment.evaluate import evaluate
    from core.studies.experiment.specification import Experiment
    from core.studies.experiment.words import words_of_scores

    request, given = asking(choices), texts_of(texts)
    recipe, store, design = request.recipe(model), Store(), design_of(given)
    refused: dict[str, str] = {}
    request.finish(evaluate(design, recipe, store, rescore=request.rescore, refused=refused))
    for number, reason in refused.items():
        raise InputError(reason, f"text {number}")
    usual = Experiment(preset=request.policy.name.partition(",")[0], scoring=request.policy.changes())
    found = words_of_scores(design, recipe, store, usual.analysis)
    named = found.rename(columns={"wordpos": "word_position", "surp": "surprisal_bits", "prob": "probability"})
    items = named["sentid"].astype("int64")
    return named.assign(item=items, text=items.map(dict(enumerate(given, start=1))))[[*_WORD_COLUMNS]]


def perplexity(texts: str | Iterable[str], model: str = "english-small", **choices: Unpack[Choices]) -> pd.DataFrame:
    """A row per text: its counts, sums in nats, and perplexity per token, without unknown tokens, and per word.

    The columns are those of `core.analysis.perplexity`; masked models have pseudo-perplexities.

    >>> api.perplexity(["The keys are here.", "The keys is here."])["perplexity"].is_monotonic_increasing
    True
    """
    from core.analysis.perplexity import perplexity_table
    from core.store import Store

    request = asking(choices)
    recipe = request.recipe(model)
    return perplexity_table(texts_of(texts), recipe, Store(), watch=request.finish, rescore=request.rescore)
