"""What people write on runs, and runs that are deleted and come back: also while others do the same."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.analysis import checkpoints
from pairlens.errors import InputError, StoreError
from pairlens.store import sweeps
from pairlens.store.maintenance import damage
from pairlens.store.removal import delete, deleted, restore
from pairlens.store.run_annotations import Annotations, annotations_of, read_annotations, tag, write_note
from tests import forked
from tests.refusals import error_of
from tests.run_of_pairs import run_of_pairs

pytestmark = pytest.mark.usefixtures("unpublished")


def test_tags_and_note_come_back_alone_and_with_a_deleted_run(store, run_id):
    before = store.manifest(run_id), store.metrics(run_id)
    assert annotations_of(store, run_id) == Annotations()
    assert tag(store, run_id, ["paper", "  seed   2 "]).tags == ("paper", "seed 2")
    assert tag(store, run_id, ["a"], ["paper", "absent"]).tags == ("a", "seed 2")
    assert write_note(store, run_id, " Look again. ") == Annotations(("a", "seed 2"), "Look again.")
    assert annotations_of(store, run_id) == Annotations(("a", "seed 2"), "Look again.")
    assert write_note(store, run_id, "").note == ""
    assert store.manifest(run_id) == before[0]
    assert store.metrics(run_id).equals(before[1])
    tag(store, run_id, ["paper"], ["a", "seed 2"])
    before = store.manifest(run_id), store.candidates(run_id)
    delete(store, run_id)
    assert store.runs().empty
    assert "no run" in error_of(lambda: store.manifest(run_id), StoreError)
    (one,) = deleted(store)
    assert (one.run_id, one.title) == (run_id, before[0]["title"])
    restore(store, run_id)
    assert store.manifest(run_id) == before[0]
    assert store.candidates(run_id).equals(before[1])
    assert annotations_of(store, run_id).tags == ("paper",)
    assert deleted(store) == []


def test_what_is_no_tag_too_much_or_of_no_run_is_refused_and_nothing_is_lost(store, run_id):
    for bad in ("", "  ", "a,b", "x" * 41):
        with pytest.raises(InputError, match="is no tag"):
            tag(store, run_id, [bad])
    tag(store, run_id, [f"t{n}" for n in range(20)])
    assert "20 tags" in error_of(lambda: tag(store, run_id, ["one more"]))
    assert "2,000 characters" in error_of(lambda: write_note(store, run_id, "x" * 2_001))
    assert len(annotations_of(store, run_id).tags) == 20
    changes = lambda: tag(store, "r-1", ["a"]), lambda: write_note(store, "r-1", "a"), lambda: delete(store, "r-1")
    for change in changes:
        assert "no run 'r-1'" in error_of(change, StoreError)
    assert "not the id" in error_of(lambda: tag(store, "../r", ["a"]), StoreError)
    assert not list((store.folder / "runs").glob("r-1"))


json = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(["tags", "note", "other"]), json))
def test_remarks_of_any_origin_are_read_or_left_out(found):
    said = read_annotations(found)
    assert all(tag == " ".join(tag.split()) and 0 < len(tag) <= 40 for tag in said.tags)
    assert len(said.note) <= 2_000


def test_what_cannot_be_undone_or_runs_still_says_why(store, run_id):
    assert "until the end of the day" in error_of(lambda: restore(store, run_id), StoreError)
    delete(store, run_id)
    assert run_of_pairs(store) == run_id
    assert "made again" in error_of(lambda: restore(store, run_id), StoreError)
    delete(store, run_id)  # a second time on the same day: the later one is kept
    restore(store, run_id)
    assert store.has_finished(run_id)
    store.update({**store.manifest(run_id), "state": "running", "pid": os.getpid()})
    assert "still running" in error_of(lambda: delete(store, run_id), StoreError)
    assert store.manifest(run_id)["state"] == "running"


@pytest.mark.slow
def test_a_sweep_goes_on_without_a_deleted_run(store):
    kept, gone = run_of_pairs(store), run_of_pairs(store, margin=-1.0)
    runs, manifest = (("a", 10, gone), ("b", 20, kept)), store.manifest(kept)
    points = tuple(sweeps.Point(name, words, "words", "w", run_id, sweeps.DONE) for name, words, run_id in runs)
    about = ("pairs-1", "m", "pairs", "joint", "typed", manifest["data_hash"], "stated", manifest["policy"], "2026")
    sweep = sweeps.Sweep(*about, points)
    assert set(checkpoints.curve(store, sweep)["checkpoint"]) == {"a", "b"}
    delete(store, gone)
    assert set(checkpoints.curve(store, sweep)["checkpoint"]) == {"b"}
    assert checkpoints.acquisition(store, sweep)["n"].eq(1).all()
    restore(store, gone)
    assert set(checkpoints.curve(store, sweep)["checkpoint"]) == {"a", "b"}


MANY = """
import sys
from pathlib import Path
from pairlens.errors import StoreError
from pairlens.store import Store
from pairlens.store.removal import delete, restore
from pairlens.store.run_annotations import tag
store, run_id, name = Store(Path(sys.argv[1]), shipped=None), sys.argv[2], sys.argv[3]
for number in range(9):
    while True:
        try:
            tag(store, run_id, [f"{name}{number}"])
            break
        except StoreError:
            pass
    if name == "a":
        delete(store, run_id)
        restore(store, run_id)
"""


@pytest.mark.slow
def test_two_processes_tag_and_delete_at_once_and_nothing_is_lost(store, run_id):
    command = (sys.executable, "-c", MANY, store.folder, run_id)
    started = [forked.Popen([*command, name], env=os.environ, stdout=subprocess.PIPE) for name in "ab"]
    for one in started:
        said, _ = one.communicate(timeout=60)
        assert one.returncode == 0, said
    assert set(annotations_of(store, run_id).tags) == {f"{name}{number}" for name in "ab" for number in range(9)}
    assert [path.name for path in (store.folder / "runs").glob("[!.]*")] == [run_id]


@pytest.mark.parametrize("content", ['{"run_id": "another", "format": 2}', "[]", "{"])
def test_a_run_with_a_damaged_manifest_is_left_out_and_named(store, content):
    kept, broken = run_of_pairs(store), run_of_pairs(store, margin=-1.0)
    (store.folder / "runs" / broken / "manifest.json").write_text(content)
    assert store.runs()["run_id"].tolist() == [kept]
    with pytest.raises(StoreError, match=broken):
        store.manifest(broken)
    assert store.damaged_runs() == [broken]
    (sentence,) = damage(store)
    assert broken in sentence and "runs delete" in sentence
    assert "no run 'r-1'" in error_of(lambda: delete(store, kept, "r-1"), StoreError)
    assert store.has_finished(kept), "all or none"
    delete(store, broken)
    assert damage(store) == []
