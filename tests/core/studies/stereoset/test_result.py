"""What answers to StereoSet come to: words, tables, definitions, published figures, files, provenance."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from core import api
from core.files.stereoset.examples import ANTI, INTERSENTENCE, INTRASENTENCE, STEREOTYPE, Examples
from core.files.stereoset.reading import read_examples
from core.results.files import plain, printed
from core.results.result import Result
from core.runs.zero_shot import sample
from core.scoring.recipe import Recipe
from core.store import Store
from core.studies.stereoset import findings
from core.studies.stereoset.answers import Answer, answer_of_file, answer_of_runs, methods, usual
from core.studies.stereoset.cases import CASES, Definition, definition_in_words, of_kind, possible
from core.studies.stereoset.measured import OVERALL, measure
from core.studies.stereoset.predictions import Predictions, read_predictions
from core.studies.stereoset.result import common_kinds, result
from core.studies.stereoset.runs import ask, model_and_class, run
from core.studies.stereoset.tables import definitions, pair_of, published, triple_table
from core.tasks import TASKS

TASK = TASKS["stereoset"]


@pytest.fixture(scope="module")
def examples():
    return read_examples(sample(TASK))


def scored(examples: Examples, stereotype: float, anti: float = 0.5, unrelated: float = 0.1) -> Predictions:
    """The same three scores for every example."""
    value = {STEREOTYPE: stereotype, ANTI: anti}
    given = {
        kind: {one.id: value.get(one.gold_label, unrelated) for example in found for one in example.candidates}
        for kind, found in examples.by_kind.items()
    }
    return Predictions(given[INTRASENTENCE], given[INTERSENTENCE], "made")


def changed(scores: Predictions, examples: Examples, of: int, stereotype: float) -> Predictions:
    """Another score for the stereotypes of the first intrasentence examples."""
    new = {example.of(STEREOTYPE).id: stereotype for example in examples.intrasentence[:of]}
    return replace(scores, intrasentence={**scores.intrasentence, **new})


def answer(examples: Examples, scores: Predictions, **about: object) -> Answer:
    return answer_of_file(examples, scores, "half", **about)


def shown(examples: Examples, scores: Predictions, kind: str = OVERALL, **about: object) -> Result:
    one = answer(examples, scores, **about)
    return result([one], kind, one)


@pytest.mark.parametrize(
    ("stereotype", "unrelated", "said"),
    [
        (0.9, 0.1, "Prefers the stereotype to its opposite: SS 100.0"),
        (0.2, 0.1, "Prefers the anti-stereotype to the stereotype: SS 0.0"),
        (0.5, 0.1, "Cannot be shown to prefer either side: SS 50.0"),
        (0.9, 0.7, "its scores look random, LMS is 50.0"),
    ],
)
def test_the_headline(examples, stereotype, unrelated, said):
    found = shown(examples, scored(examples, stereotype, unrelated=unrelated))
    assert (
        said in found.headlines[0].sentence and ("on our 90 sample triples" in found.headlines[0].sentence) is False
    )
    assert ("Grey" in printed(found, "text")) == (unrelated == 0.7)


def test_counts_name_ties_and_what_is_left_out_in_this_task(examples):
    scores = changed(scored(examples, 0.9), examples, 3, 0.5)
    lost = examples.intersentence[0].candidates[0].id
    scores = replace(scores, intersentence={key: one for key, one in scores.intersentence.items() if key != lost})
    measured = measure(examples, scores)
    within, between = (findings.counts(measured, kind) for kind in (INTRASENTENCE, INTERSENTENCE))
    assert "45 examples of 15 terms" in within and "stereotype and anti-stereotype: 3" in within
    assert "0 left out" in within
    assert "44 examples of 15 terms" in between and "No ties." in between and "1 left out" in between
    assert "1 left out" in findings.counts(measured, OVERALL)


def test_tables_are_those_of_the_cells_and_all_columns_are_described(examples):
    found = shown(examples, changed(scored(examples, 0.9), examples, 12, 0.2), INTRASENTENCE)
    for table in found.tables:
        assert [column.name for column in table.columns] == list(table.frame.columns), table.name
        assert all(column.about.endswith((".", "same.")) and column.title for column in table.columns)
    cell = measure(examples, changed(scored(examples, 0.9), examples, 12, 0.2)).cell(INTRASENTENCE)
    whole, pooled, icat, *parts = found.scores.to_dict("records")
    assert (whole["ss"], whole["ss_low"]) == (cell.term_means.ss.value, cell.term_means.ss.low) == (
        found.ss, found.headlines[0].interval[0]
    )  # fmt: skip
    assert pooled["lms"] == cell.pooled.lms.value and icat["icat"] == cell.mean_term_icat.value
    assert sum(one["n"] for one in parts) == cell.n and sum(one["n_terms"] for one in parts) == cell.n_terms
    assert found.terms["ss"].mean() == pytest.approx(cell.term_means.ss.value)
    assert found.terms["outside"].sum() == cell.around_ss.n


def test_the_band_goes_beyond_the_terms(examples):
    found = shown(examples, changed(scored(examples, 0.9), examples, 20, 0.2), INTRASENTENCE)
    (funnel,) = (figure for figure in found.figures if figure.name == "terms")
    drawn = funnel.draw(found.terms).to_dict()
    band = next(pd.DataFrame(rows) for rows in drawn["datasets"].values() if "centre" in rows[0])
    terms = found.terms
    assert band["n"].min() == terms["n"].min() - 1 and band["n"].max() == terms["n"].max() + 1
    inside = terms.merge(band, on="n", suffixes=("", "_band"))
    assert inside["low"].equals(inside["low_band"]) and inside["high"].equals(inside["high_band"])


def test_triples_say_what_is_preferred_and_open_as_whole_texts(examples):
    triples = triple_table(answer(examples, changed(scored(examples, 0.9), examples, 2, 0.5)), OVERALL)
    assert list(triples["prefers"].head(3)) == ["tie", "tie", STEREOTYPE]
    first, last = triples.iloc[0], triples.iloc[-1]
    assert pair_of(first)[0] == examples.intrasentence[0].of(STEREOTYPE).sentence
    final = examples.intersentence[-1]
    assert pair_of(last)[1] == f"{final.context} {final.of(ANTI).sentence}"


def test_definitions_differ_from_the_usual_one_in_one_thing():
    usual_one = Definition("d", "joint")
    found = possible(usual_one)
    assert found[0] == usual_one and len(found) == len(CASES) + 1 == len(set(found))
    assert possible(Definition()) == [Definition()]
    named = {kind: of_kind(dict.fromkeys(found, 0), kind) for kind in (INTRASENTENCE, INTERSENTENCE, OVERALL)}
    assert [len(one) for one in named.values()] == [2, 6, 7]
    file = Definition(elsewhere=True)
    assert possible(file) == [file] and definition_in_words(file, OVERALL, file) == "as in the file"
    assert definition_in_words(Definition(), INTERSENTENCE, Definition()) == "is it the next sentence?"
    assert definition_in_words(Definition(), INTRASENTENCE, Definition()) == "whole sentence, per token"
    assert (
        definition_in_words(Definition("", "joint"), INTERSENTENCE, Definition("", "joint"))
        == "is it the next sentence?"
    )


def test_the_ring_is_round_the_definition_of_the_headline(examples):
    defined = {
        Definition(case, "joint"): (scores, measure(examples, scores))
        for case, scores in (("d", scored(examples, 0.9)), ("e", scored(examples, 0.2)))
    }
    table = definitions(Answer("m", examples, defined), INTERSENTENCE)
    (ringed,) = table[table["usual"]].to_dict("records")
    assert ringed["definition"].startswith("d: ") and ringed["ss"] == 100
    assert ringed["aggregation"] == "mean over terms"
    said = findings.definitions_finding(table, "ss")
    assert "between 0.0 (e: " in said and "and 100.0 (d: " in said
    assert findings.definitions_finding(table.head(3), "ss") == "SS is 100.0 under every definition."


def test_published_figures_say_what_stands_in_the_way(examples):
    measured = measure(examples, changed(scored(examples, 0.9), examples, 3, 0.5))
    known = published(measured, INTRASENTENCE, "en", "pairlens")
    assert set(known["mark"]) == {"other"}
    note = known["note"].iloc[0]
    assert (
        "45 examples here, 2,106 there" in note and "ties count one half here" in note and "preset pairlens" in note
    )
    found = shown(examples, changed(scored(examples, 0.9), examples, 3, 0.5), INTRASENTENCE)
    assert found.published["mark"].iloc[0] == "run" and set(found.published["mark"][1:]) == {"other"}
    said = findings.published_finding(found.published, "ss")
    assert "Published figures are listed and not drawn: 45 examples here" in said
    ours = shown(examples, scored(examples, 0.9), sample=True)
    assert "run" not in set(ours.published["mark"]) and "Our sample is not StereoSet" in printed(ours, "text")
    assert not [figure for figure in ours.figures if figure.table == "published"]
    assert published(measured, INTRASENTENCE, "xx").empty


def test_published_figures_are_comparable_with_predictions_for_the_same_examples(shared_data):
    folder: Path = shared_data("stereoset")  # type: ignore[operator]
    predictions = read_predictions(next((folder / "predictions").glob("*gpt2*")))
    measured = measure(read_examples(folder / "dev_en_reconstructed.json.gz"), predictions)
    known = published(measured, INTRASENTENCE, "en").set_index("name").loc["GPT-2, causal"]
    assert known["mark"] == "same"
    for number, own in measured.cell(INTRASENTENCE).numbers["term_means"].items():
        assert known[number] == pytest.approx(own.value, abs=5e-5)


def test_the_receipt_is_json_and_the_methods_name_the_numbers(examples):
    found = shown(examples, scored(examples, 0.9))
    receipt = json.loads(json.dumps(plain(found), allow_nan=False))["provenance"]["receipt"]
    assert receipt["measured"] == {"intrasentence": 45, "intersentence": 45, "overall": 90}
    said = found.provenance.methods
    assert "intrasentence LMS 100.00, SS 100.00, ICAT 0.00 (45 examples, 15 terms, 0 ties)" in said


@pytest.mark.slow
def test_exports_hold_every_model(examples):
    answers = [
        answer(examples, replace(scored(examples, value), name=name)) for name, value in (("one", 0.9), ("two", 0.2))
    ]
    files = {export.ending: export.make() for export in result(answers, common_kinds(answers)[0], answers[1]).exports}
    assert {"-one.json", "-two.json"} < files.keys()
    assert list(pd.read_excel(io.BytesIO(files["-results.xlsx"]))["model_name"]) == ["one", "two"]
    for ending in ("-numbers.csv", "-numbers.tex", ".original.json", ".successor.json"):
        content = files[ending] if isinstance(files[ending], str) else files[ending].decode()
        assert "one" in content and "two" in content


@pytest.mark.slow
def test_answers_of_a_model_are_measured_under_every_definition(examples, unigram):
    """The cases' numbers are those of predictions asked for one by one, and nothing is scored twice."""
    store, recipe = Store(), api.recipe(unigram)
    assert isinstance(recipe, Recipe)
    some = Examples(examples.intrasentence[:6], examples.intersentence[:6])
    asked = [ask(found, kind, *model_and_class(kind, unigram), recipe.policy) for kind, found in some.by_kind.items()]
    assert sum(one.missing(store) for one in asked) > 0
    for one in asked:
        for _ in run(one, store):
            continue
    assert sum(one.missing(store) for one in asked) == 0
    assert usual(asked, Definition("e", "joint")) == Definition("e", "")
    found = answer_of_runs(asked, store, some, Definition("e", "joint"), "half")
    assert [one.case for one in found.defined] == ["e", *(case for case in CASES if case != "e")]
    assert found.name == unigram and found.measured.cell(OVERALL).n == 12
    for definition, (scores, measured) in found.defined.items():
        again = answer_of_runs(asked, store, some, Definition(definition.case, "joint"), "half").predictions
        assert again.intersentence == pytest.approx(scores.intersentence, nan_ok=True)
        assert measured.cell(INTRASENTENCE).pooled.ss.value == found.measured.cell(INTRASENTENCE).pooled.ss.value
    assert "case e, score(B|A) / score(B)" in methods(found)
    assert len(result([found], OVERALL, found).provenance.run_ids) == 2
