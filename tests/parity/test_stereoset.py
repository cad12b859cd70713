"""StereoSet against two straightforward programs: ours, term by term, and the published one as its formulas say.

Both run transformers on one text at a time and share nothing with `pairlens` but the examples. A function below gives
the logarithms of a candidate's scores by case.
"""

import json
import math
from functools import partial
from operator import itemgetter

import pytest

from pairlens.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE, in_place
from pairlens.files.stereoset.reading import read_examples
from pairlens.policies import preset
from pairlens.store import Store
from pairlens.studies.stereoset import runs as stereoset_runs
from pairlens.studies.stereoset.cases import CASES
from pairlens.studies.stereoset.classes import StereoSetChoices
from tests.parity import plain
from tests.parity.originals.stereoset_asked import CONTEXTS, GAPS, LABELS
from tests.thinned import one_of_each

TOLERANCE = 1e-4
EXAMPLES = {
    INTRASENTENCE: [
        GAPS[1],
        ("No author that the BLANK liked has ever seen a BLANK asleep.", ("senators", "boys", "cabinets")),
        ("They think that nobody would BLANKed the stories.", ("paint", "laugh", "boat")),
    ],
    INTERSENTENCE: CONTEXTS[:2],
}


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    document = {"version": "1.0", "data": {}}
    for task, rows in EXAMPLES.items():
        document["data"][task] = [
            {
                "id": f"{task}{number}", "target": "cook", "bias_type": "profession", "context": context,
                "sentences": [
                    {
                        "id": f"{task}{number}-{place}", "gold_label": label,
                        "sentence": context.replace("BLANK", one) if task == INTRASENTENCE else one,
                    }
                    for place, (one, label) in enumerate(zip(candidates, LABELS, strict=True))
                ],
            }
            for number, (context, candidates) in enumerate(rows)
        ]  # fmt: skip
    path = tmp_path_factory.mktemp("stereoset") / "dev.json"
    path.write_text(json.dumps(document))
    return read_examples(path)


def agree(examples, folder, scores, like="pairlens", **choices):
    """What we predict for the task, the first word of the function's name, is what the function says."""
    task = INTRASENTENCE if scores.__name__.startswith("within") else INTERSENTENCE
    model, model_class = stereoset_runs.model_and_class(task, str(folder))
    asked = stereoset_runs.ask(
        examples.by_kind[task], task, model, model_class, preset(like), StereoSetChoices(**choices)
    )
    store = Store(shipped=None)
    assert [*stereoset_runs.run(asked, store)][-1].done
    predictions = stereoset_runs.predictions([asked], store, list(CASES))
    candidates = {one.id: (example, one) for example in examples.by_kind[task] for one in example.candidates}
    assert dict(predictions["d"].by_kind[task]).keys() == candidates.keys()
    for id, (example, candidate) in candidates.items():
        for case, value in scores(folder, example, candidate).items():
            assert math.log(predictions[case].by_kind[task][id]) == pytest.approx(value, abs=TOLERANCE), (id, case)


def mean(values):
    return math.fsum(values) / len(values)


def by_case(context, after, alone):
    """The table of the cases, written out."""
    whole, after, alone, context = mean(context + after), mean(after), mean(alone), mean(context)
    return {
        "d": after, "orig": alone - context, "c": whole, "e": after - alone, "f": whole - alone, "b": after - whole,
    }  # fmt: skip


def closed(context):
    return context if context[-1] in ".!?" else context + "."


# Ours


after_symbol = partial(plain.causal, start=True)


def between_causal(folder, example, candidate):
    _, tokenizer = plain.parts(folder, "causal")
    a = closed(example.context)
    text = f"{a} {candidate.sentence}"
    offsets = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True).offset_mapping
    n = sum(end <= len(a) for _, end in offsets)
    whole = after_symbol(folder, text)
    return by_case(whole[:n], whole[n:], after_symbol(folder, f" {candidate.sentence}"))


def within_causal(folder, _, candidate):
    return {"d": mean(after_symbol(folder, candidate.sentence))}


def within_masked(folder, example, candidate):
    """Piece by piece in the whole sentence: what is hidden stands in the stretch of letters that the word is in."""
    model, tokenizer = plain.parts(folder, "masked")
    ids, places, stop = pieces(tokenizer, example, candidate)
    framed, bare = tokenizer("a").input_ids, tokenizer("a", add_special_tokens=False).input_ids
    start = next(i for i in range(len(framed)) if framed[i : i + len(bare)] == bare)
    values = []
    for place in places:
        hidden = [tokenizer.mask_token_id if place <= i < stop else id for i, id in enumerate(ids)]
        row = [*framed[:start], *hidden, *framed[start + len(bare) :]]
        values.append(plain.distribution(model, row, start + place)[ids[place]].item())
    return {"d": math.fsum(values)}


def within_seq2seq(folder, example, candidate):
    """What a decoder says of the mask."""
    model, tokenizer = plain.parts(folder, "seq2seq")
    before, after, start, mask = plain.question(tokenizer, family(tokenizer))
    ids, places, stop = pieces(tokenizer, example, candidate)
    rows = [(ids[place], [*before, *ids[:place], mask, *ids[stop:], *after]) for place in places]
    return {"d": math.fsum(plain.decoded(model, row, [start, mask])[id].item() for id, row in rows)}


def family(tokenizer):
    return "t5" if tokenizer.mask_token is None else "bart"


def pieces(tokenizer, example, candidate):
    """Ids of the whole text; the places of the word's pieces; where the stretch without spaces ends that it is in.

    The word with the space before it, its first place scored, a second one showing it.
    """
    before, _, after = example.context.partition("BLANK")
    word = in_place(example.context, candidate.sentence) or candidate.word
    start, text = len(before.rstrip()), before + word + after.replace("BLANK", word)
    end = letters = len(before + word)
    row = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    places = [i for i, (s, e) in enumerate(row.offset_mapping) if e > start and s < end]
    while letters < len(text) and text[letters].isalnum():
        letters += 1
    stop = next((i for i, (s, e) in enumerate(row.offset_mapping) if s >= letters), len(row.input_ids))
    return row.input_ids, places, stop


def between_seq2seq(folder, example, candidate):
    """Candidate tokens only are counted."""
    architecture = family(plain.parts(folder, "seq2seq")[1])
    b = f" {candidate.sentence}"
    asked = (("", example.context), (example.context, b), ("", b))
    return by_case(*(plain.continued(folder, architecture, *texts) for texts in asked))


# The published program, from its formulas


def within_causal_as_published(folder, _, candidate):
    """Inverse perplexities of sentences: the first token given the end-of-text token, the others without it."""
    model, tokenizer = plain.parts(folder, "causal")
    ids = tokenizer(candidate.sentence, add_special_tokens=False).input_ids
    start = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
    rows = [[start], *(ids[:i] for i in range(1, len(ids)))]
    return {"d": mean([plain.distribution(model, row, -1)[id].item() for row, id in zip(rows, ids, strict=True)])}


def within_masked_as_published(folder, example, candidate, space=""):
    """The mean of probabilities of a word's pieces, one mask in place of the rest of the word."""
    model, tokenizer = plain.parts(folder, "masked")
    pieces, said = tokenizer(space + candidate.word, add_special_tokens=False).input_ids, []
    for place, id in enumerate(pieces):
        written = tokenizer.decode(pieces[:place]).strip() + tokenizer.mask_token
        ids = tokenizer(example.context.replace("BLANK", written)).input_ids
        said.append(math.exp(plain.distribution(model, ids, ids.index(tokenizer.mask_token_id))[id].item()))
    return {"d": math.log(mean(said))}


def within_masked_after_a_space(folder, example, candidate):
    return within_masked_as_published(folder, example, candidate, "" if example.context.startswith("BLANK") else " ")


CAUSAL, MASKED, SEQ2SEQ = ("gpt2", "llama", "gemma"), ("bert", "roberta", "deberta-v2"), ("t5", "bart")


@pytest.mark.parametrize(
    ("scores", "architecture"),
    one_of_each(
        (
            *((between_causal, name) for name in CAUSAL),
            *((within_causal, name) for name in CAUSAL[1:]),
            *((within_masked, name) for name in MASKED),
            *((within_seq2seq, name) for name in SEQ2SEQ),
            *((between_seq2seq, name) for name in SEQ2SEQ),
        ),
        itemgetter(0),
    ),
)
def test_scores_are_those_of_plain_code(scores, architecture, tiny, examples):
    agree(examples, tiny(architecture), scores)


@pytest.mark.parametrize(
    ("scores", "architecture"),
    one_of_each(
        ((within_causal_as_published, "qwen2"), *((within_masked_as_published, name) for name in MASKED)),
        itemgetter(0),
    ),
)
def test_the_presets_scores_are_those_of_the_published_formulas(scores, architecture, tiny, examples):
    agree(examples, tiny(architecture), scores, "stereoset")


@pytest.mark.parametrize("architecture", ["bert", "roberta"])
def test_the_preset_reads_a_word_after_a_space_where_that_is_chosen(architecture, tiny, examples):
    agree(examples, tiny(architecture), within_masked_after_a_space, "stereoset", spaced=True)
