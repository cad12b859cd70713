"""Comparisons as dataframes, for charts, tables and downloads. Positions count from 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from core import measures
from core.studies.compare import wording
from core.studies.compare.pair import Comparison, in_unit
from core.text.words import word_positions


def word_table(comparison: Comparison) -> pd.DataFrame:
    """One row per word: position, label, member, word, surprisal, probability, logprob (nats), word_value, n_tokens.

    `member` is `both` for words before the first difference under a left-to-right model, which have the same value in
    both sentences; else `A` or `B`. `label` names the position: `are | is` where the words differ. `surprisal` is in
    the policy's unit, missing where unscored.
    """
    return pd.DataFrame(_word_rows(comparison), columns=_WORD_COLUMNS)


def step_table(comparison: Comparison) -> pd.DataFrame:
    """One row per position: model, position, label, running (A's lead over B up to here), difference (here alone).

    Both are in the policy's unit; `running` is missing where the words do not sum to what is compared.
    """
    frame = comparison.contrast.frame
    per_bit = in_unit(measures.nats(1.0), comparison.recipe.policy.unit)
    return pd.DataFrame(
        {
            "model": comparison.recipe.model.name,
            "position": frame["position"] + 1,
            "label": [_label(a, b) for a, b in zip(frame["word_a"], frame["word_b"], strict=True)],
            "running": frame["running_bits"] * per_bit,
            "difference": frame["difference_bits"] * per_bit,
        }
    )


def token_table(comparison: Comparison) -> pd.DataFrame:
    """One row per token of A and of B, as the tokenizer cut them: logprob in nats, missing where unscored."""
    frames = []
    for member, text, scores in zip("AB", comparison.texts, comparison.scores, strict=True):
        owners = word_positions(scores.spans, text, comparison.recipe.policy.punctuation)
        places = pd.array([owner + 1 if owner >= 0 else None for owner in owners], dtype="Int64")
        frame = pd.DataFrame({"token": scores.tokens, "token_id": scores.ids, "word_position": places})
        frame["start"], frame["end"] = zip(*scores.spans, strict=True)
        frame["logprob"] = scores.logprobs
        frame["surprisal_bits"] = [measures.surprisal(value) for value in scores.logprobs]
        frame["probability"] = [measures.probability(value) for value in scores.logprobs]
        frame.insert(0, "sentence", member)
        frame.insert(1, "position", range(1, len(frame) + 1))
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def of_models(table: Callable[[Comparison], pd.DataFrame], comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """One of the tables above for several models, with a column `model` first; for one model as it is."""
    if len(comparisons) == 1:
        return table(comparisons[0])
    frames = {comparison.recipe.model.name: table(comparison) for comparison in comparisons}
    return pd.concat(frames, names=["model"]).reset_index("model").reset_index(drop=True)


def pair_table(answers: Sequence[Sequence[Comparison]], choices: Sequence[str] = ()) -> pd.DataFrame:
    """One row per pair, in the order typed: A, B, and one column per model with its answer.

    `answers` holds one list of comparisons per model; `choices`, one per pair, become the column `you`.
    """
    pairs = [comparison.pair for comparison in answers[0]] if answers else []
    frame = pd.DataFrame(pairs, columns=["A", "B"])
    if any(choices):
        frame["you"] = list(choices)
    for comparisons in answers:
        frame[comparisons[0].recipe.model.name] = [wording.verdict(comparison) for comparison in comparisons]
    return frame


_WORD_COLUMNS = [
    "position", "label", "member", "word", "surprisal", "probability", "logprob", "word_value", "n_tokens",
]  # fmt: skip


def _word_rows(comparison: Comparison) -> Iterator[tuple[Any, ...]]:
    unit = comparison.recipe.policy.unit
    columns = ["position", "word_a", "word_b", "index_a", "index_b", "shared"]
    for place, text_a, text_b, index_a, index_b, shared in comparison.contrast.frame[columns].to_numpy():
        members = [("both", 0, index_a)] if shared else [("A", 0, index_a), ("B", 1, index_b)]
        for member, sentence, index in members:
            if index < 0:
                continue
            word = comparison.words[sentence][index]
            yield (
                place + 1, _label(text_a, text_b), member, word.text, in_unit(-word.value, unit),
                measures.probability(word.value), word.value, word.variant, word.n_tokens,
            )  # fmt: skip


def _label(a: str, b: str) -> str:
    """The words at a position; a gap is a dash."""
    return a if a == b else f"{a or '–'} | {b or '–'}"
