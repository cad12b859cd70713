"""Policies: named choices, refused typos, what enters a fingerprint."""

import dataclasses

import pytest

from pairlens.errors import PolicyError
from pairlens.policies import ADDED, CHOICES, PRESETS, Policy, preset


def test_every_preset_is_named_after_itself_and_every_choice_has_words():
    assert [policy.name for policy in PRESETS.values()] == list(PRESETS)
    assert len({dataclasses.replace(policy, name="") for policy in PRESETS.values()}) == len(PRESETS)
    for field, choices in CHOICES.items():
        assert getattr(Policy(), field) in choices and all(choices.values())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"first_token": "bso"}, "Did you mean 'bos'"),
        ({"tie": "half"}, "Did you mean 'ties'"),
        ({"ties": "random"}, "Known: correct, half, wrong"),
        ({"window": 8, "stride": 9}, "stride of 9"),
    ],
)
def test_a_wrong_choice_is_refused_in_words(change, words):
    with pytest.raises(PolicyError, match=words):
        Policy().but(**change)
    with pytest.raises(PolicyError, match="Did you mean 'minicons'"):
        preset("minicon")


def test_a_field_enters_identities_only_where_it_is_read_and_chosen():
    usual, chosen = Policy(), Policy(tokens="rewritten")
    assert "tokens" not in usual.given(("tokens",)) and "tokens" not in chosen.given(("dtype",))
    assert chosen.scoring(("dtype", "tokens")) == usual.scoring(("dtype",)) | {"tokens": "rewritten"}
    reads = ("pll", "words_by")
    assert Policy().scoring(reads) == {"pll": "within_word_l2r"}
    assert Policy(words_by="tokenizer").scoring(reads) == {"pll": "within_word_l2r", "words_by": "tokenizer"}
    assert Policy(words_by="tokenizer", pll="original").scoring(reads) == {"pll": "original"}
    reads = ("first_token", "dtype")
    assert Policy(first_token="one").scoring(reads) == Policy(first_token="none").scoring(reads)
    assert Policy(first_token="bos").scoring(reads) != Policy(first_token="none").scoring(reads)
    assert Policy(unit="nats").scoring(reads) == Policy().scoring(reads)
    assert {name: getattr(Policy(), name) for name in ADDED} == ADDED
    assert Policy().scoring(("dtype", "decoder")) == {"dtype": "float32"}
    assert Policy(decoder="bos").scoring(("dtype", "decoder")) == {"dtype": "float32", "decoder": "bos"}
    trimmed, bos = Policy(decoder="bos-trimmed"), Policy(decoder="bos")
    assert trimmed.scoring(("decoder",)) != bos.scoring(("decoder",))
    assert trimmed.scoring(("pll", "decoder")) == bos.scoring(("pll", "decoder"))
    of_causal, of_encoder_decoders = (preset("babylm-2025").given(reads) for reads in (("dtype",), ("decoder",)))
    assert "decoder" not in of_causal and of_encoder_decoders["decoder"] == "bos"
    assert of_causal.keys() == dataclasses.asdict(Policy()).keys() - ADDED.keys()
