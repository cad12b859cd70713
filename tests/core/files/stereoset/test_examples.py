"""Examples: both published formats into the same nouns and back, and whatever is odd said and counted."""

import gzip
import json
import pickle
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError
from pairlens.files.stereoset import examples as stereoset
from pairlens.files.stereoset.examples import STEREOTYPE, Candidate3, blank_remarks, in_place, published_word
from pairlens.files.stereoset.reading import read_examples, wide_table, write_original
from pairlens.files.tables import write_table

SAMPLE = Path("data/samples/stereoset/dev.json")
WIDE = Path("data/samples/stereoset_wide")


def entry(name="x", context="The cook was BLANK.", words="hot cold seven"):
    return {
        "id": name,
        "target": "cook",
        "bias_type": "profession",
        "context": context,
        "sentences": [
            {"id": f"{name}-{place}", "sentence": context.replace("BLANK", word), "gold_label": label}
            for place, (word, label) in enumerate(zip(words.split(), stereoset.GOLD_LABELS, strict=True))
        ],
    }


def write(path, *intrasentence, intersentence=()):
    data = {"intrasentence": list(intrasentence), "intersentence": list(intersentence)}
    path.write_text(json.dumps({"version": "1.0", "data": data}))
    return path


def bad(number=0, **fields):
    """An entry that is changed, or one of its sentences, counted from 1."""
    changed = entry("bad")
    if number:
        changed["sentences"][number - 1] |= fields
        return changed
    return changed | fields


def test_the_json_and_the_wide_tables_are_the_same_examples_with_what_the_file_says():
    original = read_examples(SAMPLE)
    wide = stereoset.joined(*(read_examples(WIDE / f"df_{kind}_en.csv", kind=kind) for kind in original.by_kind))
    assert (wide.intrasentence, wide.intersentence) == (original.intrasentence, original.intersentence)
    assert wide.language == "en"
    assert not original.left_out and not original.notes
    example = read_examples(SAMPLE).intrasentence[1]
    assert (example.id, example.term, example.bias_type) == ("within-baker-2", "baker", "profession")
    assert example.of(STEREOTYPE).sentence == "Our baker gets up very early."
    assert [candidate.word for candidate in example.candidates] == ["late", "wooden", "early"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".jsonl", ".xlsx", ".json"])
def test_what_is_written_is_read_again(ending, tmp_path):
    before, path = read_examples(SAMPLE), tmp_path / f"both{ending}"
    write_original(before, path) if ending == ".json" else write_table(wide_table(before), path)
    assert read_examples(path) == before


def test_a_table_has_the_columns_of_the_successor_in_its_order():
    def each(*names):
        return [f"c{n}_{name}" for n in (1, 2, 3) for name in names]

    start = ["id", "target", "bias_type", "context"]
    between = [*start, *each("sentence", "gold_label"), *each("id", "labels")]
    english = [*start, *each("word", "gold_label"), *each("sentence", "id", "labels")]
    for language, columns in (("en", english), ("fr", [*between, *each("word")])):
        examples = read_examples(SAMPLE, language=language)
        assert list(wide_table(examples, ["intrasentence"])) == columns
        assert list(wide_table(examples, ["intersentence"])) == between
        assert list(wide_table(examples)) == [*columns, "task"]


JUDGEMENT = {"label": "related", "human_id": "h1"}


@pytest.mark.parametrize("written", [json.dumps([JUDGEMENT]), repr([JUDGEMENT]), [JUDGEMENT]])
def test_annotators_judgements_are_read_however_they_are_written(written, tmp_path):
    table = wide_table(read_examples(write(tmp_path / "a.json", entry()))).astype(object)
    table.at[0, "c2_labels"] = written
    table.to_json(tmp_path / "b.jsonl", orient="records", lines=True)
    (example,) = read_examples(tmp_path / "b.jsonl").intrasentence
    assert [candidate.labels for candidate in example.candidates[:2]] == [(), (("h1", "related"),)]


def test_files_may_be_packed_numbered_by_pandas_translated_or_have_missing_cells(tmp_path):
    table = pd.read_csv(WIDE / "df_intrasentence_en.csv", dtype=str).assign(target="Bäcker", target_original="baker")
    path = tmp_path / "df_intrasentence_de.csv"
    table.to_csv(path, index=False)
    examples = read_examples(path)
    assert examples.language == "de"
    assert {example.term for example in examples} == {"baker"}
    write_original(examples, tmp_path / "de.json")
    assert read_examples(tmp_path / "de.json", language="de") == examples
    packed = tmp_path / "dev.json.gz"
    packed.write_bytes(gzip.compress(SAMPLE.read_bytes()))
    assert read_examples(packed) == read_examples(SAMPLE)
    numbered = tmp_path / "wide.csv"
    pd.read_csv(WIDE / "df_intersentence_en.csv").to_csv(numbered)
    assert read_examples(numbered).intersentence == read_examples(SAMPLE).intersentence
    with pytest.raises(InputError, match=r"no example can be used.*intrasentence 1: no target"):
        read_examples(write(tmp_path / "a.json", bad(target="")))
    numbered = entry("a")
    numbered["sentences"] = [sentence | {"id": n} for n, sentence in enumerate(numbered["sentences"])]
    (example,) = read_examples(write(tmp_path / "a.json", numbered)).intrasentence
    assert [candidate.id for candidate in example.candidates] == ["0", "1", "2"]
    table = pd.read_csv(WIDE / "df_intrasentence_en.csv", dtype=str).head(3)
    table["c1_id"] = pd.array([7, None, 9], "Int64")
    table.loc[2, "target"] = None
    table.to_parquet(tmp_path / "a.parquet")
    examples = read_examples(tmp_path / "a.parquet")
    assert [example.candidates[0].id for example in examples] == ["7"]
    assert [remark.text for remark in examples.left_out] == ["no id for sentence 1", "no target"]


def test_a_pickle_is_never_opened(tmp_path):
    class Opened:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "opened",))

    path = tmp_path / "df_intrasentence_en.pkl"
    path.write_bytes(pickle.dumps(Opened()))
    with pytest.raises(InputError, match=r"pickles are not opened.*read_pickle.*to_json"):
        read_examples(path)
    assert not (tmp_path / "opened").exists()


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        (bad(2, gold_label=None), "no gold label for sentence 2"),
        (bad(3, gold_label="related"), "gold label 'related' of sentence 3 is none of"),
        (bad(3, gold_label=stereoset.ANTI), "expected one of each"),
        (bad(1, id=None), "no id for sentence 1"),
        (bad(1, sentence=" "), "no sentence for sentence 1"),
        (bad(1, id="good-1"), "the id of sentence 1 (good-1) is also one of a.json, intrasentence 1"),
        (bad(1, id="bad-1"), "two of its sentences have the same id"),
        (bad(target=""), "no target"),
        (bad(context=None), "no context"),
        (bad(sentences=[]), "0 sentences, expected 3"),
        (bad(sentences="none"), "0 sentences, expected 3"),
        (bad(sentences=entry("bad")["sentences"] + entry("more")["sentences"]), "6 sentences, expected 3"),
        (bad(id=None), "no id"),
        (bad(id="good"), "its id (good) is also that of a.json, intrasentence 1"),
        (["not", "an", "example"], "no id"),
    ],
)
def test_an_example_that_cannot_be_used_is_left_out_with_its_reason(entries, reason, tmp_path):
    examples = read_examples(write(tmp_path / "a.json", entry("good"), entries, entry("other")))
    assert [example.id for example in examples] == ["good", "other"]
    (remark,) = examples.left_out
    assert remark.where == "a.json, intrasentence 2"
    assert reason in remark.text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("{", "not JSON"),
        ("3", "found a number"),
        ('{"version": "1.0"}', "found an object with 'version'"),
        ('{"data": {"intrasentence": {}}}', "must be a list"),
        ('{"intrasentence": [], "intersentence": []}', "is this a file of predictions"),
        ('[{"id": "a"}]', "expected StereoSet's JSON.*found a list. A list is read if"),
        ("[]", "expected StereoSet's JSON.*found a list"),
        ("[1, 2]", "expected StereoSet's JSON.*found a list"),
        ('[{"c1_sentence": "a"}]', "no column id, target.*Found c1_sentence"),
    ],
)
def test_a_file_of_another_structure_is_refused_in_words(content, message, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_examples(path)


def test_identical_sentences_other_bias_types_missing_words_and_all_blanks_but_one_are_noted(tmp_path):
    same = entry("a", words="hot hot seven")
    other = entry("b") | {"bias_type": "weather"}
    short = entry("c", context="So the cook was BLANK")
    short["sentences"][0]["sentence"] = "Hot"
    notes = [str(note) for note in read_examples(write(tmp_path / "a.json", same, other, short)).notes]
    assert notes == [
        "a.json, intrasentence 1: two of its sentences are identical: they tie whatever the model",
        "a.json, intrasentence 2: bias type 'weather' is none of the published ones",
        "a.json, intrasentence 3: no word for BLANK in one of its sentences",
    ]

    def remarks(context, sentence, word=""):
        word = word or published_word(context, sentence)
        return [*blank_remarks(context, [Candidate3("a", sentence, word, STEREOTYPE)])]

    assert remarks("A BLANK, then.", "A cup, then.") == []
    assert "2 times" in remarks("A BLANK and a BLANK", "A cup and a cup")[0]
    assert "no BLANK" in remarks("A gap", "A gap")[0]
    glued = "BLANK is glued to other letters (sometimes.BLANK)"
    context, sentence = "I eat sometimes.BLANK", "I eat sometimes.pizza"
    assert remarks(context, sentence) == [f"{glued}: the published rule takes sometimespizza for pizza"]
    assert remarks(context, sentence, "pizza") == [glued]  # a table that has the right word


@pytest.mark.parametrize(
    ("context", "sentence", "published", "meant"),
    [
        ("The cook was BLANK.", "The cook was hot.", "hot", "hot"),
        ("The Ghanaian was BLANK.", "The ghanaian was hot.", "hot", "hot"),
        ("BLANK cooks eat.", "Hot cooks eat.", "Hot", "Hot"),
        ("I eat sometimes.BLANK is good.", "I eat sometimes.pizza is good.", "sometimespizza", "pizza"),
        ("The man BLANKed the cook.", "The man protected the cook.", "protected", "protect"),
        ("A BLANK and a BLANK", "A cup and a pot", "pot", ""),
        ("It was BLANK-like", "It was hot-like", "hotlike", "hot"),
        ("The cook BLANK", "Hot", "", ""),
        ("No gap.", "No gap.", "", "")
    ],
)  # fmt: skip
def test_the_word_of_the_published_rule_and_the_one_in_place(context, sentence, published, meant):
    assert published_word(context, sentence) == published
    assert in_place(context, sentence) == meant


@given(
    before=st.lists(st.text("abc", min_size=1), max_size=4),
    after=st.lists(st.text("abc", min_size=1), max_size=4),
    word=st.text("xyz", min_size=1),
    mark=st.sampled_from(["", ".", "!", ","]),
)
def test_both_rules_find_the_word_where_nothing_is_glued(before, after, word, mark):
    context = " ".join([*before, "BLANK" + mark, *after])
    sentence = context.replace("BLANK", word)
    assert published_word(context, sentence) == in_place(context, sentence) == word


@pytest.mark.slow
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=3, max_size=3))
def test_any_text_survives_both_formats(tmp_path, texts):
    """Quotation marks, commas, line separators, spaces at the ends."""
    name, before, after = (f"x{text}" for text in texts)
    first = read_examples(write(tmp_path / "a.json", entry(name, f"{before} BLANK {after}")))
    write_table(wide_table(first), tmp_path / "b.csv")
    write_original(read_examples(tmp_path / "b.csv"), tmp_path / "c.json")
    assert read_examples(tmp_path / "c.json").intrasentence == first.intrasentence


@pytest.mark.slow
def test_a_table_with_a_sentence_per_row_is_the_same_examples(tmp_path):
    """The format of the Portuguese edition, rows of an example apart from each other."""
    examples = read_examples(SAMPLE)
    rows = [
        {
            "dataset_type": one.kind, "cluster_id": one.id, "bias_type": one.bias_type, "target": one.target,
            "context": one.context, "sentence": each.sentence, "gold_label": each.gold_label, "sentence_id": each.id,
            "context_pt": "", "sentence_pt": "",
        }
        for one in examples
        for each in one.candidates
    ]  # fmt: skip
    path = tmp_path / "ptbr_llm.csv"
    pd.DataFrame([*rows[::3], *rows[1::3], *rows[2::3]]).to_csv(path, index=False)
    again = read_examples(path)
    expected = (examples.intrasentence, examples.intersentence, "en")
    assert (again.intrasentence, again.intersentence, again.language) == expected
    pd.DataFrame(rows[:-1]).to_csv(path, index=False)
    assert "2 sentences, expected 3" in str(read_examples(path).left_out[0])
    rows[0]["dataset_type"] = "between"
    pd.DataFrame(rows).to_csv(path, index=False)
    with pytest.raises(InputError, match="column 'dataset_type' must be"):
        read_examples(path)


@pytest.mark.parametrize(
    ("name", "language"),
    [("dev_ptbr", "pt"), ("dev_pt-BR", "pt"), ("df_intrasentence_de_v2", "de"), ("dev_mine", "en")],
)
def test_the_name_of_a_file_says_its_language(name, language, tmp_path):
    path = tmp_path / f"{name}.json"
    path.write_bytes(SAMPLE.read_bytes())
    assert read_examples(path).language == language
