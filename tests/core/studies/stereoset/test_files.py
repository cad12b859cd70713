"""Numbers in files: the originals' metrics JSON and workbook, tables, LaTeX."""

import json
from dataclasses import replace
from functools import cache
from itertools import product

import openpyxl
import pandas as pd
import pytest
from openpyxl.styles import Font, PatternFill

from pairlens.files.stereoset.examples import Examples
from pairlens.files.stereoset.predictions import Predictions, read_predictions
from pairlens.files.stereoset.reading import read_examples
from pairlens.files.tables import read_workbook, write_workbook
from pairlens.statistics import funnel
from pairlens.studies.stereoset import outputs
from pairlens.studies.stereoset.measured import measure
from pairlens.studies.stereoset.tables import figures
from tests.refusals import error_of

BIAS_TYPES = ["gender", "profession", "race", "religion", "overall"]
ORIGINAL = ["Count", "LM Score", "SS Score", "ICAT Score"]
SUCCESSOR = [
    *ORIGINAL, "Multi Class LM Score", "Multi Class SS Score", "Multi Class SS Score Stdev", "Macro ICAT Score",
    "Micro ICAT Score",
]  # fmt: skip


@pytest.fixture(scope="module")
def measured(examples):
    """`measured(name, *kinds)`: a scorer to which what stands first is best, second next."""

    @cache
    def of(kinds):
        def ranked(found):
            return {one.id: -float(place) for example in found for place, one in enumerate(example.candidates)}

        some = {kind: ranked(found) for kind, found in examples.by_kind.items() if not kinds or kind in kinds}
        return measure(examples, Predictions(**some))

    return lambda name="predictions_gpt2_ModelNSP_GPT2LM", *kinds: replace(of(kinds), name=name)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.xlsx"


@pytest.mark.slow
def test_the_metrics_have_the_keys_and_counts_of_the_successor_or_of_the_original(measured):
    successor = outputs.metrics(measured(), "successor")
    assert list(successor) == ["intrasentence", "intersentence", "overall"]
    assert all(list(cells) == BIAS_TYPES for cells in successor.values())
    assert all(list(cell) == SUCCESSOR for cells in successor.values() for cell in cells.values())
    assert successor["intrasentence"]["profession"]["Count"] == 18
    assert successor["overall"]["overall"]["Count"] == 90
    original = outputs.metrics(measured(), "original")
    assert list(original["overall"]) == ORIGINAL and list(original["intersentence"]) == BIAS_TYPES
    assert all(list(cell) == ORIGINAL for cell in original["intersentence"].values())
    assert original["intersentence"]["profession"]["Count"] == 3 * 18
    assert original["intersentence"]["overall"]["Count"] == 45
    for kind, bias_type in product(successor, BIAS_TYPES):
        cell = measured().cell(kind, bias_type)
        means, pooled = ([getattr(scores, name).value for name in ("lms", "ss", "icat")]
                         for scores in (cell.term_means, cell.pooled))  # fmt: skip
        _, *numbers = successor[kind][bias_type].values()
        term_icat = cell.mean_term_icat.value
        assert numbers == pytest.approx([*pooled, *means[:2], cell.spread.sd, term_icat, means[2]])
        if kind != "overall":
            assert [*original[kind][bias_type].values()][1:] == pytest.approx(means)
    assert original["overall"]["SS Score"] == successor["overall"]["overall"]["Multi Class SS Score"]
    assert original["overall"]["ICAT Score"] == successor["overall"]["overall"]["Micro ICAT Score"]
    for names in ("successor", "original"):
        assert list(outputs.metrics(measured("mine", "intersentence"), names)) == ["intersentence"]


@pytest.mark.parametrize(
    ("predictions", "original"),
    [("predictions_gpt2_ModelNSP_GPT2LM", "gpt2"), ("predictions_mine", "mine.json"), ("mine", "mine"),
     ("english-small_GPT2LM_GPT2LM_d_en", "english-small_GPT2LM_GPT2LM_d_en")],
)  # fmt: skip
def test_a_model_is_called_as_the_original_calls_it(predictions, original):
    assert outputs.metrics_keys([predictions], "original") == [original]
    assert outputs.metrics_keys([predictions], "successor") == [predictions]


@pytest.mark.slow
def test_models_of_like_names_are_all_there_others_stay_and_the_same_one_is_replaced(measured, tmp_path):
    path = tmp_path / "m.json"
    names = [f"predictions_{one}" for one in ("gpt2_ModelNSP_GPT2LM", "gpt2_GPT2LM_GPT2LM_d", "bert_BertLM")]
    outputs.write_metrics([measured(name) for name in names], path, "original")
    assert list(json.loads(path.read_text())) == [*names[:2], "bert"]
    path.write_text('{"other": 1, "mine": 2}')
    outputs.write_metrics([measured("mine")], path, "successor")
    found = json.loads(path.read_text())
    assert list(found) == ["other", "mine"] and found["other"] == 1
    assert found["mine"]["overall"]["overall"]["Count"] == 90
    path.write_text("[]")
    assert "expected a metrics file" in error_of(lambda: outputs.write_metrics([measured("mine")], path, "successor"))
    assert path.read_text() == "[]"


@pytest.mark.slow
def test_the_workbook_has_a_sheet_per_task_and_a_row_per_model_and_keeps_what_else_it_had(measured, path):
    outputs.append_to_workbook([measured("a"), measured("b")], path)
    outputs.append_to_workbook([measured("a"), measured("c", "intersentence")], path)
    sheets = read_workbook(path)
    assert list(sheets) == ["intrasentence", "intersentence", "overall"]
    for name, sheet in sheets.items():
        assert list(sheet) == ["model_name", *SUCCESSOR]
        assert sheet["model_name"].tolist() == ["a", "b", *(["c"] if name == "intersentence" else [])]
    expected = outputs.metrics(measured("a"), "successor")["overall"]["overall"]
    row = pd.read_excel(path, "overall").iloc[0]
    assert [row[name] for name in SUCCESSOR] == [round(expected[name], 2) for name in SUCCESSOR]
    before = pd.DataFrame({"model_name": ["007"], "LM Score": [61.5], "remark": ["ours"]})
    write_workbook({"notes": pd.DataFrame({"text": ["=keep", "1e5 items"]}), "overall": before}, path)
    outputs.append_to_workbook([measured("a")], path)
    sheets = pd.read_excel(path, None, dtype={"model_name": str})
    assert list(sheets) == ["notes", "overall", "intrasentence", "intersentence"]
    assert sheets["notes"]["text"].tolist() == ["=keep", "1e5 items"]
    assert sheets["overall"]["model_name"].tolist() == ["007", "a"]
    assert sheets["overall"][["LM Score", "remark"]].iloc[0].tolist() == [61.5, "ours"]


@pytest.mark.slow
def test_formats_formulas_and_remarks_of_a_workbook_stay(measured, path):
    outputs.append_to_workbook([measured("a")], path)
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
    outputs.append_to_workbook([measured("b"), measured("a")], path)
    book = openpyxl.load_workbook(path)
    sheet = book["overall"]
    assert sheet["A1"].font.bold and sheet.column_dimensions["A"].width == 33
    for cell in (sheet["B2"], sheet["B3"]):
        assert cell.number_format == "0.0" and cell.fill.fgColor.rgb == "00FFEEAA", cell.coordinate
    assert [sheet.cell(row, 1).value for row in (1, 2, 3, 4)] == ["model_name", "a", "b", None]
    assert (sheet.cell(2, last).value, sheet.cell(2, last + 1).value) == ("ours", "=2+3")
    assert sheet.cell(3, last).value is None and book["mine"]["B7"].value == "kept"


def test_a_file_that_is_no_workbook_and_an_unknown_ending_are_refused(measured, path, tmp_path):
    path.write_text("no workbook")
    assert "not a usable XLSX file" in error_of(lambda: outputs.append_to_workbook([measured("a")], path))
    assert path.read_text() == "no workbook"
    assert "Expected .json, .xlsx" in error_of(lambda: outputs.check_output(tmp_path / "numbers.docx"))


def test_latex_names_the_definition_and_may_have_a_decimal_comma(measured):
    models = [measured("one_model"), measured("half & half", "intrasentence")]
    found = outputs.latex_table(models)
    whole = models[0].cell("overall").term_means
    assert r"one\_model & " in found and r"half \& half & " in found
    assert f"{whole.lms.value:.2f} & {whole.ss.value:.2f} & {whole.icat.value:.2f} \\\\" in found
    assert "-- & -- & -- & -- & -- & -- \\\\" in found
    assert "mean over terms; an even comparison counts one half" in found
    assert f"{whole.lms.value:.2f}".replace(".", "{,}") in outputs.latex_table(models, ",")
    body = [line for line in found.splitlines() if line.endswith(r" \\") and "multicolumn" not in line]
    assert {line.replace(r"\&", "").count("&") for line in body} == {9}


def test_published_figures_are_unambiguous_and_keep_their_definition():
    for language in ("en", "de", "fr", "es", "tr"):
        found = figures(language)
        assert len(found) and not found.drop(columns="value").duplicated().any()
        assert found["value"].between(0, 100).all()
    means = figures("en").query("kind == 'overall' and aggregation == 'term_means'")
    index = ["source", "system", "method", "case", "bias_type"]
    wide = means.pivot_table(index=index, columns="metric", values="value")
    computed = wide["lms"] * (50 - (wide["ss"] - 50).abs()) / 50
    assert (computed - wide["icat"]).abs().max() < 0.02


FILES = {
    "BERT base cased": "predictions_bert-base-cased_BertNextSentence_BertLM.json.gz",
    "BERT large cased": "predictions_bert-large-cased_BertNextSentence_BertLM.json.gz",
    "GPT-2": "predictions_gpt2_ModelNSP_GPT2LM.json.gz",
}
KINDS = ("intrasentence", "intersentence")


@cache
def published(folder):
    return read_examples(folder / "dev_en_reconstructed.json.gz")


@cache
def of_system(folder, system, ties="legacy", kinds=KINDS):
    examples = Examples(**{kind: published(folder).by_kind[kind] for kind in kinds})
    return measure(examples, read_predictions(folder / "predictions" / FILES[system]), ties)


def test_all_examples_are_read_with_their_only_ties_and_what_chance_alone_gives(shared_data):
    found = published(shared_data("stereoset"))
    assert (len(found.intrasentence), len(found.intersentence), len(found.left_out)) == (2106, 2123, 0)
    assert len({example.term for example in found}) == 79 and len(found.notes) == 6
    assert sum("2 times" in note.text for note in found.notes) == 2
    assert any("takes sometimespizza, sometimeswitchdoctor" in note.text for note in found.notes)
    folder = shared_data("stereoset")
    cells = {(system, kind): of_system(folder, system).cell(kind) for system in FILES for kind in KINDS}
    ties = {key: cell.ties + cell.related_ties for key, cell in cells.items()}
    assert {key: n for key, n in ties.items() if n} == {("BERT large cased", "intersentence"): 8}
    system = "BERT large cased"
    half = of_system(folder, system, "half", KINDS[1:]).cell("intersentence").pooled.ss.value
    assert half == pytest.approx(cells[system, "intersentence"].pooled.ss.value + 400 / 2123)
    within, between = (cells["GPT-2", kind] for kind in KINDS)
    assert within.spread.sd == pytest.approx(10.73, abs=0.005)
    assert (within.spread.low, within.spread.high) == pytest.approx((7.9, 10.8), abs=0.1)
    assert within.coin_icat == pytest.approx(84.5, abs=0.05)
    assert between.spread.sd == pytest.approx(10.35, abs=0.005)
    assert (between.spread.low, between.spread.high) == pytest.approx((8.2, 11.2), abs=0.15)
    terms = of_system(folder, "GPT-2").terms.query("kind == 'intersentence'")
    around_50 = funnel.outside(terms["ss"].to_numpy(float), terms["n"].to_numpy(float), 50.0)
    assert around_50.n == 5 and around_50.expected == pytest.approx(4, abs=0.5)


@pytest.mark.parametrize("system", FILES)
def test_every_published_number(system, shared_data):
    """To as many digits as were printed. The successor scored BERT anew; its GPT-2 is the original's."""
    found = of_system(shared_data("stereoset"), system)
    known = figures("en")
    same = known["source"].str.startswith("Nadeem") | (known["system"] == "GPT-2")
    ours = known[same & (known["system"] == system) & (known["case"] == "")]
    assert len(ours) == 33 + (24 if system == "GPT-2" else 0)
    for row in ours.itertuples():
        cell = found.cell(row.kind, row.bias_type)
        value = cell.spread.sd if row.metric == "ss_sd" else cell.numbers[row.aggregation][row.metric].value
        digits = 4 if row.source.startswith("Nadeem") else 2
        assert round(value, digits) == pytest.approx(row.value, abs=1e-9), row
