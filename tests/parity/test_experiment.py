"""The per-token table of an experiment against one forward pass of transformers per token."""

import math

import pandas as pd
import pytest

from pairlens.analysis.experiment import Columns
from pairlens.models import find
from pairlens.policies import preset
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.experiment.design import read_design
from pairlens.studies.experiment.evaluate import evaluate, prediction_table
from tests.parity import plain

TOLERANCE = 1e-4
TEXTS = [text.rstrip(".?").replace("'", "") for text in plain.TEXTS]
"""Without punctuation: the plain code takes words to be what stands between white spaces."""


def tables(folder, **changes):
    """One table per text, as the published policy gives it, but with the words of the text."""
    model = find(folder)
    # The published windows and words: test_original_nlpscholar_training, test_original_nlpscholar.
    policy = preset("nlpscholar").but(windows="full", words_by="text", **changes)
    recipe = Recipe(model, SCORERS[default_for(model.kind)], policy)
    design, store = read_design(pd.DataFrame({"sentence": TEXTS}), Columns()), Store()
    for _ in evaluate(design, recipe, store):
        pass
    found = prediction_table(design, recipe, store)
    return [part for _, part in found.groupby("sentid", sort=False)]


@pytest.mark.parametrize(
    ("architecture", "pll"),
    [("gpt2", ""), ("llama", ""), ("bert", "within_word_l2r"), ("bert", "original"), ("roberta", "within_word_l2r")],
)
def test_each_token_has_its_surprisal_and_probability_and_a_first_one_is_certain(tiny, architecture, pll):
    """A masked model hides each token and scores none of its frame."""
    folder, head = tiny(architecture), "masked" if pll else "causal"
    _, tokenizer = plain.parts(folder, head)
    for text, table in zip(TEXTS, tables(folder, **({"pll": pll} if pll else {})), strict=True):
        assert table["token"].tolist() == tokenizer.tokenize(text)
        if pll:
            logprobs = plain.masked(folder, text, within_words=pll == "within_word_l2r")
        else:
            logprobs = [0, *plain.causal(folder, text, start=False)[1:]]
            assert (table["surp"].iloc[0], table["prob"].iloc[0]) == (0, 1)
        assert table["surp"].tolist() == pytest.approx([-one / math.log(2) for one in logprobs], abs=2 * TOLERANCE)
        assert table["prob"].tolist() == pytest.approx([*map(math.exp, logprobs)], abs=TOLERANCE)


@pytest.mark.parametrize("architecture", ["gpt2", "bert"])
def test_words_and_their_places_are_those_between_white_spaces(tiny, architecture):
    for text, table in zip(TEXTS, tables(tiny(architecture)), strict=True):
        words = table.drop_duplicates("wordpos")["word"]
        assert words.str.strip().tolist() == text.split()
        assert "".join(words) == text
        assert table["wordpos"].is_monotonic_increasing
        assert not table["punctuation"].any()
