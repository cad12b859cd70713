"""What the tests of the workshop share: corpora like the real ones, with little in them; words."""

import csv
import lzma
import re

import pytest

LANGUAGES = ("en", "pt")
"""Of generated pairs."""


def cut(text):
    """The words of a text."""
    return re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text.lower())


def rows(path):
    """The rows of a table of pairs."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request):
    return request.param


@pytest.fixture
def corpora(tmp_path):
    """`corpora(SOURCES, LINES)`: a folder like that of the real corpora, so many lines of each source."""

    def fill(sources, lines, sentence="The {} old dogs saw the house again."):
        folder = tmp_path / "corpora"
        (folder / "en").mkdir(parents=True)
        rows = ["lang\tfile\trepo\tcommit\tlicence\twords_clean\tnote"]
        for number, source in enumerate(sources):
            rows.append(f"en\ten/{source.file}\tsome/where\t{'0123456789' * 4}\tCC BY\t1\tx")
            text = "\n".join(sentence.format(number + at) for at in range(lines))
            (folder / "en" / source.file).write_bytes(lzma.compress(text.encode()))
        (folder / "SOURCES.tsv").write_text("\n".join(rows), encoding="utf-8")
        return folder

    return fill
