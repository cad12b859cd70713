"""How many lines are read of a text file: blank ones count too, packed or plain, whoever reads it."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import InputError
from core.files.nli.readers import read_corpus
from core.files.stereoset.reading import read_examples
from core.files.tables import read_lines, read_records, read_table, read_xml
from core.settings import settings
from core.tasks import TASKS

MOST = 40
PAIR = {"sentence_good": "A cat sleeps.", "sentence_bad": "A cat sleep."}
TABLE = "sentence_good,sentence_bad\nA cat sleeps.,A cat sleep.\n"
NLI = "premise\thypothesis\tlabel\nA cat sleeps.\tA cat is awake.\tcontradiction\n"
FRENCH = "Les élèves étaient très fatigués après la journée.,Le garçon a mangé une pomme à l'école.\n"
Read = Callable[[Path], object]
READERS: dict[str, tuple[str, str, Read]] = {
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
def few_lines(monkeypatch):
    monkeypatch.setenv("PAIRLENS_MAX_ROWS", str(MOST // 2))
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


@pytest.mark.usefixtures("few_lines")
@pytest.mark.parametrize("packed", ["", ".gz", ".xz"])
@pytest.mark.parametrize("reader", READERS)
def test_blank_lines_count(tmp_path, reader, packed):
    name, content, read = READERS[reader]
    encoding = "cp1252" if reader == "cp1252" else "utf-8"
    blank = MOST - content.count("\n")

    def written(lines: int) -> Path:
        path = tmp_path / (name + packed)
        text = (content + "\n" * lines).encode(encoding)
        path.write_bytes({".gz": gzip.compress, ".xz": lzma.compress}.get(packed, bytes)(text))
        return path

    read(written(blank - 1))
    assert read(written(blank)) is not None
    with pytest.raises(
        InputError, match=r"a\..*: more than 40 lines, blank ones included, the limit \(twice max_rows\)"
    ):
        read(written(blank + 1))


@pytest.mark.usefixtures("few_lines")
def test_tags_of_a_document_count(tmp_path):
    def written(elements: int) -> Path:
        path = tmp_path / "a.xml"
        path.write_text(f"<all>{'<a/>' * elements}</all>")
        return path

    assert len(read_xml(written(MOST - 2), "anything")) == MOST - 2
    with pytest.raises(InputError, match=r"a\.xml: more than 40 tags, the limit \(twice max_rows\)"):
        read_xml(written(MOST - 1), "anything")


@pytest.mark.usefixtures("few_lines")
def test_blank_lines_of_stereotypes_count(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("\n" * (MOST + 1))
    with pytest.raises(InputError, match="more than 40 lines"):
        read_examples(path)


def test_a_first_line_of_delimiters_is_no_work(tmp_path):
    """Each of the lines by which the delimiter is guessed would make a million cells, four times."""
    path = tmp_path / "a.csv"
    path.write_text((";" * 1_200_000 + "\n") * 2)
    with pytest.raises(InputError, match="columns; the limit is 2,000"):
        read_table(path)
