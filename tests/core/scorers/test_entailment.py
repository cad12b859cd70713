"""Classifiers of pairs as scorers: one token, the label; one pass per pair; what cannot be read is refused."""

import math
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError, ModelError
from pairlens.models import find, labels_of
from pairlens.policies import CHOICES, Policy
from pairlens.scorers import SCORERS, accepting
from pairlens.types import Extras, Request
from tests.refusals import error_of
from tests.tiny import change_json

LABELS = ("contradiction", "neutral", "entailment")
PAIRS = (
    ("The keys to the cabinet are on the table.", "The cat sleeps."),
    ("The cat sleeps.", "The keys to the cabinet are on the table."),
    ("No", "été, Él sabe"),
)


@pytest.fixture(scope="module")
def folder(tiny):
    return tiny("bert", labels=LABELS)


@pytest.fixture
def copied(folder, tmp_path):
    """Copies of the model with another config."""

    def change(source=folder, **fields):
        copy = shutil.copytree(source, tmp_path / f"copy-{len([*tmp_path.iterdir()])}")
        change_json(copy / "config.json", **fields)
        return find(copy)

    return change


@pytest.fixture
def opened(folder):
    return SCORERS["entailment"].open(find(folder), Policy())


def asked(pairs=PAIRS, labels=LABELS):
    return [Request(f"{premise}\n{hypothesis}\n", label) for premise, hypothesis in pairs for label in labels]


def test_the_labels_of_a_pair_share_the_probability_and_only_the_precision_is_read_of_a_policy(opened, folder):
    scores = opened.score(asked())
    assert [score.tokens for score in scores] == [(label,) for _ in PAIRS for label in LABELS]
    assert [score.ids for score in scores[:3]] == [(0,), (1,), (2,)]
    for place in range(0, len(scores), 3):
        assert math.fsum(math.exp(score.total) for score in scores[place : place + 3]) == pytest.approx(1, abs=1e-6)
    assert scores[0].total != scores[3].total, "premise and hypothesis are told apart"
    with ThreadPoolExecutor(4) as pool:
        for again in pool.map(lambda _: opened.score(asked()), range(8)):
            assert [one.total for one in again] == pytest.approx([one.total for one in scores], abs=1e-5)
    changed = {field: list(choices)[-1] for field, choices in CHOICES.items() if field != "dtype"}
    other = SCORERS["entailment"].open(find(folder), Policy(**changed))
    assert [one.total for one in other.score(asked())] == [one.total for one in scores], "it reads no other fields"


def test_the_label_stands_where_it_was_written(opened):
    assert opened.score([]) == []
    for request in (Request("A\nB", "neutral"), Request("A\nB\n", "neutral"), Request("A\nB", "\nNEUTRAL")):
        (score,) = opened.score([request])
        ((start, end),) = score.spans
        assert request.text[start:end].lower() == "neutral" and score.tokens == ("neutral",)
        assert score.n_straddling == 0


def test_extras_are_over_labels_and_leave_the_scores_alone(opened):
    everything = Extras(boundary=True, entropy=True, top=3, temperatures=(2.0,))
    plain, full = opened.score(asked()), opened.score(asked(), everything)
    assert [one.total for one in full] == pytest.approx([one.total for one in plain], abs=1e-5)
    shares = [math.exp(one.total) for one in full[:3]]
    assert full[0].entropies[0] == pytest.approx(-math.fsum(p * math.log(p) for p in shares), abs=1e-5)
    best = max(range(3), key=lambda place: shares[place])
    assert full[0].tops[0][0] == (LABELS[best], pytest.approx(math.log(shares[best]), abs=1e-5))
    assert all(math.isnan(value) for value in full[0].boundary_logprobs) and len(full[0].boundary_logprobs) == 2
    roots = [math.sqrt(share) for share in shares]
    assert math.exp(full[0].tempered[2.0][0]) == pytest.approx(roots[0] / math.fsum(roots), abs=1e-5)


def test_what_cannot_be_asked_is_one_sentence(opened):
    for context, label, said in (
        ("A\nB", "entails", "Did you mean 'entailment'"),
        ("A\nB", "", "no tokens to score"),
        ("only one text", "neutral", "a premise and a hypothesis, a line each"),
        ("A\nB\nC", "neutral", "a premise and a hypothesis, a line each"),
        ("\nB", "neutral", "a line each"),
        ("a " * 80 + "\nB", "neutral", "longer than the 64 that the model can see"),
        ("a \ud83d\nB", "neutral", "U+D83D"),
    ):
        request = Request(context, label)
        assert said in error_of(lambda request=request: opened.score([*asked(), request]))


@given(premise=st.text(min_size=1, max_size=30), hypothesis=st.text(min_size=1, max_size=30))
def test_any_two_texts_are_scored_or_refused_in_words(opened, premise, hypothesis):
    try:
        scores = opened.score(asked([(premise, hypothesis)]))
    except InputError as error:
        assert str(error)
        return
    assert math.fsum(math.exp(one.total) for one in scores) == pytest.approx(1, abs=1e-5)


def test_the_registry_knows_what_to_use_and_models_without_the_head_are_refused_with_the_reason(folder, tiny, copied):
    assert find(folder).kind == "classifier"
    assert accepting("classifier") == ["entailment"]
    with pytest.raises(ModelError, match="is a classifier model; take the scorer entailment"):
        SCORERS["causal"].open(find(folder), Policy())
    with pytest.raises(ModelError, match="is a masked model"):
        SCORERS["entailment"].open(find(tiny("bert")), Policy())
    bare = copied(tiny("bert"), architectures=["BertForSequenceClassification"])
    with pytest.raises(ModelError, match=r"lacks weights .*classifier.* they would be random"):
        SCORERS["entailment"].open(bare, Policy())


def test_labels_are_known_without_loading_or_it_is_said_that_no_one_class_is_chosen(folder, copied):
    assert labels_of(find(folder)) == LABELS
    assert labels_of(copied(id2label=None, label2id=None, num_labels=3)) == ("LABEL_0", "LABEL_1", "LABEL_2")
    for name, value, sentence in (
        ("problem_type", "regression", "gives one number"),
        ("problem_type", "multi_label_classification", "several labels at once"),
        ("id2label", {"0": "score"}, "gives one number"),
        ("architectures", ["BertForMaskedLM"], "is a masked model, not a classifier"),
    ):
        with pytest.raises(ModelError, match=sentence):
            labels_of(copied(**{name: value}))
