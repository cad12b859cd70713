"""Files that visitors bring: 300 damaged ones and a shelf of tricks. Each is read, or refused in one sentence.

Good files of every format are damaged by a generator with a fixed seed; what is made by hand follows. Nothing but
InputError may come out, its message is one line, and memory stays bounded.
"""

import gzip
import io
import json
import lzma
import random
import zipfile

import openpyxl
import pytest

from pairlens.errors import InputError
from pairlens.files.tables import read_lines, read_records, read_table
from pairlens.tasks import TASKS
from tests import forked
from tests.memory import grown

SEED = 20_261_121
MB = 1 << 20

ROWS = [
    ["item", "sentence", "label"],
    ["1", 'Ana said "no", twice.', "good"],
    ["2", "L’été\nà Rome; 漢字 😀", "bad"],
    *([str(number), f"Sentence number {number}.", "good"] for number in range(3, 40)),
]
SPLINTERS = (b"\0", b'"', b"\r", b"\n", b",", b"\t", b"\xff\xfe", b"\xef\xbb\xbf", b"\\ud800", b"NaN", b"{", b"]")


@pytest.fixture(autouse=True)
def readers():
    """The processes that read workbooks are forked."""
    with forked.children():
        yield


def good_files():
    """A sound file of every format."""
    quoted = ["".join(f'"{cell.replace(chr(34), chr(34) * 2)}",' for cell in row)[:-1] for row in ROWS]
    csv = ("\r\n".join(quoted) + "\r\n").encode()
    records = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]
    jsonl = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()
    book, xlsx = openpyxl.Workbook(), io.BytesIO()
    for row in ROWS:
        book.active.append(row)
    book.save(xlsx)
    return {
        "good.csv": csv,
        "good.tsv": csv.replace(b'","', b'"\t"'),
        "good.txt": csv.decode().encode("utf-16"),
        "good.jsonl": jsonl,
        "good.json": json.dumps(records).encode(),
        "good.csv.gz": gzip.compress(csv, mtime=0),
        "good.jsonl.xz": lzma.compress(jsonl),
        "good.xlsx": xlsx.getvalue(),
    }


GOOD = good_files()


def damaged(content, chance):
    """One to three random damages."""
    data = bytearray(content)
    for _ in range(chance.randint(1, 3)):
        place, length = chance.randrange(len(data) + 1), chance.randint(1, 40)
        match chance.randrange(8):
            case 0:
                del data[place:]
            case 1:
                del data[place : place + length]
            case 2:
                data[place:place] = chance.randbytes(length)
            case 3:
                data[place:place] = chance.choice(SPLINTERS) * chance.choice([1, 1, 2, 300])
            case 4:
                data[place:place] = data[place : place + 10 * length]
            case 5 if data:
                data[place % len(data)] ^= 1 << chance.randrange(8)
            case 6:
                data = bytearray(bytes(data).replace(chance.choice([b'"', b"\n", b":", b","]), b"", 1))
            case _:
                data[:0] = data[place : place + length]
    return bytes(data)


def outcome(read):
    """`read`, or the message of the InputError; anything else is a failure of the test."""
    try:
        read()
    except InputError as error:
        message = str(error)
        assert message and "\n" not in message and len(message) < 500, message
        return message
    return "read"


@pytest.mark.parametrize("name", GOOD)
def test_damaged_files_are_read_or_refused_in_one_sentence(name, tmp_path):
    good, n = GOOD[name], 8 if name == "good.xlsx" else 40
    path = tmp_path / name
    path.write_bytes(good)
    assert read_table(path).shape == (len(ROWS) - 1, 3), "the sound file is read"
    chance = random.Random(f"{SEED} {name}")
    outcomes = []
    for _ in range(n):
        path.write_bytes(damaged(good, chance))
        readers = [lambda: read_table(path)]
        if "json" in name:
            readers.append(lambda: list(TASKS["blimp"].read(path)))
            readers.append(lambda: list(read_records(path)))
        elif not name.endswith(".xlsx"):
            readers.append(lambda: read_lines(path))
        messages = [outcome(read) for read in readers]
        outcomes.append(messages[0])
    refused = [message for message in outcomes if message != "read"]
    assert len(refused) >= n // 5, "the generator does damage"
    assert all(message.startswith(name) for message in refused), "the file is named"


def wide():
    return b",".join(b"c%d" % number for number in range(250_000)) + b"\n"


BY_HAND = {
    "only a byte-order mark": ("a.csv", b"\xef\xbb\xbf", "empty"),
    "a picture": ("a.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, "not a text file"),
    "a picture called JSON": ("a.json", b"\x89PNG\r\n\x1a\n", "a PNG image, not a text file"),
    "a PDF called CSV": ("a.csv", b"%PDF-1.7\n%\xe2\xe3\n1 0 obj\n", "a PDF document, not a text file"),
    "a workbook called TSV": ("a.tsv", b"PK\3\4\x14\0", "a ZIP archive, such as files of Excel (.xlsx)"),
    "a photo, packed": ("a.csv.gz", gzip.compress(b"\xff\xd8\xff\xe0"), "a JPEG image, not a text file"),
    "an executable": ("a.txt", b"\x7fELF\x02\x01\x01\0\0\0", "line 1: character '\\x00' at position 8"),
    "UTF-16 without mark": ("a.csv", "a,b\n1,2\n".encode("utf-16-le"), "UTF-16 without a byte-order mark"),
    "UTF-16 cut in half": ("a.csv", "a,b\n1,2\n".encode("utf-16")[:-1], "not UTF-16"),
    "UTF-32": ("a.csv", "a,b\n".encode("utf-32"), "not a text file"),
    "quotation marks only": ("a.csv", b'"' * 10_001, "quotation mark"),
    "250,000 columns": ("a.csv", wide(), "250,000 columns; the limit is 2,000"),
    "a 50 MB line": ("a.csv", [b"a,b\n", *[b"x" * MB] * 50], "line 2: longer than 8 MB"),
    "a 50 MB cell over many lines": ("a.csv", [b'a\n"', *[(b"x" * 1000 + b"\n") * 1000] * 50], "never closed"),
    "deep JSON": ("a.json", b"[" * 4_000_000, "nested too deeply"),
    "20 million JSON values": (
        "a.json",
        [b"[", *[b"{}," * 10**6] * 20, b"{}]"],
        "may hold more than 5,000,000 values",
    ),
    "JSON of numbers": ("a.json", b"[1, 2, 3]", "expected a JSON array of objects"),
    "a control character as a name": ("a.csv", b"a\x1b[31m,a\x1b[31m\n", "column 2 has the name 'a\\x1b[31m'"),
    "no ending": ("README", b"\x7fELF\x02\x01\x01\0", "not a text file"),
    "gzip cut": ("a.csv.gz", gzip.compress(b"a,b\n" * 1000)[:-9], "cannot be unpacked"),
    "xz cut": ("a.csv.xz", lzma.compress(b"a,b\n" * 1000)[:-9], "cannot be unpacked"),
    "gzip bomb in one line": ("a.csv.gz", [gzip.compress(b"\0" * MB)] * 64, "line 1: longer than 8 MB"),
}


def write(path, content):
    """Large contents are many small pieces: one large object would change how memory is taken afterwards."""
    with path.open("wb") as file:
        file.writelines([content] if isinstance(content, bytes) else content)


GREEDY = {"250,000 columns": 130, "a 50 MB cell over many lines": 130, "20 million JSON values": 260}
"""Tricks that cost memory, and the megabytes that refusing them may take; others may take USUAL."""
USUAL = 60


def refusal(path, most):
    """What is said of a table, and the megabytes that it took to find out."""
    return grown(lambda: outcome(lambda: read_table(path)), most)


@pytest.mark.parametrize("trick", BY_HAND)
def test_tricks_made_by_hand(trick, tmp_path):
    name, content, expected = BY_HAND[trick]
    path = tmp_path / name
    write(path, content)
    most = GREEDY.get(trick, USUAL)
    message, megabytes = forked.call(refusal, path, most)
    assert expected in message and path.name in message
    assert megabytes < most


def with_sheet(path, sheet):
    """A sound spreadsheet whose first sheet has another content."""
    path.write_bytes(GOOD["good.xlsx"])
    with zipfile.ZipFile(path) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, sheet if member.endswith("sheet1.xml") else content)
    return path


SPACE = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
SHEETS = {
    "an empty sheet": (b"", "", "empty"),
    "no XML": (b"", "<worksheet", "not a usable XLSX file"),
    "more rows than there are": (b"<row/>" * 1_100_000, "", "empty"),
    "a row far away": (b'<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>', "", "empty"),
    "a hundred thousand cells in a row": (b"<row>" + b"<c/>" * 100_000 + b"</row>", "", "empty"),
    "unpacks to 66 MB": (b"<row>" + b" " * (66 * MB) + b"</row>", "", "unpacks to more than 64 MB"),
    "entities": (b'<row><c t="str"><v>&b;</v></c></row>', '<!DOCTYPE a [<!ENTITY b "x">]>', "not a usable XLSX file"),
    "a claim of 16 billion cells": (
        b'<row r="1"><c t="str"><v>a</v></c></row>', '<dimension ref="A1:XFD1048576"/>', "read"
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "trick", [pytest.param(name, marks=[pytest.mark.soak] * name.startswith("more rows")) for name in SHEETS]
)
def test_tricks_with_spreadsheets(trick, tmp_path):
    rows, head, expected = SHEETS[trick]
    before, inside = (head.encode(), b"") if head.startswith("<!DOCTYPE") else (b"", head.encode())
    sheet = before + b"<worksheet " + SPACE + b">" + inside + b"<sheetData>" + rows + b"</sheetData></worksheet>"
    path = with_sheet(tmp_path / "a.xlsx", sheet)
    assert expected in outcome(lambda: read_table(path))
