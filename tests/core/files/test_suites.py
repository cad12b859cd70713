"""Suites against what is known of them, and against the real data where they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from core.errors import InputError
from core.files.suites import ItemSet, check_sizes, compare_sizes, suite, suites
from core.tasks import TASKS

BABYLM = suite("babylm-2025")
ENTRIES = {entry.key: entry for entry in BABYLM.entries}
FOLDERS = {
    "blimp": "blimp_filtered",
    "blimp_supplement": "supplement_filtered",
    "ewok": "ewok_filtered",
    "entity_tracking": "entity_tracking",
    "wug_adj": "wug_adj_nominalization",
    "wug_past": "wug_past_tense",
    "comps": "comps",
    "reading": "reading",
    "aoa": "aoa",
}


def test_every_suite_names_tasks_that_there_are():
    for name in suites():
        for entry in suite(name).entries:
            assert entry.task in TASKS, f"{name}: {entry.key}"
            metrics = TASKS[entry.task].metrics
            assert set(entry.values.values()) <= set(metrics), f"{name}: {entry.key}"


def test_an_unknown_suite_or_track_is_named_with_the_known_ones():
    with pytest.raises(InputError, match=r"Did you mean 'babylm-202[56]'"):
        suite("babylm-2024")
    with pytest.raises(InputError, match="strict-small"):
        BABYLM.checkpoints("small")


@pytest.mark.parametrize(
    ("key", "paradigms", "items"),
    [
        ("blimp", 67, 59_875),
        ("blimp_supplement", 5, 5_218),
        ("ewok", 11, 7_618),
        ("entity_tracking", 18, 9_483),
        ("comps", 4, 49_340 + 3 * 13_896),
    ],
)
def test_published_sizes(key, paradigms, items):
    sizes = ENTRIES[key].full.sizes
    assert (len(sizes), sum(sizes.values())) == (paradigms, items)
    assert all(name == name.lower() for name in sizes)


def test_sizes_without_names_and_of_the_fast_sets():
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


def test_checkpoints_of_the_tracks():
    small, strict = BABYLM.checkpoints("strict-small"), BABYLM.checkpoints("strict")
    assert (len(small), small[0], small[9], small[10], small[-1]) == (
        19,
        "chck_1M",
        "chck_10M",
        "chck_20M",
        "chck_100M",
    )
    assert len(strict) == 28
    assert strict[:19] == small
    assert strict[-1] == "chck_1000M"
    assert BABYLM.checkpoints("multimodal") == BABYLM.checkpoints("interaction") == strict


def test_predictions_lie_where_reports_are_written():
    from core.runs.formats import folder_for

    for entry in BABYLM.entries:
        for items in filter(None, (entry.full, entry.fast)):
            if entry.task in ("reading", "aoa"):
                continue
            written = folder_for(Path("out"), "m", "", "causal", entry.task, Path(items.data))
            assert written.relative_to("out/m/main") / "predictions.json" == Path(items.results_of("causal"))


def test_parts_are_found_packed_or_not(tmp_path):
    (tmp_path / "full_eval" / "blimp_filtered").mkdir(parents=True)
    (tmp_path / "full_eval" / "reading").mkdir()
    (tmp_path / "full_eval" / "reading" / "reading_data.csv.gz").write_bytes(b"")
    found = {part.entry.key: part.path for part in BABYLM.parts(tmp_path)}
    assert found.keys() == FOLDERS.keys()
    assert {key for key, path in found.items() if path} == {"blimp", "reading"}
    assert found["reading"] == tmp_path / "full_eval" / "reading" / "reading_data.csv.gz"
    assert [part.expected for part in BABYLM.parts(tmp_path) if part.entry.key == "ewok"] == [
        tmp_path / "full_eval" / "ewok_filtered"
    ]
    assert len(BABYLM.parts(tmp_path, fast=True)) == 7


def test_what_is_wrong_with_sizes_is_said():
    full = dict(ENTRIES["blimp_supplement"].full.sizes)
    assert check_sizes(ENTRIES["blimp_supplement"], full) == []
    assert check_sizes(ENTRIES["blimp_supplement"], {name.upper(): n for name, n in full.items()}) == []
    del full["hypernym"]
    assert check_sizes(ENTRIES["blimp_supplement"], {**full, "turn_taking": 279, "other": 1}) == [
        "blimp_supplement: hypernym is missing (842 items).",
        "blimp_supplement: turn_taking has 279 items, expected are 280.",
        "blimp_supplement: other is not part of it (1 items).",
    ]
    assert check_sizes(ENTRIES["wug_adj"], {"whatever": 200}) == []
    assert check_sizes(ENTRIES["wug_adj"], {"whatever": 199}) == [
        "wug_adj: whatever has 199 items, expected are 200."
    ]
    assert len(check_sizes(ENTRIES["blimp"], {}, fast=True)) == 67
    assert check_sizes(ENTRIES["aoa"], {"chck_1M": 8005}, names=["chck_1M", "chck_2M"]) == [
        "aoa: chck_2m is missing (8,005 items)."
    ]
    assert check_sizes(ENTRIES["comps"], {}, fast=True) == ["comps: the suite has no fast set of it."]
    assert compare_sizes("x", {}, {}) == []


@pytest.mark.parametrize("fast", [False, True], ids=["full", "fast"])
@pytest.mark.parametrize("key", [key for key in FOLDERS if key not in ("reading", "aoa")])
def test_the_real_data_have_the_expected_sizes(shared_data, key, fast):
    parts = {part.entry.key: part for part in BABYLM.parts(shared_data("babylm/evaluation_data"), fast)}
    if key not in parts or parts[key].path is None:
        pytest.skip(f"the {'fast' if fast else 'full'} set of {key} is not here")
    entry = parts[key].entry
    counts = Counter(item.groups["UID"] for item in TASKS[entry.task].read(parts[key].path))
    assert check_sizes(entry, counts, fast) == []


def test_the_real_reading_data_have_the_expected_size(shared_data):
    path = shared_data("babylm/evaluation_data/full_eval/reading")
    counts = Counter(item.groups["UID"] for item in TASKS["reading"].read(path))
    assert check_sizes(ENTRIES["reading"], counts) == []


def test_the_backend_is_part_of_the_place():
    assert ItemSet("data", "zero_shot/{backend}/x/predictions.json").results_of("mlm") == (
        "zero_shot/mlm/x/predictions.json"
    )


def test_the_strict_tracks_of_2026_are_those_of_2025():
    newer = suite("babylm-2026")
    assert (newer.title, newer.entries, newer.tracks) == ("BabyLM 2026", BABYLM.entries, BABYLM.tracks)


def test_the_multilingual_track_is_scored_as_lm_evaluation_harness_does():
    found = suite("babylm-2026-multilingual")
    assert found.preset == "lm-eval" and {entry.task for entry in found.entries} == {
        "blimp", "blimp_nl", "multiblimp", "xcomps", "zhoblimp",
    }  # fmt: skip
    assert {other.key for other in found.elsewhere} == {"multiple choice", "fine-tuning"}


def test_a_set_of_unknown_size_may_have_any():
    (entry,) = (entry for entry in suite("babylm-2026-multilingual").entries if entry.key == "xcomps_zh")
    assert check_sizes(entry, {"comps": 7}) == []
