"""Reading lines and JSON records: encodings, line numbers, the one sentence for what is wrong."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from core.files.tables import encoding_of, read_lines, read_records
from tests.refusals import error_of

MB = 1 << 20
Save = Callable[..., Path]


def test_lines_are_verbatim(save):
    path = save("a.txt", " two  spaces \n\n\ttab\r\nlast\u2028line\x85 é")
    assert read_lines(path) == [" two  spaces ", "", "\ttab", "last\u2028line\x85 é"]


def test_a_carriage_return_inside_a_line_is_kept(save):
    assert read_lines(save("a.txt", "a\rb\r\r\nc\n")) == ["a\rb\r", "c"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(save, encoding):
    path = save("a.txt", "L’été\nlà-bas € 20\n", encoding)
    assert encoding_of(path) == encoding
    assert read_lines(path) == ["L’été", "là-bas € 20"]


def test_utf16_with_a_newline_byte_inside_a_character(save):
    """U+0A0A and U+0D0A have bytes that look like line ends."""
    assert read_lines(save("a.txt", "ਊ\nഊ x\n", "utf-16")) == ["ਊ", "ഊ x"]


def test_the_end_of_a_long_file_decides_the_encoding(save):
    assert encoding_of(save("a.txt", b"a\n" * MB + "Müßig für Örtliche\n".encode("cp1252"))) == "cp1252"


def test_records_come_with_their_line_numbers(save):
    path = save("a.jsonl", '{"a": 1}\n\n  {"a": "é", "b": [1, null]}  ')
    assert list(read_records(path)) == [(1, {"a": 1}), (3, {"a": "é", "b": [1, None]})]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_records_with_a_byte_order_mark(save, encoding):
    assert list(read_records(save("a.jsonl", '{"a": "é"}\n', encoding))) == [(1, {"a": "é"})]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"a": 1,}', "not JSON: "),
        ('{"a" 1}', "not JSON: Expecting ':' delimiter (column 6)"),
        ('{"a": 1} x', "not JSON: Extra data (column 10)"),
        ('"text"', "expected a JSON object {...}, found a text"),
        ('{"a": NaN}', "NaN is not a JSON value"),
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
    assert message.startswith("a.jsonl, line 12: ")
    assert found in message


def test_records_in_another_encoding_are_refused_not_guessed(save):
    message = error_of(lambda: list(read_records(save("a.jsonl", '{"a": "é"}\n', "cp1252"))))
    assert message == "a.jsonl, line 1: byte 0xE9 at position 8 is not UTF-8 text. Save the file as UTF-8."


def test_a_whole_surrogate_pair_is_a_character(save):
    assert list(read_records(save("a.jsonl", r'{"a": "\ud83d\ude00"}'))) == [(1, {"a": "😀"})]


def test_a_50_mb_line_is_refused_within_a_fraction_of_its_size(save):
    path = save("a.jsonl", b'{"a": "' + b"x" * (50 * MB) + b'"}\n')
    tracemalloc.start()
    message = error_of(lambda: list(read_records(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert message == "a.jsonl, line 1: longer than 8 MB, the limit for one line (max_line_mb)."
    assert peak < 30 * MB
