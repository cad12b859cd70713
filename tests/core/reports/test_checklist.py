"""The checklist of a suite: what is done by the results and stored runs, and what a run would add."""

import shutil

import pytest

from pairlens.evaluation.run_list import headline_of
from pairlens.files.suites import suite
from pairlens.places import FOLDER as ROOT
from pairlens.reports.checklist import checklist
from pairlens.store import Store


@pytest.mark.slow
def test_a_run_moves_a_benchmark_from_possible_to_done(cli, unigram, tmp_path):
    data, results = tmp_path / "data", tmp_path / "results"
    shutil.copytree(ROOT / "data/samples/multiblimp/nld", data / "multiblimp/nld")
    asked = suite("babylm-2026-multilingual"), unigram, "unigram", data, results
    before = checklist(*asked, Store().runs())
    assert (before.done, before.possible, before.runs) == ([], ["multiblimp_nld"], [])
    options = ("--data_path", data, "--model", unigram, "--output_dir", results)
    assert cli("suite", "run", "babylm-2026-multilingual", *options)[0] == 0
    after = checklist(*asked, Store().runs())
    assert (after.done, after.possible) == (["multiblimp_nld"], [])
    row = after.table.set_index("key").loc["multiblimp_nld"]
    assert row["state"] == "present" and row["number"] == headline_of(Store().manifest(after.runs[0]))
