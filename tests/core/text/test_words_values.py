"""Log-probabilities of words: against a language that can be enumerated, and the identities they promise."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.policies import Policy
from pairlens.text.words import edges, words
from pairlens.types import TokenScores
from tests.toy_language import language, token_scores, word_logprob

NAN = math.nan


def scores_of(text, spans, logprobs, **masses):
    return TokenScores(
        tokens=tuple(text[start:end] for start, end in spans),
        ids=tuple(range(len(spans))),
        logprobs=tuple(logprobs),
        spans=tuple(spans),
        **{name: tuple(values) for name, values in masses.items()},
    )


@pytest.mark.parametrize(
    "cut", ["The| child| laugh|s| loudly", "The| child| laugh| loudly| today", "A| child|s| loudly", "The"]
)
def test_words_have_their_true_probability(cut):
    chances, text = language("laugh"), cut.replace("|", "")
    found = words(token_scores(chances, *cut.split("|")), text, Policy())
    assert [word.text for word in found] == text.split(" ")
    true = [word_logprob(chances, text.split(" ")[:place]) for place in range(1, len(found) + 1)]
    assert [word.value for word in found] == pytest.approx(true, abs=1e-12)
    assert {word.variant for word in found} == {"bow_eos"}


@pytest.mark.parametrize(
    ("stem", "tail"), [("laugh", ""), ("acceptée", ""), ("laugh", " loudly"), ("acceptée", " loudly")]
)
def test_the_difference_falls_on_the_form_and_not_on_the_next_word(stem, tail):
    chances = language(stem)
    tails = tuple(piece for piece in (tail,) if piece)
    short = token_scores(chances, "The", " child", f" {stem}", *tails)
    long = token_scores(chances, "The", " child", f" {stem}", "s", *tails)

    def differences(value):
        policy = Policy(word_value=value)
        a = words(long, f"The child {stem}s{tail}", policy)
        b = words(short, f"The child {stem}{tail}", policy)
        return [x.value - y.value for x, y in zip(a, b, strict=True)]

    honest = differences("bow_eos")
    assert honest == pytest.approx([0, 0, math.log(0.6 / 0.4)] + [0] * len(tails))  # the longer form is likelier
    naive = differences("sum")
    assert naive[2] < 0  # and the sum over pieces says the opposite,
    if tails:
        assert naive[3] == pytest.approx(math.log(0.6 / 0.24))  # booking the decision to the next word
        assert sum(naive) == pytest.approx(sum(honest))


CUT = [(0, 1), (1, 3), (3, 9), (9, 10), (10, 11)]


def test_every_mark_is_folded_once_and_words_that_no_token_begins_are_joined():
    text, scores = "\"Hi there.'", scores_of("\"Hi there.'", CUT, [1, 2, 4, 8, 16])
    for punctuation, expected in {
        "previous": {'"Hi': 3, "there.'": 28}, "next": {'"Hi': 3, "there.'": 28}, "ignore": {"Hi": 2, "there": 4},
        "separate": {'"': 1, "Hi": 2, "there": 4, ".": 8, "'": 16},
    }.items():  # fmt: skip
        found = words(scores, text, Policy(punctuation=punctuation, word_value="sum"))
        assert {word.text: word.value for word in found} == expected
    text = "in the end."
    found = words(scores_of(text, [(0, 4), (4, 6), (6, 11)], [-1, -2, -3]), text, Policy(punctuation="separate"))
    told = [(word.text, word.tokens, word.n_tokens) for word in found]
    assert told == [("in", (0,), 1), ("the", (1,), 1), ("end.", (2,), 1)]
    whole = words(scores_of(text, [(0, 6), (6, 11)], [-1, -2]), text, Policy())
    assert [word.text for word in whole] == ["in the", "end."]
    text = "a 5 b"  # the space before 5 is a token of its own: the edge is before the space
    masses = {"boundary_logprobs": [-1, -2, -3, -4, -5], "eos_logprobs": [-99.0] * 5}
    found = edges(scores_of(text, [(0, 1), (1, 2), (2, 3), (3, 5)], [-1] * 4, **masses), text, Policy())
    assert found == pytest.approx([0, -2, NAN, -4, -5], nan_ok=True)


def test_missing_masses_are_named_and_one_missing_at_a_point_leaves_that_edge_out():
    text, spans = "a b", [(0, 1), (1, 3)]
    plain = scores_of(text, spans, [-1, -2])
    white = replace(plain, boundary_logprobs=(-0.1, -0.2, -0.3))
    ended = replace(white, eos_logprobs=(-5.0, -6.0, -0.7))
    assert [(w.value, w.variant) for w in words(plain, text, Policy())] == [(-1, "sum"), (-2, "sum")]
    masked = replace(plain, boundary_logprobs=(NAN,) * 3, eos_logprobs=(NAN,) * 3)
    assert [w.variant for w in words(masked, text, Policy())] == ["sum", "sum"]
    for scores in (white, replace(white, eos_logprobs=(NAN,) * 3)):
        assert [(w.value, w.variant) for w in words(scores, text, Policy())] == [
            (pytest.approx(-1.2), "bow"), (pytest.approx(-2.1), "bow"),
        ]  # fmt: skip
    parted = Policy(punctuation="separate")
    assert {w.variant for w in words(ended, text, parted)} == {"sum"}
    full = replace(ended, punctuation_logprobs=(-9.0, -2.0, -9.0))
    first, second = words(full, text, parted)
    inner = math.log(math.exp(-0.2) + math.exp(-6) + math.exp(-2))
    assert first.value == pytest.approx(-1 + inner)
    assert second.value == pytest.approx(-2 - inner + math.log(math.exp(-0.3) + math.exp(-0.7) + math.exp(-9)))
    assert first.variant == second.variant == "bow_eos"
    masses = {"boundary_logprobs": [NAN, NAN, -0.3], "eos_logprobs": [NAN, NAN, -3]}
    first, second = words(scores_of(text, [(0, 1), (1, 3)], [-1, -2], **masses), text, Policy())
    assert (first.value, first.variant) == (-1, "bow_eos, start only")
    assert (second.value, second.variant) == (pytest.approx(-2 + np.logaddexp(-0.3, -3)), "bow_eos, end only")
    text = "laughs now"
    found = words(scores_of(text, [(0, 5), (5, 6), (6, 10)], [NAN, -1, -2]), text, Policy(first_token="none"))
    assert math.isnan(found[0].value) and found[1].value == -2
    text = "我们走。"
    masses = {"boundary_logprobs": [-3.0] * 5, "eos_logprobs": [-3.0] * 5}
    found = words(scores_of(text, [(i, i + 1) for i in range(4)], [-1, -2, -4, -8], **masses), text, Policy())
    assert [(word.text, word.value, word.variant) for word in found] == [
        ("我", -1, "sum"), ("们", -2, "sum"), ("走。", -12, "sum"),
    ]  # fmt: skip


def test_only_marks_that_end_words_are_edges():
    masses = {name: [-1.0] * 3 for name in ("boundary_logprobs", "eos_logprobs", "punctuation_logprobs")}
    for value, mark, edge in (
        ("bow_eos", ",", True),
        ("bow_eos", "'", False),
        ("bow", ",", False),
        ("bow", "'", False),
    ):
        text, policy = "boys" + mark, Policy(word_value=value, punctuation="separate")
        found = words(scores_of(text, [(0, 4), (4, 5)], [-1, -2], **masses), text, policy)
        variants = (value, value) if edge else (f"{value}, start only", f"{value}, end only")
        assert [(word.text, word.variant) for word in found] == [*zip(("boys", mark), variants, strict=True)]


def test_given_words_and_those_after_a_context():
    text = "The cabinet door."
    spans = [(0, 3), (3, 7), (7, 11), (11, 16), (16, 17)]
    masses = {"boundary_logprobs": [-1.0, -0.5, -0.25, -0.125, -2.0, -4.0], "eos_logprobs": [-99.0] * 6}
    scores = scores_of(text, spans, [-1.0, -2.0, -3.0, -4.0, -5.0], **masses)
    given = words(scores, text, Policy(), spans=[(0, 3), (4, 7), (7, 16), (16, 17)])
    assert [word.text for word in given] == ["The", "cab", "inet door", "."]
    assert [word.variant for word in given] == ["bow_eos", "bow_eos, start only", "sum", "bow_eos, end only"]
    assert [word.value for word in given] == pytest.approx([-1.5, -1.5, -7, -9])
    inside = words(scores, text, Policy(), spans=[(5, 6)])
    assert (inside[0].n_tokens, inside[0].variant) == (0, "sum")
    assert math.isnan(inside[0].value)
    text = "The unhappy boy"  # the continuation begins inside the second word
    masses = {"boundary_logprobs": [-0.5, -0.25, -0.125], "eos_logprobs": [-9, -9, -9]}
    found = words(scores_of(text, [(6, 11), (11, 15)], [-1, -2], **masses), text, Policy(word_value="bow"))
    assert [(word.text, word.span, word.variant) for word in found] == [
        ("unhappy", (4, 11), "bow, end only"), ("boy", (12, 15), "bow"),
    ]  # fmt: skip
    assert [word.value for word in found] == pytest.approx([-1.25, -1.875])
    masses = {"boundary_logprobs": [-0.25, -0.125], "eos_logprobs": [-9, -9]}
    later = words(scores_of(text, [(11, 15)], [-2], **masses), text, Policy(word_value="bow"))
    assert [(word.text, word.value) for word in later] == [("boy", pytest.approx(-1.875))]  # the space is subtracted


PIECES = st.sampled_from(["The", " keys", " to", "s", ",", ' "', '"', " don't", " ", " 我", "们", " —", "(", "."])


@st.composite
def scored_texts(draw):
    """Any text, cut anywhere, with any log-probabilities; tokens may leave out the white space before them."""
    text = "".join(draw(st.lists(PIECES, min_size=1, max_size=12)))
    text += "" if text.strip() else "a"
    cuts = sorted(draw(st.sets(st.integers(1, len(text) - 1), max_size=12))) if len(text) > 1 else []
    spans = list(pairwise([0, *cuts, len(text)]))
    if draw(st.booleans()):
        spans = [(end - len(text[start:end].lstrip()), end) for start, end in spans]

    def many(count):
        return draw(st.lists(st.floats(-20, -0.001), min_size=count, max_size=count))

    masses = {name: many(len(spans) + 1) for name in ("boundary_logprobs", "eos_logprobs", "punctuation_logprobs")}
    return text, scores_of(text, spans, many(len(spans)), **masses)


@given(scored_texts(), st.sampled_from(["previous", "next", "separate"]), st.sampled_from(["sum", "bow", "bow_eos"]))
def test_words_telescope_each_and_to_the_sentence_and_one_end_term(scored, punctuation, value):
    text, scores = scored
    policy = Policy(punctuation=punctuation, word_value=value)
    found, terms = words(scores, text, policy), np.nan_to_num(edges(scores, text, policy))
    assert [token for word in found for token in word.tokens] == list(range(len(scores.tokens)))
    assert math.fsum(word.value for word in found) == pytest.approx(scores.total + terms[-1], abs=1e-9)
    for word in found:
        a, b = word.tokens[0], word.tokens[-1] + 1
        assert word.value == pytest.approx(math.fsum(scores.logprobs[a:b]) + terms[b] - terms[a], abs=1e-9)
