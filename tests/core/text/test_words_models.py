"""Words on real tokenizers and models: white space in tokens or beside them, pieces, marks, letters of many bytes."""

from __future__ import annotations

import math

import pytest

from core.models import catalogue, find
from core.policies import Policy
from core.scorers import SCORERS
from core.text.words import edges, words
from core.types import Extras, Request

TEXTS = (
    "The keys to the cabinet aren't here.",
    '"Wait," she said (twice), "it is the captain\'s!"',
    "Où est-ce que l'industrie naïve dort ?",
    "  Two spaces,\tand a tab ",
    "日本語 and 👩\u200d👩\u200d👧 here…",
    "No",
)
VERBS = (
    "laugh", "whisper", "tremble", "shiver", "stumble", "mutter", "scream", "linger", "wander", "gallop", "vanish",
    "frown", "kneel", "yawn", "giggle", "hesitate", "murmur", "shudder",
)  # fmt: skip


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "gemma", "bloom", "bert", "deberta-v2"])
@pytest.mark.parametrize("punctuation", ["previous", "next", "separate"])
def test_words_of_a_model_telescope(tiny, architecture, punctuation):
    model = find(tiny(architecture))
    policy = Policy(punctuation=punctuation)
    scorer = SCORERS["causal" if model.kind == "causal" else "masked"].open(model, policy)
    for text, scores in zip(
        TEXTS, scorer.score([Request("", text) for text in TEXTS], Extras(boundary=True)), strict=True
    ):
        found = words(scores, text, policy)
        assert [token for word in found for token in word.tokens] == list(range(len(scores.tokens)))
        end = edges(scores, text, policy)[-1]
        assert math.fsum(w.value for w in found) == pytest.approx(
            scores.total + (0 if math.isnan(end) else end), abs=1e-6
        )
        assert {word.variant for word in found} <= {"sum"} or model.kind == "causal"
        if text == TEXTS[0] and punctuation == "previous":
            assert [word.text for word in found] == text.split()
            assert {word.variant for word in found} == ({"bow_eos"} if model.kind == "causal" else {"sum"})


@pytest.mark.model
def test_the_bundled_model_decides_at_the_form():
    """Forms cut as stem + s: with word ends counted the decision falls on the verb, without them on what follows."""
    bundled = [model for model in catalogue() if model.bundled and model.kind == "causal"]
    english = [model for model in bundled if model.card.get("language") == "en"]
    if not english:
        pytest.skip("no English causal model is bundled")
    scorer = SCORERS["causal"].open(english[0], Policy())
    texts = [[f"the boy {verb}{ending} very loudly." for ending in ("s", "")] for verb in VERBS]
    scores = scorer.score([Request("", text) for pair in texts for text in pair], Extras(boundary=True))
    pairs = [
        (a, b, pair)
        for a, b, pair in zip(scores[::2], scores[1::2], texts, strict=True)
        if len(a.tokens) == len(b.tokens) + 1
    ]
    assert len(pairs) >= 3
    agreeing, moved = {}, {}
    for value in ("bow_eos", "sum"):
        policy = Policy(word_value=value)
        steps = [
            [x.value - y.value for x, y in zip(words(a, pair[0], policy), words(b, pair[1], policy), strict=True)]
            for a, b, pair in pairs
        ]
        agreeing[value] = sum(
            (step[2] > 0) == (a.total > b.total) for step, (a, b, _) in zip(steps, pairs, strict=True)
        )
        moved[value] = sum(abs(step[3]) for step in steps)
    assert agreeing["bow_eos"] >= max(agreeing["sum"], 0.75 * len(pairs))
    assert moved["bow_eos"] < 0.75 * moved["sum"]
