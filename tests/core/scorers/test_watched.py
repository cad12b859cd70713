"""What a scorer tells between batches, and that who watches can end it."""

import threading
from itertools import pairwise

import pytest

from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, default_for, watched
from pairlens.scoring.model_cache import ModelCache
from pairlens.scoring.recipe import Recipe
from pairlens.types import Request

pytestmark = pytest.mark.model

TEXTS = [Request("", "The keys to the cabinet are here. " * n) for n in (6, 7)]


@pytest.mark.parametrize("architecture", ["gpt2", "bert", "t5"])
def test_tokens_are_counted_and_scores_stay_the_same(tiny, architecture, monkeypatch):
    monkeypatch.setenv("PAIRLENS_TOKEN_BUDGET", "64")
    model = find(tiny(architecture))
    scorer = SCORERS[default_for(model.kind)].open(model, Policy())
    alone = scorer.score(TEXTS)
    counts = []
    with watched(lambda *count: counts.append(count)):
        scores = scorer.score(TEXTS)
    assert [one.logprobs for one in scores] == [one.logprobs for one in alone]
    total = sum(len(one.tokens) for one in scores)
    assert counts[0] == (0, total) and counts[-1][0] >= total - len(TEXTS) and {of for _, of in counts} == {total}
    assert all(before <= after for (before, _), (after, _) in pairwise(counts)) and len(counts) > 2


def test_what_a_watcher_raises_ends_the_scoring_and_the_scorer_stays_usable(tiny):
    def stop(done, _):
        if done:
            raise KeyboardInterrupt

    scorer = SCORERS["masked"].open(find(tiny("bert")), Policy())
    with pytest.raises(KeyboardInterrupt), watched(stop):
        scorer.score(TEXTS)
    assert scorer.score(TEXTS) == scorer.score(TEXTS)


def test_who_waits_for_a_turn_can_stop_waiting(tiny):
    recipe, cache = Recipe(find(tiny("gpt2")), SCORERS["causal"], Policy()), ModelCache(100)
    scorer = cache.scorer(recipe)
    scoring, enough = threading.Event(), threading.Event()

    def hold(*_):
        scoring.set()
        enough.wait(20)

    def score_in_view():
        with watched(hold):
            scorer.score(TEXTS)

    def stop(done, total):
        assert (done, total) == (0, 0)
        raise KeyboardInterrupt

    other = threading.Thread(target=score_in_view)
    other.start()
    try:
        assert scoring.wait(20)
        for wanted in (lambda: scorer.score(TEXTS), lambda: cache.scorer(recipe)):
            with pytest.raises(KeyboardInterrupt), watched(stop):
                wanted()
    finally:
        enough.set()
        other.join()
