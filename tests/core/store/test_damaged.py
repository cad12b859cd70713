"""What the verbs of the store say where there is nothing, and where something is damaged: one sentence."""

import pytest

from pairlens.cli import main
from pairlens.store.files import read_json, write_json
from pairlens.store.maintenance import verify
from pairlens.store.removal import collect_garbage, delete

pytestmark = pytest.mark.usefixtures("unpublished", "asked_here")
VERBS = ("verify", "compact", "space", "gc")


@pytest.fixture
def call(capsys, caplog):
    """A verb of the command line: its status, and all that it prints and warns of."""

    def run(*arguments):
        caplog.clear()
        status = main(arguments)
        out, error = capsys.readouterr()
        return status, out + error + caplog.text

    return run


def test_on_an_empty_store_each_verb_says_so_and_writes_no_tables(home, call):
    for verb, sentence in {
        "verify": "Nothing is stored here yet.", "compact": "There was nothing to merge.",
        "space": "Nothing is stored here yet.", "gc": "There was nothing to delete.",
    }.items():  # fmt: skip
        assert call("store", verb) == (0, f"{sentence}\n")
    assert not [path for path in home.rglob("*") if path.is_file() and not path.name.endswith(".lock")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "damage"),
    [
        ("manifest.json", "torn"), ("items.parquet", "other"), ("metrics.parquet", "empty"),
        *(pytest.param(file, damage, marks=pytest.mark.soak) for file, damage in (
            ("manifest.json", "empty"), ("items.parquet", "torn"), ("metrics.parquet", "torn"),
        )),
    ],
)  # fmt: skip
def test_a_damaged_run_is_named_by_every_verb_and_never_a_fault(store, run_id, call, file, damage):
    path = store.folder / "runs" / run_id / file
    path.write_bytes({"torn": path.read_bytes()[:-9], "other": b"x" * 100, "empty": b""}[damage])
    assert verify(store).runs == (path,)
    assert call("store", "verify")[0] == 1
    for arguments in (*(("store", verb) for verb in VERBS), ("runs", "list"), ("query", "select * from runs")):
        status, text = call(*arguments)
        assert status in (0, 1, 2) and "unexpected" not in text, arguments
        assert str(path) in text or status == 0, arguments
    assert len(store.scores(store.fingerprints()[0])) == 8, "no score is lost"


@pytest.mark.slow
def test_a_deleted_run_whose_items_are_damaged_stops_nothing(store, run_id, call):
    delete(store, run_id)
    next((store.folder / "runs" / ".deleted").glob("*/*/items.parquet")).write_bytes(b"")
    assert collect_garbage(store).runs == 0
    assert call("store", "space")[0] == call("store", "compact")[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["requests", "boundary", "sha256", "scores"])
def test_a_side_file_that_does_not_say_all_is_set_aside(store, run_id, call, lost):
    (part,) = store.parts(store.fingerprints()[0])
    about = read_json(part.side) or {}
    (about["sha256"] if lost == "scores" else about).pop(lost)
    write_json(part.side, about)
    status, text = call("store", "verify")
    assert status == 1 and f"{part.name}.damaged" in text and "Damaged: 1 file." in text
    assert store.parts(store.fingerprints()[0]) == []
