"""The store: what goes in comes out, damage is noticed, two writers do not disturb each other."""

import math
import os

import duckdb
import pandas as pd
import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import StoreError
from pairlens.store import Store, catalog
from pairlens.store.catalog import build
from pairlens.store.files import set_aside, write_json
from pairlens.store.maintenance import verify
from pairlens.types import TokenScores
from tests.scored import FINGERPRINT, row, scored, scores

NAN = math.nan


def manifest(run_id, **more):
    return {"run_id": run_id, "state": "running", "pid": os.getpid(), "created": "2026-01-01", **more}


def sum_of(store, key):
    return store.scores(FINGERPRINT).set_index("request_key").loc[key, "logprob"]


def equal(a, b):
    return repr(a) == repr(b)  # NaN equals NaN in print


def test_scores_come_back_as_they_were_stored(store):
    kept, nothing = {"a": scores(NAN, -2.5), "b": scores(-1.0, -0.25, ends=True)}, store.scores(FINGERPRINT)
    kept["c"] = scores(NAN)
    store.add(FINGERPRINT, scored(**kept), {})
    found = store.token_scores(FINGERPRINT, {"a", "b", "c", "absent"})
    assert found.keys() == kept.keys()
    assert all(equal(found[key], kept[key]) for key in kept)
    table = store.scores(FINGERPRINT)
    pd.testing.assert_series_equal(nothing.dtypes, table.dtypes)
    table = table.set_index("request_key")
    assert table.loc["a", ["logprob", "n_tokens", "n_scored"]].tolist() == [-2.5, 2, 1]
    assert math.isnan(table.loc["c", "logprob"])
    assert store.known(FINGERPRINT) == {"a", "b", "c"}
    assert store.known("0" * 64) == set()


tokens = st.lists(st.tuples(st.text(max_size=5), st.floats(-1e6, 0) | st.just(NAN)), min_size=1, max_size=6)


@pytest.mark.slow
@given(st.dictionaries(st.text("abc", min_size=1, max_size=4), tokens, min_size=1, max_size=8))
def test_any_tokens_survive(tmp_path_factory, drawn):
    store, kept = Store(tmp_path_factory.mktemp("store"), shipped=None), {}
    for key, rows in drawn.items():
        texts = tuple(text.encode("utf-8", "replace").decode() for text, _ in rows)
        spans = tuple((0, len(text)) for text, _ in rows)
        kept[key] = TokenScores(texts, tuple(range(len(rows))), tuple(value for _, value in rows), spans)
    store.add(FINGERPRINT, scored(**kept), {})
    found = store.token_scores(FINGERPRINT, kept.keys())
    assert all(equal(found[key], kept[key]) for key in kept)


def test_of_a_text_that_several_parts_hold_one_counts_rescored_ones_and_those_with_word_ends_first(store):
    part, _ = (store.add(FINGERPRINT, scored(a=scores(-1.0)), {}) for _ in range(2))
    assert len(store.parts(FINGERPRINT)) == 1 and store.known(FINGERPRINT, boundary=True) == set()
    store.add(FINGERPRINT, scored(a=scores(-1.0, ends=True)), {})
    assert store.known(FINGERPRINT, boundary=True) == {"a"}
    assert store.token_scores(FINGERPRINT, {"a"})["a"].boundary_logprobs == (-1.0, -0.5)
    for value in (-1.0, -2.0, -3.0):
        store.add(FINGERPRINT, scored(b=scores(value), **{f"other{value}": scores(-9.0)}), {})
    for value in (-7.0, -8.0):
        store.add(FINGERPRINT, scored(b=scores(value)), {}, rescored=True)
        assert sum_of(store, "b") == store.token_scores(FINGERPRINT, {"b"})["b"].total == value
    sums = store.add(FINGERPRINT, scored(c=scores(-1.0)), {}, tokens=False)
    assert b"\xc4\xa0" not in sums.file("tokens").read_bytes()
    assert store.token_scores(FINGERPRINT, {"c"}) == {} and sum_of(store, "c") == -1.0
    for _ in range(2):
        set_aside(part.side)
    assert [path.name for path in part.side.parent.glob("*.damaged")] == [f"{part.name}.damaged"]


@pytest.mark.parametrize(
    ("file", "damage"),
    [("scores", "flip"), ("scores", "remove"), ("tokens", "flip"), ("tokens", "remove"), ("side", "truncate")],
)
def test_a_damaged_part_is_named_and_scored_again(store, file, damage, caplog):
    part = store.add(FINGERPRINT, scored(a=scores(-1.0)), {})
    path = part.side if file == "side" else part.file(file)
    content = bytearray(path.read_bytes())
    if damage == "remove":
        path.unlink()
    else:
        content[len(content) // 2] ^= 1
        path.write_bytes(content if damage == "flip" else content[:-7])
    finding = verify(store)
    assert [one.name for one in finding.damaged] == [f"{part.name}.damaged"]
    assert path.name in caplog.text
    assert store.known(FINGERPRINT) == set()
    store.add(FINGERPRINT, scored(a=scores(-1.0)), {})
    assert store.known(FINGERPRINT) == {"a"}


def test_what_does_not_say_how_it_stands_has_not_finished(store):
    write_json(store.folder / "runs" / "blimp-1" / "manifest.json", {"format": 2, "run_id": "blimp-1"})
    assert not store.has_finished("blimp-1")


def test_candidates_are_items_with_their_groups_and_scores_whose_weighted_terms_are_added_and_gaps_are_missing(store):
    store.add(FINGERPRINT, scored(a=scores(-1.0, -2.0), b=scores(-4.0)), {})
    sums = [row("a", "i"), row("b", "i", term=1, weight=-0.5), row("a", "j"), row("c", "j", term=1)]
    store.begin(manifest("r-1"), [row("a"), row("c", "a", 1), *sums])
    table = store.candidates("r-1")
    assert table[["item", "candidate", "n_tokens"]].iloc[0].tolist() == ["a", 0, 2]
    assert table["logprob"].fillna(0).tolist() == [-3.0, 0, -1.0, 0]
    assert table["logprob"].isna().tolist() == [False, True, False, True]
    store.begin(manifest("r-2"), [row("a"), row("b", "j", groups={"UID": "v", "extra": "x_y,z"})])
    items = store.items("r-2")
    assert items["UID"].tolist() == ["u", "v"]
    assert items["extra"][1] == "x_y,z" and pd.isna(items["extra"][0])


@pytest.mark.parametrize("name", ["../x", "", ".", "..", "a/b", ".hidden"])
def test_a_run_id_cannot_leave_the_store(store, name):
    with pytest.raises(StoreError):
        store.manifest(name)
    with pytest.raises(StoreError):
        store.delete(name)


@pytest.mark.slow
def test_the_catalogue_opens_in_any_client_even_when_the_store_is_empty(store, tmp_path):
    for number, fill in enumerate((False, True)):
        if fill:
            store.add(FINGERPRINT, scored(a=scores(-1.0, -2.0, ends=True)), {})
            store.begin(manifest("r-1"), [row("a")])
            store.update(manifest("r-1", state="done"), pd.DataFrame({"name": ["accuracy"], "value": [0.5]}))
        path = build(store, tmp_path / f"it's {number}.duckdb", token_rows=True)
        with duckdb.connect(str(path), read_only=True) as connection:
            counts = [
                connection.execute(f"select count(*) from {table}").fetchone()[0]
                for table in ("runs", "items", "scores", "tokens", "metrics")
            ]
        assert counts == ([1, 1, 1, 3, 1] if fill else [0, 0, 0, 0, 0])


def test_who_waits_in_vain_for_the_catalogue_leaves_the_work_of_the_other_alone(store, monkeypatch):
    monkeypatch.setattr(catalog, "_LOCK_SECONDS", 0.1)
    being_written = store.folder / ".results.duckdb.new"
    store.folder.mkdir(parents=True)
    with FileLock(store.folder / ".results.duckdb.lock"):
        being_written.write_text("half of it")
        with pytest.raises(StoreError, match="still writing"):
            build(store)
        assert being_written.exists()
    build(store)
    assert not being_written.exists()


def test_a_store_that_cannot_be_written_says_so(tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        Store(blocker / "store", shipped=None).add(FINGERPRINT, scored(a=scores(-1.0)), {})
