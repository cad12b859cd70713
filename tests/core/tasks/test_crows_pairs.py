"""CrowS-Pairs: the format, what two sentences share, and how often the stereotyping one is preferred."""

import difflib
import math
from collections import Counter
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pairlens
from pairlens.analysis.summary import summarise
from pairlens.errors import PolicyError
from pairlens.evaluation.evaluate import evaluate
from pairlens.evaluation.requests import plan
from pairlens.evaluation.zero_shot import Benchmark, meaningless, usual_rule
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import PRESETS, preset, preset_for
from pairlens.scoring.into_store import score_missing
from pairlens.store import Store
from pairlens.store.scores import Tokens, aligned, shared_scores
from pairlens.tasks import TASKS
from pairlens.types import PLAIN, Candidate, Item, TokenScores
from tests.candidate_table import candidate_table
from tests.refusals import error_of

TASK = TASKS["crows_pairs"]
SAMPLE = ROOT / "data" / "samples" / "crows_pairs" / "crows_pairs.csv"
HEADER = "sent_more,sent_less,stereo_antistereo,bias_type\n"
NAN = math.nan


def test_the_contrast_names_the_disadvantaged_group_first_whatever_the_direction(save):
    rows = "A cat purrs.,A dog purrs.,stereo,pets\nA dog barks.,A cat barks., antistereo ,pets \n"
    first, second = TASK.read(save("a.csv", HEADER + rows))
    assert [[c.label for c in item.candidates] for item in (first, second)] == [["more", "less"]] * 2
    assert first.gold is second.gold is None
    assert first.groups == {"bias_type": "pets", "direction": "stereo", "contrast": "cat|dog"}
    assert second.groups == {"bias_type": "pets", "direction": "antistereo", "contrast": "cat|dog"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("sent_more,sent_less\na,b\n", "a.csv: no column stereo_antistereo, bias_type. Found sent_more, sent_less."),
        (HEADER, "a.csv: no pair below the column names."),
        (HEADER + "A.,B.,stereo,x\nA.,,stereo,x\n", "a.csv, row 3: column 'sent_less' has no text."),
        (HEADER + "A.,B.,no,x\n",
         "a.csv, row 2: column 'stereo_antistereo' must be stereo or antistereo, found 'no'."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_sentence(save, content, sentence):
    assert error_of(lambda: list(TASK.read(save("a.csv", content)))) == sentence


def test_the_published_file_is_read_and_no_sentence_of_the_sample_is_in_it(shared_data):
    items = list(TASK.read(shared_data("crows_pairs/data/crows_pairs_anonymized.csv.gz")))
    assert Counter(item.groups["direction"] for item in items) == {"stereo": 1290, "antistereo": 218}
    types = Counter(item.groups["bias_type"] for item in items)
    assert (len(types), types["race-color"], types["disability"]) == (9, 516, 60)
    theirs, ours = ({c.text for item in of for c in item.candidates} for of in (items, TASK.read(SAMPLE)))
    assert not theirs & ours


def original_templates(first, second):
    """The alignment as Nangia et al. describe it: `equal` opcodes over ids with special tokens, these left out."""
    places = ([], [])
    texts = [["CLS", *map(str, ids), "SEP"] for ids in (first, second)]
    for kind, a, until_a, b, until_b in difflib.SequenceMatcher(None, *texts).get_opcodes():
        if kind == "equal":
            places[0].extend(range(a, until_a))
            places[1].extend(range(b, until_b))
    return tuple([place - 1 for place in side[1:-1]] for side in places)


IDS = st.lists(st.integers(5, 12), max_size=14)


@given(IDS, IDS)
def test_the_alignment_is_that_of_the_original_and_what_is_shared_the_same_in_both_and_in_order(first, second):
    one, other = aligned(first, second)
    assert (one, other) == original_templates(first, second)
    assert [first[place] for place in one] == [second[place] for place in other]
    assert one == sorted(set(one)) and other == sorted(set(other))
    assert aligned(first, first) == ([*range(len(first))],) * 2


def tokens(ids, *logprobs):
    return Tokens(np.array(ids), np.array(logprobs))


def rows(*keys):
    return pd.DataFrame({"item_id": [f"i{n // 2}" for n in range(len(keys))], "request_key": keys})


def test_only_shared_tokens_are_summed_and_only_where_both_are_scored():
    scored = {"a": tokens([1, 2, 3, 4], -1, -2, -4, -8), "b": tokens([1, 9, 9, 3, 4], -16, -3, -3, NAN, -32)}
    assert shared_scores(rows("a", "b"), scored).to_numpy().tolist() == [[-9, 3, 2], [-48, 3, 2]]
    scored = {"a": tokens([1], -1), "b": tokens([2], -1), "c": tokens([1], -1)}
    found = shared_scores(rows("a", "b", "c", "gone"), scored)
    assert found["logprob"].isna().all() and found["n_scored"].tolist()[:2] == [0, 0]


class Masks:
    """A masked model whose tokens are words, with their lengths as ids, and minus these as log-probabilities."""

    about = MappingProxyType({})

    def score(self, requests, extras=PLAIN):
        return [self._one(request.text.split()) for request in requests]

    @staticmethod
    def _one(words):
        lengths = tuple(map(len, words))
        spans = tuple((n, n + 1) for n in range(len(words)))
        return TokenScores(tuple(words), lengths, tuple(float(-n) for n in lengths), spans)


def recipe():
    return pairlens.recipe("bilingual-masked", policy=preset_for("pairlens", TASK.sets))


@pytest.mark.slow
def test_a_run_of_rule_shared_counts_what_is_shared_and_scores_sums_without_token_rows_again(save, store):
    path = save("a.csv", HEADER + "aa bbb c,aa bbbbb c,stereo,x\n")
    planned = plan(TASK, TASK.read(path), recipe())
    assert [*score_missing(planned.requests, recipe(), store, scorer=Masks, tokens=False)]
    assert planned.missing(store) == 2
    last = [*evaluate(TASK, path, recipe(), store, scorer=Masks)][-1]
    table = store.candidates(last.run_id)
    assert table["logprob"].tolist() == [-3, -3] and table["n_scored"].tolist() == [2, 2]
    whole = [*evaluate(TASK, path, recipe(), store, rule="joint", scorer=Masks)][-1]
    assert whole.scored == 0, "both rules ask the same"
    assert store.candidates(whole.run_id)["logprob"].tolist() == [-6, -8]
    assert store.temperatures(last.run_id) == [1.0]


def test_each_kind_of_model_is_asked_as_it_can_be_one_token_masked_at_a_time():
    kinds = {name: pairlens.recipe(name).kind for name in ("english-small", "bilingual-masked")}
    assert usual_rule(TASK, kinds["bilingual-masked"]) == "shared"
    assert usual_rule(TASK, kinds["english-small"]) == "joint"
    assert "compare whole sentences" in meaningless(TASK, "shared", kinds["english-small"])
    for temperatures in ((1.0, 2.0), (2.0,)):
        with pytest.raises(PolicyError, match="temperature 1 only"):
            next(Benchmark(TASK, SAMPLE, temperatures=temperatures).run(recipe(), Store()))
    assert {preset_for(name, TASK.sets).pll for name in PRESETS} == {"original"}
    assert not preset_for("lm-eval", TASK.sets).leading_space


def scored_table(*pairs):
    """Pairs with these scores of `more` and `less`, and their directions."""
    texts = (Candidate("More.", "more"), Candidate("Less.", "less"))
    group = {"bias_type": "x", "contrast": "more|less"}
    items = [Item(str(n), texts, groups=group | {"direction": direction}) for n, (*_, direction) in enumerate(pairs)]
    return candidate_table(items, lambda item, candidate: (pairs[int(item.id)][candidate.label == "less"], 5))


def test_a_tie_is_half_and_the_script_rounds_and_counts_ties_nothing():
    pairs = [(-1.0, -2.0, "stereo"), (-2.0, -1.0, "stereo"), (-1.0, -1.0, "stereo"), (-1.0004, -1.0001, "antistereo")]
    table = scored_table(*pairs)
    ours = METRICS["stereotype"].statistics(table, preset("pairlens"))
    assert ours["correct"].tolist() == [1, 0, 0.5, 0] and ours["tie"].tolist() == [False, False, True, False]
    theirs = METRICS["stereotype_published"].statistics(table, preset("pairlens"))
    assert theirs["correct"].tolist() == [1, 0, 0, 0] and theirs["tie"].tolist() == [False, False, True, True]
    first = summarise(table, TASK, preset("pairlens")).iloc[0]
    assert (first["name"], first["chance"], first["length_only"], first["ties"]) == ("stereotype", 0.5, 0.5, 1)
