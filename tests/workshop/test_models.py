"""The models that ship: they read what people type, and know what their cards say they know."""

import random

import pytest

import pairlens
from pairlens import models
from pairlens.files.tables import files, read_records

NETWORKS = [model for model in models.catalogue() if model.bundled and model.kind in ("causal", "masked")]


def total(texts, model, **choices):
    return pairlens.score(texts, model.name, **choices).groupby("item")["surprisal_bits"].sum().tolist()


TYPED = {
    "It’s the captain’s house.": "It's the captain's house.",
    "“Come in,” she said.": '"Come in," she said.',
    "The\u00a0old man slept\u202f.": "The old man slept .",
}


@pytest.mark.model
@pytest.mark.parametrize("model", NETWORKS, ids=lambda model: model.name)
def test_what_phones_and_word_processors_type_scores_like_plain_text_and_case_as_trained(model):
    read, wanted = (total([*texts], model) for texts in (TYPED, TYPED.values()))
    assert read == wanted
    for as_typed, value in zip(total([*TYPED], model, text="as-typed"), wanted, strict=True):
        assert as_typed > value + 10, "the text policy would be idle"
    first, second = total(["THE OLD MAN SLEPT.", "the old man slept."], model)
    assert (first == second) == model.card["lower_case"]


def test_the_card_tells_the_truth_about_blimp(shared_data):
    """On ten pairs of every paradigm the causal model is within sampling error of the accuracy on its card."""
    causal = next(model for model in NETWORKS if model.kind == "causal")
    sampled = set(random.Random(0).sample(range(1, 1001), 10))
    texts = [
        record[name]
        for path in files(shared_data("blimp/data"), (".jsonl",))
        for line, record in read_records(path)
        if line in sampled
        for name in ("sentence_good", "sentence_bad")
    ]
    values = total(texts, causal)
    correct = [(good < bad) + 0.5 * (good == bad) for good, bad in zip(values[::2], values[1::2], strict=True)]
    assert len(correct) == 67 * 10
    assert 100 * sum(correct) / len(correct) == pytest.approx(causal.card["scores"]["blimp"]["macro"], abs=4)
