"""Parts at an address: copied once, whole or not at all, whatever lies there."""

import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pairlens.errors import InputError, StoreError
from pairlens.store import elsewhere
from pairlens.store.compaction import compact
from pairlens.store.elsewhere import Merged
from pairlens.store.files import sha256, write_json
from pairlens.store.parts import all_parts
from tests.refusals import refused
from tests.scored import scored, scores

ONE, TWO = "a" * 64, "b" * 64


def two_tokens(letters):
    return scored(**{letter * 64: scores(-1.0, -2.0) for letter in letters})


@pytest.fixture
def place(tmp_path):
    """A folder with two parts of one model and one of another."""
    for fingerprint, letters in ((ONE, "12"), (ONE, "34"), (TWO, "5")):
        elsewhere.add(str(tmp_path / "place"), fingerprint, two_tokens(letters), {"by": "a worker"})
    return tmp_path / "place"


def test_merging_copies_what_is_missing_and_nothing_twice(place, store):
    store.add(ONE, two_tokens("34"), {"by": "us"})
    assert elsewhere.merge(store, str(place)) == Merged(2, 1, ())
    assert elsewhere.merge(store, f"file://{place}") == Merged(0, 3, ())
    assert {one: store.known(one) for one in (ONE, TWO)} == {ONE: {n * 64 for n in "1234"}, TWO: {"5" * 64}}
    (copied,) = all_parts(store.folder / "scores" / TWO)
    (original,) = all_parts(place / "scores" / TWO)
    assert copied.about == original.about and copied.whole()


def test_only_some_models_are_merged_and_parts_that_were_joined_not_copied_again(place, store):
    assert elsewhere.merge(store, str(place), {TWO}) == Merged(1, 0, ())
    assert elsewhere.merge(store, str(place), {"c" * 64}) == Merged(0, 0, ())
    assert store.fingerprints() == [TWO]
    elsewhere.merge(store, str(place))
    list(compact(store))
    assert elsewhere.merge(store, str(place)) == Merged(0, 3, ())


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["table", "gone", "side", "seal", "columns", "field"])
def test_a_part_that_is_not_whole_is_left_out_and_named(harm, place, store, cli):
    part = next(one for one in all_parts(place / "scores" / TWO))
    table = part.file("tokens")
    about = dict(part.about)
    if harm == "table":
        table.write_bytes(table.read_bytes()[:-1] + b"x")
    elif harm == "gone":
        table.unlink()
    elif harm == "side":
        part.side.write_text("{")
    elif harm == "seal":
        part.side.write_text(part.side.read_text().replace("a worker", "a stranger"))
    elif harm == "columns":
        pq.write_table(pa.table({"request_key": ["5" * 64]}), table)
        write_json(part.side, {**about, "sha256": {**about["sha256"], "tokens": sha256(table)}})
    else:
        write_json(part.side, {**about, "sha256": "none"})
    status, said, _ = cli("store", "merge", place)
    assert status == 1 and f"damaged, left out: {TWO}/{part.name}" in said and "Copied: 2 parts" in said
    assert not store.known(TWO)
    assert not [*(store.folder / "scores" / TWO).glob("*")]


def test_a_part_of_a_newer_version_is_refused(place, store):
    (part,) = all_parts(place / "scores" / TWO)
    write_json(part.side, {**part.about, "format": 99})
    with pytest.raises(StoreError, match="update Pairlens"):
        elsewhere.merge(store, str(place))


def test_names_that_no_part_has_are_not_followed(place, store):
    (part,) = all_parts(place / "scores" / TWO)
    for name in ("..", "A.B", "a b"):
        shutil.copy(part.side, part.side.with_name(f"{name}.json"))
    (place / "scores" / "short").mkdir()
    shutil.copy(part.side, place / "scores" / "short")
    assert elsewhere.merge(store, str(place)) == Merged(3, 0, ())


def test_one_part_is_taken_or_missed(place, store):
    (part,) = all_parts(place / "scores" / TWO)
    assert not elsewhere.take(store, str(place), TWO, "0" * 20)
    assert elsewhere.take(store, str(place), TWO, part.name)
    shutil.rmtree(place)
    assert elsewhere.take(store, str(place), TWO, part.name)
    assert json.loads((store.folder / "scores" / TWO / f"{part.name}.json").read_text())["provenance"]


def test_an_address_that_is_none_and_an_empty_place_are_said(tmp_path, store, cli):
    for address in ("ftp://host/folder", "s3://"):
        with pytest.raises(InputError, match=address):
            elsewhere.merge(store, address)
    refused(cli("store", "merge", tmp_path / "nothing"), "there are no scores")
