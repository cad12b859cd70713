"""What answers to StereoSet come to: words, tables, definitions, published figures, files, provenance."""

import io
import json
import math
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from scipy.stats import binomtest

import pairlens
from pairlens.cli import main
from pairlens.files.stereoset.examples import ANTI, INTERSENTENCE, INTRASENTENCE, STEREOTYPE, UNRELATED, Examples
from pairlens.files.stereoset.predictions import Predictions, read_predictions, write_predictions
from pairlens.files.stereoset.reading import read_examples
from pairlens.results.files import plain, printed
from pairlens.studies.stereoset import findings
from pairlens.studies.stereoset.answers import Answer, answer_of_file, answer_of_runs, methods, usual
from pairlens.studies.stereoset.cases import CASES, Definition, definition_in_words, of_kind, possible
from pairlens.studies.stereoset.measured import OVERALL, difference, measure
from pairlens.studies.stereoset.result import common_kinds, result
from pairlens.studies.stereoset.runs import ask, model_and_class, run
from pairlens.studies.stereoset.tables import definitions, pair_of, published, triple_table


@pytest.fixture(scope="module")
def alike(examples):
    """The sample as if all were of one bias type: its numbers are fewer, those of each task are the same."""
    kinds = ([replace(one, bias_type="race") for one in found] for found in examples.by_kind.values())
    return Examples(*map(tuple, kinds))


def scored(examples, stereotype, unrelated=0.1):
    """The same three scores for every example."""
    value = {STEREOTYPE: stereotype, ANTI: 0.5}
    given = {
        kind: {one.id: value.get(one.gold_label, unrelated) for example in found for one in example.candidates}
        for kind, found in examples.by_kind.items()
    }
    return Predictions(**given, name="made")


def changed(examples, of, stereotype):
    """Stereotypes everywhere, but for another score of those of the first intrasentence examples."""
    scores = scored(examples, 0.9)
    new = {example.of(STEREOTYPE).id: stereotype for example in examples.intrasentence[:of]}
    return replace(scores, intrasentence={**scores.intrasentence, **new})


def shown(examples, scores, kind=OVERALL, **about):
    one = answer_of_file(examples, scores, "half", **about)
    return result([one], kind, one)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stereotype", "unrelated", "said"),
    [(0.9, 0.1, "Prefers the stereotype to its opposite: SS 100.0"),
     (0.2, 0.1, "Prefers the anti-stereotype to the stereotype: SS 0.0"),
     (0.5, 0.1, "Cannot be shown to prefer either side: SS 50.0"),
     (0.9, 0.7, "its scores look random, LMS is 50.0")],
)  # fmt: skip
def test_the_headline(alike, stereotype, unrelated, said):
    found = shown(alike, scored(alike, stereotype, unrelated))
    assert said in found.headlines[0].sentence and "on our 90 sample triples" not in found.headlines[0].sentence
    assert ("Grey" in printed(found, "text")) == (unrelated == 0.7)


@pytest.mark.slow
def test_counts_and_triples_name_ties_and_what_is_left_out(alike):
    scores = changed(alike, 3, 0.5)
    lost = alike.intersentence[0].candidates[0].id
    scores = replace(scores, intersentence={key: one for key, one in scores.intersentence.items() if key != lost})
    measured = measure(alike, scores)
    within, between = (findings.counts(measured, kind) for kind in (INTRASENTENCE, INTERSENTENCE))
    assert "45 examples of 15 terms" in within and "stereotype and anti-stereotype: 3" in within
    assert "0 left out" in within
    assert "44 examples of 15 terms" in between and "No ties." in between and "1 left out" in between
    assert "1 left out" in findings.counts(measured, OVERALL)
    triples = triple_table(answer_of_file(alike, changed(alike, 2, 0.5), "half"), OVERALL)
    assert list(triples["prefers"].head(3)) == ["tie", "tie", STEREOTYPE]
    first, last = triples.iloc[0], triples.iloc[-1]
    assert pair_of(first)[0] == alike.intrasentence[0].of(STEREOTYPE).sentence
    final = alike.intersentence[-1]
    assert pair_of(last)[1] == f"{final.context} {final.of(ANTI).sentence}"


@pytest.mark.slow
def test_tables_are_those_of_the_cells_all_columns_are_described_and_the_band_goes_beyond_the_terms(examples):
    scores = changed(examples, 12, 0.2)
    found = shown(examples, scores, INTRASENTENCE)
    for table in found.tables:
        assert [column.name for column in table.columns] == list(table.frame.columns), table.name
        assert all(column.about.endswith((".", "same.")) and column.title for column in table.columns)
    cell = measure(examples, scores).cell(INTRASENTENCE)
    whole, pooled, icat, *parts = found.scores.to_dict("records")
    ss = cell.term_means.ss
    assert (whole["ss"], whole["ss_low"]) == (ss.value, ss.low) == (found.ss, found.headlines[0].interval[0])
    assert pooled["lms"] == cell.pooled.lms.value and icat["icat"] == cell.mean_term_icat.value
    assert sum(one["n"] for one in parts) == cell.n and sum(one["n_terms"] for one in parts) == cell.n_terms
    assert found.terms["ss"].mean() == pytest.approx(ss.value)
    assert found.terms["outside"].sum() == cell.around_ss.n
    found = shown(examples, changed(examples, 20, 0.2), INTRASENTENCE)
    (funnel,) = (figure for figure in found.figures if figure.name == "terms")
    drawn = funnel.draw(found.terms).to_dict()
    band = next(pd.DataFrame(rows) for rows in drawn["datasets"].values() if "centre" in rows[0])
    terms = found.terms
    assert band["n"].min() == terms["n"].min() - 1 and band["n"].max() == terms["n"].max() + 1
    inside = terms.merge(band, on="n", suffixes=("", "_band"))
    assert inside["low"].equals(inside["low_band"]) and inside["high"].equals(inside["high_band"])


@pytest.mark.slow
def test_definitions_differ_in_one_thing_and_the_ring_is_round_that_of_the_headline(alike):
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
    joint = Definition("", "joint")
    assert definition_in_words(joint, INTERSENTENCE, joint) == "is it the next sentence?"
    scores = {Definition(case, "joint"): scored(alike, stereotype) for case, stereotype in (("d", 0.9), ("e", 0.2))}
    defined = {definition: (one, measure(alike, one)) for definition, one in scores.items()}
    table = definitions(Answer("m", alike, defined), INTERSENTENCE)
    (ringed,) = table[table["usual"]].to_dict("records")
    assert ringed["definition"].startswith("d: ") and ringed["ss"] == 100
    assert ringed["aggregation"] == "mean over terms"
    said = findings.definitions_finding(table, "ss")
    assert "between 0.0 (e: " in said and "and 100.0 (d: " in said
    assert findings.definitions_finding(table.head(3), "ss") == "SS is 100.0 under every definition."


@pytest.mark.slow
def test_published_figures_say_what_stands_in_the_way(alike):
    scores = changed(alike, 3, 0.5)
    measured = measure(alike, scores)
    known = published(measured, INTRASENTENCE, "en", "pairlens")
    assert set(known["mark"]) == {"other"}
    for reason in ("45 examples here, 2,106 there", "ties count one half here", "preset pairlens"):
        assert reason in known["note"].iloc[0]
    found = shown(alike, scores, INTRASENTENCE)
    assert found.published["mark"].iloc[0] == "run" and set(found.published["mark"][1:]) == {"other"}
    said = findings.published_finding(found.published, "ss")
    assert "Published figures are listed and not drawn: 45 examples here" in said
    ours = shown(alike, scored(alike, 0.9), sample=True)
    assert "run" not in set(ours.published["mark"]) and "Our sample is not StereoSet" in printed(ours, "text")
    assert not [figure for figure in ours.figures if figure.table == "published"]
    assert published(measured, INTRASENTENCE, "xx").empty


def test_published_figures_are_comparable_with_predictions_for_the_same_examples(shared_data):
    folder = shared_data("stereoset")
    predictions = read_predictions(next((folder / "predictions").glob("*gpt2*")))
    measured = measure(read_examples(folder / "dev_en_reconstructed.json.gz"), predictions)
    known = published(measured, INTRASENTENCE, "en").set_index("name").loc["GPT-2, causal"]
    assert known["mark"] == "same"
    for number, own in measured.cell(INTRASENTENCE).numbers["term_means"].items():
        assert known[number] == pytest.approx(own.value, abs=5e-5)


@pytest.mark.slow
def test_the_receipt_is_json_the_methods_name_the_numbers_and_exports_hold_every_model(examples):
    found = shown(examples, scored(examples, 0.9))
    receipt = json.loads(json.dumps(plain(found), allow_nan=False))["provenance"]["receipt"]
    assert receipt["measured"] == {"intrasentence": 45, "intersentence": 45, "overall": 90}
    said = found.provenance.methods
    assert "intrasentence LMS 100.00, SS 100.00, ICAT 0.00 (45 examples, 15 terms, 0 ties)" in said
    scores = [replace(scored(examples, value), name=name) for name, value in (("one", 0.9), ("two", 0.2))]
    answers = [answer_of_file(examples, one, "half") for one in scores]
    files = {export.ending: export.make() for export in result(answers, common_kinds(answers)[0], answers[1]).exports}
    assert {"-one.json", "-two.json"} < files.keys()
    assert list(pd.read_excel(io.BytesIO(files["-results.xlsx"]))["model_name"]) == ["one", "two"]
    for ending in ("-numbers.csv", "-numbers.tex", ".original.json", ".successor.json"):
        content = files[ending] if isinstance(files[ending], str) else files[ending].decode()
        assert "one" in content and "two" in content


@pytest.mark.slow
def test_answers_of_a_model_are_measured_under_every_definition(examples, unigram, store):
    """The cases' numbers are those of predictions asked for one by one, and nothing is scored twice."""
    policy = pairlens.recipe(unigram).policy
    some = Examples(examples.intrasentence[:2], examples.intersentence[:2])
    asked = [ask(found, kind, *model_and_class(kind, unigram), policy) for kind, found in some.by_kind.items()]
    assert sum(one.missing(store) for one in asked) > 0
    for one in asked:
        assert [*run(one, store)]
    assert sum(one.missing(store) for one in asked) == 0
    assert usual(asked, Definition("e", "joint")) == Definition("e", "")
    found = answer_of_runs(asked, store, some, Definition("e", "joint"), "half")
    assert [one.case for one in found.defined] == ["e", *(case for case in CASES if case != "e")]
    assert found.name == unigram and found.measured.cell(OVERALL).n == 4
    definition, (scores, measured) = list(found.defined.items())[1]
    again = answer_of_runs(asked, store, some, Definition(definition.case, "joint"), "half").predictions
    assert again.intersentence == pytest.approx(scores.intersentence, nan_ok=True)
    assert measured.cell(INTRASENTENCE).pooled.ss.value == found.measured.cell(INTRASENTENCE).pooled.ss.value
    assert "case e, score(B|A) / score(B)" in methods(found)
    assert len(result([found], OVERALL, found).provenance.run_ids) == 2


SAMPLE = Path("data/samples/stereoset/dev.json")


def ranked(examples, n_stereotypes, name):
    """The stereotype wins in the first examples of each task, its opposite in the others."""

    def of(some):
        placed = [(place, one) for place, example in enumerate(some) for one in example.candidates]
        usual = {ANTI: 0.5, UNRELATED: -1.0}
        return {one.id: usual.get(one.gold_label, float(place < n_stereotypes)) for place, one in placed}

    return Predictions(**{kind: of(some) for kind, some in examples.by_kind.items()}, name=name)


@pytest.mark.slow
def test_the_difference_is_that_of_the_means_tested_by_term_over_what_both_have_and_none_from_itself(alike):
    first, second = (measure(alike, ranked(alike, n, "m")) for n in (30, 12))
    for kind in (INTRASENTENCE, OVERALL):
        found = difference(first, second, kind)
        assert found is not None
        ours, theirs = (one.cell(kind).term_means.ss.value for one in (first, second))
        assert found.ss.value == pytest.approx(ours - theirs)
        assert found.ss.low < found.ss.value < found.ss.high
        assert found.lms.value == 0 and found.lms.low <= 0 <= found.lms.high
        only = 18 if kind == INTRASENTENCE else 36
        assert (found.choices.only_a, found.choices.only_b) == (only, 0)
        assert found.choices.p == pytest.approx(binomtest(0, only).pvalue)
        assert found.choices.p < found.p < 0.05
    one = measure(alike, ranked(alike, 20, "m"))
    said = findings.difference("a", "b", difference(one, one))
    assert "SS +0.0 (-" in said and "over 15 terms" in said and "term by term: p\u00a0=\u00a01" in said
    part = measure(replace(alike, intrasentence=alike.intrasentence[:9]), ranked(alike, 20, "m"))
    found = difference(one, part, INTRASENTENCE)
    assert found is not None and found.n == 9 and math.isnan(found.p) and math.isnan(found.ss.low)
    said = findings.difference("a", "b", found)
    assert "no interval: fewer than 10 terms" in said and "p " not in said.split("terms")[1]
    within = measure(replace(alike, intersentence=()), ranked(alike, 20, "m"))
    between = measure(replace(alike, intrasentence=()), ranked(alike, 20, "m"))
    assert difference(within, between) is None


@pytest.mark.slow
def test_several_files_have_different_names_and_a_language_that_is_a_path_writes_nothing(examples, tmp_path, capsys):
    paths = [tmp_path / name for name in ("a.json", "b.json", "more/b.json")]
    for path, n in zip(paths, (30, 12, 5), strict=True):
        path.parent.mkdir(exist_ok=True)
        write_predictions(ranked(examples, n, path.stem), path)
    options = [part for path in paths for part in ("--predictions", str(path))]
    command = ["stereoset", "evaluate", "--gold-file", str(SAMPLE)]
    assert main([*command, *options[:4]]) == 0 and "a minus b: SS +" in capsys.readouterr().out
    assert main([*command, *options]) == 2
    assert "several files of predictions of this name" in capsys.readouterr().err
    command = ["stereoset", "predict", "-m", "unigram-english", "--gold-file", str(SAMPLE)]
    assert main([*command, "--output-dir", str(tmp_path / "out"), "--language", "../../x"]) == 2
    assert "A language is two small letters" in capsys.readouterr().err
    assert len([*tmp_path.rglob("*.json")]) == len(paths)
