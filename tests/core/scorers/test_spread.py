"""Scores of a network that is spread over devices are those of the undivided one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.policies import PRESETS
from core.scoring.recipe import recipe_of
from core.settings import settings
from core.types import Extras, Request
from tests.tiny import CAUSAL, MASKED, SENTENCES, SEQ2SEQ

pytestmark = pytest.mark.model

EVERYTHING = Extras(boundary=True, entropy=True, top=3, temperatures=(2.0,))
IN_NATS = ("logprobs", "boundary_logprobs", "entropies")
ASKED = [*(Request("", sentence) for sentence in SENTENCES), Request("The keys", " to the cabinet are on the table.")]
DISTINCT = [name for name in (*CAUSAL, *MASKED, *SEQ2SEQ) if name != "deberta-v2"]  # refused in one sentence


def opened(folder, monkeypatch, device, megabytes="0", dtype="float32", scorer=""):
    monkeypatch.setenv("PAIRLENS_DEVICE", device)
    monkeypatch.setenv("PAIRLENS_SPREAD_MB", megabytes)
    settings.cache_clear()
    return recipe_of(str(folder), scorer, PRESETS["pairlens"].but(dtype=dtype)).open()


def differ(found, expected):
    """The largest difference in nats between two lists of scores, in all that is in nats."""
    of_both = [*zip(found, expected, strict=True)]
    pairs = [(getattr(one, name), getattr(two, name)) for one, two in of_both for name in IN_NATS]
    known = [np.subtract(*pair, dtype=float) for pair in pairs if None not in pair]
    return max(float(np.nanmax(np.abs(one), initial=0)) for one in known)


@pytest.mark.parametrize("architecture", DISTINCT)
def test_scores_do_not_depend_on_where_weights_are(tiny, monkeypatch, architecture):
    usual = opened(tiny(architecture), monkeypatch, "cpu").score(ASKED, EVERYTHING)
    for megabytes in ("0.00001", "0.1"):
        found = opened(tiny(architecture), monkeypatch, "spread", megabytes).score(ASKED, EVERYTHING)
        assert differ(found, usual) <= 5e-5


@pytest.mark.parametrize("architecture", ["gpt2", "bert", "t5"])
def test_in_half_precision_too(tiny, monkeypatch, architecture):
    usual = opened(tiny(architecture), monkeypatch, "cpu", dtype="bfloat16").score(ASKED, EVERYTHING)
    found = opened(tiny(architecture), monkeypatch, "spread", "0.00001", "bfloat16").score(ASKED, EVERYTHING)
    assert differ(found, usual) <= 0.1


def test_classifiers(tiny, monkeypatch):
    folder = tiny("bert", labels=("entailment", "neutral", "contradiction"))
    asked = [Request("The keys are here.\nA key is here.\n", "entailment")]
    usual = opened(folder, monkeypatch, "cpu").score(asked)
    assert differ(opened(folder, monkeypatch, "spread", "0.00001").score(asked), usual) <= 5e-5


def test_threads_do_not_take_each_others_weights_away(tiny, monkeypatch):
    scorer = opened(tiny("gpt2"), monkeypatch, "spread", "0.00001")
    usual = [scorer.score([one]) for one in ASKED]
    with ThreadPoolExecutor(4) as pool:
        for found, one in zip(pool.map(lambda one: scorer.score([one]), ASKED), usual, strict=True):
            assert differ(found, one) <= 5e-5
