"""CrowS-Pairs, out of the store, against plain transformers code: what two sentences share, and whole sentences."""

from __future__ import annotations

import difflib
from itertools import islice
from pathlib import Path

import pytest

from core import api
from core.policies import preset_for
from core.runs.evaluate import Context, run
from core.runs.requests import plan
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS
from core.types import Item
from tests.parity import plain

TASK = TASKS["crows_pairs"]
SAMPLE = ROOT / "data" / "samples" / "crows_pairs" / "crows_pairs.csv"
MODELS = ROOT / "data" / "models"
PAIRS = list(islice(TASK.read(SAMPLE), 0, None, 4))


def shared(folder: Path, first: str, second: str) -> list[float]:
    """The two scores of Nangia et al. 2020: aligned tokens, each masked alone, special tokens never."""
    model, tokenizer = plain.parts(folder, "masked")
    texts = [tokenizer(text).input_ids for text in (first, second)]
    blocks = difflib.SequenceMatcher(None, *texts).get_matching_blocks()
    places = [(a + n, b + n) for a, b, size in blocks for n in range(size)][1:-1]
    scores = []
    for side, ids in enumerate(texts):
        total = 0.0
        for place in (pair[side] for pair in places):
            masked = [*ids[:place], tokenizer.mask_token_id, *ids[place + 1 :]]
            total += plain.distribution(model, masked, place)[ids[place]].item()
        scores.append(total)
    return scores


def stored(home: Path, name: str, items: list[Item], rule: str, preset: str = "pairlens") -> list[float]:
    store = Store(home / "store", shipped=None)
    planned = plan(TASK, items, api.recipe(name, policy=preset_for(preset, TASK.sets)), rule)
    for _ in run(planned, Context(store)):
        continue
    return store.candidates(planned.run_id)["logprob"].tolist()


def test_what_both_sentences_share_as_in_the_paper(home):
    expected = [
        score
        for item in PAIRS
        for score in shared(MODELS / "bilingual-masked", *(candidate.text for candidate in item.candidates))
    ]
    assert stored(home, "bilingual-masked", PAIRS, "shared") == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("preset", ["pairlens", "lm-eval"])
def test_whole_sentences_after_the_start_symbol_as_in_the_harness(home, preset):
    texts = [candidate.text for item in PAIRS for candidate in item.candidates]
    expected = [sum(plain.causal(MODELS / "english-small", text, start=True)) for text in texts]
    assert stored(home, "english-small", PAIRS, "joint", preset) == pytest.approx(expected, abs=1e-3)
