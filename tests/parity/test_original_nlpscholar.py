"""Preset `nlpscholar` against what NLPScholar itself made of the same pairs, recorded by `make oracle`."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml

from core.scoring.recipe import recipe_of
from core.store import Store
from core.studies.experiment.config import read_config
from core.studies.experiment.running import ExperimentRun
from tests.parity.originals.nlpscholar_cases import ANALYSES, BY_WORD, CASES, CONDITIONS, model, name_of, table

RECORD = json.loads(Path(__file__).with_name("originals").joinpath("nlpscholar.json").read_text("utf-8"))
RELATIVE = 1e-4
WORD = ["sentid", "wordpos_mod", "word_mod", "wordpos", "prob", "surp"]


def started(folder: Path, keys: dict[str, object]) -> list[str]:
    """Run a configuration; returns what was remarked."""
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(keys), "utf-8")
    experiment, said = read_config(path)

    def recipe(chosen):
        return recipe_of(chosen.name, chosen.scorer, experiment.policy)

    run = ExperimentRun(experiment, recipe, Store(folder / "store", shipped=None), list, said.append)
    run.check()
    for mode in experiment.modes:
        getattr(run, mode)()
    return said


@pytest.fixture(params=list(CASES))
def case(request, tmp_path):
    """The name of a case, our configuration with NLPScholar's keys, both tables, and the folder of the results."""
    asked = CASES[request.param]
    keys = {
        "exp": "MinimalPair", "preset": "nlpscholar", "PLL_type": asked.pll, "conditions": CONDITIONS,
        "models": {asked.kind: [str(model(tmp_path / "model", asked))]},
        "predfpath": str(tmp_path / "predictions.tsv"), "resultsfpath": str(tmp_path / "results.tsv"),
    }  # fmt: skip
    tables = {roi: table(tmp_path / f"{roi}.tsv", roi=roi) for roi in (True, False)}
    started(tmp_path, {**keys, "mode": ["evaluate"], "datafpath": str(tables[True])})
    return request.param, keys, tables, tmp_path


def test_every_file_is_nlpscholars(case):
    """Tokens, words and pairs, cell by cell: texts and positions equal, values to four digits."""
    name, keys, tables, folder = case
    recorded = RECORD["cases"][name]
    same(
        folder / "predictions.tsv", ["token", "sentid", "word", "wordpos", "punctuation", "surp"], recorded["tokens"]
    )
    for roi, path in tables.items():
        for analysis in ANALYSES:
            started(folder, {**keys, **analysis, "mode": ["analyze"], "datafpath": str(path)})
            found = name_of(analysis, roi=roi)
            same(
                folder / "results_bypair.tsv",
                ["Unnamed: 0", "pairid", "expected", "unexpected", "acc"],
                recorded[f"pairs, {found}"],
            )
            if words := recorded.get(f"words, {found}"):
                same(folder / "results_byword.tsv", WORD, words)
        if roi:
            same(folder / "results_byword.tsv", ["sentid", "ROI"], recorded["regions"])
    assert sum(one.startswith("words") for one in recorded) == (4 if name in BY_WORD else 0)
    for ending in ("", "_byword", "_bypair"):
        written = (folder / f"results{ending}.tsv").read_text("utf-8").partition("\n")[0]
        assert [written] == recorded[f"header{ending}"]


def same(path: Path, columns: list[str], recorded: list[list[object]]) -> None:
    ours = pd.read_csv(path, sep="\t", keep_default_na=False)[columns]
    theirs = pd.DataFrame(recorded, columns=columns)
    assert len(ours) == len(theirs)
    for column in columns:
        clear = [True] * len(theirs)
        if column == "acc":  # what only rounding decides differs from one program to the next
            clear = ((theirs["expected"] - theirs["unexpected"]).abs() > RELATIVE * theirs["expected"]).tolist()
        expected = theirs.loc[clear, column].tolist()
        near = column in ("surp", "prob", "expected", "unexpected")
        assert ours.loc[clear, column].tolist() == (pytest.approx(expected, rel=RELATIVE) if near else expected), (
            column
        )
