"""Small files that unpack to very much, wherever a file may be given: one sentence, and memory stays bounded."""

import gzip
import io
import lzma
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pairlens.errors import InputError
from pairlens.files import apart
from pairlens.files.tables import read_table
from pairlens.settings import settings
from tests import forked
from tests.reliability.test_uploads import refusal

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux")]
MB = 1 << 20
LONG = "x " * 75_000
"""A text of 150 kB, of which a dictionary needs to hold one."""
LINES = b"a%s,b\n" % (b"a" * 996) * 36_000
JSON = b'{"a":"%s"}\n' % (b"b" * 9_991) * 3_600


def parquet(**columns):
    pq.write_table(pa.table(columns), content := io.BytesIO())
    return content.getvalue()


def repeated(n, text=LONG):
    return pa.DictionaryArray.from_arrays(pa.array([0], pa.int32()).take(pa.array([0] * n)), pa.array([text]))


def zipped(sheet):
    with zipfile.ZipFile(content := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", sheet)
    return content.getvalue()


BOMBS = {
    "dictionary": (
        "a.parquet", lambda: parquet(good=repeated(400_000), bad=repeated(400_000)), "data, the limit",
    ),
    "lists of a dictionary": (
        "b.parquet",
        lambda: parquet(text=pa.ListArray.from_arrays(pa.array(range(0, 40_001, 10), pa.int32()), repeated(40_000))),
        "memory to read|data, the limit",
    ),
    "a dictionary in structures": (
        "c.parquet", lambda: parquet(text=pa.StructArray.from_arrays([repeated(400_000)], ["k"])), "data, the limit",
    ),
    "lists of nothing": (
        "d.parquet",
        lambda: parquet(text=pa.ListArray.from_arrays(pa.array([0, 30_000_000], pa.int32()), pa.nulls(30_000_000))),
        "memory to read|data, the limit",
    ),
    "run lengths": ("e.parquet", lambda: parquet(text=repeated(4_000).cast(pa.string())), "data, the limit"),
    "gzip": ("f.csv.gz", lambda: gzip.compress(b"good,bad\n" + LINES), "the limit"),
    "xz": ("g.csv.xz", lambda: lzma.compress(b"good,bad\n" + LINES, preset=0), "the limit"),
    "xz of JSON": ("h.jsonl.xz", lambda: lzma.compress(JSON, preset=0), "the limit"),
    "zip": ("i.xlsx", lambda: zipped(b" " * (66 * MB)), "the limit"),
}  # fmt: skip
"""By kind: a file's name, its content, and what is said of it where 32 MB may be unpacked, and 64 of a workbook."""


@pytest.fixture(autouse=True)
def limits(monkeypatch):
    monkeypatch.setenv("PAIRLENS_MAX_UNPACKED_MB", "32")
    settings.cache_clear()
    with forked.children():
        yield


@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_refused_where_it_is_small(kind, tmp_path):
    """The process that asks needs little memory, the reader's own has less than 1 GB beyond what it is."""
    name, content, said = BOMBS[kind]
    path = tmp_path / name
    path.write_bytes(content())
    assert path.stat().st_size < MB
    message, megabytes = forked.call(refusal, path, 60)
    assert any(one in message for one in said.split("|"))
    assert megabytes < 60


def test_readers_share_their_memory(tmp_path, monkeypatch):
    """Six at once: four at the same time, each with its part, and one that needs more gets it alone."""
    monkeypatch.setenv("PAIRLENS_READING_MEMORY_MB", "240")
    settings.cache_clear()
    small, large = tmp_path / "small.csv", tmp_path / "large.csv"
    small.write_text("good,bad\n" + "A cat sleeps.,A cat sleep.\n" * 2_000)
    large.write_text("good,bad\n" + f"A cat sleeps{'!' * 900},A cat sleep.\n" * 24_000)
    taken, together, turns = [], [], apart._turn

    @contextmanager
    def turn(alone, *arguments):
        with turns(alone, *arguments) as memory:
            taken.append(memory)
            together.append([*taken])
            yield memory
            taken.remove(memory)

    monkeypatch.setattr(apart, "_turn", turn)
    with ThreadPoolExecutor(6) as several:
        assert [*several.map(_read, [small] * 4 + [large] * 2)] == [""] * 6
    assert sorted(memory for *_, memory in together) == [60] * 6 + [240] * 2
    assert max(map(sum, together)) == 240 and max(map(len, together)) > 1


def _read(path):
    try:
        apart.read(read_table, path, where=path.name)
    except InputError as error:
        return str(error)
    return ""
