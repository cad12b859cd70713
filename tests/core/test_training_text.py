"""Training text: reading, choosing sentences, and keeping evaluation data out."""

from __future__ import annotations

import gzip
import json
import lzma
import os
from pathlib import Path

import pytest

from core.errors import InputError
from core.training.exclusion import benchmark_strings, exclusion, normal
from core.training.prepare import prepare_file
from core.training.sentences import is_wanted, open_lines, paragraphs, tidy
from core.training.sources import ENGLISH

SHARED = Path(os.environ.get("PAIRLENS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
TEXT = """The old house stood near the river.
It was very quiet in the evening.

Thou hast not seen the valley yet.
The boy laughs loudly.
My brother said that the boy laughs loudly every day.
He slept.
The CATS that annoy Tim, scratch the door!
Nobody could find the key to the cellar.
"""


def test_reads_plain_gzip_and_xz(tmp_path: Path):
    (tmp_path / "a.txt").write_text("One.\nTwo é.\n", encoding="utf-8")
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress("One.\r\nTwo é.\r\n".encode()))
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress("One.\nTwo é.".encode()))
    for name in ("a.txt", "a.txt.gz", "a.txt.xz"):
        assert list(open_lines(tmp_path / name)) == ["One.", "Two é."]


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.txt", b"\xff\xfe\xfa"), ("a.txt.gz", b"not gzip"), ("a.txt.xz", b"not xz")],
)
def test_unreadable_text_is_one_sentence(tmp_path: Path, name: str, content: bytes):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match="not readable"):
        list(open_lines(tmp_path / name))


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(InputError, match=r"no text file .*gone\.txt"):
        list(open_lines(tmp_path / "gone.txt"))


def test_blank_lines_end_paragraphs():
    assert list(paragraphs(["a", "b", "", "  ", "c"])) == [["a", "b"], ["c"]]


def test_tidy_joins_spaces_and_drops_a_lone_quotation_mark():
    assert tidy('"There ,  that is all .') == "There, that is all."
    assert tidy('"There," he said.') == '"There," he said.'


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("The letters were very old.", True),
        ('"I do not know," she said.', True),
        ("He slept.", False),
        ("Thou hast seen the valley.", False),
        ("the start is a small letter.", False),
        ("The end has no mark", False),
        ("A strange sign ☃ is inside.", False),
        (" ".join(["Word"] * 41) + ".", False),
    ],
)
def test_wanted_sentences(sentence: str, wanted: bool):
    assert is_wanted(sentence) is wanted


def test_normal_form_ignores_case_marks_and_spaces():
    assert normal('  "The  DOG\'s bone," he_said! ') == "the dogs bone hesaid"


def test_equal_sentences_are_forbidden_and_containing_ones_only_for_held_out_text():
    forbidden = exclusion(["The cats annoy Tim."], ["The boy laughs loudly.", "He slept."])
    assert forbidden.forbids("the cats annoy tim")
    assert not forbidden.forbids("I think the cats annoy Tim.")
    assert forbidden.forbids("I think the boy laughs loudly now.")
    assert forbidden.forbids("He slept.")
    assert not forbidden.forbids("He slept in the barn.")


def test_passages_forbid_their_sentences():
    forbidden = exclusion(["What did you get?\nI got a new chair. It is red."], [])
    assert forbidden.forbids("I got a new chair.")


def test_prepared_text_holds_no_forbidden_sentence(tmp_path: Path):
    (tmp_path / "raw.txt").write_text(TEXT, encoding="utf-8")
    forbidden = exclusion(["The cats that annoy Tim scratch the door."])
    made = prepare_file(tmp_path / "raw.txt", tmp_path / "out" / "text.txt.gz", forbidden)
    assert list(paragraphs(open_lines(made.path))) == [
        ["The old house stood near the river.", "It was very quiet in the evening."],
        ["Nobody could find the key to the cellar."],
    ]
    assert (made.sentences, made.words, made.forbidden) == (3, 22, 3)


def test_benchmark_strings_come_from_lines_of_json_and_tables(tmp_path: Path):
    item = {"good": "The dog barks.", "more": [{"bad": "The dog bark."}], "n": 1}
    (tmp_path / "a.jsonl").write_text(json.dumps(item) + "\n\n", encoding="utf-8")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"True\tthe author laughs\n"))
    found = list(benchmark_strings(tmp_path))
    assert found == ["The dog barks.", "The dog bark.", "True\tthe author laughs"]
    assert exclusion(found, []).forbids("The author laughs.")


@pytest.mark.skipif(not (SHARED / "data" / "blimp").is_dir(), reason="no benchmark data here")
def test_no_blimp_sentence_passes(tmp_path: Path):
    forbidden = exclusion(benchmark_strings(SHARED / "data" / "blimp" / "data"))
    pairs = SHARED / "data" / "blimp" / "data" / "anaphor_number_agreement.jsonl.gz"
    lines = [json.loads(line)["sentence_good"] for line in open_lines(pairs)]
    (tmp_path / "raw.txt").write_text("\n".join([*lines, TEXT]), encoding="utf-8")
    made = prepare_file(tmp_path / "raw.txt", tmp_path / "text.txt.gz", forbidden)
    kept = {normal(line) for line in open_lines(made.path)}
    assert made.forbidden > 800
    assert not kept & {normal(line) for line in lines}


@pytest.mark.skipif(not (SHARED / "corpora" / "en").is_dir(), reason="no corpora here")
def test_a_corpus_file_is_free_of_benchmark_sentences(tmp_path: Path):
    source = next(one for one in ENGLISH if one.file.startswith("african"))
    forbidden = exclusion(benchmark_strings(SHARED / "data" / "blimp" / "data"))
    made = prepare_file(SHARED / "corpora" / "en" / source.file, tmp_path / "t.txt.gz", forbidden)
    kept = {normal(line) for line in open_lines(made.path)}
    assert made.sentences > 5000
    assert not kept & forbidden.exact
    assert not any(" the boy laughs loudly " in f" {line} " for line in kept)
