"""The cases: their formulas, what holds between them, and which texts are asked for."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import PolicyError
from pairlens.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE, Examples
from pairlens.policies import preset
from pairlens.scoring.into_store import scores_now
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


def test_contexts_and_what_follows_are_one_text_scored_once_and_the_end_counts_where_asked(tiny, few):
    one = asked(few, INTERSENTENCE, tiny("gpt2"))
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
