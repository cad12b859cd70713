"""Reading times under --compatible, against what BabyLM's own reading task wrote, recorded by `make oracle`."""

import json
from pathlib import Path

import numpy as np
import pytest
from originals.babylm_reading_cases import CASES, COLUMNS_OF_TABLES, TABLES, write_table

import pairlens
from pairlens.evaluation.reading_differences import differences
from pairlens.evaluation.zero_shot import Benchmark, write_results
from pairlens.policies import preset_for
from pairlens.scorers import SCORERS, backends
from pairlens.tasks import TASKS

RECORD = json.loads(Path(__file__).with_name("originals").joinpath("babylm_reading.json").read_text("utf-8"))
TASK = TASKS["reading"]
POLICY = preset_for("babylm-2025", TASK.sets)
NATS = 2e-5
DIGITS = 2e-4
"""Of numbers that follow from surprisals known to six digits."""


@pytest.mark.parametrize("name", CASES)
def test_all_six_files_are_the_pipelines(name, tiny, store, tmp_path):
    (architecture, _, backend), theirs = CASES[name], RECORD["cases"][name]
    asked, scorer = Benchmark(TASK, write_table(tmp_path / "reading.csv")), backends()[backend]
    assert differences(SCORERS[scorer], POLICY) == []
    *_, last = asked.run(pairlens.recipe(str(tiny(architecture)), scorer, POLICY), store)
    folder = write_results(last.run_id, asked, store, tmp_path / "results", "tiny").folder
    assert folder == tmp_path / "results" / "tiny" / "main" / "zero_shot" / backend / "reading"

    def lines(name):
        return (folder / name).read_text("utf-8").splitlines()

    predictions = json.loads(lines("predictions.json")[0])["reading"]["predictions"]
    assert [one["id"] for one in predictions] == list(range(len(theirs["predictions"])))
    expected = np.array(theirs["predictions"], float)
    ours = np.array([[one["pred"], one["prev_pred"]] for one in predictions])
    assert ours == pytest.approx(expected, abs=NATS, rel=1e-5, nan_ok=True)
    assert 0 < np.isnan(expected[:, 1]).sum() < len(expected), "a word before that is missing, and one that is not"
    assert [json.loads(line)["Sentence"] for line in lines("prediction.jsonl")] == theirs["contexts"]
    assert lines("report.txt") == theirs["report"]
    for line, (name, value) in zip(lines("correlations.txt"), theirs["correlations"], strict=True):
        ours, _, correlation = line.partition("\t")
        assert ours == name and float(correlation) == pytest.approx(float(value), abs=2e-4)
    for table in TABLES:
        for row, their in zip(map(json.loads, lines(table)), theirs[table], strict=True):
            assert tuple(row) == COLUMNS_OF_TABLES and row.pop("Predicted variable") == their[0]
            assert list(row.values()) == pytest.approx(their[1:], rel=DIGITS, abs=DIGITS)


@pytest.mark.parametrize("preset", ["pairlens", "babylm-2025"])
def test_the_default_names_its_differences(preset, tiny, store, tmp_path):
    """Our scores of the same words are others, and the sentences say why."""
    policy, asked = preset_for(preset, TASK.sets), Benchmark(TASK, write_table(tmp_path / "reading.csv"))
    *_, last = asked.run(pairlens.recipe(str(tiny("gpt2")), "causal", policy), store)
    candidates = store.candidates(last.run_id)
    ours = -candidates.loc[candidates["label"] == "word", "logprob"].to_numpy(float)
    theirs = np.array([one[0] for one in RECORD["cases"]["causal"]["predictions"]])
    said = differences(SCORERS["causal"], policy)
    same = np.allclose(ours, theirs, rtol=1e-5, atol=NATS)  # a word that was not scored is NaN, and not the same
    assert same == (not said) == (preset == "babylm-2025")
