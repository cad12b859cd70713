"""The linter on public data sets: what it finds is what an independent look at the files finds."""

import gzip
import json
from collections import Counter
from functools import cache
from itertools import islice

import pytest

from pairlens.files.tables import read_table
from pairlens.places import FOLDER as ROOT
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import read_design
from pairlens.studies.lint.check import Stimuli
from pairlens.studies.lint.running import CHECKS, lint, lint_design
from pairlens.tasks import TASKS

pytestmark = pytest.mark.usefixtures("known_counts")


def found(report, name):
    summary = report.summary
    hits = summary[summary["n"] > 0]
    sentences = dict(zip(hits["check"], report.in_words(), strict=True))
    return dict(zip(summary["check"], summary["n"], strict=True))[name], sentences.get(name, "")


@cache
def records(*files):
    packed = [(file.suffix == ".gz", file.read_bytes()) for file in files]
    whole = b"\n".join(gzip.decompress(content) if is_packed else content for is_packed, content in packed)
    return [json.loads(line) for line in whole.splitlines() if line]


def read_all(task, files):
    return [item for file in files for item in TASKS[task].read(file)]


IDENTICAL = "are identical and can only tie (passive_1: 324, 810; principle_A_case_2: 105, 287, 372, 816, 967)."
SLICE = ("passive_1", "principle_A_case_2", "matrix_question_npi_licensor_present")


@pytest.mark.parametrize(("names", "n"), [(SLICE, "3,000"), pytest.param("*", "67,000", marks=pytest.mark.soak)])
def test_blimp(shared_data, names, n):
    folder = shared_data("blimp/data")
    files = sorted(file for name in names for file in folder.glob(f"{name}.jsonl*"))
    raw = records(*files)
    report = lint(read_all("blimp", files))
    assert found(report, "identical_texts") == (7, f"7 of {n} pairs {IDENTICAL}")
    pairs = [(one["sentence_good"], one["sentence_bad"]) for one in raw]
    repeated = Counter((good, bad) for good, bad in pairs if good != bad)
    assert found(report, "duplicates")[0] == sum(count - 1 for count in repeated.values())
    assert found(report, "end_marks_differ")[0] == sum(good[-1] != bad[-1] for good, bad in pairs) == 1000
    unequal = sum(len(good.split()) != len(bad.split()) for good, bad in pairs)
    assert found(report, "word_counts")[0] == unequal
    clean = ("label_variants", "quotes", "wrong_encoding", "spaces", "normal_forms", "tokenised", "right_answers")
    assert [found(report, name)[0] for name in clean] == [0] * len(clean)


def test_frequencies_in_a_paradigm_of_blimp(shared_data):
    (file,) = shared_data("blimp/data").glob("tough_vs_raising_2.jsonl*")
    with gzip.open(ROOT / "data" / "models" / "unigram-english" / "counts.tsv.gz", "rt", encoding="utf-8") as stream:
        counts = {word: int(count) for word, count in (line.rstrip("\n").split("\t") for line in stream)}
    changed = []
    for one in records(file):
        good, bad = one["sentence_good"].split(), one["sentence_bad"].split()
        words = [pair for pair in zip(good, bad, strict=False) if pair[0] != pair[1]]
        if len(good) == len(bad) and len(words) == 1:
            changed.append([counts.get(word.strip(".,?!").lower(), 0) for word in words[0]])
    known = [(good, bad) for good, bad in changed if good and bad]
    share = sum(good > bad for good, bad in known) / len(known)
    n, sentence = found(lint(TASKS["blimp"].read(file)), "frequency")
    assert n == 1
    assert f"in {100 * share:.1f} % of {len(known)} pairs the right word is the more frequent one" in sentence
    assert (len(known), round(share, 3)) == (931, 0.801)


@pytest.mark.soak
def test_labels_of_blimp_as_they_are_in_the_files(shared_data):
    """The task of BLiMP reads both as one."""
    folder = shared_data("blimp/data")
    labels = CHECKS["label_variants"].find(Stimuli(tuple(TASKS["blimp"].read(folder)), source=folder))
    assert labels is not None
    assert labels.table["what"].tolist() == [
        "field 'syntax_semantics' (13,000 pairs in 13 paradigms) and 'syntax/semantics' (1,000 pairs in 1 paradigm), "
        "which are read as one"
    ]


@pytest.mark.soak
def test_supplement_of_blimp(shared_data):
    files = sorted(shared_data("babylm/evaluation_data/full_eval/supplement_filtered").glob("*.jsonl*"))
    report = lint(read_all("blimp", files))
    pairs = Counter((one["sentence_good"], one["sentence_bad"]) for one in records(*files))
    assert found(report, "duplicates")[0] == sum(count - 1 for count in pairs.values()) == 12
    assert found(report, "identical_texts")[0] == found(report, "spaces")[0] == 0


@pytest.mark.parametrize(
    ("language", "files", "most", "repeated", "tokenised"),
    [("de", "*_rel*", 200, 200, 0), ("fr", "*", 100, 0, 158),
     pytest.param("de", "*", None, 2800, 0, marks=pytest.mark.soak),
     pytest.param("fr", "*", None, 0, 22886, marks=pytest.mark.soak)],
)  # fmt: skip
def test_clams(shared_data, language, files, most, repeated, tokenised):
    """The German file of subject relatives has the pairs of the one of object relatives."""
    folder = sorted(shared_data(f"clams/{language}_evalset").glob(f"{files}.txt*"))
    report = lint([item for file in folder for item in islice(TASKS["clams"].read(file), most)])
    assert found(report, "duplicates")[0] == repeated and found(report, "tokenised")[0] == tokenised
    assert found(report, "capitals")[0] == found(report, "identical_texts")[0] == 0
    assert most or found(report, "length")[0] == 0


def test_qfrblimp(shared_data):
    file = shared_data("qfrblimp/datastore/QFrBLiMP/release/qfrblimp.jsonl.gz")
    raw = records(file)
    report = lint(TASKS["qfrblimp"].read(file))
    same = [number for number, one in enumerate(raw, 1) if one["sentence_a"] == one["sentence_b"]]
    n, sentence = found(report, "identical_texts")
    assert n == len(same) == 18
    assert f"(rows {', '.join(f'{number:,}' for number in same[:8])} and 10 more)" in sentence
    curly = sum(any(mark in one[side] for mark in "‘’“”„") for one in raw for side in ("sentence_a", "sentence_b"))
    assert found(report, "quotes")[0] == curly and found(report, "label_variants")[0] == 0


SAMPLES = ROOT / "data" / "samples"
EXPECTED = {
    "answers": {"several_edits", "word_counts"}, "choices": {"several_edits", "word_counts"},
    "blimp_fr": {"several_edits"}, "blimp_nl": {"several_edits"},
    "colorless_green": {"tokenised"}, "comps": {"several_edits"}, "entity_tracking": {"several_edits", "word_counts"},
    "everyday_english": {"several_edits"}, "everyday_french": {"several_edits"},
    "everyday_portuguese": {"word_counts"}, "linzen": {"tokenised"}, "qfrblimp": {"several_edits", "word_counts"},
    "reading": {"missing_fields"}, "rublimp": {"word_counts"}, "wug_adj": {"right_answers"},
    "wug_past": {"right_answers"},
}  # fmt: skip
"""What our own samples have on purpose: the form of the released files, word order, distractors, ties of speakers."""
TASK_OF = {"object_participle": "agreement", "stereoset_wide": "stereoset"}
"""Samples that are not named after their task."""
NOTHING_TO_COMPARE = {"next_sentence", "stereoset_predictions", "train"}
"""Samples that are texts or numbers, not items with candidates."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "sample", sorted({folder.name for folder in SAMPLES.iterdir() if folder.is_dir()} - NOTHING_TO_COMPARE)
)
def test_our_own_samples_are_clean(sample):
    task = TASK_OF.get(sample, sample.removesuffix("_french"))
    if task in TASKS:
        reports = [lint(TASKS[task].read(SAMPLES / sample))]
    else:
        tables = [read_table(file) for file in sorted((SAMPLES / sample).iterdir())]
        reports = [lint_design(read_design(table, guess_columns(table))) for table in tables]
    for report in reports:
        assert set(report.findings["check"]) == EXPECTED.get(sample, set())
