"""What tasks in JSON lines share: ids, clusters, and what is said of records that are not in the format."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError
from pairlens.tasks._base import Clusters, Numbering, records
from tests.records import read, refusal, write

BLIMP = {"sentence_good": "A goose swims.", "sentence_bad": "A goose swim."}
RECORDS = {
    "blimp": BLIMP,
    "comps": {"prefix_acceptable": "A boat", "prefix_unacceptable": "A brick", "property_phrase": "floats."},
    "entity_tracking": {"input_prefix": "The sack holds ", "options": ["a bean.", "a pea."], "numops": 0},
    "ewok": {
        **{"Context1": "It rains.", "Context2": "It is dry.", "Target1": "Ann is wet.", "Target2": "Ann is dusty."},
        **{"Domain": "weather", "ContextType": "direct", "ContextDiff": "antonym", "TargetDiff": "concept swap"},
    },
    "wug_adj": {"sentences": "one\tother", "ratio": 0.25},
    "wug_past": {"sentences": "one\tother", "ratio": 0.25},
}
tasks = pytest.mark.parametrize("task", RECORDS)
TWO_TEXTS = "field 'sentences' must be two texts with a TAB between them"
FIELDS = [(task, field) for task, record in RECORDS.items() for field in record]


@tasks
@pytest.mark.parametrize("name", ["here.jsonl", "here.JSONL", "here.jsonl.gz", "here.v2.jsonl"])
def test_a_file_gives_its_stem_to_its_items(task, name, tmp_path):
    content = json.dumps(RECORDS[task]).encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    (item,) = read(task, tmp_path)
    stem = name.lower().removesuffix(".gz").removesuffix(".jsonl")
    uid = {"entity_tracking": f"{stem}_0_ops", "ewok": "weather"}.get(task, stem)
    assert (item.id, item.groups["UID"]) == (f"{uid}_0", uid)


@pytest.mark.parametrize(("task", "field"), FIELDS)
def test_a_missing_field_is_named_with_file_and_line(task, field, tmp_path):
    record = {name: value for name, value in RECORDS[task].items() if name != field}
    path = write(tmp_path / "x.jsonl", RECORDS[task], record)
    assert refusal(task, path).startswith(f"x.jsonl, line 2: no field '{field}'. Expected ")


@pytest.mark.parametrize(("task", "field"), FIELDS)
def test_a_field_of_another_kind_is_named_but_not_quoted(task, field, tmp_path):
    wrong = ("nothing (null)", None), ("true or false", True), ("an object", {"secret": "x"}), ("an empty text", " ")
    for kind, value in wrong:
        said = refusal(task, write(tmp_path / "x.jsonl", {**RECORDS[task], field: value}))
        assert said.startswith("x.jsonl, line 1: ") and f"'{field}' must be a" in said and f"found {kind}" in said
        assert "secret" not in said


@pytest.mark.parametrize(
    ("task", "change", "found"),
    [
        ("entity_tracking", {"options": ["a bean."]}, "field 'options' must have at least two entries, found 1."),
        ("entity_tracking", {"options": ["a bean.", 3]}, "entry 2 of 'options' must be a text, found a number."),
        ("entity_tracking", {"options": ["a.", ""]}, "entry 2 of 'options' must be a text, found an empty text."),
        ("entity_tracking", {"options": "a bean."}, "field 'options' must be a list of texts, found a text."),
        ("entity_tracking", {"numops": 1.5}, "field 'numops' must be a number of operations: 0, 1, 2, ...."),
        ("entity_tracking", {"numops": -1}, "field 'numops' must be a number of operations: 0, 1, 2, ...."),
        ("entity_tracking", {"numops": "one"}, "field 'numops' must be a number, found a text."),
        ("ewok", {"Target1": ["Ann is wet."]}, "field 'Target1' must be a text, found a list."),  # not quoted
        ("wug_adj", {"sentences": "one only"}, f"{TWO_TEXTS}, found 0 TABs."),
        ("wug_adj", {"sentences": "a\tb\tc"}, f"{TWO_TEXTS}, found 2 TABs."),
        ("wug_adj", {"sentences": "a\t "}, "the second of 'sentences' must be a text, found an empty text."),
        ("wug_adj", {"ratio": 1.2}, "field 'ratio' must be a share of people, 0 to 1, found 1.2."),
        ("wug_adj", {"ratio": -0.1}, "field 'ratio' must be a share of people, 0 to 1, found -0.1."),
        ("wug_adj", {"ratio": "most"}, "field 'ratio' must be a number, found a text."),
    ],
)
def test_what_is_wrong_with_a_field_is_said_with_file_and_line(task, change, found, tmp_path):
    path = write(tmp_path / "x.jsonl", RECORDS[task], RECORDS[task] | change)
    assert refusal(task, path) == f"x.jsonl, line 2: {found}"


@tasks
def test_empty_folders_and_files_and_those_of_another_task_are_refused(task, tmp_path):
    assert "no file that ends in .jsonl" in refusal(task, tmp_path)
    assert "the file is empty" in refusal(task, write(tmp_path / "x.jsonl"))
    write(tmp_path / "a.jsonl", RECORDS[task])
    other = next(record for name, record in RECORDS.items() if name[:3] != task[:3])
    write(tmp_path / "b.jsonl", other)
    said = refusal(task, tmp_path)
    assert said.startswith("b.jsonl, line 1: no field ") and f"found {', '.join(other)}." in said


@given(st.lists(st.sampled_from("abc")))
def test_ids_are_unique_and_clusters_are_what_is_shared(names):
    number, cluster = Numbering(), Clusters()
    ids = [number(name) for name in names]
    assert ids == [f"{name}_{names[:place].count(name)}" for place, name in enumerate(names)]
    clusters = [cluster(name) for name in names]
    assert len(set(zip(names, clusters, strict=True))) == len(set(names)) == len(set(clusters))


@pytest.mark.parametrize("name", ["mine.csv", "mine.tsv", "mine.xlsx"])
def test_a_table_is_sent_to_the_task_that_reads_tables(tmp_path, name):
    (tmp_path / name).write_bytes(b"good,bad\nThe cat sleeps.,The cat sleep.\n")
    with pytest.raises(InputError, match=rf"^{name}: a table; expected JSON lines .*Minimal pairs .*reads tables"):
        list(records(tmp_path / name, "records"))
