"""A run as one file: what goes out comes in, to the last bit; whatever else is in a file is refused in a sentence."""

import hashlib
import io
import json
import shutil
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError, StoreError
from pairlens.evaluation.archive import pack, packed, packing, unpack
from pairlens.evaluation.evaluate import Context, run
from pairlens.evaluation.requests import plan
from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.store.files import read_json, write_json
from pairlens.store.maintenance import verify
from pairlens.store.run_annotations import Annotations, annotations_of, tag, write_note
from pairlens.tasks import TASKS
from pairlens.types import Candidate, Item
from tests.run_of_pairs import run_of_pairs

pytestmark = pytest.mark.slow
AGREEMENT = (("The cat is tired.", "The cat are tired.", "agreement"),)


@pytest.fixture
def here(tmp_path):
    return Store(tmp_path / "here", shipped=None)


@pytest.fixture
def there(tmp_path):
    return Store(tmp_path / "there", shipped=None)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A store with a run, and that run as the bytes of a file."""
    here = Store(tmp_path_factory.mktemp("whole"), shipped=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pairlens.evaluation.evaluate.catalog.publish", lambda store: None)
        run_id = run_of_pairs(here)
    return here, run_id, packed(here, run_id)


@pytest.fixture
def archive(whole, tmp_path):
    path = tmp_path / "run.pairlens.zip"
    path.write_bytes(whole[2])
    return path


def same(first, second, run_id):
    """The run has the same items, candidates, tokens and metrics in both stores, bit by bit."""
    for table in ("items", "candidates", "metrics"):
        pd.testing.assert_frame_equal(
            getattr(first, table)(run_id), getattr(second, table)(run_id), check_exact=True, check_like=False
        )
    items = first.items(run_id)
    for fingerprint in items["fingerprint"].unique():
        both = [store.token_scores(fingerprint, set(items["request_key"])) for store in (first, second)]
        assert both[0] and {key: repr(one) for key, one in both[0].items()} == {
            key: repr(one) for key, one in both[1].items()
        }


@pytest.mark.parametrize("boundary", [False, True])
def test_what_goes_out_comes_in(here, there, tmp_path, boundary):
    run_id = run_of_pairs(here, boundary=boundary)
    tag(here, run_id, ["paper"])
    write_note(here, run_id, "Look again.")
    unpacked = unpack(there, pack(here, run_id, tmp_path / "x.zip"))
    assert (unpacked.run_id, unpacked.new, unpacked.scores, unpacked.here) == (run_id, True, 8, 0)
    same(here, there, run_id)
    assert annotations_of(there, run_id) == Annotations(("paper",), "Look again.")
    made, came = here.manifest(run_id), there.manifest(run_id)
    own = {name: made[name] for name in ("pid", "began", "sha256")}
    assert {**made, "arrived": came["arrived"]} == {**came, **own}
    assert not verify(there).damaged


def test_exactly_what_the_run_names_goes_out_in_its_order_from_several_parts(here, there, tmp_path):
    run_id = run_of_pairs(here)
    small = run_of_pairs(here, pairs=AGREEMENT)
    unpack(there, pack(here, small, tmp_path / "x.zip"))
    (fingerprint,) = there.fingerprints()
    assert len(there.known(fingerprint)) == 2 < len(here.known(fingerprint)) == 8
    same(here, there, small)
    # The sum of the first part, the masses at word ends of the other: as in the store that it left.
    assert run_of_pairs(here, boundary=True) == run_id
    run_of_pairs(here, pairs=(("The cat is tired.", "Two dogs is old.", "x"),), boundary=True)
    unpack(there, pack(here, run_id, tmp_path / "whole.zip"))
    same(here, there, run_id)
    pd.testing.assert_series_equal(
        here.ends(fingerprint).sort_index(), there.ends(fingerprint).sort_index(), check_exact=True
    )


def test_a_run_that_is_here_is_recognised_and_an_unfinished_one_not_written_over(whole, there, archive):
    first = unpack(there, archive)
    tag(there, first.run_id, ["mine"])
    before = {path: path.stat().st_mtime_ns for path in there.folder.rglob("*") if path.is_file()}
    assert unpack(there, archive) == replace(first, new=False, scores=0, here=0)
    assert before == {path: path.stat().st_mtime_ns for path in there.folder.rglob("*") if path.is_file()}
    assert not unpack(whole[0], archive).new
    assert annotations_of(there, first.run_id).tags == ("mine",)
    there.table_path(first.run_id, "items").with_name("manifest.json").write_text("{")
    assert unpack(there, archive).new, "it mends what is damaged"
    assert annotations_of(there, first.run_id).tags == ("mine",), "and leaves what is not"
    manifest = whole[0].manifest(whole[1])
    there.update({**manifest, "state": "cancelled"})
    with pytest.raises(StoreError, match="finish or delete it first"):
        unpack(there, archive)
    assert there.manifest(manifest["run_id"])["state"] == "cancelled"


def test_scores_that_are_here_count_and_the_numbers_are_those_of_them(here, there, tmp_path):
    """The same fingerprint may hold other last digits: those of this store stay, in every run."""
    run_id = run_of_pairs(here)
    (fingerprint,) = here.items(run_id)["fingerprint"].unique()
    alone = run_of_pairs(there, pairs=AGREEMENT)
    for side in (there.folder / "scores").rglob("*.scores.parquet"):
        table = pq.read_table(side)
        changed = table.set_column(2, "logprob", pa.array(-np.arange(table.num_rows) - 1.0))
        pq.write_table(changed, side)
        about = read_json(path := side.with_name(side.name.replace(".scores.parquet", ".json")))
        about["sha256"]["scores"] = hashlib.sha256(side.read_bytes()).hexdigest()
        write_json(path, about)
    before = there.scores(fingerprint).set_index("request_key")["logprob"]
    unpacked = unpack(there, pack(here, run_id, tmp_path / "x.zip"))
    assert (unpacked.scores, unpacked.here) == (8, 2)
    after = there.scores(fingerprint).set_index("request_key")["logprob"]
    assert after[before.index].equals(before)
    assert there.candidates(alone)["logprob"].isin(before).all()
    assert not verify(there).damaged


def test_confidential_texts_stay_where_they_are(here, there, tmp_path):
    task = TASKS["ewok"]
    secret = "Chen sees the zebra."
    item = Item(
        "item_0", (Candidate(f" {secret}", "a", "Ann is here."), Candidate(f" {secret}", "b", "Ann is there.")), "a",
        dict.fromkeys(task.groups, "g") | {"pair": "0"},
    )  # fmt: skip
    planned = plan(task, [item], Recipe(find("unigram-english"), SCORERS["unigram"], Policy()))
    for _ in run(planned, Context(here, data="x")):
        continue
    with zipfile.ZipFile(file := pack(here, planned.run_id, tmp_path / "x.zip")) as whole:
        for name in whole.namelist():
            content = whole.read(name)
            assert b"zebra" not in content and b"Ann is" not in content
            if name.endswith("tokens.parquet"):
                assert pq.read_table(io.BytesIO(content)).num_rows == 0
    unpack(there, file)
    assert there.items(planned.run_id)["text"].isna().all()
    pd.testing.assert_frame_equal(here.candidates(planned.run_id), there.candidates(planned.run_id))


def test_only_finished_runs_whose_scores_are_there_travel(here, tmp_path):
    run_id = run_of_pairs(here)
    here.update({**here.manifest(run_id), "state": "failed"})
    with pytest.raises(StoreError, match="only finished runs can be exported"):
        packed(here, run_id)
    with pytest.raises(StoreError, match="no run"):
        pack(here, "pairs-0", tmp_path / "x.zip")
    here.update({**here.manifest(run_id), "state": "done"})
    shutil.rmtree(here.folder / "scores")
    with pytest.raises(StoreError, match=r"8 scores of run .* are no longer stored"):
        pack(here, run_id, tmp_path / "x.zip")
    assert not list(tmp_path.glob("*.zip"))


# What is refused


def rewritten(source, change, *, hashes=True):
    """The archive with other contents; `hashes`: with a list of hashes that fits them."""
    with zipfile.ZipFile(source) as whole:
        files = {name: whole.read(name) for name in whole.namelist()}
    change(files)
    if hashes:
        about = json.loads(files["export.json"])
        about["sha256"] = {
            name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != "export.json"
        }
        files["export.json"] = json.dumps(about).encode()
    target = source.with_name("changed.zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, content in files.items():
            whole.writestr(name, content)
    return target


def replaced(name, content):
    return lambda files: files.update({name: content})


def edited(name, **changes):
    """A change of fields of a JSON file; None takes one away."""

    def change(files):
        fields = {**json.loads(files[name]), **changes}
        files[name] = json.dumps({key: value for key, value in fields.items() if value is not None}).encode()

    return change


def table_edited(name, edit):
    def change(files):
        found = next(one for one in files if one.endswith(name))
        pq.write_table(edit(pq.read_table(io.BytesIO(files[found]))), packed := io.BytesIO())
        files[found] = packed.getvalue()

    return change


def column_edited(name, column, value):
    def change(table):
        place = table.schema.get_field_index(column)
        return table.set_column(place, column, pa.array([value] * table.num_rows))

    return table_edited(name, change)


SCORES = "scores/0000.scores.parquet"
REFUSED = {
    "a newer format": (edited("export.json", format=2), "newer Pairlens"),
    "another format": (edited("export.json", format="1"), "says something else"),
    "a name that leaves the folder": (replaced("../../evil.json", b"{}"), "no exported run has"),
    "an absolute name": (replaced("/tmp/evil.parquet", b""), "no exported run has"),
    "a file too many": (replaced("scores/notes.txt", b"x"), "no exported run has"),
    "no items": (lambda files: files.pop("items.parquet"), "cannot be unpacked"),
    "a run id that leaves the folder": (edited("manifest.json", run_id="../evil"), "no usable 'run_id'"),
    "an unfinished run": (edited("manifest.json", state="running"), "it is 'running'"),
    "an unknown task": (edited("manifest.json", task="blmp"), "no task 'blmp'. Did you mean 'blimp'"),
    "a rule of another task": (edited("manifest.json", rule="cases"), "no rule 'cases'"),
    "a missing field": (edited("manifest.json", signature=None), "no usable 'signature'"),
    "a policy of the future": (edited("manifest.json", policy={"first_token": "new"}), "no first token 'new'"),
    "a field of the future": (edited("manifest.json", policy={"newer": 1}), "a choice 'newer'"),
    "no groups": (edited("manifest.json", groups=[]), "no usable 'groups'"),
    "a group that no item has": (edited("manifest.json", groups=["nope"]), "have no group 'nope'"),
    "no reason": (edited("manifest.json", refused={"pair_0": ["x"]}), "no usable 'refused'"),
    "no version of a metric": (edited("manifest.json", metric_versions={"icat": "2"}), "no usable 'metric_versions'"),
    "a word for yes": (edited("manifest.json", ends="yes"), "no usable 'ends'"),
    "more than there can be": (edited("manifest.json", n=10**30), "no usable 'n'"),
    "no date": (edited("manifest.json", created="yesterday"), "no usable 'created'"),
    "no number": (replaced("manifest.json", b'{"value": NaN}'), "is not JSON"),
    "no object": (replaced("manifest.json", b"[1]"), "is not one JSON object"),
    "deep JSON": (replaced("manifest.json", b"[" * 200_000), "is not JSON"),
    "no table": (replaced(SCORES, b"PAR1 no PAR1"), "is not the table"),
    "a table without a column": (table_edited(SCORES, lambda it: it.drop_columns(["n_tokens"])), "not the table"),
    "texts for numbers": (column_edited(SCORES, "logprob", "x"), "not the table"),
    "infinite": (column_edited(SCORES, "logprob", float("-inf")), "no number"),
    "scores that are lacking": (table_edited(SCORES, lambda table: table.slice(1)), "lacks 1 of the scores"),
    "unknown metrics": (column_edited("metrics.parquet", "name", "x"), "its numbers are not known here: x"),
    "no items in the table": (table_edited("items.parquet", lambda table: table.slice(0, 0)), "which scores"),
    "scores of something else": (edited("scores/0000.json", fingerprint="f" * 64), "what the scores are of"),
}


@pytest.mark.parametrize("how", REFUSED)
def test_what_is_no_exported_run_is_refused_and_nothing_is_written(there, archive, how):
    change, sentence = REFUSED[how]
    with pytest.raises(InputError, match=sentence):
        unpack(there, rewritten(archive, change))
    assert there.runs().empty and not there.fingerprints()
    kept = "scores" if "lacking" in how else "no such folder"  # whole scores are no harm; unnamed ones are cleaned up
    written = [path for path in there.folder.rglob("*") if path.is_file() and "lock" not in path.name]
    assert all(kept in path.parts for path in written)
    assert not (there.folder.parent / "evil.json").exists()


def test_a_change_on_the_way_what_is_no_export_and_a_bomb_are_refused(there, archive, tmp_path, limit, save):
    with zipfile.ZipFile(other := tmp_path / "other.zip", "w") as whole:
        whole.writestr("a.txt", "x")
    limit("max_unpacked_mb", 1)
    for file, sentence in (
        (save("no.zip", b"no zip"), "is no run that was exported"),
        (save("empty.zip", b""), "is no run that was exported"),
        (other, "holds no export"),
        ((edited("manifest.json", value=0.99), False), "'manifest.json' inside is not what was exported"),
        ((lambda files: files.pop("remarks.json"), False), "exactly the files that it lists"),
        ((replaced("metrics.parquet", bytes(4 << 20)), True), "more than 1 MB"),
        ((table_edited("items.parquet", _repeated), True), "unpacks to more than 1 MB"),  # tiny in Parquet only
    ):
        with pytest.raises(InputError, match=sentence):
            unpack(there, rewritten(archive, file[0], hashes=file[1]) if isinstance(file, tuple) else file)


def _repeated(table):
    many = pa.concat_tables([table.slice(0, 1)] * 4_000)
    return many.set_column(table.schema.get_field_index("text"), "text", pa.array(["x" * 5_000] * many.num_rows))


share = st.floats(0, 1, exclude_max=True)


@given(cut=st.none() | share, changes=st.lists(st.tuples(share, st.integers(1, 255)), max_size=4))
def test_no_damage_is_believed(tmp_path_factory, whole, cut, changes):
    here, run_id, content = whole
    damaged = bytearray(content if cut is None else content[: int(cut * len(content))])
    for place, value in changes if damaged else ():
        damaged[int(place * len(damaged))] ^= value
    folder = tmp_path_factory.mktemp("damage")
    (folder / "x.zip").write_bytes(damaged)
    there = Store(folder / "there", shipped=None)
    try:
        unpack(there, folder / "x.zip")
    except InputError as error:
        assert "\n" not in str(error)
    else:
        same(here, there, run_id)


def test_any_changed_byte_of_the_table_of_contents_is_one_sentence(tmp_path, whole):
    """`zipfile` has an error of its own for each field there; the table is at the end of the file."""
    _, _, content = whole
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        begins = archive.start_dir
    path = tmp_path / "x.zip"
    for place in range(begins, len(content)):
        for value in (1, 128, 255):
            path.write_bytes(content[:place] + bytes([content[place] ^ value]) + content[place + 1 :])
            try:
                with packing.opened(path):
                    pass
            except InputError as error:
                assert "\n" not in str(error)


def test_a_file_of_a_visitor_takes_no_run_of_others(there, archive, monkeypatch):
    """Whatever id its manifest states: what is imported has an id that its content makes."""
    victim = run_of_pairs(there)
    monkeypatch.setattr("pairlens.store.visitors.current", lambda: "b" * 32)
    first = unpack(there, archive)
    assert first.new and first.run_id != victim and first.run_id.startswith("pairs-")
    assert unpack(there, archive) == replace(first, new=False, scores=0, here=0)
    assert [mark.name for mark in settings().visitors.glob("*/runs/*")] == [first.run_id]
