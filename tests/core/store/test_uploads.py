"""Uploaded files: kept by content, refused in words."""

import os
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pairlens.errors import InputError, StoreError
from pairlens.settings import settings
from pairlens.store.uploads import find, id_of, keep, kept, name_of, remove
from tests.refusals import error_of


def test_one_file_is_a_file_several_are_a_folder_and_who_knows_them_cannot_tell_their_id(home):
    assert keep([("a.jsonl", b"1")]).read_bytes() == b"1"
    folder = keep([("a.jsonl", b"1"), ("b.jsonl", b"2")])
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"a.jsonl": b"1", "b.jsonl": b"2"}

    files = [("a", b"1"), ("b", b"2")]
    assert keep(files) == keep(files[::-1])
    assert keep(files) != keep([("a", b"2"), ("b", b"1")])
    files = [("a.csv", b"12")]
    here = keep(files)
    assert keep(files) == here and len(here.parent.name) == 32
    assert (home / ".secret").stat().st_mode & 0o777 == 0o600
    (home / ".secret").unlink()
    assert keep(files) != here


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([("a.jsonl", b"")], "a.jsonl: the file is empty"),
        ([("a", b"1"), ("x/a", b"2")], "two files have this name"),
        ([("a", b"x" * 1_000_001)], "a: larger than 1 MB"),
        ([("good.csv", b"1"), ("漢" * 80 + ".csv", b"1")], "the name has more than 200 bytes"),
    ],
)
def test_what_cannot_be_kept_is_refused(home, limit, files, words):
    limit("max_upload_mb", 1)
    with pytest.raises(InputError, match=words):
        keep(files)
    assert not settings().uploads.exists()
    assert keep([("a", b"x" * 1_000_000)]).exists()


def test_nothing_stays_of_files_that_cannot_be_written(home, monkeypatch):
    first = keep([("b.csv", b"2")])
    monkeypatch.setattr("pairlens.store.visitors.current", lambda: "b" * 32)
    monkeypatch.setattr("pairlens.store.files._sync", Mock(side_effect=OSError(28, "No space left on device")))
    assert "No space left" in error_of(lambda: keep([("a.csv", b"1")]), StoreError)
    assert [*settings().uploads.iterdir()] == [first.parent] and not [*settings().visitors.glob("*/uploads/*")]


@pytest.mark.slow
@given(name=st.text(st.characters(), min_size=1, max_size=30))
@example("a\0b.txt")
@example("a\ud83d.txt")
def test_no_name_leaves_the_folder(name):
    kept = keep([(name, b"1")])
    assert kept.resolve().parent.parent == settings().uploads.resolve()


def test_what_was_kept_is_listed_and_found_by_its_id_until_it_is_removed(home):
    assert kept() == []
    one, several = keep([("a.csv", b"12")]), keep([("b.csv", b"3"), ("c.csv", b"456")])
    for path in (one, several):
        found = find(path.relative_to(settings().uploads).as_posix())
        assert found and found.path == path
    for other in ("", "..", ".secret", f"{one.parent.name}", f"{one.parent.name}/../{several.name}", "0" * 32):
        assert find(other) is None
    os.utime(one, (1, 1))
    (home / "uploads" / "not ours").mkdir()
    newer, older = kept()
    assert (newer.path, newer.name, newer.size, newer.id) == (several, "b.csv, c.csv", 4, several.name)
    assert (older.path, older.name, older.size) == (one, "a.csv", 2)
    assert older.id == f"{one.parent.name}/a.csv" and older.when.timestamp() == 1
    remove(older)
    assert kept() == [newer] and not one.parent.exists()
    assert "cannot be deleted" in error_of(lambda: remove(older), StoreError)


def test_threads_that_start_together_give_a_file_one_id(home):
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: keep([("a.csv", b"12")]), range(16)))) == 1


def test_many_files_are_named_by_the_first_ones(home):
    folder = keep([(f"{letter}.csv", letter.encode()) for letter in "abcde"])
    assert name_of(folder) == find(id_of(folder)).name == "a.csv, b.csv, c.csv and 2 more"
    assert name_of(folder / "a.csv") == "a.csv" and name_of(home) == home.name
