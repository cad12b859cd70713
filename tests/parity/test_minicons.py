"""Our scorers against the answers of minicons (Misra 2022), recorded by `make oracle` in minicons.json."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from pairlens.measures import sentence_value
from pairlens.models import find
from pairlens.policies import Policy, preset
from pairlens.scorers import SCORERS
from pairlens.text.words import words
from pairlens.types import Extras, Request

TOLERANCE = 1e-4
RECORD = json.loads(Path(__file__).with_name("minicons.json").read_text("utf-8"))
SENTENCES = RECORD["sentences"]


def answers(model, **way):
    """What minicons said about each sentence when asked in this way."""
    answers = [answer for answer in RECORD["answers"] if answer["model"] == model and answer["way"] == way]
    assert len(answers) == len(SENTENCES)
    return answers


def score(folder, scorer, policy):
    extras = Extras(boundary=scorer == "causal")
    return SCORERS[scorer].open(find(folder), policy).score([Request("", text) for text in SENTENCES], extras)


@pytest.fixture
def recorded(tiny):
    """`recorded("gpt2")`: the folder of the very model that minicons was asked about."""

    def folder(model, **options):
        built = tiny(model, **options)
        weights = load_file(built / "model.safetensors").values()
        total = sum(np.abs(weight, dtype=np.float64).sum() for weight in weights)
        assert total == pytest.approx(RECORD["weights"][model], rel=1e-6), "the tiny models have changed: make oracle"
        return built

    return folder


@pytest.mark.parametrize(
    ("model", "way", "policy"),
    [
        ("gpt2", {"bos_token": True}, Policy(first_token="bos")),
        ("gpt2", {"bos_token": False}, preset("minicons")),
        ("llama", {}, preset("minicons")),
    ],
    ids=["gpt2 after a start symbol", "gpt2 without one", "llama"],
)
def test_causal_tokens_and_sums(recorded, model, way, policy):
    """The preset scores first tokens after the start symbol that a tokenizer adds, not at the beginning of a row."""
    ours = score(recorded(model), "causal", policy)
    for mine, theirs in zip(ours, answers(model, **way, bow_correction=False), strict=True):
        tokens, scored = theirs["tokens"], mine.logprobs
        if way.get("bos_token", True):
            tokens = tokens[1:]
        else:
            assert math.isnan(scored[0]) and theirs["logprobs"][0] == 0
            scored = scored[1:]
        assert list(mine.tokens) == tokens
        assert list(scored) == pytest.approx(theirs["logprobs"][1:], abs=TOLERANCE)
        if scored:
            assert mine.total == pytest.approx(theirs["sum"], abs=TOLERANCE)
            n = mine.n_scored if policy.name == "minicons" else 1
            assert sentence_value(mine, policy) == pytest.approx(theirs["sum"] / n, abs=TOLERANCE)


@pytest.mark.parametrize(("model", "way"), [("gpt2", {"bos_token": True}), ("llama", {})])
def test_word_values_with_the_correction_for_word_starts(recorded, model, way):
    policy = Policy(word_value="bow")
    ours = score(recorded(model), "causal", policy)
    for text, mine, theirs in zip(SENTENCES, ours, answers(model, **way, bow_correction=True), strict=True):
        corrected = theirs["logprobs"][1:]
        for word in words(mine, text, policy):
            expected = math.fsum(corrected[token] for token in word.tokens)
            assert word.value == pytest.approx(expected, abs=TOLERANCE), word.text


@pytest.mark.parametrize("model", ["bert", "roberta"])
@pytest.mark.parametrize("pll", ["original", "within_word_l2r"])
def test_pseudo_log_likelihoods(recorded, model, pll):
    """minicons goes by the tokenizer's words: *couldn 't*, and not *couldn't*."""
    ours = score(recorded(model, tokenizer="byte-bpe-frame"), "masked", Policy(pll=pll, words_by="tokenizer"))
    for mine, theirs in zip(ours, answers(model, PLL_metric=pll), strict=True):
        assert list(mine.logprobs) == pytest.approx(theirs["logprobs"], abs=TOLERANCE)
        assert mine.total == pytest.approx(theirs["sum"], abs=TOLERANCE)
