"""Our scores against what the programs of a reproduction made of the same texts, recorded by `make oracle`."""

import json
from pathlib import Path

import numpy as np
import pytest
from reproduced_runs import CASES, run

from pairlens.evaluation.result import scored_texts
from pairlens.reports.reproduction.lm_eval import documents, lm_eval_files, lm_eval_notes
from tests.thinned import thinned

TOLERANCE = 1e-4
RECORD = json.loads(Path(__file__).with_name("reproduction.json").read_text("utf-8"))


@pytest.mark.parametrize("name", thinned(CASES, 3))
def test_other_programs_make_our_scores(name, tiny, store):
    case = CASES[name]
    options = {"tokenizer": case.tokenizer} if case.tokenizer else {}
    result = run(case, tiny(case.architecture, **options, **case.sizes), store)
    answers = RECORD["cases"][name]
    ours = result.candidates.groupby("item", sort=False)["logprob"].agg(list)
    theirs = answers["minicons"]["scores"]
    assert set(theirs) == set(ours.index)
    flat = np.concatenate([ours[item] for item in theirs])
    assert flat == pytest.approx(np.concatenate(list(theirs.values())), abs=TOLERANCE)
    if "lm_eval" in answers and result.policy.first_token == "bos":
        compare_with_lm_eval(answers["lm_eval"], result, store)


def compare_with_lm_eval(answer, result, store):
    """Equal scores and number; a token that is the space at a context's end is counted by lm_eval alone."""
    texts = scored_texts(result, store)
    spaced = set(texts.loc[texts["context"].str.endswith(" "), "item"])
    assert bool(spaced) == any("Contexts end in a space" in note for note in lm_eval_notes(result))
    found = {}
    for row in documents(texts, ties=result.policy.ties).rows:
        found.setdefault(row["item"], []).extend(row["logprobs"])
    assert set(found) == set(answer["scores"])
    for item, ours in found.items():
        theirs = answer["scores"][item]
        if item in spaced:
            assert all(other <= one + TOLERANCE for one, other in zip(ours, theirs, strict=True))
        else:
            assert ours == pytest.approx(theirs, abs=TOLERANCE)
    if not spaced:
        for expected in json.loads(lm_eval_files(result, store)["expected.json"]).values():
            assert answer["number"] == pytest.approx(expected, abs=TOLERANCE)
