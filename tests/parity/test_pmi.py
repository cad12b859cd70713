"""What a context adds (the rule `pmi`), against plain transformers: one text, one prediction at a time."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from core import api
from core.runs.evaluate import evaluate
from core.store import Store
from core.tasks import TASKS
from tests.parity import plain

ITEMS = (
    ("The key is on the table. On the table is ", ("the key", "the cat and the dogs", "a book")),
    ("The boy sold the boats. The boy has ", ("no boats", "seen the stories")),
)
"""Short enough for tiny models to see all of it."""


@pytest.fixture
def data(tmp_path):
    lines = [{"input_prefix": prefix, "options": options, "numops": 0} for prefix, options in ITEMS]
    path = tmp_path / "regular.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def with_and_without(folder: Path, head: str, pll: str, context: str, text: str) -> float:
    """log p(text | context) - log p(text): sums over the tokens that end after the context."""

    def total(before: str, words: str) -> float:
        whole = before + words
        _, tokenizer = plain.parts(folder, head)
        ends = [
            end for _, end in tokenizer(whole, return_offsets_mapping=True, add_special_tokens=False).offset_mapping
        ]
        values = (
            plain.causal(folder, whole, start=True)
            if head == "causal"
            else plain.masked(folder, whole, within_words=pll == "within_word_l2r")
        )
        return math.fsum(value for value, end in zip(values, ends, strict=True) if end > len(before))

    return total(context, text) - total(" ", text)


@pytest.mark.parametrize(
    ("architecture", "head", "pll"),
    [
        ("gpt2", "causal", ""),
        ("llama", "causal", ""),
        ("bert", "masked", "within_word_l2r"),
        ("roberta", "masked", "original"),
    ],
)
def test_it_is_the_difference_of_two_log_probabilities(architecture, head, pll, data, tiny):
    folder, store = tiny(architecture), Store()
    policy = api.PRESETS["pairlens"].but(**({"pll": pll} if pll else {}))
    *_, last = evaluate(TASKS["entity_tracking"], data, api.recipe(str(folder), policy=policy), store, rule="pmi")
    found = store.candidates(last.run_id)
    assert len(found) == 5 and found["logprob"].notna().all()
    for row in found.itertuples():
        expected = with_and_without(folder, head, pll, row.context, row.text)
        assert row.logprob == pytest.approx(expected, abs=2e-4), (row.context, row.text)
