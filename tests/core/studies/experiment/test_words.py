"""Sentences scored and made into words, from the store and by way of the per-token table."""

import math
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pairlens import models
from pairlens.analysis.by_cond import overall
from pairlens.analysis.experiment import NLPSCHOLAR, Analysis, Columns
from pairlens.analysis.regions import regions
from pairlens.errors import InputError
from pairlens.evaluation.evaluate import save
from pairlens.files.tables import write_table
from pairlens.policies import Policy, preset
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import read_design, typed_design
from pairlens.studies.experiment.evaluate import (
    COLUMNS,
    evaluate,
    missing,
    prediction_table,
    read_predictions,
    scores_of,
)
from pairlens.studies.experiment.findings import find
from pairlens.studies.experiment.words import by_word, words_of_predictions, words_of_scores
from pairlens.text.words import words
from tests.experiment_tables import sentence_table, word_table
from tests.refusals import error_of

POLICIES = ("previous", "next", "separate", "ignore")
SENTENCES = (
    '"The keys, to the cabinet," she says.', "Don't the keys (two) — she asks — open it?", "No", "¿Qué? …Hola.",
    "The keys, to the cabinets, are on the table.",
)  # fmt: skip


@pytest.fixture
def make(tiny):
    def recipe(architecture="gpt2", **changes):
        model = models.find(tiny(architecture))
        return Recipe(model, SCORERS[default_for(model.kind)], Policy().but(**changes))

    return recipe


def designed(*sentences):
    return read_design(pd.DataFrame({"sentence": sentences}), Columns())


def scored(design, recipe):
    store = Store(shipped=None)
    assert [*evaluate(design, recipe, store)]
    return store


def table_of(design, recipe):
    return prediction_table(design, recipe, scored(design, recipe))


def test_each_distinct_sentence_is_scored_once_and_the_pairs_can_be_saved_as_a_run(make, store):
    design, recipe = designed("The key", "The keys", "The key"), make()
    assert missing(design, recipe, store) == 2
    progress = list(evaluate(design, recipe, store))
    assert (progress[-1].total, progress[-1].scored) == (2, 2) and missing(design, recipe, store) == 0
    assert next(evaluate(design, recipe, store, scorer=None)).reused == 2
    found = scores_of(design, recipe, store)
    assert list(found) == ["1", "2", "3"] and found["1"] == found["3"] and found["1"][0] == "The key"
    assert found["1"][1].boundary_logprobs is not None
    design, recipe = typed_design(["# text", "The keys are.", "The keys is.", "The key is."]), make()
    run = save(design.items(), recipe, store)
    candidates = store.candidates(run)
    assert candidates["label"].tolist() == ["expected", "unexpected"]
    assert candidates["condition"].tolist() == ["text", "text"] and store.manifest(run)["n"] == 1


def test_a_sentence_that_cannot_be_scored_is_left_out_and_not_all_models_know_word_ends(make, limit, store):
    design, recipe = designed("The key"), make("bert")
    assert scores_of(design, recipe, scored(design, recipe))["1"][1].boundary_logprobs is None
    limit("max_text_characters", 20)
    design, recipe, refused = designed("The key", "The keys to the cabinet are here."), make(), {}
    assert list(evaluate(design, recipe, store, refused=refused))[-1].done == 2
    assert list(refused) == ["2"] and "characters" in refused["2"]
    assert list(scores_of(design, recipe, store)) == ["1"]
    assert words_of_scores(design, recipe, store, Analysis())["sentid"].unique().tolist() == ["1"]
    assert design.without(refused).excluded["sentid"].tolist() == ["2"]


def test_words_of_scores_are_those_of_the_words_module(make):
    design, recipe = designed(*SENTENCES), make()
    store = scored(design, recipe)
    by_policy = {name: words_of_scores(design, recipe, store, Analysis(punctuation=name)) for name in POLICIES}
    by_sentence = scores_of(design, recipe, store)
    for (sentid, (text, scores)), (punctuation, found) in product(by_sentence.items(), by_policy.items()):
        rows = found[found["sentid"] == sentid]
        expected = words(scores, text, recipe.policy.but(punctuation=punctuation))
        assert rows["word"].tolist() == [word.text for word in expected]
        assert list(zip(rows["start"], rows["end"], strict=True)) == [word.span for word in expected]
        assert rows["n_tokens"].tolist() == [word.n_tokens for word in expected]
        assert rows["surp"].to_numpy() == pytest.approx([-word.value / math.log(2) for word in expected])
        assert rows["prob"].to_numpy() == pytest.approx(2 ** -rows["surp"].to_numpy())
    assert set(words_of_scores(design, recipe, Store(Path("nowhere")), Analysis()).columns) == set(found.columns)


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "bert"])
def test_stored_scores_and_the_table_written_of_them_give_the_same_words(make, tmp_path, architecture):
    design, recipe = designed(*SENTENCES), make(architecture, word_value="sum")
    store = scored(design, recipe)
    write_table(prediction_table(design, recipe, store), tmp_path / "p.tsv")
    table = read_predictions(tmp_path / "p.tsv")
    ways = [("sum", "product"), ("mean", "mean"), ("sum", "mean"), ("mean", "product")]
    for punctuation, (summary, probability) in zip(POLICIES, ways, strict=True):
        analysis = Analysis(punctuation=punctuation, word_summary=summary, word_probability=probability)
        direct = words_of_scores(design, recipe, store, analysis)
        by_file = words_of_predictions(table, analysis)
        same = ["model", "tokenizer", "sentid", "wordpos", "word", "n_tokens", "punctuation"]
        if punctuation == "ignore":  # of a token such as `a.` the table does not say where the mark begins
            direct, by_file = (part.assign(word=part["word"].str.rstrip(".")) for part in (direct, by_file))
        pd.testing.assert_frame_equal(direct[same], by_file[same])
        for measure in ("surp", "prob"):
            np.testing.assert_allclose(by_file[measure], direct[measure], rtol=1e-9)
    assert by_file["start"].isna().all() and direct["start"].notna().all()


def test_an_unscored_first_token_leaves_its_word_without_a_number_unless_it_counts_as_certain(make):
    design, recipe = designed("The keys are here."), make(first_token="none")
    store = scored(design, recipe)
    for analysis in (Analysis(), Analysis(word_summary="mean", word_probability="mean")):
        found = words_of_scores(design, recipe, store, analysis)
        assert found[["surp", "prob"]].isna().all(axis=1).tolist() == [True, False, False, False]
    found = prediction_table(design, recipe, store)
    assert found[["prob", "surp"]].isna().all(axis=1).tolist() == [True] + [False] * (len(found) - 1)
    design, base = designed("The keys are here."), make()
    recipe = Recipe(base.model, base.kind, preset("nlpscholar"))
    store = scored(design, recipe)
    table = prediction_table(design, recipe, store)
    assert table.loc[0, ["prob", "surp"]].tolist() == [1.0, 0.0]
    found = words_of_scores(design, recipe, store, NLPSCHOLAR)
    pd.testing.assert_frame_equal(found, words_of_predictions(table, NLPSCHOLAR, design))
    assert found["surp"].notna().all()
    assert words_of_scores(design, recipe, store, Analysis())["surp"].isna().tolist()[0]


def test_the_table_has_the_published_columns_words_with_the_space_before_them_and_punctuation(make):
    recipe = make()
    table = table_of(designed("The keys, Don't  go."), recipe)
    assert tuple(table.columns) == COLUMNS
    by_word = table.drop_duplicates("wordpos")
    assert by_word["word"].tolist() == ["The", " keys", ",", " Don't", "  go", "."]
    assert by_word["wordpos"].tolist() == list(range(6))
    assert "".join(table["token"]).replace("Ġ", " ") == "The keys, Don't  go."
    assert set(table["model"]) == set(table["tokenizer"]) == {recipe.model.name}
    assert table["surp"].to_numpy() == pytest.approx(-np.log2(table["prob"].to_numpy()))
    table = table_of(designed("So … (he) « said » --, d'y + 1."), make())
    flagged = table[table["punctuation"]]
    assert set(flagged["word"]) == {" …", " (", ")", " «", " »", " --", ",", ".", " d'y"}
    assert flagged.loc[flagged["word"] == " d'y", "token"].tolist() == ["'"]
    assert not table.loc[table["token"] == "Ġ", "punctuation"].any()


HEADER = "\t".join(COLUMNS)
ROW = "Ġcats\t7\t cats\t1\ttiny\ttiny\tFalse\t0.0625\t4.0"


def test_a_published_table_is_read_and_one_without_a_column_or_a_token_refused(save):
    lines = [
        HEADER + "\textra",
        "The\t7\tThe\t0\ttiny\ttiny\tfalse\tNA\t\tx",
        ROW + "\ty",
        '""""\t7\t""""\t2\ttiny\ttiny\tTrue\t0\tinf\tz',
    ]
    table = read_predictions(save("p.tsv", "\n".join(lines) + "\n"))
    assert tuple(table.columns) == COLUMNS and table["word"].tolist() == ["The", " cats", '"']
    assert table["punctuation"].tolist() == [False, False, True] and table["wordpos"].tolist() == [0, 1, 2]
    assert math.isnan(table["surp"].iloc[0]) and table["surp"].iloc[1] == 4 and math.isinf(table["surp"].iloc[2])
    with pytest.raises(InputError, match=r"p\.tsv: no column prob, surp\. Expected a table of tokens"):
        read_predictions(save("p.tsv", HEADER.replace("\tsurp", "").replace("prob", "p")))
    assert "no token below the column names" in error_of(lambda: read_predictions(save("p.tsv", HEADER)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [("4.0", "four", "p.tsv, row 3: column 'surp': 'four' is no number"),
     ("0.0625", "6.25", "row 3: column 'prob': '6.25' is no probability"),
     ("cats\t1", "cats\t1.5", "row 3: column 'wordpos': '1.5' is no position"),
     ("cats\t1", "cats\t1000000000", "row 3: column 'wordpos': '1000000000.0' is no position"),
     ("4.0", "-4.0", "row 3: column 'surp': '-4.0' is no surprisal"),
     ("cats\t1", "cats\t", "row 3: column 'wordpos'"),
     ("False", "no", "row 3: column 'punctuation': 'no' is neither True nor False"),
     ("cats\t1", "cats\t0", "row 3: sentence 7 of model tiny begins again: keep one of the two")],
)  # fmt: skip
def test_what_is_wrong_with_a_table_is_said_with_its_row(save, old, new, message):
    with pytest.raises(InputError, match=message):
        read_predictions(save("p.tsv", f"{HEADER}\n{ROW}\n{ROW.replace(old, new)}"))


def test_the_mean_over_tokens_is_of_tokens_and_a_space_of_the_authors_own_is_a_word(make):
    """As NLPScholar's table under addPrefixSpace: the added space is part of no word, a lone space is one."""
    design, recipe = designed("The keys", "  The keys", " The keys"), make(leading_space=True, words_by="tokenizer")
    table = table_of(design, recipe).drop_duplicates(["sentid", "wordpos"])
    assert table.groupby("sentid", sort=False)["word"].agg(list).to_dict() == {
        "1": ["The", " keys"], "2": [" ", " The", " keys"], "3": [" The", " keys"],
    }  # fmt: skip
    design, recipe = designed("The cabinetmakers laugh."), make()
    store = scored(design, recipe)
    text, scores = scores_of(design, recipe, store)["1"]
    word = words(scores, text, recipe.policy)[1]
    assert word.n_tokens > 1
    logprobs = [scores.logprobs[token] for token in word.tokens]
    found = words_of_scores(design, recipe, store, Analysis(word_summary="mean")).iloc[1]
    assert found["surp"] == pytest.approx(-sum(logprobs) / len(logprobs) / math.log(2))
    assert found["prob"] == pytest.approx(math.exp(word.value))
    found = words_of_scores(design, recipe, store, Analysis(word_probability="mean")).iloc[1]
    assert found["surp"] == pytest.approx(-word.value / math.log(2))
    assert found["prob"] == pytest.approx(np.exp(logprobs).mean())


BARRED = ("The keys| to the cabinet |are here.", "The key|s , you | know.")


@pytest.mark.parametrize("changes", [{}, {"leading_space": True}, {"detokenise": "en"}])
def test_each_word_is_in_the_region_where_it_begins(make, changes):
    design, recipe = typed_design(BARRED), make(**changes)
    store = scored(design, recipe)
    found, table = words_of_scores(design, recipe, store, Analysis()), prediction_table(design, recipe, store)
    assert found["bar"].tolist() == [0, 0, 1, 1, 1, 2, 2, 0, 0, 1, 2]
    assert words_of_predictions(table, Analysis(), design)["bar"].tolist() == found["bar"].tolist()
    assert words_of_predictions(table, Analysis())["bar"].isna().all()


def test_regions_and_positions_are_those_of_the_text_where_the_policy_changes_it_and_whatever_the_tokens(make):
    design, recipe = typed_design(["The keys | , | you know."]), make(detokenise="en")
    store = scored(design, recipe)
    assert scores_of(design, recipe, store)["1"][0] == "The keys, you know."
    found = words_of_scores(design, recipe, store, Analysis(punctuation="separate"))
    assert found["bar"].tolist() == [0, 0, 1, 2, 2, 2]
    design = typed_design(["He said … | « oui » … | then | left.", "He said … | « oui » … | then | leaves."])
    recipe = make(text="typographic")
    store = scored(design, recipe)
    assert scores_of(design, recipe, store)["1"][0] == "He said ... « oui » ... then left."
    for punctuation, expected in {"separate": [0, 0, 0, 1, 1, 1, 1, 2, 3, 3], "ignore": [0, 0, 1, 2, 3]}.items():
        found = words_of_scores(design, recipe, store, Analysis(punctuation=punctuation))
        assert found.loc[found["sentid"] == "1", "bar"].tolist() == expected
    sentence = "the dogs fall asleep. No"
    table = pd.DataFrame({"sentence": [sentence, sentence], "sentid": ["a", "b"], "ROI": ["5", "4"]})
    design, recipe, analysis = read_design(table, Columns()), make("llama"), Analysis(punctuation="separate")
    found = words_of_scores(design, recipe, scored(design, recipe), analysis)
    own = found[found["sentid"] == "a"]
    assert own["word"].tolist() == ["the", "dogs", "fall", "asleep.", "No"]
    assert own["wordpos"].tolist() == [0, 1, 2, 3, 5]
    by_sentence = regions(found, design.sentences, analysis).set_index("sentid")
    assert by_sentence.loc["a", "text"] == "No" and not np.isnan(by_sentence.loc["a", "surp"])
    assert by_sentence.loc["b", "excluded"] == "word 4 (counted from 0) has no token of its own"


ROWS = [
    {"sentence": text, "pairid": "1", "comparison": side, "roi": roi, "number": "pl", "lemma": "cat"}
    for text, side, roi in (("Cats sleep.", "expected", (0, 1)), ("Cats sleeps.", "unexpected", (1,)))
]
VALUES = [[1.0, 2.0], [1.0, 3.0]]


def test_published_columns_come_first_then_the_tables_own_then_ours_and_long_texts_in_their_first_row_only():
    sentences = sentence_table(ROWS)
    table = by_word(word_table(sentences, VALUES), sentences, Columns(conditions=("number",)))
    assert list(table) == [
        "wordpos_mod", "number", "word_mod", "sentid", "punctuation", "model", "prob", "surp", "wordpos",
        "sentence", "pairid", "comparison", "ROI", "lemma", "tokenizer", "n_tokens", "start", "end", "bar",
    ]  # fmt: skip
    assert table["ROI"].tolist() == ["0,1", "0,1", "1", "1"]
    assert table["word_mod"].tolist() == ["Cats", "sleep.", "Cats", "sleeps."]
    assert table["surp"].tolist() == [1.0, 2.0, 1.0, 3.0]
    assert table["wordpos_mod"].tolist() == table["wordpos"].tolist() == [0, 1, 0, 1]
    words = word_table(sentences, VALUES).assign(wordpos_given=[0, 2, 0, 2])
    table = by_word(words, sentences, Columns())
    assert table["wordpos"].tolist() == [0, 1, 0, 1] and table["wordpos_mod"].tolist() == [0, 2, 0, 2]
    sentences = sentence_table([{"sentence": "Cats sleep."}])
    table = by_word(word_table(sentences, [[1.0, 2.0]]), sentences, Columns())
    assert table["sentence"].tolist() == ["Cats sleep."] * 2
    sentences = sentence_table(ROWS)
    words = pd.concat([word_table(sentences, VALUES, model) for model in ("a", "b")])
    table = by_word(words, sentences[:1], Columns(conditions=("number",)))
    assert table["model"].tolist() == ["a"] * 4 + ["b"] * 4
    assert table["number"].isna().tolist() == [False, False, True, True] * 2
    long = "Cats" + " " * 1_000 + "sleep."
    sentences = sentence_table([{**ROWS[0], "sentence": long}, ROWS[1]])
    table = by_word(word_table(sentences, VALUES), sentences, Columns())
    assert table["sentence"].tolist() == [long, "", "Cats sleeps.", "Cats sleeps."]


def test_a_column_of_the_table_never_replaces_one_of_the_words_and_a_condition_of_its_name_is_refused():
    sentences = sentence_table([ROWS[0] | {"surp": "high", "ROI": "user's own", "bars": ((0, 5), (5, 11))}])
    table = by_word(word_table(sentences, VALUES[:1]), sentences, Columns())
    assert table["surp"].tolist() == [1.0, 2.0] and table["given_surp"].tolist() == ["high"] * 2
    assert table["roi"].tolist() == ["0,1"] * 2 and table["ROI"].tolist() == ["user's own"] * 2
    assert "bars" not in table and table["bar"].tolist() == [0, 1]
    sentences = sentence_table([ROWS[0] | {"prob": "high"}])
    said = error_of(lambda: by_word(word_table(sentences, VALUES[:1]), sentences, Columns(conditions=("prob",))))
    assert said == "The results have a column 'prob' of their own: rename that condition."


def test_a_saved_run_has_the_interval_of_the_page_over_items_that_share_conditions(make):
    rows = [
        (str(item), number, side, f"The {noun} near the {other} {verb} old .")
        for item, noun in enumerate(("key", "label", "picture", "door", "window", "report", "letter", "horse"))
        for number, other in (("sg", "cabinet"), ("pl", "cabinets"))
        for side, verb in (("good", "is"), ("bad", "are"))
    ]
    table = pd.DataFrame(rows, columns=["item", "number", "side", "sentence"])
    design, recipe = read_design(table, guess_columns(table)), make()
    store = scored(design, recipe)
    on_page = overall(find(design, words_of_scores(design, recipe, store, Analysis()), Analysis()).by_cond).iloc[0]
    saved = store.metrics(save(design.items(), recipe, store)).iloc[0]
    assert saved["n_clusters"] == on_page["n_items"] == 8 and saved["n"] == on_page["n"] == 16
    numbers = on_page[["acc", "acc_low", "acc_high"]].tolist()
    assert saved[["value", "low", "high"]].tolist() == pytest.approx(numbers)
