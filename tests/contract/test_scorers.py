"""What every scorer promises, found by discovery: a new file in core/pairlens/scorers is tested by existing."""

import gzip
import json
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError, ModelError, PolicyError
from pairlens.models import find
from pairlens.policies import CHOICES, Policy
from pairlens.scorers import SCORERS, accepting, default_for
from pairlens.settings import settings as limits
from pairlens.types import Extras, Request
from tests.contract.saying import demand, loadable, named_in_tests, placeholders, say, unloadable

MODELS = {
    "causal": ("gpt2", "llama", "gemma"),
    "masked": ("bert", "roberta", "deberta-v2"),
    "seq2seq": ("t5", "bart"),
    "unigram": ("counts",),
}
"""Tiny models by kind, of different tokenizer styles. A scorer for another kind needs one here."""
APART = frozenset({"classifier", "next-sentence", "served"})
"""Kinds that say one thing about two texts, and servers: their scorers are tested on their own."""
ALWAYS = ("llama",)
"""The only tiny model whose tokenizer falls back to bytes."""
CASES = [
    pytest.param((name, model), id=f"{name}-{model}", marks=[] if often else pytest.mark.soak)
    for number, (name, scorer) in enumerate(loadable(SCORERS, "scorers").items())
    for models in (MODELS.get(kind, ()) for kind in sorted(scorer.accepts - APART))
    for place, model in enumerate(models)
    for often in [place == number % len(models) or model in ALWAYS]
]
"""Every scorer with every model of its kind; those with other models than one, another for each, are for the soak."""


TELESCOPING = [case for case in CASES if case.values[0][0] in ("causal", "unigram")]
TOLERANCE = 1e-4
EVERYTHING = Extras(boundary=True, entropy=True, top=3)
AT_WORD_ENDS = ("boundary_logprobs", "eos_logprobs", "punctuation_logprobs")

TEXTS = (
    "The keys to the cabinet are on the table.",
    "No",
    "Sarah laughs when the dogs that chase the cat fall asleep; nobody would ever believe it.",
    "  Two spaces before, two after  ",
    "A tab\tand a line\nand another\r\n\r\n",
    "été, e\u0301te\u0301 and ﬁne ＷＩＤＥ",
    "👍🏽 family: 👩\u200d👩\u200d👧",
    "日本語のテキスト。",
    "שלום עולם, مرحبا بالعالم",
    "a\u00a0no-break space, a zero\u200bwidth one and a\u00adsoft hyphen",
    "(((!!!)))...",
    "İstanbul ǅ ß",
    "x" * 40,
)
SPECIAL = ("</s>", "<s>", "[MASK]", "[CLS] a", "<|endoftext|>", "b <pad> <mask>", "<unk>", "<bos>", "a[SEP]b", "▁ Ġ")


@pytest.mark.parametrize("name", list(SCORERS))
def test_it_says_what_it_is(name):
    demand(not (problem := unloadable(SCORERS, "scorers", name)), problem)
    scorer, where = SCORERS[name], f"core/pairlens/scorers/{name}.py"
    policy = {field.name for field in fields(Policy)}
    others = [one for one in loadable(SCORERS, "scorers").values() if one is not scorer]
    backends = {one.backend for one in others if one.accepts & scorer.accepts} - {""}
    either, named = bool(scorer.backend) != bool(scorer.instead), placeholders(scorer.instead)
    wrong = {
        "`version` must be a whole number from 1 on": scorer.version >= 1,
        "`title` must be a name, a colon and what it computes": ": " in scorer.title,
        "`accepts` must name at least one kind of model": scorer.accepts,
        f"`reads` must name fields of the policy: {', '.join(sorted(policy))}": set(scorer.reads) <= policy,
        "it needs either a `backend` or, in `instead`, what to do if benchmarks cannot be run with it": either,
        "`backend` must not be that of another scorer of such models": scorer.backend not in backends,
        "`instead` may have $task and $program and no other $name": named <= {"task", "program"},
        "`open` must be a function of model and policy": callable(scorer.open),
    }
    say([f"{where}: {rule}." for rule, holds in wrong.items() if not holds])


@pytest.mark.parametrize("name", list(loadable(SCORERS, "scorers")))
def test_there_is_something_to_test_it_with(name):
    say([
        f"no tiny model is of the kind {kind}, which {name} accepts: add an architecture to ARCHITECTURES in "
        "tests/tiny.py and its name to MODELS in tests/contract/test_scorers.py."
        for kind in sorted(SCORERS[name].accepts - APART - MODELS.keys())
    ])  # fmt: skip
    compared = named_in_tests(name, "./core/scorers", "parity")
    demand(compared, f"no test compares {name} with plain code: add tests/parity/test_{name}.py.")


@pytest.fixture(params=CASES, scope="module")
def opened(request, tiny, tmp_path_factory):
    """`opened(first_token="none", ...)`: the scorer of this case under a policy."""
    name, model = request.param
    folder = _counts(tmp_path_factory.mktemp("counts")) if model == "counts" else tiny(model)

    @lru_cache
    def scorer(**policy):
        return SCORERS[name].open(find(folder), Policy(**policy))

    scorer.kind = SCORERS[name]
    return scorer


@pytest.fixture(scope="module")
def usual(opened):
    """The scores of TEXTS."""
    return opened().score(whole(TEXTS))


def _counts(folder):
    counts = {"the": 50, ".": 40, "cat": 9, "are": 30, "is": 35, "sleeps": 4, ",": 2, "laughs": 1}
    with gzip.open(folder / "counts.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(f"{word}\t{count}\n" for word, count in counts.items())
    card = {"kind": "unigram", "tokens": sum(counts.values()), "types": len(counts)}
    (folder / "card.json").write_text(json.dumps(card))
    return folder


def alike(one, other):
    """Whether two token scores are equal but for rounding."""
    assert (one.tokens, one.ids, one.spans, one.n_straddling) == (
        other.tokens, other.ids, other.spans, other.n_straddling,
    )  # fmt: skip
    assert one.logprobs == pytest.approx(other.logprobs, abs=TOLERANCE, nan_ok=True)


def whole(texts):
    return [Request("", text) for text in texts]


def test_order_is_kept_and_a_batch_of_one_or_few_or_of_a_thread_equals_a_batch_of_many(opened, usual, monkeypatch):
    scorer = opened()
    assert scorer.score([]) == []
    assert len(usual) == len(TEXTS)
    for text, score in zip(TEXTS, usual, strict=True):
        alike(scorer.score(whole([text]))[0], score)
    for score, again in zip(usual, reversed(scorer.score(whole(reversed(TEXTS)))), strict=True):
        alike(again, score)
    with ThreadPoolExecutor(4) as pool:
        answers = pool.map(lambda text: scorer.score(whole([text]))[0], TEXTS[:4] * 4)
        for score, expected in zip(answers, usual[:4] * 4, strict=True):
            alike(score, expected)
    for limit, value in (("TOKEN_BUDGET", "100"), ("BATCH_TEXTS", "3")):
        monkeypatch.setenv(f"PAIRLENS_{limit}", value)
        limits.cache_clear()
        for score, other in zip(usual, opened.__wrapped__().score(whole(TEXTS)), strict=True):
            alike(other, score)


def test_every_number_is_a_log_probability_and_spans_cover_the_text(usual):
    for text, score in zip(TEXTS, usual, strict=True):
        assert all(value <= 1e-6 or math.isnan(value) for value in score.logprobs)
        assert score.n_scored >= len(score.tokens) - 1
        assert len(score.tokens) == len(score.ids) == len(score.logprobs) == len(score.spans)
        # WordPiece normalizers drop accents and characters without width.
        assert all(character in "\u0301\u200b\u200d\u00ad" for character in uncovered(text, score)), text
        assert list(score.spans) == sorted(score.spans)
        assert all(0 <= start <= end <= len(text) for start, end in score.spans)
        stretches = [text[start:end] for start, end in score.spans]
        assert not any(stretch[:1].isspace() and stretch.strip() for stretch in stretches)


def uncovered(text, score):
    """The characters of a text, white space aside, that lie in no token."""
    covered = {place for start, end in score.spans for place in range(start, end)}
    return {text[place] for place in range(len(text)) if place not in covered and not text[place].isspace()}


def test_a_continuation_has_the_tokens_of_the_end_of_the_whole_text_and_contexts_count_unless_words_have_none(opened):
    context, continuation = "The keys to the cabinet", " are on the table."
    whole_text, part = opened().score([Request("", context + continuation), Request(context, continuation)])
    n = len(part.tokens)
    assert 0 < n < len(whole_text.tokens)
    assert (part.tokens, part.spans) == (whole_text.tokens[-n:], whole_text.spans[-n:])
    assert min(start for start, _ in part.spans) >= len(context)
    assert part.n_straddling == 0
    if opened.kind.name != "seq2seq":  # to which it is not all the same where the continuation begins
        assert part.logprobs == pytest.approx(whole_text.logprobs[-n:], abs=TOLERANCE)
    one, other = opened().score([Request("The keys", " are here"), Request("No author", " are here")])
    assert one.tokens == other.tokens
    same = one.logprobs == pytest.approx(other.logprobs, abs=TOLERANCE)
    assert same == (opened.kind.name == "unigram")
    text = "The cat laughs"
    (score,) = opened().score(whole([text]))
    start, end = span = max(score.spans, key=lambda span: span[1] - span[0])
    assert end - start > 1
    (part,) = opened().score([Request(text[: start + 1], text[start + 1 :])])
    assert part.spans[0] == span and part.n_straddling == 1


def test_what_cannot_be_scored_is_refused_and_special_tokens_in_typed_text_are_text_or_refused(opened, monkeypatch):
    scorer = opened()
    for request in (Request("", ""), Request("The cat", ""), Request("The cat", "  "), Request("", " \n")):
        with pytest.raises(InputError, match="no tokens to score"):
            scorer.score([Request("", "fine"), request])
    with pytest.raises(InputError, match=r"U\+D83D"):
        scorer.score(whole(["a \ud83d b"]))
    for text in SPECIAL:
        try:
            (score,) = scorer.score(whole([text]))
        except InputError as error:
            assert "special token" in str(error)
            continue
        tokenizer = getattr(scorer, "_tokenizer", None)
        assert tokenizer is None or tokenizer.reserved.isdisjoint(score.ids)
        assert not uncovered(text, score)
    monkeypatch.setenv("PAIRLENS_MAX_TEXT_CHARACTERS", "20")
    limits.cache_clear()
    scorer.score(whole(["x" * 20]))
    with pytest.raises(InputError, match="21 characters"):
        scorer.score(whole(["x" * 21]))


def test_texts_longer_than_the_window_are_scored_whole_and_windows_too_long_or_too_short_are_refused(opened):
    text = " ".join(["The keys to the cabinet are on the table."] * 8)
    for policy in ({}, {"window": 8}, {"window": 8, "stride": 8}, {"window": 4}):
        fields = {name: value for name, value in policy.items() if name in opened.kind.reads}
        (score,) = opened(**fields).score(whole([text]))
        assert score.n_scored >= len(score.tokens) - 1
        assert score.spans[-1][1] == len(text)
    for window, said in ((1, "window of 1 token"), (1_000_000, "can see")) if "window" in opened.kind.reads else ():
        with pytest.raises(PolicyError, match=said):
            opened(window=window)


def test_extras_and_temperatures_leave_the_scores_alone(opened, usual):
    for plain, full in zip(usual, opened().score(whole(TEXTS), EVERYTHING), strict=True):
        alike(full, plain)
        n = len(full.tokens)
        assert all(len(getattr(full, name)) == n + 1 for name in AT_WORD_ENDS)
        assert (len(full.entropies), len(full.tops)) == (n, n)
        assert all(getattr(plain, name) is None for name in (*AT_WORD_ENDS, "entropies", "tops"))
        for value, token, top in zip(full.logprobs, full.tokens, full.tops, strict=True):
            assert [one for _, one in top] == sorted((one for _, one in top), reverse=True)
            if top and top[0][0] == token:
                assert value == pytest.approx(top[0][1], abs=TOLERANCE)
    temperatures = (1e-3, 0.5, 1 + 1e-9, 8.0)
    texts = [*whole(TEXTS[:4]), Request("The keys", " are on the table")]
    tempered = opened().score(texts, Extras(temperatures=temperatures))
    for plain, score in zip(opened().score(texts), tempered, strict=True):
        alike(score, plain)
        assert plain.tempered is None and tuple(score.tempered) == temperatures
        assert score.tempered[1 + 1e-9] == pytest.approx(score.logprobs, abs=TOLERANCE, nan_ok=True)
        assert score.total_at(1 + 1e-9) == pytest.approx(score.total, abs=TOLERANCE * len(score.ids), nan_ok=True)
        for values in score.tempered.values():
            assert [*map(math.isnan, values)] == [*map(math.isnan, score.logprobs)]
            assert all(value <= 1e-6 for value in values if not math.isnan(value))


def test_only_the_policy_fields_it_reads_change_its_scores(opened, usual):
    """So the others may stay out of a score's identity."""
    changed = {field: list(choices)[-1] for field, choices in CHOICES.items() if field not in opened.kind.reads}
    alone = {field: Policy(**{field: value}).scoring((field,)) for field, value in changed.items()}
    assert all(scoring != Policy().scoring((field,)) for field, scoring in alone.items())
    for score, expected in zip(opened(**changed).score(whole(TEXTS[:3])), usual[:3], strict=True):
        alike(score, expected)  # weights opened twice lie elsewhere in memory, which can move the last bit


@given(text=st.text(min_size=1, max_size=60))
def test_any_text_is_scored_or_refused_in_words(opened, text):
    try:
        (score,) = opened().score(whole([text]))
    except InputError as error:
        assert str(error)
        return
    assert score.tokens
    assert all(0 <= start <= end <= len(text) for start, end in score.spans)


@pytest.mark.parametrize("opened", TELESCOPING, indirect=True)
@given(cut=st.integers(0, len(TEXTS[2]) - 1))
def test_sums_telescope(opened, cut):
    """log p(text) = log p(context) + log p(continuation | context) where the join is one of tokens."""
    policy = {"first_token": "none"} if "first_token" in opened.kind.reads else {}
    scorer, text = opened(**policy), TEXTS[2]
    (full,) = scorer.score(whole([text]))
    starts = [0, *(start - text[start - 1].isspace() for start, _ in full.spans[1:])]
    join = max(start for start in starts if start <= cut)
    if join == 0:
        return
    context, continuation = text[:join], text[join:]
    (before,), (after,) = scorer.score(whole([context])), scorer.score([Request(context, continuation)])
    assert before.tokens + after.tokens == full.tokens
    before_total = before.total if before.n_scored else 0.0
    assert before_total + after.total == pytest.approx(full.total, abs=TOLERANCE)


def test_the_registry_knows_what_to_use_also_with_another_kind_or_without_a_start_symbol(tiny):
    assert (default_for("causal"), default_for("unigram")) == ("causal", "unigram")
    by_kind = {"masked": ["masked", "mntp"], "seq2seq": ["seq2seq", "seq2seq_mask"], "classifier": ["entailment"]}
    assert {kind: accepting(kind) for kind in by_kind} == by_kind
    with pytest.raises(ModelError, match="No scorer can use a talking model"):
        default_for("talking")
    for scorer, model, words in (("causal", "bert", "masked or mntp"), ("masked", "gpt2", "causal")):
        with pytest.raises(ModelError, match=f"is a {words.split()[0]} model; take the scorer {words}"):
            SCORERS[scorer].open(find(tiny(model)), Policy())
    bare = find(tiny("gpt2", tokenizer="byte-bpe-bare"))
    for first_token in ("bos", "bos-unscored", "separate"):
        with pytest.raises(ModelError, match="--first-token none"):
            SCORERS["causal"].open(bare, Policy(first_token=first_token))
    assert SCORERS["causal"].open(bare, Policy(first_token="one")).score(whole(["The cat"]))[0].n_scored > 0
