"""The cases: their formulas, what holds between them, and that a model's scores obey it."""

import dataclasses
import json
import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import PolicyError
from pairlens.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE, Examples
from pairlens.files.stereoset.reading import read_examples
from pairlens.policies import Policy, preset
from pairlens.scoring.into_store import scores_now
from pairlens.settings import settings as limits
from pairlens.store import Store
from pairlens.studies.stereoset import runs as stereoset_runs
from pairlens.studies.stereoset.cases import CASES, ScoredRun, case_of, score_logs
from pairlens.studies.stereoset.classes import StereoSetChoices
from pairlens.types import Extras, Request

ALL = list(CASES)


def logs(context, following, alone):
    parts = (following, context, alone)
    return score_logs(*(pd.DataFrame({"logprob": [math.fsum(part)], "n": len(part)}) for part in parts))


def value(case, given):
    return float(case_of(case).value(given)[0])


def test_every_case_has_a_name_a_formula_its_worked_example_and_no_score_where_one_is_missing():
    given = logs([-4.0, -3.8], [-3.9, -3.7, -4.1], [-3.6, -4.0, -4.2])
    found = {case: value(case, given) for case in ALL}
    third = 0.1 / 3
    assert found == pytest.approx({"d": -3.9, "orig": -third, "c": -3.9, "e": third, "f": third, "b": 0}, abs=1e-12)
    given = logs([-1.0], [-2.0], [math.nan])
    missing = {case for case in ALL if math.isnan(value(case, given))}
    assert missing == {"orig", "e", "f"} and math.isnan(value("d", logs([-1.0], [], [-3.0])))
    assert ALL == ["d", "orig", "c", "e", "f", "b"]
    assert all(case.letter == letter and case.name and case.formula for letter, case in CASES.items())
    assert len({case.name for case in CASES.values()}) == len(CASES)
    with pytest.raises(PolicyError, match=r"no case 'g'\. .*Known: b, c, d, e, f, orig"):
        case_of("g")


tokens = st.lists(st.floats(-20, -1e-3), min_size=1, max_size=8)


@given(context=tokens, following=tokens, alone=tokens)
def test_identities(context, following, alone):
    given = logs(context, following, alone)
    a, b = len(context), len(following)
    parts = (a * float(given["A"][0]) + b * value("d", given)) / (a + b)
    assert value("c", given) == pytest.approx(parts, abs=1e-9)
    assert value("c", given) == pytest.approx(math.fsum(context + following) / (a + b), abs=1e-9)
    assert value("f", given) - value("e", given) == pytest.approx(-value("b", given), abs=1e-9)
    assert value("orig", given) + float(given["A"][0]) == pytest.approx(math.fsum(alone) / len(alone), abs=1e-9)


def asked(examples, task, source, policy=None, **choices):
    model, model_class = stereoset_runs.model_and_class(task, str(source))
    chosen = policy or preset("pairlens")
    return stereoset_runs.ask(examples.by_kind[task], task, model, model_class, chosen, StereoSetChoices(**choices))


def scored(one):
    store = Store(shipped=None)
    assert [*stereoset_runs.run(one, store)]
    return ScoredRun(store, one.planned.run_id, one.words, end=one.end)


@pytest.fixture(scope="module")
def few(examples):
    return Examples(**{task: some[:3] for task, some in examples.by_kind.items()})


@pytest.mark.parametrize("architecture", ["gpt2", "t5", "bert"])
def test_orig_ranks_candidates_as_they_are_alone(tiny, few, architecture):
    run = scored(asked(few, INTERSENTENCE, tiny(architecture)))
    for start in range(0, 3 * len(few.intersentence), 3):
        triple = slice(start, start + 3)
        alone = (run.logs("d") - run.logs("e"))[triple]
        assert np.argsort(run.logs("orig")[triple]).tolist() == np.argsort(alone).tolist()
        assert np.ptp(run.logs("orig")[triple] - alone) < 1e-9, "the context is scored once, for all three"


def test_contexts_and_what_follows_are_one_text_scored_once_and_the_end_counts_where_asked(tiny, few):
    """log p(A∩B) is that of the text scored whole, and the default case is what the run's own number compares."""
    one = asked(few, INTERSENTENCE, tiny("gpt2"))
    run, store = scored(one), Store(shipped=None)
    rows = store.items(one.planned.run_id).query("term == 0")
    texts = [Request("", text) for text in rows["context"] + rows["text"]]
    means = [s.total / len(s.ids) for s in scores_now(texts, one.planned.recipe, Store(shipped=None))]
    assert run.logs("c").tolist() == pytest.approx(means, abs=1e-5)
    candidates = store.candidates(one.planned.run_id)
    expected = candidates["logprob"] / candidates["n_scored"]
    assert run.logs("d").tolist() == pytest.approx(expected.tolist(), abs=1e-12)
    contexts = {example.context for example in few.intersentence}
    sentences = {c.sentence for example in few.intersentence for c in example.candidates}
    n_pairs = 3 * len(few.intersentence)
    assert len(one.planned.requests) == n_pairs + len(contexts) + len(sentences)
    one = asked(few, INTERSENTENCE, tiny("gpt2"), end=True)
    ended, plain = scored(one), scored(asked(few, INTERSENTENCE, tiny("gpt2"), end=False))
    requests = [Request(one.context, f" {c.sentence}") for one in few.intersentence for c in one.candidates]
    scores = scores_now(requests, one.planned.recipe, Store(shipped=None), Extras(boundary=True))
    assert plain.logs("d").tolist() == pytest.approx([s.total / len(s.ids) for s in scores], abs=1e-5)
    expected = [(s.total + s.eos_logprobs[-1]) / (len(s.ids) + 1) for s in scores if s.eos_logprobs]
    assert ended.logs("d").tolist() == pytest.approx(expected, abs=1e-5)
    assert one.signature("d").endswith("|case:d|end:counted")
    with pytest.raises(PolicyError, match=r"no value of words 'product'\. .*Known: joint, mean"):
        asked(few, INTRASENTENCE, tiny("bert"), words="product")


@pytest.mark.parametrize(
    ("architecture", "task"), [("gpt2", INTERSENTENCE), ("bert", INTRASENTENCE), ("t5", INTERSENTENCE)]
)
def test_neither_batches_nor_padding_nor_order_change_a_score(tiny, few, monkeypatch, tmp_path, architecture, task):
    def by_id(found):
        one = asked(found, task, tiny(architecture))
        return {id: math.log(score) for id, score in scored(one).by_id(found.by_kind[task], "d").items()}

    def turned(found):
        return tuple(dataclasses.replace(one, candidates=one.candidates[::-1]) for one in reversed(found))

    usual, shuffled = by_id(few), Examples(**{kind: turned(found) for kind, found in few.by_kind.items()})
    for home, batch, found in (("one", "1", shuffled), ("eight", "8", few)):
        monkeypatch.setenv("PAIRLENS_HOME", str(tmp_path / home))
        monkeypatch.setenv("PAIRLENS_BATCH_TEXTS", batch)
        limits.cache_clear()
        assert by_id(found) == pytest.approx(usual, abs=1e-5)


def test_words_of_one_token_do_not_depend_on_how_pieces_are_hidden(tiny, tmp_path):
    """Nor does it matter then whether probabilities are multiplied or averaged."""
    labels = ("stereotype", "anti-stereotype", "unrelated")
    example = {
        "id": "1", "target": "cook", "bias_type": "profession", "context": "The keys are on the BLANK here",
        "sentences": [
            {"id": label, "gold_label": label, "sentence": f"The keys are on the {word} here"}
            for label, word in zip(labels, "abc", strict=True)
        ],
    }  # fmt: skip
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"data": {"intrasentence": [example]}}))
    found = read_examples(path)
    ways = product((Policy(), Policy(pll="original"), preset("stereoset")), ("joint", "mean"))
    runs = [scored(asked(found, INTRASENTENCE, tiny("bert"), policy, words=words)) for policy, words in ways]
    values = [run.logs("d").tolist() for run in runs]
    assert len(set(values[0])) == 3 and all(one == pytest.approx(values[0], abs=1e-5) for one in values)
