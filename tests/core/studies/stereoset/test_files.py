"""Numbers in files: the originals' metrics JSON and workbook, tables, LaTeX."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from core.errors import InputError
from core.files.stereoset.reading import read_examples
from core.files.tables import read_workbook, write_workbook
from core.studies.stereoset.measured import Measured, measure
from core.studies.stereoset.outputs import (
    append_to_workbook,
    check_output,
    latex_table,
    metrics,
    metrics_keys,
    write_metrics,
    write_numbers,
)
from core.studies.stereoset.predictions import Predictions
from core.studies.stereoset.tables import figures

SAMPLE = Path("data/samples/stereoset/dev.json")
BIAS_TYPES = ["gender", "profession", "race", "religion", "overall"]
ORIGINAL = ["Count", "LM Score", "SS Score", "ICAT Score"]
SUCCESSOR = [
    *ORIGINAL, "Multi Class LM Score", "Multi Class SS Score", "Multi Class SS Score Stdev", "Macro ICAT Score",
    "Micro ICAT Score",
]  # fmt: skip


def measured(name: str = "predictions_gpt2_ModelNSP_GPT2LM", *kinds: str) -> Measured:
    """A scorer to which what stands first is best, second next."""
    examples = read_examples(SAMPLE)
    scores = {
        kind: {
            candidate.id: -float(place)
            for example in (found if not kinds or kind in kinds else ())
            for place, candidate in enumerate(example.candidates)
        }
        for kind, found in examples.by_kind.items()
    }
    return measure(examples, Predictions(**scores, name=name))


def test_the_metrics_of_the_successor_have_its_keys():
    found = metrics(measured(), "successor")
    assert list(found) == ["intrasentence", "intersentence", "overall"]
    assert all(list(cells) == BIAS_TYPES for cells in found.values())
    assert all(list(cell) == SUCCESSOR for cells in found.values() for cell in cells.values())
    assert found["intrasentence"]["profession"]["Count"] == 18
    assert found["overall"]["overall"]["Count"] == 90


def test_the_metrics_of_the_original_have_its_keys_and_its_count():
    found = metrics(measured(), "original")
    assert list(found["overall"]) == ORIGINAL
    assert list(found["intersentence"]) == BIAS_TYPES
    assert all(list(cell) == ORIGINAL for cell in found["intersentence"].values())
    assert found["intersentence"]["profession"]["Count"] == 3 * 18
    assert found["intersentence"]["overall"]["Count"] == 45


@pytest.mark.slow
def test_the_same_names_are_different_numbers():
    original, successor = (metrics(measured(), names)["overall"] for names in ("original", "successor"))
    assert original["SS Score"] == successor["overall"]["Multi Class SS Score"]
    assert original["ICAT Score"] == successor["overall"]["Micro ICAT Score"]


@pytest.mark.parametrize(
    ("predictions", "original"),
    [
        ("predictions_gpt2_ModelNSP_GPT2LM", "gpt2"),
        ("predictions_mine", "mine.json"),
        ("mine", "mine"),
        ("english-small_GPT2LM_GPT2LM_d_en", "english-small_GPT2LM_GPT2LM_d_en"),
    ],
)
def test_a_model_is_called_as_the_original_calls_it(predictions, original):
    assert metrics_keys([predictions], "original") == [original]
    assert metrics_keys([predictions], "successor") == [predictions]


@pytest.mark.slow
def test_models_that_the_original_would_call_alike_are_all_there(tmp_path):
    path = tmp_path / "m.json"
    names = [f"predictions_{one}" for one in ("gpt2_ModelNSP_GPT2LM", "gpt2_GPT2LM_GPT2LM_d", "bert_BertLM")]
    write_metrics([measured(name) for name in names], path, "original")
    assert list(json.loads(path.read_text())) == [*names[:2], "bert"]


@pytest.mark.slow
def test_other_models_stay_and_the_same_one_is_replaced(tmp_path):
    path = tmp_path / "m.json"
    path.write_text('{"other": 1, "mine": 2}')
    write_metrics([measured("mine")], path, "successor")
    found = json.loads(path.read_text())
    assert list(found) == ["other", "mine"]
    assert found["other"] == 1
    assert found["mine"]["overall"]["overall"]["Count"] == 90
    path.write_text("[]")
    with pytest.raises(InputError, match="expected a metrics file"):
        write_metrics([measured("mine")], path, "successor")
    assert path.read_text() == "[]"


def test_a_task_that_was_not_measured_is_not_there():
    assert list(metrics(measured("mine", "intersentence"), "successor")) == ["intersentence"]
    assert list(metrics(measured("mine", "intersentence"), "original")) == ["intersentence"]


@pytest.mark.slow
def test_the_workbook_has_a_sheet_per_task_and_a_row_per_model(tmp_path):
    path = tmp_path / "results.xlsx"
    for name in ("a", "b", "a"):
        append_to_workbook([measured(name)], path)
    sheets = read_workbook(path)
    assert list(sheets) == ["intrasentence", "intersentence", "overall"]
    for sheet in sheets.values():
        assert list(sheet) == ["model_name", *SUCCESSOR]
        assert sheet["model_name"].tolist() == ["a", "b"]
    expected = metrics(measured("a"), "successor")["overall"]["overall"]
    row = pd.read_excel(path, "overall").iloc[0]
    assert [row[name] for name in SUCCESSOR] == [round(expected[name], 2) for name in SUCCESSOR]


@pytest.mark.slow
def test_a_task_that_was_not_measured_leaves_its_sheet_alone(tmp_path):
    path = tmp_path / "results.xlsx"
    append_to_workbook([measured("a")], path)
    append_to_workbook([measured("b", "intersentence")], path)
    names = {name: sheet["model_name"].tolist() for name, sheet in read_workbook(path).items()}
    assert names == {"intrasentence": ["a"], "intersentence": ["a", "b"], "overall": ["a"]}


@pytest.mark.slow
def test_other_sheets_columns_and_texts_of_a_workbook_stay(tmp_path):
    path = tmp_path / "results.xlsx"
    before = pd.DataFrame({"model_name": ["007"], "LM Score": [61.5], "remark": ["ours"]})
    write_workbook({"notes": pd.DataFrame({"text": ["=keep", "1e5 items"]}), "overall": before}, path)
    append_to_workbook([measured("a")], path)
    sheets = pd.read_excel(path, None, dtype={"model_name": str})
    assert list(sheets) == ["notes", "overall", "intrasentence", "intersentence"]
    assert sheets["notes"]["text"].tolist() == ["=keep", "1e5 items"]
    assert sheets["overall"]["model_name"].tolist() == ["007", "a"]
    assert sheets["overall"]["LM Score"].iloc[0] == 61.5
    assert sheets["overall"]["remark"].iloc[0] == "ours"


@pytest.mark.slow
def test_formats_formulas_and_remarks_of_a_workbook_stay(tmp_path):
    import openpyxl
    from openpyxl.styles import Font, PatternFill

    path = tmp_path / "results.xlsx"
    append_to_workbook([measured("a")], path)
    book = openpyxl.load_workbook(path)
    sheet = book["overall"]
    sheet["A1"].font, sheet["B2"].number_format = Font(bold=True), "0.0"
    sheet["B2"].fill = PatternFill("solid", fgColor="FFEEAA")
    sheet.column_dimensions["A"].width = 33
    last = sheet.max_column + 1
    sheet.cell(1, last, "remark")
    sheet.cell(2, last, "ours")
    sheet.cell(2, last + 1, "=2+3")
    book.create_sheet("mine")["B7"] = "kept"
    book.save(path)
    for name in ("b", "a"):
        append_to_workbook([measured(name)], path)
    book = openpyxl.load_workbook(path)
    sheet = book["overall"]
    assert sheet["A1"].font.bold and sheet.column_dimensions["A"].width == 33
    for cell in (sheet["B2"], sheet["B3"]):
        assert cell.number_format == "0.0" and cell.fill.fgColor.rgb == "00FFEEAA", cell.coordinate
    assert [sheet.cell(row, 1).value for row in (1, 2, 3, 4)] == ["model_name", "a", "b", None]
    assert (sheet.cell(2, last).value, sheet.cell(2, last + 1).value) == ("ours", "=2+3")
    assert sheet.cell(3, last).value is None and book["mine"]["B7"].value == "kept"


@pytest.mark.slow
def test_a_file_that_is_no_workbook_is_refused(tmp_path):
    path = tmp_path / "results.xlsx"
    path.write_text("no workbook")
    with pytest.raises(InputError, match="not a usable XLSX file"):
        append_to_workbook([measured("a")], path)
    assert path.read_text() == "no workbook"


def test_latex_names_the_definition_and_may_have_a_decimal_comma():
    models = [measured("one_model"), measured("half & half", "intrasentence")]
    found = latex_table(models)
    whole = models[0].cell("overall").term_means
    assert r"one\_model & " in found
    assert r"half \& half & " in found
    assert f"{whole.lms.value:.2f} & {whole.ss.value:.2f} & {whole.icat.value:.2f} \\\\" in found
    assert "-- & -- & -- & -- & -- & -- \\\\" in found
    assert "mean over terms; an even comparison counts one half" in found
    assert f"{whole.lms.value:.2f}".replace(".", "{,}") in latex_table(models, ",")
    body = [line for line in found.splitlines() if line.endswith(r" \\") and "multicolumn" not in line]
    assert {line.replace(r"\&", "").count("&") for line in body} == {9}


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_tables_have_every_number_with_its_interval(ending, tmp_path):
    from core.files.tables import read_table

    path = tmp_path / f"numbers{ending}"
    write_numbers([measured("a"), measured("b")], [measured("a")], path, "original")
    table = read_table(path)
    assert len(table) == 2 * 15 * 7
    assert list(table)[:8] == ["model", "kind", "bias_type", "aggregation", "metric", "value", "low", "high"]


def test_an_unknown_ending_is_an_error_with_the_choices(tmp_path):
    with pytest.raises(InputError, match=r"Expected \.json, \.xlsx"):
        check_output(tmp_path / "numbers.docx")


def test_published_figures_are_unambiguous_and_keep_their_definition():
    for language in ("en", "de", "fr", "es", "tr"):
        found = figures(language)
        assert len(found)
        assert not found.drop(columns="value").duplicated().any()
        assert found["value"].between(0, 100).all()
    means = figures("en").query("kind == 'overall' and aggregation == 'term_means'")
    wide = means.pivot_table(
        index=["source", "system", "method", "case", "bias_type"], columns="metric", values="value"
    )
    computed = wide["lms"] * (50 - (wide["ss"] - 50).abs()) / 50
    assert (computed - wide["icat"]).abs().max() < 0.02
