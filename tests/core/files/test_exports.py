"""What can be taken away: every file opens where it should, and holds all digits."""

import io
import json
import zipfile
from itertools import product

import openpyxl
import pandas as pd
import pytest

from pairlens.analysis.experiment import Analysis, Columns
from pairlens.files.exports import local_csv, workbook
from pairlens.studies.experiment import packing
from pairlens.studies.experiment.answer import Answer
from pairlens.studies.experiment.design import read_design
from pairlens.studies.experiment.findings import find
from pairlens.studies.experiment.result import result
from tests.experiment_tables import word_table

TABLE = pd.DataFrame({"name": ["a;b", 'c"d', "é\nf"], "value": [0.1 + 0.2, -1.5, None]})
TOKENS = pd.DataFrame({"token": ["a"], "sentid": ["0"], "surp": [1.5]})


@pytest.fixture(scope="module")
def findings():
    rows = [
        {"sentid": str(2 * pair + place), "pairid": str(pair), "comparison": side, "num_ber": number,
         "sentence": f"the {side} ran", "ROI": "2"}
        for pair, number in enumerate(["s,g", "s,g", "pl_1", "pl_1"])
        for place, side in enumerate(("expected", "unexpected"))
    ]  # fmt: skip
    design = read_design(pd.DataFrame(rows), Columns(conditions=("num_ber",)))
    costs = [(1.0, 1.0, 5.0 + pair + 2 * side) for pair, side in product(range(4), range(2))]
    return find(design, word_table(design.sentences, costs), Analysis())


def run_notebook(archive, folder, monkeypatch):
    """The names that the notebook of an archive has when it has run in a folder."""
    zipfile.ZipFile(io.BytesIO(archive)).extractall(folder)
    book = json.loads((folder / "experiment.ipynb").read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    monkeypatch.chdir(folder)
    names = {}
    for cell in book["cells"]:
        assert all(line.endswith("\n") for line in cell["source"][:-1])
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            exec("".join(cell["source"]), names)
    return names


def test_a_workbook_has_no_formulas_and_local_csv_is_what_a_european_excel_opens():
    content = workbook({"one": pd.DataFrame({"text": ["=1+1"]}), "two": TABLE})
    book = openpyxl.load_workbook(io.BytesIO(content))
    assert book.sheetnames == ["one", "two"]
    assert book["one"]["A2"].data_type == "s" and book["one"]["A2"].value == "=1+1"
    assert book["two"]["B2"].value == pytest.approx(TABLE["value"][0], rel=1e-15)
    content = local_csv(TABLE)
    assert content.startswith(b"\xef\xbb\xbf"), "a byte order mark, or letters with accents come out wrong"
    back = pd.read_csv(io.BytesIO(content), sep=";", decimal=",", encoding="utf-8-sig")
    pd.testing.assert_frame_equal(back, TABLE)


@pytest.mark.slow
def test_the_workbook_of_an_experiment_says_how_it_was_made(findings):
    export = next(one for one in result(Answer(findings)).exports if one.ending == ".xlsx")
    book = openpyxl.load_workbook(io.BytesIO(export.make()))
    assert {"by_word", "by_pair", "by_cond", "by_region", "sentences", "excluded"} < {*book.sheetnames}
    assert "analysis.measure" in [cell.value for cell in book["how made"]["A"]]
    assert len(list(book["by_pair"].rows)) == 1 + len(findings.by_pair)


def test_published_tables_have_the_published_names_and_programs_read_the_table_beside_them(findings):
    files = zipfile.ZipFile(io.BytesIO(packing.published_archive(findings, TOKENS)))
    assert set(files.namelist()) == {
        "results.tsv", "results_bypair.tsv", "results_byword.tsv", "results_excluded.tsv", "predictions.tsv",
    }  # fmt: skip
    pairs = pd.read_csv(files.open("results_bypair.tsv"), sep="\t", index_col=0, dtype={"pairid": str})
    assert list(pairs) == ["model", "num_ber", "pairid", "expected", "unexpected", "diff", "acc"]
    assert set(pairs["num_ber"]) == {"s,g", "pl_1"} and pairs["acc"].all() and (pairs["diff"] == -2).all()
    files = packing.mixed_model_files(findings)
    assert '"mixed_model.csv"' in str(files["mixed_model.R"])
    table = pd.read_csv(io.StringIO(bytes(files["mixed_model.csv"]).decode()))
    assert len(table) == len(findings.regions) and set(table["comparison_c"]) == {0.5, -0.5}


@pytest.mark.slow
def test_the_notebook_runs_and_makes_the_same_table(findings, tmp_path, monkeypatch):
    names = run_notebook(packing.notebook_archive(findings, "An experiment"), tmp_path, monkeypatch)
    table, ours = names["by_condition"], findings.by_cond[~findings.by_cond["overall"]]
    assert list(table["num_ber"]) == list(ours["num_ber"])
    assert table["difference"].to_numpy() == pytest.approx(ours["diff"].to_numpy())
    assert table["expected_wins"].to_numpy() == pytest.approx(ours["acc"].to_numpy())
    assert "facet" in names["figure"].to_dict()


def test_a_notebook_without_pairs_or_conditions_runs_too_and_braces_in_its_title_are_text(tmp_path, monkeypatch):
    design = read_design(pd.DataFrame({"sentence": ["the dog ran", "a cat sat"]}), Columns())
    alone = find(design, word_table(design.sentences, [(1.0, 2.0, 3.0)] * 2), Analysis())
    assert "figure" in run_notebook(packing.notebook_archive(alone, "x"), tmp_path, monkeypatch)
    assert not (tmp_path / "pairs.csv").exists()
    assert "{x}" in packing.experiment_notebook("{x}", ["a"], measure="surp")
