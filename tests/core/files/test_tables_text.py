"""Reading lines and JSON records: encodings, line numbers, how many, the one sentence for what is wrong."""

import gzip
import json
import lzma
import tracemalloc

import pytest

from pairlens.files.nli.readers import read_corpus
from pairlens.files.stereoset.reading import read_examples
from pairlens.files.tables import encoding_of, read_lines, read_records, read_table, read_xml
from pairlens.tasks import TASKS
from tests.refusals import error_of

MB = 1 << 20


def test_lines_are_verbatim_and_the_end_of_a_long_file_decides_their_encoding(save):
    path = save("a.txt", " two  spaces \n\n\ttab\r\na\rb\r\r\nlast\u2028line\x85 é")
    assert read_lines(path) == [" two  spaces ", "", "\ttab", "a\rb\r", "last\u2028line\x85 é"]
    assert encoding_of(save("a.txt", b"a\n" * (MB // 4) + "Müßig für Örtliche\n".encode("cp1252"))) == "cp1252"


def test_letters_whose_bytes_look_like_line_ends_end_no_line(save):
    assert read_lines(save("a.txt", "ਊ\nഊ x\n", "utf-16")) == ["ਊ", "ഊ x"]  # U+0A0A and U+0D0A


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_records_come_with_their_line_numbers(save, encoding):
    path = save("a.jsonl", '{"a": "\\ud83d\\ude00"}\n\n  {"a": "é", "b": [1, null]}  ', encoding)
    assert list(read_records(path)) == [(1, {"a": "😀"}), (3, {"a": "é", "b": [1, None]})]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"a": 1,}', "not JSON: "),
        ('{"a" 1}', "not JSON: Expecting ':' delimiter (column 6)"),
        ('{"a": 1} x', "not JSON: Extra data (column 10)"),
        ('"text"', "expected a JSON object {...}, found a text"),
        ('{"a": -Infinity}', "-Infinity is not a JSON value"),
        ('{"a": 1, "b": 2, "a": 3}', "field 3 has the name of field 1"),
        (r'{"a": "\ud83d"}', "half a character"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "not usable JSON: Exceeds the limit"),
        ('{"a": "\x00"}', "character '\\x00' at position 8"),
    ],
)
def test_a_bad_record_is_named(save, line, found):
    path = save("a.jsonl", '{"a": 1}\n' * 11 + line + "\n")
    message = error_of(lambda: list(read_records(path)))
    assert message.startswith("a.jsonl, line 12: ") and found in message


@pytest.mark.slow
def test_records_in_another_encoding_or_too_long_are_refused_not_guessed(save):
    message = error_of(lambda: list(read_records(save("a.jsonl", '{"a": "é"}\n', "cp1252"))))
    assert message == "a.jsonl, line 1: byte 0xE9 at position 8 is not UTF-8 text. Save the file as UTF-8."
    path = save("a.jsonl", b'{"a": "' + b"x" * (50 * MB) + b'"}\n')
    tracemalloc.start()
    message = error_of(lambda: list(read_records(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert message == "a.jsonl, line 1: longer than 8 MB, the limit for one line (max_line_mb)."
    assert peak < 30 * MB


MOST = 40
PAIR = {"sentence_good": "A cat sleeps.", "sentence_bad": "A cat sleep."}
TABLE = "sentence_good,sentence_bad\nA cat sleeps.,A cat sleep.\n"
NLI = "premise\thypothesis\tlabel\nA cat sleeps.\tA cat is awake.\tcontradiction\n"
FRENCH = "Les élèves étaient très fatigués après la journée.,Le garçon a mangé une pomme à l'école.\n"
READERS = {
    "lines": ("a.txt", "A cat sleeps.\n", read_lines),
    "records": ("a.jsonl", json.dumps(PAIR) + "\n", lambda path: list(read_records(path))),
    "comma": ("a.csv", TABLE, read_table),
    "tab": ("a.tsv", TABLE.replace(",", "\t"), read_table),
    "cell": ("a.csv", TABLE + '"A\ncat sleeps.","A cat\nsleep."\n', read_table),
    "pairs": ("a.csv", TABLE, lambda path: list(TASKS["pairs"].read(path))),
    "blimp": ("a.jsonl", json.dumps(PAIR) + "\n", lambda path: list(TASKS["blimp"].read(path))),
    "corpus": ("a.tsv", NLI, lambda path: read_corpus(path, "snli")),
    "cp1252": ("a.csv", TABLE + FRENCH, read_table),
}


@pytest.fixture
def few_lines(limit):
    limit("max_rows", MOST // 2)


@pytest.mark.usefixtures("few_lines")
@pytest.mark.parametrize(
    ("reader", "packed"), [*((name, "") for name in READERS), ("comma", ".gz"), ("lines", ".xz")]
)
def test_blank_lines_count(save, reader, packed):
    name, content, read = READERS[reader]
    encoding = "cp1252" if reader == "cp1252" else "utf-8"
    blank = MOST - content.count("\n")

    def written(lines):
        text = (content + "\n" * lines).encode(encoding)
        return save(name + packed, {".gz": gzip.compress, ".xz": lzma.compress}.get(packed, bytes)(text))

    read(written(blank - 1))
    assert read(written(blank)) is not None
    said = error_of(lambda: read(written(blank + 1)))
    assert said.startswith("a.") and ": more than 40 lines, blank ones included, the limit (twice max_rows)" in said


@pytest.mark.usefixtures("few_lines")
def test_tags_of_a_document_and_blank_lines_of_stereotypes_count(save):
    def read(elements):
        return read_xml(save("a.xml", f"<all>{'<a/>' * elements}</all>"), "anything")

    assert len(read(MOST - 2)) == MOST - 2
    assert "a.xml: more than 40 tags, the limit (twice max_rows)" in error_of(lambda: read(MOST - 1))
    assert "more than 40 lines" in error_of(lambda: read_examples(save("a.csv", "\n" * (MOST + 1))))


@pytest.mark.slow
def test_a_first_line_of_delimiters_is_no_work(save):
    """Each of the lines by which the delimiter is guessed would make hundreds of thousands of cells, four times."""
    path = save("a.csv", (";" * 200_000 + "\n") * 2)
    assert "columns; the limit is 2,000" in error_of(lambda: read_table(path))
