"""Policies: named choices, refused typos, what enters a fingerprint."""

import dataclasses

import pytest

from core.errors import PolicyError
from core.policies import CHOICES, PRESETS, Policy, preset


def test_every_preset_is_named_after_itself_and_differs_from_the_others():
    assert {name: policy.name for name, policy in PRESETS.items()} == {name: name for name in PRESETS}
    without_names = {dataclasses.replace(policy, name="") for policy in PRESETS.values()}
    assert len(without_names) == len(PRESETS)


def test_every_choice_has_words():
    for field, choices in CHOICES.items():
        assert getattr(Policy(), field) in choices
        assert all(meaning for meaning in choices.values())


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


def test_unknown_preset_names_the_nearest():
    with pytest.raises(PolicyError, match="Did you mean 'minicons'"):
        preset("minicon")


def test_one_shares_its_scores_with_none():
    reads = ("first_token", "dtype")
    assert Policy(first_token="one").scoring(reads) == Policy(first_token="none").scoring(reads)
    assert Policy(first_token="bos").scoring(reads) != Policy(first_token="none").scoring(reads)
    assert Policy(unit="nats").scoring(reads) == Policy().scoring(reads)
