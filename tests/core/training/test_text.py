"""The text of a training: files of every kind, filters, pairs left out, our own sample; what is wrong with them."""

import gzip
import tomllib

import pandas as pd
import pytest

from pairlens.errors import InputError
from pairlens.files.tables import write_table
from pairlens.training.corpus import GRAMMARS, Filter, chosen, preview, read_corpus, write_text
from pairlens.training.watched_pairs import SAMPLE, read_pairs
from workshop import training_text as generated

SENTENCES = ("The cat sleeps.", "The dog who barks runs.", "Nobody knows WHICH bird sings.", "It rains.")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.tsv", "a.jsonl", "a.json", "a.xlsx", "a.parquet"])
def test_text_comes_from_every_kind_of_file(tmp_path, monkeypatch, name):
    monkeypatch.setenv("PAIRLENS_READER", "1")  # in this process: to start another takes half a second
    if name == "a.txt":
        (tmp_path / name).write_text("\n".join(SENTENCES) + "\n\n")
    else:
        write_table(pd.DataFrame({"id": range(4), "text": SENTENCES}), tmp_path / name)
    assert read_corpus([tmp_path / name]).lines == SENTENCES


def test_packed_text_paragraphs_two_files_and_what_is_not_utf_8(tmp_path, save):
    packed = tmp_path / "a.txt.gz"
    packed.write_bytes(gzip.compress("\ufeffOne two.\r\nThree.\r\n\r\nFour.\r\n".encode()))
    corpus = read_corpus([packed])
    assert corpus.lines == ("One two.", "Three.", "", "Four.") and corpus.in_paragraphs
    twice = read_corpus([packed, packed])
    assert twice.lines == (*corpus.lines, "", *corpus.lines)
    plain = save("b.txt", "A b.\nC d.\n")
    assert not read_corpus([plain, plain]).in_paragraphs
    assert len(read_corpus([plain, plain]).sequences) == 4
    written = {write_text(read_corpus([path])) for path in (plain, save("c.txt", "A b.\nC d.\n"))}
    assert len(written) == 1 and written.pop().read_text() == "A b.\nC d.\n"
    latin = save("latin.txt", "Les élèves.\nÀ l'école, ça va.\n".encode("cp1252"))
    table = save("latin.csv", "text\nForêt là-bas.\n".encode("cp1252"))
    read = read_corpus([latin, table, latin, save("plain.txt", "Une élève.\n")])
    assert read.sequences[:3] == ["Les élèves.", "À l'école, ça va.", "Forêt là-bas."]
    remark = "{} is not UTF-8; it is read as Windows-1252 (western Europe), which is a guess: '{}"
    one, other = read.remarks  # a file that is given twice is named once
    assert one.startswith(remark.format("latin.txt", "Les élèves."))
    assert other.startswith(remark.format("latin.csv", "Forêt là-bas."))


def test_what_is_no_text_says_so(save):
    for name, content, words in (
        ("empty.txt", "", "empty"),
        ("blank.txt", "\n  \n\n", "no text to train on"),
        ("image.txt", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00", "not a text file"),
        ("table.csv", "sentence,id\nA b.,1\n", r"column of texts 'text'.*sentence"),
        ("cells.csv", "id,text\n1,\n2,\n", "no text to train on"),
        ("damaged.txt.gz", b"\x1f\x8b\x08\x00damaged", "unpacked"),
    ):
        with pytest.raises(InputError, match=f"(?s){words}"):
            read_corpus([save(name, content)])


def test_filters_and_watched_sentences_say_what_goes_and_something_must_be_left(save):
    seen = preview(SENTENCES, Filter(drop=r"\b(who|which)\b"))
    assert (seen.stay, seen.go, seen.going) == (2, 2, SENTENCES[1:3])
    assert Filter(keep="^the", drop="barks").kept(SENTENCES).tolist() == [True, False, False, False]
    assert Filter().kept(SENTENCES).all()
    for expression in ("(", "a{2,1}", r"(?<=a)b", "x" * 501):
        with pytest.raises(InputError, match=r"drop: (.*not a regular expression|.*500 characters)"):
            Filter(drop=expression)
    lines = "The cat sleeps\nTHE CAT SLEEPS!\n\nThe cat sleeps here.\nIt rains.\nA dog.\n"
    found = chosen(read_corpus([save("a.txt", lines)]), Filter(drop="rains"), ["The cat sleeps."])
    assert found.sequences == ["The cat sleeps here.", "A dog."]
    assert (found.filtered, found.watched) == (1, 2)
    assert found.left_out.startswith("2 sequences to train on, 1 left out by --keep or --drop, 2 ")
    with pytest.raises(InputError, match="one sequence to train on"):
        chosen(read_corpus([save("one.txt", "One line only.\n")]), Filter())
    with pytest.raises(InputError, match=r"nothing to train on: .* 0 sequences .* 2 left out"):
        chosen(read_corpus([save("b.txt", "A b.\nC d.\n")]), Filter(keep="nowhere"))


@pytest.mark.slow
def test_our_sample_is_what_its_command_makes_has_no_watched_pair_and_example_grammars_drop_a_part_of_it():
    content = tomllib.loads((generated.FOLDER / "templates.toml").read_text("utf-8"))
    pairs = read_pairs(SAMPLE)
    made = generated.watched_pairs(content)
    assert [(pair.group, pair.good, pair.bad) for pair in pairs] == list(made.itertuples(index=False, name=None))
    lines = gzip.decompress(generated.TEXT.read_bytes()).decode().splitlines()
    assert len(lines) == len(set(lines)) > 50_000
    assert not {text for pair in pairs for text in (pair.good, pair.bad)} & set(lines)
    assert generated.TEXT.stat().st_size < 1_000_000
    few = generated.sentences({**content, "texts": content["texts"][:2]}, set())
    assert len(few) == 2 * content["sentences"] and set(few) <= set(lines)
    for grammar in GRAMMARS:
        seen = preview(lines, Filter(drop=grammar.drop))
        assert 0.04 < seen.go / len(lines) < 0.25, grammar.title
