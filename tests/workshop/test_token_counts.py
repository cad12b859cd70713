"""Tokens of a training text, counted."""

import json
import lzma
from collections import Counter

import numpy as np
import pytest
from transformers import AutoTokenizer

from core.errors import InputError
from core.models import find, token_counts
from core.models.loading import load_tokenizer
from tests.tiny import SENTENCES, tiny_model
from workshop.language_models.sources import EVERY_ENGLISH, Origins
from workshop.language_models.token_counts import count, count_tokens

pytestmark = pytest.mark.model


def test_counts_are_those_of_a_plain_tokenizer(tmp_path):
    folder = tiny_model(tmp_path / "tiny", "llama")
    counts = count_tokens([*SENTENCES, *SENTENCES[:3]], load_tokenizer(find(folder)))
    plain = AutoTokenizer.from_pretrained(folder)
    expected = Counter()
    for text in [*SENTENCES, *SENTENCES[:3]]:
        expected.update(plain(text, add_special_tokens=False)["input_ids"])
    assert {int(id): int(counts[id]) for id in np.flatnonzero(counts)} == dict(expected)


def test_a_source_that_is_repeated_counts_as_often(tmp_path):
    models, corpora, work = tmp_path / "models", tmp_path / "corpora", tmp_path / "work"
    folder = tiny_model(models / "english-small", "llama")
    (folder / "card.json").write_text(json.dumps({"kind": "causal"}))
    (corpora / "en").mkdir(parents=True)
    rows = ["lang\tfile\trepo\tcommit\tlicence\twords_clean\tnote"]
    expected = 0
    tokenizer = load_tokenizer(find(folder))
    for number, source in enumerate(EVERY_ENGLISH):
        rows.append(f"en\ten/{source.file}\tsome/where\t{'0' * 40}\tCC BY\t1\tx")
        lines = [f"The {number + at} old dogs saw the house again." for at in range(3)]
        (corpora / "en" / source.file).write_bytes(lzma.compress("\n".join(lines).encode()))
        expected += source.repeats * int(count_tokens(lines, tokenizer).sum())
    (corpora / "SOURCES.tsv").write_text("\n".join(rows), encoding="utf-8")
    before = find(folder)
    file = count("english-small", Origins(corpora), models, work)
    counts = token_counts.read(find(folder))
    assert file.name == "token_counts.npz" and counts is not None and counts.sum() == expected
    after = find(folder)
    assert (after.weights, after.tokenizer, after.config) == (before.weights, before.tokenizer, before.config)
    with pytest.raises(InputError, match="unigram-english"):
        count("unigram-english", Origins(corpora), models, work)
