"""Suites against what is known of them, and against the real data where they are."""

from collections import Counter
from pathlib import Path

import pytest

from pairlens.errors import InputError
from pairlens.evaluation.formats import folder_for
from pairlens.files.suites import ItemSet, check_sizes, compare_sizes, suite, suites
from pairlens.tasks import TASKS

BABYLM = suite("babylm-2025")
ENTRIES = {entry.key: entry for entry in BABYLM.entries}
PARTS = ("blimp", "blimp_supplement", "ewok", "entity_tracking", "wug_adj", "wug_past", "comps", "reading", "aoa")


def test_every_suite_names_tasks_that_there_are_and_the_checkpoints_of_its_tracks():
    for entry in (entry for name in suites() for entry in suite(name).entries):
        assert set(entry.values.values()) <= set(TASKS[entry.task].metrics), entry.key
    with pytest.raises(InputError, match=r"Did you mean 'babylm-202[56]'"):
        suite("babylm-2024")
    with pytest.raises(InputError, match="strict-small"):
        BABYLM.checkpoints("small")
    small, strict = BABYLM.checkpoints("strict-small"), BABYLM.checkpoints("strict")
    assert [small[place] for place in (0, 9, 10, 18)] == ["chck_1M", "chck_10M", "chck_20M", "chck_100M"]
    assert (len(small), len(strict), strict[:19], strict[-1]) == (19, 28, small, "chck_1000M")
    assert BABYLM.checkpoints("multimodal") == BABYLM.checkpoints("interaction") == strict
    newer = suite("babylm-2026")
    assert (newer.title, newer.entries, newer.tracks) == ("BabyLM 2026", BABYLM.entries, BABYLM.tracks)


def test_every_set_has_its_published_size():
    sizes = {key: entry.full.sizes for key, entry in ENTRIES.items() if entry.full.sizes}
    assert {key: (len(of), sum(of.values())) for key, of in sizes.items()} == {
        "blimp": (67, 59_875), "blimp_supplement": (5, 5_218), "ewok": (11, 7_618), "entity_tracking": (18, 9_483),
        "comps": (4, 49_340 + 3 * 13_896),
    }  # fmt: skip
    assert all(name == name.lower() for of in sizes.values() for name in of)
    assert {key: entry.full.each for key, entry in ENTRIES.items() if not entry.full.sizes} == {
        "wug_adj": 200, "wug_past": 50, "reading": 1726, "aoa": 8005,
    }  # fmt: skip
    fast = {key: entry.fast for key, entry in ENTRIES.items() if entry.fast}
    assert {key: items.each for key, items in fast.items() if not items.sizes} == {
        "blimp": 200, "blimp_supplement": 50, "ewok": 100, "wug_adj": 200, "wug_past": 50, "reading": 1726,
    }  # fmt: skip
    assert list(fast["entity_tracking"].sizes.values()) == [606, 607, 606, 606, 568, 159]
    assert all(name.startswith("regular_") for name in fast["entity_tracking"].sizes)
    assert {"comps", "aoa"} == ENTRIES.keys() - fast.keys()


def test_predictions_lie_where_reports_are_written():
    for entry in BABYLM.entries:
        for items in filter(None, (entry.full, entry.fast)):
            written = folder_for(Path("out"), "m", "", "causal", entry.task, Path(items.data))
            results = written.relative_to("out/m/main") / "predictions.json"
            assert entry.task in ("reading", "aoa") or results == Path(items.results_of("causal"))
    anywhere = ItemSet("data", "zero_shot/{backend}/x/predictions.json")
    assert anywhere.results_of("mlm") == "zero_shot/mlm/x/predictions.json", "the backend is part of the place"


def test_parts_are_found_packed_or_not(tmp_path):
    reading = tmp_path / "full_eval" / "reading" / "reading_data.csv.gz"
    for folder in (reading.parent, tmp_path / "full_eval" / "blimp_filtered"):
        folder.mkdir(parents=True)
    reading.write_bytes(b"")
    parts = {part.entry.key: part for part in BABYLM.parts(tmp_path)}
    assert tuple(parts) == PARTS and parts["reading"].path == reading
    assert {key for key, part in parts.items() if part.path} == {"blimp", "reading"}
    assert parts["ewok"].expected == tmp_path / "full_eval" / "ewok_filtered"
    assert len(BABYLM.parts(tmp_path, fast=True)) == 7


def test_what_is_wrong_with_sizes_is_said():
    full = dict(ENTRIES["blimp_supplement"].full.sizes)
    assert check_sizes(ENTRIES["blimp_supplement"], full) == []
    assert check_sizes(ENTRIES["blimp_supplement"], {name.upper(): n for name, n in full.items()}) == []
    del full["hypernym"]
    assert check_sizes(ENTRIES["blimp_supplement"], {**full, "turn_taking": 279, "other": 1}) == [
        "blimp_supplement: hypernym is missing (842 items).",
        "blimp_supplement: turn_taking has 279 items, expected are 280.",
        "blimp_supplement: other is not part of it (1 item).",
    ]
    assert check_sizes(ENTRIES["wug_adj"], {"whatever": 200}) == []
    assert check_sizes(ENTRIES["wug_adj"], {"other": 199}) == ["wug_adj: other has 199 items, expected are 200."]
    assert len(check_sizes(ENTRIES["blimp"], {}, fast=True)) == 67
    missing = check_sizes(ENTRIES["aoa"], {"chck_1M": 8005}, names=["chck_1M", "chck_2M"])
    assert missing == ["aoa: chck_2m is missing (8,005 items)."]
    assert check_sizes(ENTRIES["comps"], {}, fast=True) == ["comps: the suite has no fast set of it."]
    assert compare_sizes("x", {}, {}) == []


@pytest.mark.parametrize(
    ("key", "fast"), [*((key, False) for key in PARTS if key != "aoa"), *((key, True) for key in PARTS[:6])]
)
def test_the_real_data_have_the_expected_sizes(shared_data, key, fast):
    parts = {part.entry.key: part for part in BABYLM.parts(shared_data("babylm/evaluation_data"), fast)}
    if key not in parts or parts[key].path is None:
        pytest.skip(f"the {'fast' if fast else 'full'} set of {key} is not here")
    entry = parts[key].entry
    counts = Counter(item.groups["UID"] for item in TASKS[entry.task].read(parts[key].path))
    assert check_sizes(entry, counts, fast) == []


def test_the_multilingual_track_is_scored_as_lm_evaluation_harness_does():
    track = suite("babylm-2026-multilingual")
    entries = {entry.key: entry for entry in track.entries}
    tasks = {entry.task for entry in entries.values()}
    assert track.preset == "lm-eval" and tasks == {"blimp", "blimp_nl", "multiblimp", "xcomps", "zhoblimp"}
    assert {other.key for other in track.elsewhere} == {"multiple choice", "fine-tuning"}
    assert check_sizes(entries["xcomps_zh"], {"comps": 7}) == [], "of unknown size it may have any"
