"""`minimal-pair`: published numbers and files from published predictions, and whole runs with tiny models."""

import json
from itertools import product
from pathlib import Path

import pandas as pd
import pytest

import pairlens
from pairlens.analysis.experiment import Columns
from pairlens.cli import main
from pairlens.evaluation import command
from pairlens.files.tables import read_table, write_table
from pairlens.store import Store
from pairlens.studies.experiment.design import read_design
from pairlens.studies.experiment.evaluate import missing
from tests.tiny import SENTENCES


@pytest.fixture
def verb(cli):
    return lambda *arguments: cli("minimal-pair", *arguments)


@pytest.fixture
def config(save):
    """`config("mode: train", ...)`: a configuration of these lines."""
    return lambda *lines: save("config.yaml", "\n".join(lines) + "\n")


@pytest.fixture
def gpt2(tiny):
    return tiny("gpt2")


@pytest.fixture
def table(tmp_path):
    """Four pairs in two conditions whose names hold what published files could not: `_` and a comma."""
    rows = [
        ("sg_x", "The key to the cabinets is on the table.", "The key to the cabinets are on the table.", "5"),
        ("pl, y", "The keys to the cabinet are on the table.", "The keys to the cabinet is on the table.", "5"),
        ("sg_x", "The dog sees.", "The dog see.", "2"),
        ("pl, y", "The dogs see.", "The dogs sees.", "2"),
    ]
    sentences = [
        {"sentid": 2 * n + k, "pairid": n, "comparison": side, "number": number, "sentence": texts[k], "ROI": roi}
        for n, (number, *texts, roi) in enumerate(rows)
        for k, side in enumerate(("expected", "unexpected"))
    ]
    write_table(pd.DataFrame(sentences), tmp_path / "data.tsv")
    return tmp_path / "data.tsv"


def read(path):
    """A result file as R or pandas reads it."""
    return pd.read_csv(path, sep="\t", index_col=0, na_values="NA", keep_default_na=False)


GOLDEN = [
    ("previous", "mean", "surp", (1.0, 7.438358, 10.622713), (0.75, 6.592240, 8.199254)),
    ("ignore", "sum", "surp", (1.0, 13.691601, 17.407307), (0.75, 6.592240, 8.199254)),
    ("previous", "sum", "prob", (0.5, 0.100409, 0.071731), (1.0, 0.043011, 0.012991)),
]
"""Numbers that NLPScholar's own analysis gives for its example: acc, expected, unexpected for plu and sing."""


@pytest.mark.parametrize(("punctuation", "summary", "measure", "plu", "sing"), GOLDEN)
def test_a_config_gives_the_published_numbers(
    punctuation, summary, measure, plu, sing, shared_data, tmp_path, verb, config
):
    folder, results = shared_data("nlpscholar"), tmp_path / "results" / "pairs.tsv"
    path = config(
        "exp: MinimalPair", "mode: [analyze]", "models: {hf_causal_model: [gpt2]}",
        f"datafpath: {folder}/data/minimal_pairs.tsv", f"predfpath: {folder}/predictions/minimal_pairs.tsv",
        f"resultsfpath: {results}", "conditions: condition", f"pred_measure: {measure}", f"word_summary: {summary}",
        f"punctuation: {punctuation}",
    )  # fmt: skip
    status, output, errors = verb("--config", path, "--as", "nlpscholar")
    assert status == 0, errors
    means = read(results)
    assert list(means.columns) == ["model", "condition", "acc", "diff", "expected", "unexpected", "macrodiff"]
    assert means["condition"].tolist() == ["plu", "sing"]
    for row, wanted in zip(means.itertuples(), (plu, sing), strict=True):
        assert (row.acc, row.expected, row.unexpected) == pytest.approx(wanted, abs=1e-6)
    assert "Prefers the expected sentence in" in output


def test_files_are_the_published_ones_also_of_whole_sentences(shared_data, tmp_path, verb):
    """The released results of the set with broken pairs.

    Its table of words is of an older form, in which `wordpos_mod` was the position that an ROI names, now `wordpos`.
    """
    folder = shared_data("nlpscholar")
    status, _, errors = verb(
        "--data", folder / "data" / "minimal_pairs_bad.tsv", "--predictions",
        folder / "predictions" / "minimal_pairs_bad.tsv", "--results", tmp_path / "mine", "--conditions", "condition",
        "--as", "nlpscholar",
    )  # fmt: skip
    assert status == 0
    released = folder / "results" / "minimal_pairs_bad.tsv"
    assert (tmp_path / "mine.tsv").read_text() == released.read_text()
    folders = ((released.parent, "minimal_pairs_bad"), (tmp_path, "mine"))
    pairs, words = ([read(place / f"{name}_{of}.tsv") for place, name in folders] for of in ("bypair", "byword"))
    pd.testing.assert_frame_equal(*(one.reset_index(drop=True) for one in pairs), check_exact=True)
    shared = ["sentid", "wordpos_mod", "prob", "surp", "pairid", "lemma", "ROI"]
    assert list(words[1].columns[:9]) == [
        "wordpos_mod", "condition", "word_mod", "sentid", "punctuation", "model", "prob", "surp", "wordpos"
    ]  # fmt: skip
    words[1] = words[1].assign(wordpos_mod=words[1]["wordpos"])
    pd.testing.assert_frame_equal(
        *(one[shared].sort_values(["sentid", "wordpos_mod"], ignore_index=True) for one in words)
    )
    assert "left out: row 14, sentid 13, pairid 7: pair 7 has no unexpected sentence" in errors
    listed = read(tmp_path / "mine_excluded.tsv")
    assert listed["pairid"].tolist() == [7, 8, 9, 10] and listed["reason"].str.startswith("pair ").all()
    data, predictions = (shared_data("nlpscholar") / name / "minimal_pairs.tsv" for name in ("data", "predictions"))
    asked = ("--roi", "", "--conditions", "", "--measure", "perplexity", "--as", "nlpscholar")
    status, _, errors = verb("--data", data, "--predictions", predictions, "--results", tmp_path / "r.tsv", *asked)
    assert status == 0, errors
    (row,) = read(tmp_path / "r.tsv").itertuples()
    assert (row.acc, row.expected, row.unexpected) == pytest.approx((0.75, 95.9171, 234.6550), abs=1e-4)


def test_train_evaluate_and_analyze_in_one_run(gpt2, table, tmp_path, verb, config, save, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save("text.txt", "\n".join(SENTENCES * 5))
    path = config(
        "exp: MinimalPair", "mode: [train, evaluate, analyze]", f"models: {{hf_causal_model: [{gpt2}]}}",
        "trainfpath: text.txt", "modelfpath: new/model", "epochs: 1", "maxTrainSequenceLength: 32",
        "datafpath: data.tsv", "predfpath: scored/predictions.tsv", "resultsfpath: found/results",
        "conditions: number",
    )  # fmt: skip
    status, output, errors = verb("--config", path)
    assert status == 0, errors
    assert "No validation text: 2 of 45 documents are held out for it." in errors
    card = json.loads(Path("new/model/card.json").read_text())
    assert f"Perplexity on evaluation data: {card['training']['perplexity']:.2f}" in output.splitlines()
    predictions = read_table(Path("scored/predictions.tsv"))
    published = ["token", "sentid", "word", "wordpos", "model", "tokenizer", "punctuation", "prob", "surp"]
    assert list(predictions.columns) == published and set(predictions["model"]) == {"./new/model"}
    by_cond, by_pair = read(Path("found/results.tsv")), read(Path("found/results_bypair.tsv"))
    assert list(by_cond.columns[:7]) == ["model", "number", "acc", "diff", "expected", "unexpected", "macrodiff"]
    assert by_cond["number"].tolist() == ["pl, y", "sg_x"] and by_cond["n"].tolist() == [2, 2]
    means = by_pair.groupby("number")[["acc", "diff", "expected"]].mean()
    assert by_cond.set_index("number")[["acc", "diff", "expected"]].values == pytest.approx(means.values)
    _, again, errors = verb("--config", path)
    assert again == output and "holds the result of this training already" in errors
    assert "scored 0, reused 8" in errors


def test_a_table_for_a_mixed_model_is_written_with_the_programs_that_fit_it(gpt2, table, tmp_path, verb):
    results = tmp_path / "a.xlsx"
    status, output, errors = verb("--data", table, "-m", gpt2, "--results", results, "--save", "mixed")
    assert status == 0, errors
    assert f"mixed (csv): {tmp_path / 'a_mixed.csv'}" in output and not results.exists()
    mixed = pd.read_csv(tmp_path / "a_mixed.csv")
    assert len(mixed) == 8 and mixed["surp"].notna().all() and set(mixed["comparison_c"]) == {0.5, -0.5}
    for program in ("a_mixed.R", "a_mixed.py"):
        assert "a_mixed.csv" in (tmp_path / program).read_text("utf-8")
    ours = pairlens.experiment(table, str(gpt2)).mixed
    assert ours["surp"].tolist() == pytest.approx(mixed["surp"].tolist())


def assert_same_results(folder):
    """What the two requests for `a.tsv` and `b.tsv` wrote."""
    for name in ("a.tsv", "a_bypair.tsv", "a_byword.tsv"):
        assert (folder / name).read_text() == (folder / f"b{name[1:]}").read_text()


def test_flags_ask_for_the_same_as_a_config(gpt2, tiny, table, tmp_path, verb, config):
    """Models side by side in one file; analysis of that file alone differs only where words end."""
    status, _, errors = verb(
        "--data", table, "-m", gpt2, "-m", tiny("bert"), "--predictions", tmp_path / "p.tsv",
        "--results", tmp_path / "a.tsv", "--conditions", "number", "--word-summary", "mean",
    )  # fmt: skip
    assert status == 0, errors
    path = config(
        "mode: [evaluate, analyze]", f"models: {{hf_causal_model: [{gpt2}], hf_masked_model: [{tiny('bert')}]}}",
        f"datafpath: {table}", f"predfpath: {tmp_path}/q.tsv", f"resultsfpath: {tmp_path}/b.tsv",
        "conditions: number",
    )  # fmt: skip
    assert verb("--config", path)[0] == 0
    assert (tmp_path / "p.tsv").read_text() == (tmp_path / "q.tsv").read_text()
    assert len(set(read_table(tmp_path / "p.tsv")["model"])) == 2
    assert_same_results(tmp_path)
    assert verb("--config", path, "--mode", "analyze", "--results", tmp_path / "c.tsv")[0] == 0
    columns = ["model", "number", "acc", "expected", "unexpected"]
    stored, through_file = (read(tmp_path / name)[columns] for name in ("a.tsv", "c.tsv"))
    pd.testing.assert_frame_equal(stored, through_file, rtol=1e-6)


def test_numbers_of_our_own_scores_and_of_their_file(gpt2, table, tmp_path, verb):
    """Under the preset they are the same files; else a word of the file lacks its end, which is remarked on."""
    common = ["--data", table, "--predictions", tmp_path / "p.tsv", "--conditions", "number"]
    published = ["--as", "nlpscholar", "--results"]
    assert verb(*common, *published, tmp_path / "a.tsv", "-m", gpt2)[0] == 0
    first = read_table(tmp_path / "p.tsv").iloc[0]
    assert (float(first["prob"]), float(first["surp"])) == (1.0, 0.0)
    for options in ([*published, tmp_path / "b.tsv"], ["-m", gpt2], [], ["--word-summary", "mean"]):
        status, _, errors = verb(*common, *options)
        assert status == 0
        assert ("how likely words are to end: ends are not counted" in errors) == (options == [])
    assert_same_results(tmp_path)


def test_an_interaction_a_contrast_and_regions_after_the_region_are_written(gpt2, table, tmp_path, verb):
    rows = read_table(table).assign(frame=["a"] * 4 + ["b"] * 4)
    write_table(rows, table)
    status, output, errors = verb(
        "--data", table, "-m", gpt2, "--conditions", "number", "--item", "frame", "--interaction",
        "number,comparison", "--contrast", "'sg_x' - 'pl, y'", "--spill", 1, "--results", tmp_path / "r.tsv",
    )  # fmt: skip
    assert status == 0, errors
    assert "interaction of number and comparison is" in output
    regions = read(tmp_path / "r_byregion.tsv")
    assert set(regions["region"]) == {"ROI", "ROI+1"}
    crossed = read(tmp_path / "r_interaction.tsv").set_index("region").loc["ROI"]
    cells = regions[regions["region"] == "ROI"].set_index(["sentid"])["surp"]
    by_item = [(cells[0] - cells[1]) - (cells[2] - cells[3]), (cells[4] - cells[5]) - (cells[6] - cells[7])]
    assert crossed["mean"] == pytest.approx(sum(by_item) / 2) and crossed["n_items"] == 2
    assert (tmp_path / "r_contrast.tsv").is_file()


def test_pairs_from_items_and_a_three_way_interaction_under_the_tables_own_names(gpt2, tmp_path, verb):
    rows = [
        {"item": item, "size": size, "number": number, "gram": gram, "ROI": 3,
         "sentence": f"The {size} {noun} {is_} red."}
        for item in (1, 2)
        for size in ("old", "new")
        for number, noun in (("sg", ("cat", "dog")[item - 1]), ("pl", ("cats", "dogs")[item - 1]))
        for gram, is_ in (("ok", "is"), ("odd", "are"))
    ]  # fmt: skip
    write_table(pd.DataFrame(rows), tmp_path / "data.csv")
    status, output, errors = verb(
        "--data", tmp_path / "data.csv", "-m", gpt2, "--comparison", "gram", "--expected", "ok",
        "--unexpected", "odd", "--interaction", "size,number,gram", "--spill", 0, "--results", tmp_path / "r.tsv",
    )  # fmt: skip
    assert status == 0, errors
    assert "‘ok’ should win. A negative difference means: ‘ok’ is less surprising than ‘odd’." in output
    assert "Prefers ‘ok’ in" in output and "of 8 pairs, by the region" in output
    assert "The three-way interaction of size, number and gram is" in output
    surp = read(tmp_path / "r_byword.tsv").query("wordpos_mod == 3")["surp"].to_numpy().reshape(2, 2, 2, 2)
    value = (surp @ [1.0, -1.0] @ [1.0, -1.0] @ [1.0, -1.0]).mean()
    assert read(tmp_path / "r_interaction.tsv")["mean"][0] == pytest.approx(value)


@pytest.mark.slow
def test_few_items_and_few_lexical_sets_are_said(unigram, tmp_path, verb):
    """A two by two of 9 items, and the same as if each sentence were on its own."""
    cells = product(enumerate("abcdefghi"), ("was", "were"), ("long", "short"))
    rows = [
        {"item": place, "verb": verb, "size": size, "sentence": f"The {3 * name} {verb} {size}."}
        for (place, name), verb, size in cells
    ]
    asked = ("--data", tmp_path / "data.csv", "-m", unigram, "--results", tmp_path / "r.tsv")
    few, share = "Over 9 items only: with fewer than 10", "as if made of 9 lexical sets or fewer"
    write_table(pd.DataFrame(rows), tmp_path / "data.csv")
    for flags in (("--interaction", "verb,size"), ("--conditions", "verb")):
        _, output, errors = verb(*asked, *flags)
        assert output.count(few) == 1 and share not in errors
    write_table(pd.DataFrame(rows).drop(columns="item"), tmp_path / "data.csv")
    _, output, errors = verb(*asked, "--conditions", "verb,size")
    assert few not in output and f"36 sentences share their words, {share}" in errors
    assert "Over 9 sentences only" in output


@pytest.mark.slow
def test_a_config_may_name_conditions_that_are_none_and_no_table(unigram, table, tmp_path, verb, config):
    """The first as in the published samples; a flag that does so is still refused. The second gives words only."""
    predictions = tmp_path / "pred.tsv"
    assert verb("--data", table, "-m", unigram, "--mode", "evaluate", "--predictions", predictions)[0] == 0
    files = ("mode: analyze", f"predfpath: {predictions}", f"resultsfpath: {tmp_path / 'r.tsv'}")
    more = (f"datafpath: {table}", "conditions: number, numbr,", "save: by_cond, by_target")
    status, _, errors = verb("--config", config(*files, *more))
    assert status == 0 and "conditions: There is no column 'numbr'. Did you mean 'number'?" in errors
    assert "save: There is no table 'by_target'" in errors and not (tmp_path / "r_byword.tsv").exists()
    assert set(read(tmp_path / "r.tsv")["number"]) == {"sg_x", "pl, y"}
    status, _, errors = verb("--data", table, "--predictions", predictions, "--conditions", "numbr")
    assert status == 2 and "numbr" in errors
    status, output, errors = verb("--config", config(*files))
    assert status == 0 and "only by_word is written" in errors
    assert output.splitlines()[-1] == f"by_word: {tmp_path / 'r_byword.tsv'}"
    words = read(tmp_path / "r_byword.tsv")
    assert len(words["sentid"].unique()) == 8 and words["sentence"].iloc[0].startswith("The key to the cabinets")


def test_small_letters_are_scored_as_such_in_all_columns(gpt2, table, tmp_path, verb, config):
    def words(data, *more):
        model = f"models: {{hf_causal_model: [{gpt2}]}}"
        path = config("mode: evaluate", model, f"predfpath: {tmp_path}/p.tsv", f"datafpath: {data}", *more)
        assert verb("--config", path)[0] == 0
        return read_table(tmp_path / "p.tsv")

    lower, rows = words(table, "doLower: True"), read_table(table)
    write_table(rows.assign(sentence=rows["sentence"].str.lower()), table)
    pd.testing.assert_frame_equal(lower, words(table))
    pairs = tmp_path / "pairs.tsv"
    write_table(pd.DataFrame({"good": ["The KEY is here."], "bad": ["The KEY are here."]}), pairs)
    assert {*words(pairs, "doLower: True")["word"].str.strip()} == {"the", "key", "is", "are", "here", "."}


def test_a_page_stores_the_scores_it_asks_for(unigram, table, tmp_path):
    recipe = pairlens.recipe(unigram)
    columns = Columns(conditions=("a, b",))
    design = read_design(read_table(table), Columns())
    assert missing(design, recipe, Store()) == 8
    assert main(command.minimal_pair(table, columns, recipe)) == 0
    assert missing(design, recipe, Store()) == 0
    assert [path.name for path in tmp_path.iterdir() if path.suffix] == ["data.tsv"]


SCORED = ("--data", "data.tsv", "-m", "tiny-unigram")
BARE = ("--data", "bare.tsv", *SCORED[2:], "--results", "a.tsv")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "there are no sentences"),
        (["--data", "data.tsv"], "there are no scores"),
        (["--data", "data.tsv", "--mode", "evaluate"], "there is no model"),
        (["--data", "data.tsv", "--mode", "train"], "needs a configuration"),
        (["--data", "data.tsv", "--mode", "analyse"], "Did you mean 'analyze'"),
        (["--data", "data.tsv", "-m", "tiny-unigrams"], "Did you mean 'tiny-unigram'"),
        ([*SCORED, "--conditions", "numbers"], "Did you mean 'number'"),
        ([*SCORED, "--measure", "surprise"], "Did you mean 'surp'"),
        ([*SCORED, "--results", "data.tsv"], "would be replaced"),
        ([*SCORED, "--results", "a.doc"], "cannot write a file of this kind"),
        ([*SCORED, "--interaction", "number,comparison"], "No item has a sentence in each of"),
        ([*SCORED, "--contrast", "sg - pl"], "There is no cell"),
        ([*SCORED, "--contrast", "(("], "The formula ends too early"),
        ([*BARE, "--save", "by_word,mixed"], "--save mixed needs conditions or pairs"),
        (["--data", "none.tsv", "-m", "tiny-unigram"], "no file 'none.tsv'"),
        (["--data", "data.tsv", "--predictions", "data.tsv"], "no column token"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(arguments, words, unigram, table, verb, save, monkeypatch):
    """Before anything is scored, unless it is seen in the items that are left."""
    monkeypatch.chdir(table.parent)
    save("bare.tsv", "sentence\nThe keys are here.\nThe key is here.\n")
    status, _, errors = verb(*arguments)
    assert ("scored" in errors) == words.startswith("No item")
    assert status == 2 and words in errors.strip().splitlines()[-1] and "Traceback" not in errors, errors


def test_no_result_replaces_the_table_it_comes_from(unigram, table, verb):
    before = table.read_bytes()
    for name, *asked in (
        ("byregion", "--spill", "1"),
        ("contrast", "--contrast", "expected"),
        ("interaction", "--interaction", "number,comparison"),
    ):
        table = table.rename(table.with_name(f"x_{name}.tsv"))
        status, _, errors = verb("--data", table, "-m", unigram, "--results", table.with_name("x.tsv"), *asked)
        assert status == 2 and "would be replaced" in errors and table.read_bytes() == before


@pytest.mark.slow
def test_a_condition_named_twice_is_one_and_what_is_missing_or_guessed_is_said(unigram, table, verb, save):
    asked = ("--data", table, "-m", unigram)
    status, out, errors = verb(*asked, "--conditions", "number,number")
    assert status == 0 and out.count("number") == 1, errors
    status, _, errors = verb(*asked, "--conditions", "number", "--contrast", "'sg_x'.expected / 0")
    assert status == 0 and "region ROI, item 0: the formula has no finite number" in errors
    write_table(read_table(table).assign(ROI="99"), table)
    status, out, errors = verb(*asked)
    assert status == 0 and "No pair can be compared." in out and "ROI 99 but the sentence has" in errors
    table.write_bytes(table.read_text("utf-8").replace("cabinet", "café").encode("cp1252"))
    status, _, errors = verb("--data", table, "-m", unigram)
    assert status == 0 and "data.tsv is not UTF-8; it is read as Windows-1252" in errors
    bare = save("bare.tsv", "The cat sleeps.\tThe cat sleep.\nThe dogs see.\tThe dogs sees.\n")
    assert "so the columns are called good, bad" in verb("--data", bare, "-m", unigram)[2]
