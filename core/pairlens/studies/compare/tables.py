"""Comparisons as data frames, and what their columns are. Positions count from 1."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import pandas as pd

from pairlens import measures
from pairlens.results.result import Column, Table
from pairlens.studies.compare import wording
from pairlens.studies.compare.pair import Comparison, in_unit
from pairlens.text.words import word_positions


def word_table(comparison: Comparison) -> pd.DataFrame:
    """One row per word, with the columns of `_words`; one of both sentences where they agree so far and share it."""
    return pd.DataFrame(_word_rows(comparison), columns=[column.name for column in _words("")])


def step_table(comparison: Comparison) -> pd.DataFrame:
    """One row per position: the model, and the columns of `_steps`."""
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
    """One row per token of A and of B, as the tokenizer cut them, with the columns `_TOKENS`."""
    frames = []
    for member, text, scores in zip("AB", comparison.texts, comparison.scores, strict=True):
        owners = word_positions(scores.spans, text, comparison.recipe.policy.punctuation)
        places = [owner + 1 if owner >= 0 else None for owner in owners]
        rows = zip(scores.tokens, scores.ids, places, *zip(*scores.spans, strict=True), scores.logprobs, strict=True)
        frame = pd.DataFrame(rows, columns=[column.name for column in _TOKENS[2:-2]])
        frame = frame.astype({"word_position": "Int64"})
        frame["surprisal_bits"] = frame["logprob"].map(measures.surprisal)
        frame["probability"] = frame["logprob"].map(measures.probability)
        frame.insert(0, "sentence", member)
        frame.insert(1, "position", range(1, len(frame) + 1))
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def together(table: Callable[[Comparison], pd.DataFrame], answers: Sequence[Sequence[Comparison]]) -> pd.DataFrame:
    """One of the tables above for several pairs and models (`answers`: by model), with columns `pair` and `model`."""
    frames = []
    for comparisons in answers:
        for number, comparison in enumerate(comparisons, start=1):
            frame = table(comparison)
            if len(answers) > 1 and "model" not in frame:
                frame.insert(0, "model", comparison.recipe.model.name)
            if len(comparisons) > 1:
                frame.insert(0, "pair", number)
            frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def margin_table(comparison: Comparison) -> pd.DataFrame:
    """One row: A, B, model, preferred, margin (A minus B in the policy's unit)."""
    margin = in_unit(comparison.margin, comparison.recipe.policy.unit)
    row = (*comparison.pair, comparison.recipe.model.name, comparison.preferred, margin)
    return pd.DataFrame([row], columns=["A", "B", "model", "preferred", "margin"])


def pair_table(answers: Sequence[Sequence[Comparison]], choices: Sequence[str] = ()) -> pd.DataFrame:
    """A row per pair: A, B, what `you` chose, if `choices` has any, and a column per model with its answer."""
    pairs = [comparison.pair for comparison in answers[0]] if answers else []
    frame = pd.DataFrame(pairs, columns=["A", "B"])
    if any(choices):
        frame["you"] = list(choices)
    for comparisons in answers:
        frame[comparisons[0].recipe.model.name] = [wording.verdict(comparison) for comparison in comparisons]
    return frame


def described(answers: Sequence[Sequence[Comparison]]) -> list[Table]:
    """The tables of a result, with what their columns are; with several pairs these come first."""
    unit = answers[0][0].recipe.policy.unit
    several = len(answers[0]) > 1
    which = [_PAIR] if several else []
    models = [*which, _MODEL] if len(answers) > 1 else which
    tables = [
        Table("words", "Words", [*models, *_words(unit)], partial(together, word_table, answers)),
        Table("steps", "Steps", [*which, _MODEL, *_steps(unit)], partial(together, step_table, answers)),
        Table("tokens", "Tokens", [*models, *_TOKENS], partial(together, token_table, answers)),
    ]
    margin = Column("margin", "Margin", "How far A is ahead; per token if the policy compares means.", unit, ".3f")
    pairs = Table("pairs", "Pairs", [_PAIR, *_PAIRS, margin], partial(together, margin_table, answers))
    return [pairs, *tables] if several else tables


_PAIR = Column("pair", "Pair", "The number of the pair, from 1, in the order given.")
_MODEL = Column("model", "Model", "The model that read the sentences.")
_POSITION = Column("position", "Position", "The position among the aligned words of A and B, from 1.")
_LABEL = "The words at this position, A | B where they differ; a dash where a sentence has none."
_PROBABILITY = Column("probability", "Probability", "The probability behind the surprisal.", form=".3g")


def _words(unit: str) -> list[Column]:
    return [
        _POSITION,
        Column("label", "Words", _LABEL, drawn=False),
        Column("member", "Member", "A, B, or both where the sentences agree so far and share the value."),
        Column("word", "Word", "The word as the model read it."),
        Column("surprisal", "Surprisal", "How unexpected the word was; none where it is not scored.", unit, ".3f"),
        _PROBABILITY,
        Column("logprob", "Log-probability", "Natural logarithm of that probability.", "nats", ".3f"),
        Column("word_value", "Word value", "How the tokens of a word become its value, as the policy has it."),
        Column("n_tokens", "Tokens", "The number of tokens of the word."),
    ]


def _steps(unit: str) -> list[Column]:
    return [
        _POSITION,
        Column("label", "Words", _LABEL),
        Column(
            "running", "A ahead so far", "How far A leads up to here; none where words do not add up.", unit, ".3f"
        ),
        Column("difference", "Difference", "How far A is ahead at this position alone.", unit, ".3f"),
    ]


_TOKENS = [
    Column("sentence", "Sentence", "A or B."),
    Column("position", "Position", "The position of the token in its sentence, from 1."),
    Column("token", "Token", "The token as the tokenizer writes it."),
    Column("token_id", "Token id", "Its number in the vocabulary."),
    Column("word_position", "Word position", "The position of its word, from 1; none for a token of no word."),
    Column("start", "Start", "Where the token begins, in characters of the text as scored, from 0."),
    Column("end", "End", "Where it ends, likewise."),
    Column("logprob", "Log-probability", "Natural logarithm of its probability; none where unscored.", "nats", ".3f"),
    Column("surprisal_bits", "Surprisal", "How unexpected the token was.", "bits", ".3f"),
    _PROBABILITY,
]


_PAIRS = [
    Column("A", "A", "The first sentence."),
    Column("B", "B", "The second sentence."),
    _MODEL,
    Column("preferred", "Preferred", "A, B, tie, undecided (the last digits would decide) or none (unscored)."),
]


def _word_rows(comparison: Comparison) -> Iterator[tuple[Any, ...]]:
    unit = comparison.recipe.policy.unit
    rows: Iterable[Any] = comparison.contrast.frame.itertuples()
    for row in rows:
        members = [("both", 0, row.index_a)] if row.shared else [("A", 0, row.index_a), ("B", 1, row.index_b)]
        for member, sentence, index in members:
            if index >= 0:
                word = comparison.words[sentence][index]
                yield (
                    row.position + 1, _label(row.word_a, row.word_b), member, word.text, in_unit(-word.value, unit),
                    measures.probability(word.value), word.value, word.variant, word.n_tokens,
                )  # fmt: skip


def _label(a: str, b: str) -> str:
    """The words at a position; a gap is a dash."""
    return a if a == b else f"{a or '–'} | {b or '–'}"
