"""`suite` as a user meets it: what is run, what is left out and why, and what is handed in."""

import json
import shutil

import pytest

from pairlens.places import FOLDER as ROOT
from tests.records import write
from tests.refusals import refused

BLIMP = [
    {"sentence_good": "The horses are tired.", "sentence_bad": "The horses is tired.", "UID": "agreement"},
    {"sentence_good": "The cat is tired.", "sentence_bad": "The cat are tired.", "UID": "agreement"},
]
COMPS = {"prefix_acceptable": "The cat", "prefix_unacceptable": "The horses", "property_phrase": "is tired."}


@pytest.fixture
def data(tmp_path):
    """A folder of evaluation data with two full sets and one fast one."""
    folder = tmp_path / "evaluation_data"
    for name, records in (
        ("full_eval/blimp_filtered/agreement.jsonl", BLIMP),
        ("full_eval/comps/comps_base.jsonl", [COMPS]),
        ("fast_eval/blimp_fast/agreement.jsonl", BLIMP),
    ):
        (folder / name).parent.mkdir(parents=True)
        write(folder / name, *records)
    return folder


@pytest.fixture
def checkpoints(tiny, tmp_path):
    for name, seed in (("chck_1M", 0), ("chck_2M", 1)):
        shutil.copytree(tiny("gpt2", seed=seed), tmp_path / "model" / name)
    return tmp_path / "model"


def states(out):
    """The final table: state by key and set."""
    table = out.partition("What a submission still needs:\n")[2]
    rows = [line.split("\t") for line in table.splitlines()]
    return {(key, items): state for key, items, state, *_ in rows}


@pytest.mark.slow
def test_every_part_that_is_here_is_run_and_confidential_predictions_on_request(cli, data, unigram, tmp_path):
    asked = ("run", "babylm-2025", "--data_path", data, "--model", unigram, "--output_dir", tmp_path / "results")
    folder = tmp_path / "results" / unigram / "main/zero_shot/unigram"
    status, out, err = cli("suite", *asked)
    assert status == 1 and "pairlens: comps: Word counts know no context" in err
    assert "ewok: not run, its data are not at" in out and "accuracy" in out
    found = states(out)
    assert found["blimp", "full"] == "faulty"
    assert found["comps", "full"] == found["ewok", "full"] == "missing"
    assert found["glue", ""] == "not covered here"
    assert (folder / "blimp/blimp_filtered/predictions.json").is_file()
    shutil.copytree(ROOT / "data" / "samples" / "ewok", data / "full_eval" / "ewok_filtered")
    written, out = folder / "ewok/ewok_filtered/predictions.json", cli("suite", *asked)[1]
    assert "EWoK was run, but predictions hold its texts" in out and not written.is_file()
    out = cli("suite", *asked, "--write-confidential")[1]
    assert states(out)["ewok", "full"] == "faulty" and written.is_file()


def test_the_fast_sets_of_all_checkpoints_are_collated(cli, data, checkpoints, tmp_path):
    common = ("babylm-2025", "--fast", "--data_path", data, "--model", checkpoints)
    results = tmp_path / "results"
    status, out, err = cli("suite", "run", *common, "--revision_name", "chck_*", "--output_dir", results)
    assert status == 0, err
    assert states(out)["blimp", "fast"] == "faulty"  # two items are fewer than 67 paradigms of 200
    track = ("--track", "strict-small", "--backend", "causal", "--results_dir", results)
    status, out, err = cli("suite", "collate", *common, *track)
    assert status == 0, err
    path = tmp_path / "results" / "model" / "all_full_preds_and_fast_scores_causal.json"
    assert f"collated: {path}" in out
    assert "17 of 19 checkpoints are not evaluated: chck_3M" in out
    reached = json.loads(path.read_text())["fast_eval_results"]["blimp"]
    assert len(reached) == 19
    assert [set(one or {}) for one in reached[:3]] == [{"agreement"}, {"agreement"}, set()]


def test_a_damaged_last_checkpoint_does_not_stop_the_others(cli, data, checkpoints, tmp_path):
    (checkpoints / "chck_2M" / "config.json").write_text("{")
    common = ("babylm-2025", "--fast", "--data_path", data, "--model", checkpoints)
    asked = ("run", *common, "--output_dir", tmp_path / "results")
    status, _, err = cli("suite", *asked)
    assert status == 1 and "1 of 2 checkpoints left out, the others are done: chck_2M" in err
    assert (tmp_path / "results/model/chck_1M/zero_shot/causal/blimp/blimp_fast/predictions.json").is_file()
    (checkpoints / "chck_1M" / "config.json").write_text("{")
    refused(cli("suite", *asked), "chck_2M")


def test_suites_are_listed_and_mistakes_end_with_one_sentence(cli, tmp_path):
    status, out, _ = cli("suite", "list")
    assert status == 0 and out.startswith("babylm-2025\tBabyLM 2025\tblimp, blimp_supplement, ewok")
    for arguments, words in (
        (("run", "eggs"), "Known: babylm-2025, babylm-2026, babylm-2026-multilingual"),
        (("run", "babylm-2025", "--data_path", tmp_path), "none of the suite's data is here"),
        (("collate", "babylm-2025", "--model", "m", "--backend", "causal", "--results_dir", tmp_path), "no results"),
        (("collate", "babylm-2025", "--model", "m", "--backend", "causal", "--fast", "--track", "x"), "no track"),
    ):
        refused(cli("suite", *arguments), words)
