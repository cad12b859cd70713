"""Compaction: fewer parts, and nothing that is read of them has changed."""

import os
import time
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairlens.store import Store, compaction, files, parts
from pairlens.store.compaction import compact, is_merged
from pairlens.store.maintenance import space
from pairlens.store.parts import Scored, all_parts, sources
from pairlens.store.removal import collect_garbage
from pairlens.types import TokenScores
from tests.scored import FINGERPRINT, row

KEYS = "abcdefgh"


def scored(keys, value, *, ends=False, temperatures=()):
    masses = (value / 4,) * 3 if ends else None
    scores = TokenScores(
        tokens=("Ġa", "Ġb"), ids=(1, 2), logprobs=(value, value / 2), spans=((0, 1), (2, 3)),
        boundary_logprobs=masses, eos_logprobs=masses, punctuation_logprobs=masses,
        tempered={one: (value * one, value) for one in temperatures} or None,
    )  # fmt: skip
    return [Scored(key, scores, (0, 1)) for key in keys]


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch):
    """Nothing here is about power cuts."""
    monkeypatch.setattr(files, "_sync", lambda path: None)


def last_of(store, key):
    return store.scores(FINGERPRINT).set_index("request_key").loc[key, "logprob"]


def add(store, keys, value, *, rescored=False, tokens=True, **more):
    provenance = {"model": "m", "written": str(value)}
    return store.add(FINGERPRINT, scored(keys, value, **more), provenance, tokens=tokens, rescored=rescored)


def name_all(store, keys, run_id="r-1"):
    store.begin(
        {"run_id": run_id, "task": "pairs", "model": "m", "fingerprint": FINGERPRINT, "state": "done"},
        [row(key) for key in keys],
    )


def add_twice(store):
    """Ten parts, half of them with the masses at word ends, of five texts that a run names."""
    for number, key in enumerate("abcde"):
        add(store, key, -1.0 - number)
        add(store, key, -2.0 - number, ends=True)
    name_all(store, "abcde")


def everything(store):
    sums = store.scores(FINGERPRINT).sort_values(["request_key", "temperature"], ignore_index=True)
    questions: Iterator[dict[str, Any]] = iter(
        [{}, {"boundary": True}, {"temperatures": (0.5,)}, {"temperatures": (2.0, 0.5)}, {"by_token": True}]
    )
    return {
        "sums": sums.to_dict("list"),
        "tokens": {key: repr(one) for key, one in store.token_scores(FINGERPRINT, KEYS).items()},
        "ends": store.ends(FINGERPRINT).sort_index().to_dict(),
        "known": [store.known(FINGERPRINT, **question) for question in questions],
        "known of some": store.known(FINGERPRINT, keys=["a", "z"]),
        "with token": store.requests_with(FINGERPRINT, "Ġa"),
    }


written = st.fixed_dictionaries(
    {
        "keys": st.sets(st.sampled_from(KEYS), min_size=1).map(lambda keys: "".join(sorted(keys))),
        "value": st.floats(-9, -1).map(lambda value: round(value, 3)),
        "rescored": st.booleans(),
        "tokens": st.booleans(),
        "ends": st.booleans(),
        "temperatures": st.sampled_from([(), (0.5,), (0.5, 2.0)]),
    }
)


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 4)
@given(st.lists(written, min_size=2, max_size=4), st.integers(1, 3), st.sets(st.sampled_from(KEYS)))
def test_nothing_that_can_be_read_changes(tmp_path_factory, drawn, cut, named):
    store = Store(tmp_path_factory.mktemp("store"), shipped=None)
    name_all(store, "".join(sorted(named)) or "z")
    for one in drawn[:cut]:
        add(store, **one)
    list(compact(store))
    for one in drawn[cut:]:
        add(store, **one)
    before = everything(store)
    list(compact(store))
    assert everything(store) == before
    assert [done.after for done in compact(store)] == [len(store.parts(FINGERPRINT))], "a second time changes nothing"


def test_many_parts_become_one_and_the_old_ones_go_later(store, limit):
    old = [add(store, key, -1.0 - number) for number, key in enumerate(KEYS)]
    name_all(store, KEYS)
    (done,) = compact(store)
    assert (done.before, done.after, done.duplicates) == (8, 1, 0)
    assert all(part.side.exists() for part in old)
    assert space(store).replaced > 0
    list(compact(store))
    assert all(part.side.exists() for part in old), "somebody may still be reading them"
    limit("replaced_minutes", 0)
    list(compact(store))
    assert [part.name for part in all_parts(old[0].side.parent)] == [part.name for part in store.parts(FINGERPRINT)]
    assert space(store).replaced == 0
    assert set(store.token_scores(FINGERPRINT, KEYS)) == set(KEYS)


def test_each_score_keeps_its_provenance(store):
    add(store, "ab", -1.0)
    add(store, "c", -2.0)
    name_all(store, "abc")
    list(compact(store))
    add(store, "de", -3.0)
    name_all(store, "de", "r-2")
    list(compact(store))
    (part,) = store.parts(FINGERPRINT)
    table = pq.read_table(part.file("scores"))
    values, place = table["logprob"].to_pylist(), 0
    for n, provenance in sources(part):
        assert provenance["model"] == "m"
        assert {value / 1.5 for value in values[place : place + n]} == {float(provenance["written"])}
        place += n
    assert place == len(values) == 5


def test_scored_again_counts_before_and_after_compaction(store):
    add(store, "ab", -1.0)
    add(store, "a", -2.0, rescored=True)
    name_all(store, "ab")
    list(compact(store))
    assert last_of(store, "a") == -3.0
    add(store, "a", -4.0, rescored=True)
    assert last_of(store, "a") == -6.0
    (done,) = compact(store)
    assert (done.duplicates, len(store.parts(FINGERPRINT))) == (1, 1)
    assert last_of(store, "a") == -6.0


def test_a_part_of_a_replaced_one_s_name_counts(store):
    """Sums without tokens, joined with others, then scored again with them: the same name for other content."""
    add(store, "a", -1.0, tokens=False)
    add(store, "b", -1.0)
    name_all(store, "ab")
    list(compact(store))
    assert store.known(FINGERPRINT, by_token=True) == {"b"}
    add(store, "a", -1.0)
    assert store.known(FINGERPRINT, by_token=True) == {"a", "b"}


@pytest.mark.slow
def test_a_kill_before_the_last_part_leaves_what_was_there(store, monkeypatch):
    add_twice(store)
    add(store, "a", -3.0, rescored=True, tokens=False)
    before, write = everything(store), compaction.write_part
    for after in range(3):
        written = []

        def killed(side, *rest, left=after, written=written):
            if len(written) == left:
                raise KeyboardInterrupt
            written.append(side)
            return write(side, *rest)

        monkeypatch.setattr(compaction, "write_part", killed)
        with pytest.raises(KeyboardInterrupt):
            list(compact(store))
        assert len(written) == after
        assert everything(store) == before
    monkeypatch.setattr(compaction, "write_part", write)
    list(compact(store))
    assert everything(store) == before


@pytest.mark.slow
def test_a_damaged_new_part_brings_the_old_ones_back(store):
    add_twice(store)
    before = everything(store)
    list(compact(store))
    first = store.parts(FINGERPRINT)[0]
    first.file("scores").write_bytes(b"no Parquet")
    assert not first.whole()
    assert everything(store) == before


def test_what_no_run_names_is_apart_and_cleaning_takes_it(store, limit):
    part = add(store, "abcd", -1.0)
    past = time.time() - 3 * 86_400
    os.utime(part.side, (past, past))
    name_all(store, "bd")
    assert collect_garbage(store).parts == 0, "a part is kept whole"
    list(compact(store))
    assert len(store.parts(FINGERPRINT)) == 2
    assert collect_garbage(store).parts == 0, "without it, the replaced part would be back"
    assert store.known(FINGERPRINT) == set("abcd")
    limit("replaced_minutes", 0)
    assert collect_garbage(store).parts == 2
    assert store.known(FINGERPRINT) == {"b", "d"}


def test_full_parts_stay_as_they_are(store, monkeypatch):
    monkeypatch.setattr(compaction, "FULL", 6)
    for key in KEYS[:4]:
        add(store, key, -1.0)
    name_all(store, KEYS)
    list(compact(store))
    full = {part.name for part in store.parts(FINGERPRINT)}
    assert len(full) == 2 and all(map(is_merged, store.parts(FINGERPRINT)))
    for key in KEYS[4:6]:
        add(store, key, -2.0)
    list(compact(store))
    assert len({part.name for part in store.parts(FINGERPRINT)} & full) >= 1
    assert store.known(FINGERPRINT) == set(KEYS[:6])


@pytest.mark.slow
def test_a_large_part_is_sorted_so_that_a_look_up_decodes_one_row_group(store, monkeypatch):
    monkeypatch.setattr(parts, "_ROWS_AT_ONCE", 6_554)
    keys = [f"{number * 7919 % 8_000:05d}" for number in range(8_000)]
    for half in (keys[::2], keys[1::2]):
        store.add(FINGERPRINT, scored(half, -1.0), {"written": half[0]})
    store.begin({"run_id": "r", "state": "done"}, [])
    list(compact(store))
    (part,) = store.parts(FINGERPRINT)
    metadata = pq.read_metadata(part.file("tokens"))
    assert metadata.num_row_groups > 1
    statistics = [metadata.row_group(number).column(0).statistics for number in range(metadata.num_row_groups)]
    around = [one for one in statistics if one.min <= "00007" <= one.max]
    assert len(around) < len(statistics)
    assert part.file("tokens").stat().st_size < 3e5, "a row group must not hold the keys of all"
    assert set(store.token_scores(FINGERPRINT, ["00007"])) == {"00007"}


def test_a_reader_that_listed_a_deleted_part_begins_again(store, limit):
    add(store, "a", -1.0)
    add(store, "b", -2.0)
    name_all(store, "ab")
    listed = store.parts(FINGERPRINT)
    limit("replaced_minutes", 0)
    list(compact(store))
    list(compact(store))
    assert not any(part.side.exists() for part in listed)
    asked = iter([listed])
    real = store.parts
    store.parts = lambda fingerprint: next(asked, None) or real(fingerprint)  # type: ignore[method-assign]
    assert store.scores(FINGERPRINT)["request_key"].tolist() == ["a", "b"]
    assert pd.isna(store.scores(FINGERPRINT)["logprob"]).sum() == 0


def test_a_reader_whose_list_is_older_than_a_new_part_lists_again(store, limit, monkeypatch):
    """The old parts are replaced and deleted after the folder was listed, and before the first of them is read."""
    add_twice(store)
    name_all(store, "abcde")
    limit("replaced_minutes", 0)
    read, waiting = files.known_json, [True]

    def slowly(path):
        if waiting:
            waiting.clear()
            list(compact(store))
            list(compact(store))  # which takes what the first one replaced
        return read(path)

    monkeypatch.setattr(files, "known_json", slowly)
    assert store.known(FINGERPRINT) == set("abcde")
    assert not waiting and len(all_parts(store.folder / "scores" / FINGERPRINT)) < 10
