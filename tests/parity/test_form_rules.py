"""A form and the end of its word, out of the store, against plain transformers code."""

import dataclasses

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from core.api import recipe
from core.runs.evaluate import Context, run
from core.runs.requests import plan
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS
from core.types import Candidate, Item

PREFIX = "The keys to the cabinet"
FORMS = ("laugh", "laughs")


@pytest.fixture(scope="module")
def bundled():
    folder = ROOT / "data" / "models" / "english-small"
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval(), AutoTokenizer.from_pretrained(
        folder
    )


def plainly(bundled, form: str) -> tuple[float, float]:
    """Log-probability of the form after the prefix, and of any token that ends the word there."""
    model, tokenizer = bundled
    start = [tokenizer.bos_token_id]
    before = tokenizer(PREFIX, add_special_tokens=False).input_ids
    ids = tokenizer(f"{PREFIX} {form}", add_special_tokens=False).input_ids
    with torch.no_grad():
        logs = model(torch.tensor([start + ids])).logits[0].double().log_softmax(-1)
    total = sum(float(logs[place, ids[place]]) for place in range(len(before), len(ids)))
    ends = [tokenizer.eos_token_id]
    for id in range(len(tokenizer)):
        text = tokenizer.decode([id])
        marks = text[:1] in set('.,;:!?"()[]*_/&%') if text else False
        if id not in tokenizer.all_special_ids and (text[:1].isspace() or marks):
            ends.append(id)
    return total, float(logs[len(ids), ends].logsumexp(-1))


def item() -> Item:
    right, wrong = (
        Candidate(f" {form} loudly .", label, PREFIX, {"form": (0, len(form) + 1)})
        for form, label in zip(FORMS, ("correct", "wrong"), strict=True)
    )
    return Item("one", (right, wrong), "correct", {"number": "plural"})


@pytest.fixture(scope="module")
def task():
    return dataclasses.replace(TASKS["pairs"], rules=("word", "form", "joint"), groups=("number",), averaged=())


def candidates(home, task, rule: str):
    store = Store(home / "store")
    planned = plan(task, [item()], recipe("english-small"), rule)
    for progress in run(planned, Context(store)):
        last = progress
    return store.candidates(planned.run_id), last


def test_a_form_is_scored_with_the_end_of_its_word_and_without(home, task, bundled):
    with_ends, _ = candidates(home, task, "word")
    alone, progress = candidates(home, task, "form")
    assert progress.scored == 0, "both rules ask the same"
    for place, form in enumerate(FORMS):
        total, end = plainly(bundled, form)
        assert alone["logprob"][place] == pytest.approx(total, abs=1e-4)
        # the vocabulary has rarer marks than this test lists: they weigh next to nothing
        assert with_ends["logprob"][place] == pytest.approx(total + end, abs=2e-3)
