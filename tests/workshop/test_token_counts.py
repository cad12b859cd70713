"""Tokens of a training text, counted."""

import json
from collections import Counter

import numpy as np
import pytest
from transformers import AutoTokenizer

from pairlens.errors import InputError
from pairlens.models import find, token_counts
from pairlens.models.loading import load_tokenizer
from pairlens.training.packing import open_lines
from tests.tiny import SENTENCES, tiny_model
from workshop.language_models.sources import EVERY_ENGLISH, Origins
from workshop.language_models.token_counts import count, count_tokens

pytestmark = pytest.mark.model


def test_counts_are_those_of_a_plain_tokenizer_and_a_source_that_is_repeated_counts_as_often(tmp_path, corpora):
    models, work = tmp_path / "models", tmp_path / "work"
    folder = tiny_model(models / "english-small", "llama")
    (folder / "card.json").write_text(json.dumps({"kind": "causal"}))
    tokenizer = load_tokenizer(find(folder))
    filled = corpora(EVERY_ENGLISH, 3)
    texts = [(one.repeats, open_lines(filled / "en" / one.file)) for one in EVERY_ENGLISH]
    expected = sum(times * int(count_tokens(lines, tokenizer).sum()) for times, lines in texts)
    before = find(folder)
    file = count("english-small", Origins(filled), models, work)
    counts = token_counts.read(find(folder))
    assert file.name == "token_counts.npz" and counts is not None and counts.sum() == expected
    after = find(folder)
    assert (after.weights, after.tokenizer, after.config) == (before.weights, before.tokenizer, before.config)
    with pytest.raises(InputError, match="unigram-english"):
        count("unigram-english", Origins(filled), models, work)
    texts, plain = [*SENTENCES, *SENTENCES[:3]], AutoTokenizer.from_pretrained(folder)
    counts = count_tokens(texts, tokenizer)
    expected = Counter(id for text in texts for id in plain(text, add_special_tokens=False)["input_ids"])
    assert {int(id): int(counts[id]) for id in np.flatnonzero(counts)} == dict(expected)
