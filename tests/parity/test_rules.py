"""Rules of scoring, out of the store, against plain transformers code: what is asked of a text, what is counted."""

import dataclasses
import difflib
import gzip
import json
import math
from itertools import islice

import pytest

import pairlens
from pairlens.evaluation.evaluate import Context, evaluate, run
from pairlens.evaluation.requests import plan
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset, preset_for
from pairlens.tasks import TASKS
from pairlens.types import Candidate, Item
from tests.parity import plain
from tests.records import write

MODELS = ROOT / "data" / "models"
ENGLISH = MODELS / "english-small"


def stored(store, task, items, name, rule, preset="pairlens"):
    """Log-probabilities of the items' candidates, and how many texts were scored."""
    planned = plan(task, items, pairlens.recipe(name, policy=preset_for(preset, task.sets)), rule)
    *_, last = run(planned, Context(store))
    return store.candidates(planned.run_id)["logprob"].tolist(), last.scored


def ends(folder, head, text, start):
    """The places of the tokens that end after the text's first `start` characters."""
    _, tokenizer = plain.parts(folder, head)
    spans = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True).offset_mapping
    return [place for place, (_, end) in enumerate(spans) if end > start]


# CrowS-Pairs

CROWS_PAIRS = TASKS["crows_pairs"]
PAIRS = list(islice(CROWS_PAIRS.read(ROOT / "data" / "samples" / "crows_pairs" / "crows_pairs.csv"), 0, None, 8))


def shared(folder, first, second):
    """The two scores of Nangia et al. 2020: aligned tokens, each masked alone, special tokens never."""
    model, tokenizer = plain.parts(folder, "masked")
    texts = [tokenizer(text).input_ids for text in (first, second)]
    blocks = difflib.SequenceMatcher(None, *texts).get_matching_blocks()
    places = [(a + n, b + n) for a, b, size in blocks for n in range(size)][1:-1]
    for side, ids in enumerate(texts):
        aligned = [pair[side] for pair in places]
        rows = [[*ids[:place], tokenizer.mask_token_id, *ids[place + 1 :]] for place in aligned]
        said = plain.distributions(model, rows, aligned)
        yield sum(values[ids[place]].item() for values, place in zip(said, aligned, strict=True))


def test_what_both_sentences_share_as_in_the_paper(store):
    texts = [[candidate.text for candidate in item.candidates] for item in PAIRS]
    expected = [score for pair in texts for score in shared(MODELS / "bilingual-masked", *pair)]
    scores, _ = stored(store, CROWS_PAIRS, PAIRS, "bilingual-masked", "shared")
    assert scores == pytest.approx(expected, abs=1e-3)


# A form and the end of its word

PREFIX, FORMS = "The keys to the cabinet", ("laugh", "laughs")
MARKS = tuple('.,;:!?"()[]*_/&%')


def test_a_form_is_scored_with_the_end_of_its_word_and_without(store):
    task = dataclasses.replace(TASKS["pairs"], rules=("word", "form", "joint"), groups=("number",), averaged=())
    right, wrong = (
        Candidate(f" {form} loudly .", label, PREFIX, {"form": (0, len(form) + 1)})
        for form, label in zip(FORMS, ("correct", "wrong"), strict=True)
    )
    items = [Item("one", (right, wrong), "correct", {"number": "plural"})]
    with_ends, _ = stored(store, task, items, "english-small", "word")
    alone, scored = stored(store, task, items, "english-small", "form")
    assert scored == 0, "both rules ask the same"
    model, tokenizer = plain.parts(ENGLISH, "causal")
    texts = {id: tokenizer.decode([id]) for id in range(len(tokenizer)) if id not in tokenizer.all_special_ids}
    after = [tokenizer.eos_token_id, *(id for id, text in texts.items() if text[:1].isspace() or text[:1] in MARKS)]
    for place, form in enumerate(FORMS):
        text = f"{PREFIX} {form}"
        values = plain.causal_at_once(ENGLISH, text, start=True)
        total = sum(values[token] for token in ends(ENGLISH, "causal", text, len(PREFIX)))
        ids = [tokenizer.bos_token_id, *tokenizer(text, add_special_tokens=False).input_ids]
        end = plain.distribution(model, ids, -1)[after].logsumexp(-1).item()
        assert alone[place] == pytest.approx(total, abs=1e-4)
        # the vocabulary has rarer marks than this test lists: they weigh next to nothing
        assert with_ends[place] == pytest.approx(total + end, abs=2e-3)


# SyntaxGym: regions and what is predicted of them

CONDITIONS = ("ambig_nocomma", "ambig_comma", "unambig_nocomma", "unambig_comma")
VERB = 5


def verb_in_bits(regions):
    """The surprisal of the fifth region: of those tokens that end in it."""
    start, subordinate, comma, noun, verb, _ = (region.strip() for region in regions)
    before = f"{start} {subordinate}{comma} {noun}"
    values = plain.causal_at_once(ENGLISH, f"{before} {verb}", start=True)
    return -sum(values[place] for place in ends(ENGLISH, "causal", f"{before} {verb}", len(before))) / math.log(2)


def test_a_garden_path_suite_equals_its_computation_by_hand(store, shared_data):
    path = shared_data("syntaxgym/test_suites/json/npz_ambig.json.gz")
    *_, last = evaluate(TASKS["syntaxgym"], path, pairlens.recipe("english-small"), store)
    candidates = store.candidates(last.run_id)
    ours = candidates.set_index(["item", "label"])["logprob"]
    statistics = METRICS["first_formula"].statistics(candidates, preset("pairlens")).set_index("item")
    n_right = 0
    for item in json.loads(gzip.decompress(path.read_bytes()))["items"]:
        name = f"npz_ambig/{item['item_number']}/1"
        contents = {c["condition_name"]: [r["content"] for r in c["regions"]] for c in item["conditions"]}
        bits = {condition: verb_in_bits(contents[condition]) for condition in CONDITIONS}
        for condition in CONDITIONS:
            region = -ours[name, f"{VERB};%{condition}%"] / math.log(2)
            assert region == pytest.approx(bits[condition], abs=1e-4), (name, condition)
        nocomma, comma, other, other_comma = (bits[condition] for condition in CONDITIONS)
        leads = (nocomma - comma, nocomma - other, (nocomma - comma) - (other - other_comma))
        assert statistics.loc[name, "margin"] / math.log(2) == pytest.approx(min(leads), abs=5e-4)
        assert statistics.loc[name, "correct"] == (0.5 if min(leads) == 0 else min(leads) > 0)
        n_right += min(leads) > 0
    assert METRICS["first_formula"].value(statistics) == n_right / 24


# What a context adds (the rule `pmi`)

ITEMS = (
    ("The key is on the table. On the table is ", ("the key", "the cat and the dogs", "a book")),
    ("The boy sold the boats. The boy has ", ("no boats", "seen the stories")),
)
"""Short enough for tiny models to see all of it."""


def total(folder, head, pll, before, words):
    """log p(words | before): the sum over the tokens that end after the context."""
    whole = before + words
    if head == "causal":
        values = plain.causal(folder, whole, start=True)
    else:
        values = plain.masked(folder, whole, within_words=pll == "within_word_l2r")
    return math.fsum(values[place] for place in ends(folder, head, whole, len(before)))


@pytest.mark.parametrize(
    ("architecture", "head", "pll"),
    [
        ("gpt2", "causal", ""),
        ("llama", "causal", ""),
        ("bert", "masked", "within_word_l2r"),
        ("roberta", "masked", "original"),
    ],
)
def test_what_a_context_adds_is_a_difference(architecture, head, pll, tmp_path, tiny, store):
    records = [{"input_prefix": prefix, "options": options, "numops": 0} for prefix, options in ITEMS]
    data, asked = write(tmp_path / "regular.jsonl", *records), (tiny(architecture), head, pll)
    policy = preset("pairlens").but(**({"pll": pll} if pll else {}))
    recipe = pairlens.recipe(str(asked[0]), policy=policy)
    *_, last = evaluate(TASKS["entity_tracking"], data, recipe, store, rule="pmi")
    rows = store.candidates(last.run_id)
    assert len(rows) == 5 and rows["logprob"].notna().all()
    for row in rows.itertuples():
        expected = total(*asked, row.context, row.text) - total(*asked, " ", row.text)
        assert row.logprob == pytest.approx(expected, abs=2e-4), (row.context, row.text)
