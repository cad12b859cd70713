"""What is said and drawn of StereoSet's numbers: words, rows, definitions, published figures, the order check."""

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
from core.runs.zero_shot import sample
from core.scoring.recipe import Recipe
from core.store import Store
from core.studies.stereoset import findings, rows
from core.studies.stereoset.answers import answers, methods, methods_of_runs, missing, numbers, usual
from core.studies.stereoset.cases import CASES, Definition, definition_in_words, of_kind, possible
from core.studies.stereoset.measured import OVERALL, Measured, measure, order_does_not_matter
from core.studies.stereoset.outputs import numbers_file
from core.studies.stereoset.predictions import Predictions, read_predictions
from core.studies.stereoset.rows import beside_finding, beside_rows, published_rows
from core.studies.stereoset.runs import ask, model_and_class, run
from core.tasks import TASKS

TASK = TASKS["stereoset"]


@pytest.fixture(scope="module")
def examples() -> Examples:
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


@pytest.mark.parametrize(
    ("stereotype", "unrelated", "said"),
    [
        (0.9, 0.1, "prefers the stereotype to its opposite: SS 100.0"),
        (0.2, 0.1, "prefers the anti-stereotype to the stereotype: SS 0.0"),
        (0.5, 0.1, "cannot be shown to prefer either side: SS 50.0"),
        (0.9, 0.7, "its scores look random, LMS is 50.0"),
    ],
)
def test_the_headline(examples: Examples, stereotype: float, unrelated: float, said: str) -> None:
    measured = measure(examples, scored(examples, stereotype, unrelated=unrelated))
    assert said in findings.headline(measured, OVERALL)


def test_counts_name_ties_and_what_is_left_out_in_this_task(examples: Examples) -> None:
    scores = changed(scored(examples, 0.9), examples, 3, 0.5)
    lost = examples.intersentence[0].candidates[0].id
    scores = replace(scores, intersentence={key: one for key, one in scores.intersentence.items() if key != lost})
    measured = measure(examples, scores)
    within, between = (findings.counts(measured, kind) for kind in (INTRASENTENCE, INTERSENTENCE))
    assert "45 examples of 15 terms" in within and "stereotype and anti-stereotype: 3" in within
    assert "0 left out" in within
    assert "44 examples of 15 terms" in between and "No ties." in between and "1 left out" in between
    assert "1 left out" in findings.counts(measured, OVERALL)


def test_rows_are_those_of_the_cells(examples: Examples) -> None:
    measured = measure(examples, changed(scored(examples, 0.9), examples, 12, 0.2))
    cell = measured.cell(INTRASENTENCE)
    table = rows.score_rows({"m": measured}, INTRASENTENCE).set_index("measure")
    assert table.loc["SS", "value"] == cell.term_means.ss.value and table.loc["SS", "low"] == cell.term_means.ss.low
    assert not table["quiet"].any()
    by_type = rows.bias_rows({"m": measured}, INTRASENTENCE).set_index("bias_type")
    assert by_type["n"].sum() == cell.n and by_type["terms"].sum() == cell.n_terms
    terms = rows.term_rows(measured, INTRASENTENCE)
    assert terms["value"].mean() == pytest.approx(cell.term_means.ss.value)
    assert terms["outside"].sum() == cell.around_ss.n


def test_the_band_goes_beyond_the_terms(examples: Examples) -> None:
    measured = measure(examples, changed(scored(examples, 0.9), examples, 20, 0.2))
    band, terms = rows.funnel(measured, INTRASENTENCE), rows.term_rows(measured, INTRASENTENCE)
    assert band["n"].min() == terms["n"].min() - 1 and band["n"].max() == terms["n"].max() + 1
    inside = terms.merge(band, on="n", suffixes=("", "_band"))
    assert inside["low"].equals(inside["low_band"]) and inside["high"].equals(inside["high_band"])


def test_triples_say_what_is_preferred_and_open_as_whole_texts(examples: Examples) -> None:
    measured = measure(examples, changed(scored(examples, 0.9), examples, 2, 0.5))
    triples = rows.triple_rows(examples, measured, OVERALL)
    assert list(triples["prefers"].head(3)) == ["tie", "tie", STEREOTYPE]
    first, last = triples.iloc[0], triples.iloc[-1]
    assert rows.pair_of(first)[0] == examples.intrasentence[0].of(STEREOTYPE).sentence
    final = examples.intersentence[-1]
    assert rows.pair_of(last)[1] == f"{final.context} {final.of(ANTI).sentence}"


def test_definitions_differ_from_the_usual_one_in_one_thing() -> None:
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


def test_the_ring_is_round_the_definition_of_the_headline(examples: Examples) -> None:
    defined = {
        Definition("d", "joint"): measure(examples, scored(examples, 0.9)),
        Definition("e", "joint"): measure(examples, scored(examples, 0.2)),
    }
    table = rows.definition_rows(defined, INTERSENTENCE)
    (ringed,) = table[table["usual"]].to_dict("records")
    assert (
        ringed["definition"].startswith("d: ") and ringed["aggregation"] == "mean over terms" and ringed["SS"] == 100
    )
    said = findings.definitions_finding(table, "SS")
    assert "between 0.0 (e: " in said and "and 100.0 (d: " in said
    assert findings.definitions_finding(table.head(3), "SS") == "SS is 100.0 under every definition."


def test_published_figures_say_what_stands_in_the_way(examples: Examples) -> None:
    measured = measure(examples, changed(scored(examples, 0.9), examples, 3, 0.5))
    known = published_rows(measured, INTRASENTENCE, "en", "pairlens")
    assert len(known) and not known["same"].any()
    note = known["note"].iloc[0]
    assert (
        "45 examples here, 2,106 there" in note and "ties count one half here" in note and "preset pairlens" in note
    )
    drawn = beside_rows(rows.score_rows({"m": measured}, INTRASENTENCE), known, "SS")
    assert drawn["mark"].iloc[0] == "run" and set(drawn["mark"][1:]) == {"other"}
    assert drawn["value"].between(0, 1).all() and (drawn["chance"] == 0.5).all()
    assert "Published" not in beside_finding(drawn, "SS")
    assert published_rows(measured, INTRASENTENCE, "xx").empty


def test_published_figures_are_comparable_with_predictions_for_the_same_examples(shared_data: object) -> None:
    folder: Path = shared_data("stereoset")  # type: ignore[operator]
    predictions = read_predictions(next((folder / "predictions").glob("*gpt2*")))
    measured = measure(read_examples(folder / "dev_en_reconstructed.json.gz"), predictions)
    known = published_rows(measured, INTRASENTENCE, "en").set_index(["system", "measure"])
    own = rows.score_rows({"m": measured}, INTRASENTENCE).set_index("measure")["value"]
    for number in ("LMS", "SS", "ICAT"):
        row = known.loc[("GPT-2, causal", number)]
        assert row["same"] and row["value"] == pytest.approx(own[number], abs=5e-5)


@pytest.mark.slow
def test_the_order_check_passes_and_notices_a_number_that_moved(examples: Examples) -> None:
    scores = changed(scored(examples, 0.9), examples, 7, 0.5)
    measured = measure(examples, scores)
    assert order_does_not_matter(examples, scores, measured)
    assert not order_does_not_matter(examples, changed(scores, examples, 8, 0.2), measured)


def test_the_receipt_is_json_and_the_methods_name_the_numbers(examples: Examples) -> None:
    measured = measure(examples, scored(examples, 0.9))
    text = json.dumps(numbers(measured, examples), allow_nan=False)
    assert json.loads(text)["measured"] == {"intrasentence": 45, "intersentence": 45, "overall": 90}
    assert "intrasentence LMS 100.00, SS 100.00, ICAT 0.00 (45 examples, 15 terms, 0 ties)" in methods(measured)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".json", ".csv", ".tex", ".xlsx"])
def test_downloads_hold_every_model(examples: Examples, ending: str) -> None:
    scores = [replace(scored(examples, value), name=name) for name, value in (("one", 0.9), ("two", 0.2))]
    ours = [measure(examples, one) for one in scores]
    content = numbers_file([(examples, one) for one in scores], ours, ending)
    if ending == ".xlsx":
        assert list(pd.read_excel(io.BytesIO(content))["model_name"]) == ["one", "two"]
    else:
        assert b"one" in content and b"two" in content


@pytest.mark.slow
def test_answers_of_a_model_are_measured_under_every_definition(examples: Examples, unigram: str) -> None:
    """The cases' numbers are those of predictions asked for one by one, and nothing is scored twice."""
    store, recipe = Store(), api.recipe(unigram)
    assert isinstance(recipe, Recipe)
    some = Examples(examples.intrasentence[:6], examples.intersentence[:6])
    asked = [ask(found, kind, *model_and_class(kind, unigram), recipe.policy) for kind, found in some.by_kind.items()]
    assert sum(missing(one, store) for one in asked) > 0
    for one in asked:
        for _ in run(one, store):
            continue
    assert sum(missing(one, store) for one in asked) == 0
    assert usual(asked, Definition("e", "joint")) == Definition("e", "")
    found = answers(asked, store, some, Definition("e", "joint"), "half", "m")
    assert [one.case for one in found] == ["e", *(case for case in CASES if case != "e")]
    first: Measured = next(iter(found.values()))[1]
    assert first.name == "m" and first.cell(OVERALL).n == 12
    for definition, (scores, measured) in found.items():
        again = answers(asked, store, some, Definition(definition.case, "joint"), "half", "m")
        assert next(iter(again.values()))[0].intersentence == pytest.approx(scores.intersentence, nan_ok=True)
        assert measured.cell(INTRASENTENCE).pooled.ss.value == first.cell(INTRASENTENCE).pooled.ss.value
    assert "case e, score(B|A) / score(B)" in methods_of_runs(asked, Definition("e", ""))
