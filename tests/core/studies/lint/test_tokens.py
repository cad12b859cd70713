"""The tokens the linter counts are those of plain transformers, and its window is that of the loaded model."""

import pytest

from core.models import find, load
from core.studies.lint.running import token_counter

TEXTS = ["Who has the authors' keys?", "", "They thrive.", "naïve 猫 🙂"]


@pytest.mark.parametrize(("architecture", "head"), [("llama", "causal"), ("roberta", "masked"), ("t5", "seq2seq")])
def test_tokens_and_window_without_weights(tiny, architecture, head):
    from transformers import AutoTokenizer

    folder = tiny(architecture)
    model = find(folder)
    counter = token_counter(model)
    plain = AutoTokenizer.from_pretrained(folder)
    assert [counter.tokens(text) for text in TEXTS] == [
        len(plain(text, add_special_tokens=False).input_ids) for text in TEXTS
    ]
    around = max(len(plain("a").input_ids) - len(plain("a", add_special_tokens=False).input_ids), 1)
    assert counter.window == load(model, head).window - around


def test_the_tokens_of_word_counts_are_words_and_marks(unigram):
    counter = token_counter(find(unigram))
    assert counter.tokens("Don't stop, he said.") == 6
    assert counter.window is None
