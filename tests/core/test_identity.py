"""Change one ingredient of a score and its name changes; change what cannot move it and it does not."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pairlens.identity import canonical, dataset_hash, fingerprint, request_key, signature
from pairlens.policies import Policy
from pairlens.types import Model, Request, ScorerKind

MODEL = Model("m", "causal", Path("somewhere"), weights="aa", tokenizer="bb", config="cc")
KIND = ScorerKind("causal", 1, "", frozenset({"causal"}), ("first_token", "dtype", "window", "stride"), open=None)
REFERENCE = fingerprint(KIND, MODEL, Policy())


@pytest.mark.parametrize(
    ("model", "scorer", "policy"),
    [
        *(({name: "x"}, {}, {}) for name in ("weights", "tokenizer", "config", "code")),
        ({}, {"name": "other"}, {}), ({}, {"version": 2}, {}),
        ({}, {}, {"first_token": "none"}), ({}, {}, {"dtype": "float16"}), ({}, {}, {"window": 9}),
        ({}, {}, {"window": 9, "stride": 3}),
    ],
)  # fmt: skip
def test_what_a_model_is_made_of_its_scorer_and_what_that_reads_are_identity(model, scorer, policy):
    changed = dataclasses.replace(KIND, **scorer), dataclasses.replace(MODEL, **model), Policy().but(**policy)
    assert fingerprint(*changed) != REFERENCE


@pytest.mark.parametrize(
    ("model", "policy"),
    [
        ({"name": "x"}, {}), ({"folder": Path("x")}, {}), ({"revision": "x"}, {}), ({"bundled": True}, {}),
        ({"card": {"name": "x"}}, {}), ({}, {"ties": "wrong"}), ({}, {"unit": "nats"}), ({}, {"pll": "original"}),
        ({}, {"name": "x"}),
    ],
)  # fmt: skip
def test_what_a_model_is_called_and_what_no_scorer_reads_is_not(model, policy):
    assert fingerprint(KIND, dataclasses.replace(MODEL, **model), Policy().but(**policy)) == REFERENCE


def test_later_fields_are_identity_and_in_a_signature_only_where_they_are_not_as_before():
    kind = dataclasses.replace(KIND, reads=(*KIND.reads, "windows"))
    assert fingerprint(kind, MODEL, Policy(windows="full")) == REFERENCE
    assert fingerprint(kind, MODEL, Policy(windows="stride")) != REFERENCE
    masked = dataclasses.replace(KIND, reads=("pll", "windows"))
    for windows, same in (("full", True), ("stride", False)):  # then the stride counts for masked models too
        found = [fingerprint(masked, MODEL, Policy(windows=windows, stride=stride)) for stride in (0, 3)]
        assert (found[0] == found[1]) is same
    kind = dataclasses.replace(KIND, name="seq2seq", reads=("dtype", "window", "stride", "decoder"))
    said = [signature("t", 1, "", "d", kind, MODEL, Policy(decoder=one), "0") for one in ("config", "bos")]
    assert "decoder" not in said[0] and "|decoder:bos|" in said[1]
    masked = dataclasses.replace(KIND, name="masked", reads=("pll", "words_by", "dtype", "window"))
    line = signature("blimp", 1, "", "3e56b06fff", masked, MODEL, Policy(words_by="tokenizer"), "0.1.0")
    assert "|pll:within_word_l2r|words:tokenizer|" in line
    assert "words:" not in signature("blimp", 1, "", "3e56b06fff", masked, MODEL, Policy(), "0.1.0")


@given(st.text(), st.text(), st.text(), st.text())
@example("ab", "c", "a", "bc")
def test_request_keys_are_equal_only_for_equal_requests(a, b, c, d):
    same = (a, b) == (c, d)
    assert (request_key("f", Request(a, b)) == request_key("f", Request(c, d))) is same


def test_keys_have_no_order_and_a_signature_names_what_was_done():
    assert canonical({"b": 1, "a": "é"}) == canonical({"a": "é", "b": 1}) == '{"a":"é","b":1}'
    assert dataset_hash(["a", "b"]) != dataset_hash(["b", "a"]) != dataset_hash(["ab"])
    assert len(request_key("f", Request("", "\ud800"))) == 64
    model = dataclasses.replace(MODEL, revision="607a30d783")
    assert signature("blimp", 1, "", "3e56b06fff", KIND, model, Policy(), "0.1.0") == (
        "task:blimp.v1|data:3e56b06|scorer:causal.v1|first:bos|value:sum|ties:half|text:auto|model:m@607a30d#aa"
        "|dtype:float32|v:0.1.0"
    )
    line = signature("ewok", 2, "joint", "3e56b06fff", KIND, MODEL, Policy(), "0.1.0")
    assert line.startswith("task:ewok.v2|rule:joint|data:3e56b06|")
    line = signature("blimp", 1, "", "3e56b06fff", KIND, MODEL, Policy(window=64, stride=8), "0.1.0")
    assert "|window:64|stride:8|" in line
    assert "window" not in signature("blimp", 1, "", "3e56b06fff", KIND, MODEL, Policy(), "0.1.0")
