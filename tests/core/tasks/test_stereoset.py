"""StereoSet as a task: examples as items, what is asked about them by which rule, and the numbers of a run."""

import json

import pytest

from pairlens.analysis.paired import paired
from pairlens.analysis.summary import summarise, summary_in_words
from pairlens.errors import PolicyError
from pairlens.files.stereoset.as_items import ended, in_context, item, items, without_word
from pairlens.files.stereoset.examples import BLANK, GOLD_LABELS, INTERSENTENCE, INTRASENTENCE, Candidate3, Example
from pairlens.files.stereoset.reading import read_examples
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset, preset_for
from pairlens.rules import RULES
from pairlens.studies.stereoset.classes import CLASSES, class_named, usual_class
from pairlens.tasks import TASKS
from pairlens.types import GAP, Candidate, Request
from tests.candidate_table import candidate_table

TASK = TASKS["stereoset"]
SAMPLE = ROOT / "data" / "samples" / "stereoset" / "dev.json"


def example(context, *sentences, kind=INTRASENTENCE, words=("", "", "")):
    candidates = tuple(
        Candidate3(f"c{place}", sentence, word, label)
        for place, (sentence, word, label) in enumerate(zip(sentences, words, GOLD_LABELS, strict=True))
    )
    return Example("e", kind, "Koch", "profession", context, candidates, target_original="cook")


COOK = example("The Cook was BLANK.", "The cook was hot.", "The cook was cold.", "The cook was seven.")


def test_examples_are_items_as_the_file_has_them_or_from_their_context():
    found = read_examples(SAMPLE)
    read = list(TASK.read(SAMPLE))
    assert [one.id for one in read] == [one.id for one in found]
    assert {one.groups["kind"] for one in read} == {INTRASENTENCE, INTERSENTENCE}
    assert item(COOK).groups == {"target": "cook", "bias_type": "profession", "kind": INTRASENTENCE}
    assert item(COOK).candidates[0].text == "The cook was hot."
    assert item(COOK, from_context=True).candidates[0].text == "The Cook was hot."
    assert not any(c.regions or c.context for c in item(COOK, from_context=True).candidates)


def test_words_in_their_context_and_cases_are_asked_about_with_or_without_a_space():
    word, *_ = item(COOK, words=True).candidates
    assert word == Candidate("The Cook was hot.", "stereotype", regions={"word": (13, 16)})
    assert {rule: [*RULES[rule].terms(word)] for rule in ("gap", "gap_unspaced", "conditional")} == {
        "gap": [Request("The Cook was", " hot", ".")], "gap_unspaced": [Request("The Cook was ", "hot", ".")],
        "conditional": [Request("", "The Cook was hot.")],
    }  # fmt: skip
    for text, expected in (
        ("Hot it was.", Request("", "Hot", " it was.")),
        ("It was (Hot).", Request("It was (", "Hot", ").")),
    ):
        start = text.index("Hot")
        (request,) = RULES["gap"].terms(Candidate(text, "a", regions={"word": (start, start + 3)}))
        assert request == expected and request.text == text
    candidate = Candidate(" He left.", "stereotype", "It is hot.")
    asked = {name: [*RULES[name].terms(candidate)] for name in ("cases", "cases_unspaced")}
    first = [Request("It is hot.", " He left."), Request("", "It is hot.")]
    alone = {"cases": Request("", " He left."), "cases_unspaced": Request("", "He left.")}
    assert asked == {name: [*first, request] for name, request in alone.items()}
    *_, alone = RULES["cases_unspaced"].terms(Candidate("  He left. ", "stereotype", "It is hot. "))
    assert alone == Request("", " He left. "), "only the space between them is left out"
    assert RULES["cases"].weights == RULES["cases_unspaced"].weights == (1, 0, 0)
    whole = Candidate("He left.", "stereotype")
    assert {*RULES["cases"].terms(whole)} == {*RULES["gap"].terms(whole)} == {Request("", "He left.")}


def test_words_that_blank_is_glued_to_are_found_both_blanks_filled_and_contexts_closed_where_asked():
    glued = example(
        "They BLANKed it.", "They cooked it.", "They painted it.", "They noticed it.",
        words=("cooked", "painted", "noticed"),
    )  # fmt: skip
    one, *_ = glued.candidates
    ours, theirs = in_context(glued, one), in_context(glued, one, published=True)
    assert ours.text == "They cooked it." and ours.text[slice(*ours.regions["word"])] == "cook"
    assert theirs.text == "They cookeded it." and theirs.text[slice(*theirs.regions["word"])] == "cooked"
    twice = example(
        "A BLANK is a BLANK.", "A pot is a pot.", "A pan is a pan.", "A sea is a sea.", words=("pot", "pan", "sea")
    )
    one, *_ = twice.candidates
    assert in_context(twice, one) == Candidate("A pot is a pot.", "stereotype", regions={"word": (2, 5)})
    assert in_context(twice, one, published=True).text == f"A pot is a {GAP}."
    none = "no word for BLANK in one of its sentences"
    assert without_word(example("The cook.", "a", "b", "c")) == "its context has no BLANK"
    assert without_word(example("The BLANK.", "No word", "b", "c")) == without_word(COOK, published=True) == none
    assert without_word(COOK) == ""
    pair = example("It is hot", "He left.", "She left.", "Seven.", kind=INTERSENTENCE)
    assert [c.context for c in item(pair).candidates] == ["It is hot"] * 3
    assert [c.context for c in item(pair, closed=True).candidates] == ["It is hot."] * 3
    assert [c.text for c in item(pair).candidates] == [" He left.", " She left.", " Seven."]
    assert [ended(text) for text in ("a", "a.", "a!", "a?", 'a."')] == ["a.", "a.", "a!", "a?", 'a.".']


def test_each_kind_of_model_is_asked_in_its_own_way_by_its_published_name():
    for kind, name in (("causal", "GPT2LM"), ("unigram", "GPT2LM"), ("masked", "BertLM"), ("seq2seq", "T5LM")):
        assert {usual_class(task, kind).name for task in (INTRASENTENCE, INTERSENTENCE)} == {name}
    assert usual_class(INTERSENTENCE, "next-sentence").name == "BertNextSentence"
    with pytest.raises(PolicyError, match=r"next-sentence model cannot be asked about intrasentence .*--skip-intra"):
        usual_class(INTRASENTENCE, "next-sentence")
    assert {"BertLM", "GPT2LM", "T5LM", "mT5LM"} == set(CLASSES[INTRASENTENCE])
    assert {"BertNextSentence", "ModelNSP", "GPT2LM", "T5LM", "mT5LM", "BertLM"} == set(CLASSES[INTERSENTENCE])
    assert all(one.rule in TASK.rules for classes in CLASSES.values() for one in classes.values())
    with pytest.raises(PolicyError, match=r"no intrasentence model 'BertLm'\. Did you mean 'BertLM'\?.*auto"):
        class_named(INTRASENTENCE, "BertLm")


def scored(*triples):
    """A candidate table of intersentence examples: target, then the scores of the three candidates."""
    three = [Candidate3(label, f"{label}.", "", label) for label in GOLD_LABELS]
    asked = [Example(f"{n}", INTERSENTENCE, row[0], "gender", "A.", tuple(three)) for n, row in enumerate(triples)]
    return candidate_table(items(asked), lambda one, c: (triples[int(one.id)][1 + GOLD_LABELS.index(c.label)], 1))


A1 = scored(("X", 0.5, 0.4, 0.1), ("X", 0.2, 0.3, 0.25), ("X", 0.2, 0.2, 0.3), ("Y", 0.9, 0.1, 0.5))
"""Three examples of one term and one of another, with a tie."""


def test_ss_has_ties_half_or_as_published_and_turns_with_swapped_labels():
    def ss_of_x(name):
        rows = METRICS["ss"].statistics(A1[A1["target"] == "X"], preset(name))
        assert int(rows["tie"].sum()) == 1
        return METRICS["ss"].value(rows)

    assert (ss_of_x("pairlens"), ss_of_x("stereoset")) == pytest.approx((0.5, 1 / 3))
    swapped = A1.assign(label=A1["label"].replace({GOLD_LABELS[0]: GOLD_LABELS[1], GOLD_LABELS[1]: GOLD_LABELS[0]}))
    ours, theirs = (METRICS["ss"].statistics(table, preset("pairlens"))["correct"] for table in (A1, swapped))
    assert (ours + theirs).tolist() == [1] * 4


@pytest.mark.slow
def test_examples_of_a_term_are_taken_together():
    """12 terms of four examples each; the second run differs from the first in every example of three terms."""
    usual = [(f"t{place // 4}", 0.5, 0.4 + 0.2 * (place % 2), 0.1) for place in range(48)]
    first, second = scored(*usual), scored(*((term, 0.5, 0.6, 0.1) for term, *_ in usual[:12]), *usual[12:])
    rows = summarise(first, TASK, preset("stereoset"), only=("ss", "icat")).query("group_by == 'overall'")
    counts = {(row["name"], row["group"], row["over"]): row["n_clusters"] for _, row in rows.iterrows()}
    assert counts == {
        ("ss", "macro", "items"): 12, ("ss", "micro", "items"): 12, ("icat", "all", "items"): 12,
    }  # fmt: skip
    assert "over 12 target terms" in summary_in_words(rows.iloc[-1], TASK.clusters)
    policies = (preset("stereoset"),) * 2
    compared = paired(first, second, TASK, policies, "ss").set_index("group")
    whole, term = compared.loc["macro"], compared.loc["t0"]
    assert (whole["n"], whole["n_clusters"], whole["p"]) == (48, 12, 0.25)
    assert (whole["only_a"], whole["p_mcnemar"]) == (6, 2 / 64)
    assert (term["n_clusters"], term["p"]) == (4, 0.5)


def test_an_id_that_both_tasks_have_names_two_items_of_means_per_token(tmp_path):
    document = json.loads(SAMPLE.read_text())
    for entries in document["data"].values():
        for number, entry in enumerate(entries):
            entry["id"] = str(number)
    (tmp_path / "dev.json").write_text(json.dumps(document))
    ids = [one.id for one in TASK.read(tmp_path / "dev.json")]
    assert len(set(ids)) == len(ids) == 90
    assert ids[::45] == ["0", "0 (intersentence)"]
    for name in ("pairlens", "minicons", "babylm-2025", "nlpscholar", "lm-eval", "stereoset"):
        assert preset_for(name, TASK.sets).sentence_value == "mean"


def test_the_real_examples_make_items(shared_data):
    read = list(TASK.read(shared_data("stereoset/dev_en_reconstructed.json.gz")))
    assert len(read) == 4229 and len({one.id for one in read}) == 4229
    assert len({one.groups["target"] for one in read}) == 79
    found = read_examples(shared_data("stereoset/dev_en_reconstructed.json.gz"))
    assert not [one for one in found.intrasentence if without_word(one) or without_word(one, published=True)]
    pairs = [(one, candidate) for one in found.intrasentence for candidate in one.candidates]
    published = [(one.context.replace(BLANK, c.word), c.sentence) for one, c in pairs]
    assert sum(a != b and a.casefold() == b.casefold() for a, b in published) == 2373
    assert sum(a.casefold() != b.casefold() for a, b in published) == 12
    ours = [(in_context(one, c).text, c.sentence) for one, c in pairs]
    assert sum(a.casefold() != b.casefold() for a, b in ours) < 12, "BLANK that is glued to letters is found"
    assert sum(ended(one.context) != one.context for one in found.intersentence) == 299
