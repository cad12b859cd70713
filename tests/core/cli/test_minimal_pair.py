"""`minimal-pair`: published numbers and files from published predictions, and whole runs with tiny models."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pandas as pd
import pytest

from core import api
from core.analysis.experiment import Columns
from core.cli import main
from core.files.tables import read_table, write_table
from core.runs import command
from core.store import Store
from core.studies.experiment.design import read_design
from core.studies.experiment.evaluate import missing
from tests.tiny import SENTENCES

Verb = Callable[..., tuple[int, str, str]]
Tiny = Callable[..., Path]


@pytest.fixture
def verb(capsys):
    """`verb("--data", ...)`: exit status, output, errors."""

    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(["minimal-pair", *map(str, arguments)])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def table(tmp_path):
    """Four pairs in two conditions whose names hold what published files could not: `_` and a comma."""
    rows = [
        ("sg_x", "The key to the cabinets is on the table.", "The key to the cabinets are on the table.", "5"),
        ("pl, y", "The keys to the cabinet are on the table.", "The keys to the cabinet is on the table.", "5"),
        ("sg_x", "The dog sees.", "The dog see.", "2"),
        ("pl, y", "The dogs see.", "The dogs sees.", "2"),
    ]
    made = pd.DataFrame(
        [
            {"sentid": 2 * n + k, "pairid": n, "comparison": side, "number": number, "sentence": texts[k], "ROI": roi}
            for n, (number, *texts, roi) in enumerate(rows)
            for k, side in enumerate(("expected", "unexpected"))
        ]
    )
    write_table(made, tmp_path / "data.tsv")
    return tmp_path / "data.tsv"


def read(path: Path) -> pd.DataFrame:
    """A result file as R or pandas reads it."""
    return pd.read_csv(path, sep="\t", index_col=0, na_values="NA", keep_default_na=False)


GOLDEN = [
    ("previous", "mean", "surp", (1.0, 7.438358, 10.622713), (0.75, 6.592240, 8.199254)),
    ("previous", "sum", "surp", (1.0, 15.121843, 18.664251), (0.75, 6.592240, 8.199254)),
    ("next", "mean", "surp", (1.0, 9.095616, 12.609677), (0.75, 6.592240, 8.199254)),
    ("ignore", "sum", "surp", (1.0, 13.691601, 17.407307), (0.75, 6.592240, 8.199254)),
    ("separate", "mean", "surp", (1.0, 8.679004, 11.626807), (0.5, 8.520108, 9.932725)),
    ("separate", "sum", "surp", (1.0, 13.105372, 16.053175), (0.5, 11.416670, 12.829287)),
    ("previous", "sum", "prob", (0.5, 0.100409, 0.071731), (1.0, 0.043011, 0.012991)),
    ("separate", "mean", "prob", (1.0, 0.046182, 0.039192), (0.5, 0.101662, 0.077073)),
    ("previous", "mean", "perplexity", (1.0, 312.912, 2362.436), (0.75, 219.171, 318.584)),
]
"""Numbers that NLPScholar's own analysis gives for its example: acc, expected, unexpected for plu and sing."""


@pytest.mark.parametrize(("punctuation", "summary", "measure", "plu", "sing"), GOLDEN)
def test_a_config_gives_the_published_numbers(punctuation, summary, measure, plu, sing, shared_data, tmp_path, verb):
    folder = shared_data("nlpscholar")
    config = tmp_path / "config.yaml"
    config.write_text(
        f"""
exp: MinimalPair
mode: [analyze]
models: {{hf_causal_model: [gpt2]}}
datafpath: {folder}/data/minimal_pairs.tsv
predfpath: {folder}/predictions/minimal_pairs.tsv
resultsfpath: {tmp_path}/results/pairs.tsv
conditions: condition
pred_measure: {measure}
word_summary: {summary}
punctuation: {punctuation}
""",
        encoding="utf-8",
    )
    status, output, errors = verb("--config", config, "--as", "nlpscholar")
    assert status == 0, errors
    found = read(tmp_path / "results" / "pairs.tsv")
    assert list(found.columns) == ["model", "condition", "acc", "diff", "expected", "unexpected", "macrodiff"]
    assert found["condition"].tolist() == ["plu", "sing"]
    tolerance = 1e-3 if measure == "perplexity" else 1e-6
    for row, wanted in zip(found.itertuples(), (plu, sing), strict=True):
        assert (row.acc, row.expected, row.unexpected) == pytest.approx(wanted, abs=tolerance)
    assert "Prefers the expected sentence in" in output


def test_without_regions_and_conditions_whole_sentences_are_compared(shared_data, tmp_path, verb):
    folder = shared_data("nlpscholar")
    status, _, errors = verb(
        "--data", folder / "data" / "minimal_pairs.tsv",
        "--predictions", folder / "predictions" / "minimal_pairs.tsv",
        "--results", tmp_path / "r.tsv", "--roi", "", "--conditions", "", "--measure", "perplexity",
        "--as", "nlpscholar",
    )  # fmt: skip
    assert status == 0, errors
    (row,) = read(tmp_path / "r.tsv").itertuples()
    assert (row.acc, row.expected, row.unexpected) == pytest.approx((0.75, 95.9171, 234.6550), abs=1e-4)


def test_the_files_are_the_published_ones_cell_by_cell(shared_data, tmp_path, verb):
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
    pairs = [
        read(path) for path in (released.with_name("minimal_pairs_bad_bypair.tsv"), tmp_path / "mine_bypair.tsv")
    ]
    pd.testing.assert_frame_equal(*(one.reset_index(drop=True) for one in pairs), check_exact=True)
    words = [
        read(path) for path in (released.with_name("minimal_pairs_bad_byword.tsv"), tmp_path / "mine_byword.tsv")
    ]
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


def test_train_evaluate_and_analyze_in_one_run(tiny, table, tmp_path, verb, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("\n".join(SENTENCES * 5))
    Path("config.yaml").write_text(
        f"""
exp: MinimalPair
mode: [train, evaluate, analyze]
models: {{hf_causal_model: [{tiny("gpt2")}]}}
trainfpath: text.txt
modelfpath: new/model
epochs: 1
maxTrainSequenceLength: 32
datafpath: data.tsv
predfpath: scored/predictions.tsv
resultsfpath: found/results
conditions: number
"""
    )
    status, output, errors = verb("--config", "config.yaml")
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
    again = verb("--config", "config.yaml")
    assert again[1] == output and "holds the result of this training already" in again[2]
    assert "scored 0, reused 8" in again[2]


def test_a_table_for_a_mixed_model_is_written_with_the_programs_that_fit_it(tiny, table, tmp_path, verb):
    results = tmp_path / "a.xlsx"
    status, output, errors = verb("--data", table, "-m", tiny("gpt2"), "--results", results, "--save", "mixed")
    assert status == 0, errors
    assert f"mixed (csv): {tmp_path / 'a_mixed.csv'}" in output and not results.exists()
    found = pd.read_csv(tmp_path / "a_mixed.csv")
    assert len(found) == 8 and found["surp"].notna().all() and set(found["comparison_c"]) == {0.5, -0.5}
    for program in ("a_mixed.R", "a_mixed.py"):
        assert "a_mixed.csv" in (tmp_path / program).read_text("utf-8")
    asked = api.experiment(table, str(tiny("gpt2")))
    assert asked.mixed["surp"].tolist() == pytest.approx(found["surp"].tolist())


def test_a_mixed_model_of_nothing_is_refused_before_anything_is_scored(tiny, tmp_path, home, verb):
    sentences = tmp_path / "s.csv"
    sentences.write_text("sentence\nThe keys are here.\nThe key is here.\n", "utf-8")
    asked = ("--data", sentences, "-m", tiny("gpt2"), "--results", tmp_path / "a.tsv", "--save", "by_word,mixed")
    status, output, errors = verb(*asked)
    assert status == 2 and "--save mixed needs conditions or pairs" in errors
    assert "scored" not in output + errors


def test_flags_ask_for_the_same_as_a_config(tiny, table, tmp_path, verb):
    """Models side by side in one file; analysis of that file alone differs only where words end."""
    models = ["-m", tiny("gpt2"), "-m", tiny("bert")]
    status, _, errors = verb(
        "--data", table, *models, "--predictions", tmp_path / "p.tsv", "--results", tmp_path / "a.tsv",
        "--conditions", "number", "--word-summary", "mean",
    )  # fmt: skip
    assert status == 0, errors
    config = tmp_path / "config.yaml"
    config.write_text(
        f"""
mode: [evaluate, analyze]
models: {{hf_causal_model: [{models[1]}], hf_masked_model: [{models[3]}]}}
datafpath: {table}
predfpath: {tmp_path}/q.tsv
resultsfpath: {tmp_path}/b.tsv
conditions: number
"""
    )
    assert verb("--config", config)[0] == 0
    assert (tmp_path / "p.tsv").read_text() == (tmp_path / "q.tsv").read_text()
    assert len(set(read_table(tmp_path / "p.tsv")["model"])) == 2
    for name in ("a.tsv", "a_bypair.tsv", "a_byword.tsv"):
        assert (tmp_path / name).read_text() == (tmp_path / f"b{name[1:]}").read_text()
    assert verb("--config", config, "--mode", "analyze", "--results", tmp_path / "c.tsv")[0] == 0
    columns = ["model", "number", "acc", "expected", "unexpected"]
    stored, through_file = (read(tmp_path / name)[columns] for name in ("a.tsv", "c.tsv"))
    pd.testing.assert_frame_equal(stored, through_file, rtol=1e-6)


def test_published_numbers_of_our_own_scores_are_those_of_their_file(tiny, table, tmp_path, verb):
    """Under the preset, evaluating and analyzing at once and through the file give the same files."""
    common = ["--data", table, "--predictions", tmp_path / "p.tsv", "--conditions", "number", "--as", "nlpscholar"]
    assert verb(*common, "-m", tiny("gpt2"), "--results", tmp_path / "a.tsv")[0] == 0
    first = read_table(tmp_path / "p.tsv").iloc[0]
    assert (float(first["prob"]), float(first["surp"])) == (1.0, 0.0)
    assert verb(*common, "--results", tmp_path / "b.tsv")[0] == 0
    for name in ("a.tsv", "a_bypair.tsv", "a_byword.tsv"):
        assert (tmp_path / name).read_text() == (tmp_path / f"b{name[1:]}").read_text()


def test_a_file_of_predictions_is_said_to_lack_the_ends_of_words(tiny, table, tmp_path, verb):
    """A word of the file is the sum over its tokens; of scores of our own it has its end, too."""
    common = ["--data", table, "--predictions", tmp_path / "p.tsv"]
    for options in (["-m", tiny("gpt2")], [], ["--word-summary", "mean"], ["--as", "nlpscholar"]):
        status, _, errors = verb(*common, *options)
        assert status == 0
        assert ("how likely words are to end: ends are not counted" in errors) == (options == [])


def test_an_interaction_a_contrast_and_regions_after_the_region_are_written(tiny, table, tmp_path, verb):
    rows = read_table(table).assign(frame=["a"] * 4 + ["b"] * 4)
    write_table(rows, table)
    status, output, errors = verb(
        "--data", table, "-m", tiny("gpt2"), "--conditions", "number", "--item", "frame", "--interaction",
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


def test_pairs_from_items_and_a_three_way_interaction_under_the_tables_own_names(tiny, tmp_path, verb):
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
        "--data", tmp_path / "data.csv", "-m", tiny("gpt2"), "--comparison", "gram", "--expected", "ok",
        "--unexpected", "odd", "--interaction", "size,number,gram", "--spill", 0, "--results", tmp_path / "r.tsv",
    )  # fmt: skip
    assert status == 0, errors
    assert "‘ok’ should win. A negative difference means: ‘ok’ is less surprising than ‘odd’." in output
    assert "Prefers ‘ok’ in" in output and "of 8 pairs, by the region" in output
    assert "The three-way interaction of size, number and gram is" in output
    surp = read(tmp_path / "r_byword.tsv").query("wordpos_mod == 3")["surp"].to_numpy().reshape(2, 2, 2, 2)
    value = (surp @ [1.0, -1.0] @ [1.0, -1.0] @ [1.0, -1.0]).mean()
    assert read(tmp_path / "r_interaction.tsv")["mean"][0] == pytest.approx(value)


def test_a_table_without_pairs_has_words(tiny, tmp_path, verb):
    write_table(pd.DataFrame({"sentid": [1, 2], "sentence": SENTENCES[:2]}), tmp_path / "data.csv")
    status, output, errors = verb(
        "--data", tmp_path / "data.csv", "-m", tiny("gpt2"), "--results", tmp_path / "r.tsv"
    )
    assert status == 0, errors
    assert "only by_word is written" in errors and output.splitlines()[-1] == f"by_word: {tmp_path / 'r_byword.tsv'}"
    assert len(read(tmp_path / "r_byword.tsv")) == sum(len(text.split()) for text in SENTENCES[:2])


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


def test_training_on_what_is_measured_is_said(tiny, tmp_path, verb):
    (tmp_path / "text.txt").write_text("\n".join(SENTENCES))
    (tmp_path / "config.yaml").write_text(
        f"mode: train\nmodels: {{hf_masked_model: [{tiny('bert')}]}}\ntrainfpath: {tmp_path}/text.txt\n"
        f"validfpath: {tmp_path}/text.txt\nmodelfpath: {tmp_path}/new\nepochs: 1\nmaxTrainSequenceLength: 32\n"
    )
    status, output, errors = verb("--config", tmp_path / "config.yaml")
    assert status == 0 and "The validation text is in the training text" in errors
    assert output.splitlines()[-1] == f"model: {tmp_path / 'new'}"


def test_a_config_may_name_conditions_that_are_none_and_no_table(tiny, table, tmp_path, verb):
    """The first as in the published samples; a flag that does so is still refused. The second gives words only."""
    predictions = tmp_path / "pred.tsv"
    assert verb("--data", table, "-m", tiny("gpt2"), "--mode", "evaluate", "--predictions", predictions)[0] == 0
    config = tmp_path / "config.yaml"
    files = f"mode: analyze\npredfpath: {predictions}\nresultsfpath: {tmp_path / 'r.tsv'}\n"
    config.write_text(f"{files}datafpath: {table}\nconditions: number, numbr,\nsave: by_cond, by_target\n")
    status, _, said = verb("--config", config)
    assert status == 0 and "conditions: There is no column 'numbr'. Did you mean 'number'?" in said
    assert "save: There is no table 'by_target'" in said and not (tmp_path / "r_byword.tsv").exists()
    assert set(read(tmp_path / "r.tsv")["number"]) == {"sg_x", "pl, y"}
    status, _, said = verb("--data", table, "--predictions", predictions, "--conditions", "numbr")
    assert status == 2 and "numbr" in said
    config.write_text(files)
    status, _, said = verb("--config", config)
    assert status == 0 and "only by_word is written" in said
    words = read(tmp_path / "r_byword.tsv")
    assert len(words["sentid"].unique()) == 8 and words["sentence"].iloc[0].startswith("The key to the cabinets")


def test_small_letters_are_scored_as_such(tiny, table, tmp_path, verb):
    config = tmp_path / "config.yaml"
    common = f"mode: evaluate\nmodels: {{hf_causal_model: [{tiny('gpt2')}]}}\npredfpath: {tmp_path}/p.tsv\n"
    config.write_text(f"{common}datafpath: {table}\ndoLower: True\n")
    assert verb("--config", config)[0] == 0
    lower = read_table(tmp_path / "p.tsv")
    rows = read_table(table)
    write_table(rows.assign(sentence=rows["sentence"].str.lower()), table)
    config.write_text(f"{common}datafpath: {table}\n")
    assert verb("--config", config)[0] == 0
    pd.testing.assert_frame_equal(lower, read_table(tmp_path / "p.tsv"))


def test_small_letters_are_those_of_both_columns_of_a_pair(tiny, tmp_path, verb):
    config, pairs = tmp_path / "config.yaml", tmp_path / "pairs.tsv"
    write_table(pd.DataFrame({"good": ["The KEY is here."], "bad": ["The KEY are here."]}), pairs)
    config.write_text(
        f"mode: evaluate\nmodels: {{hf_causal_model: [{tiny('gpt2')}]}}\npredfpath: {tmp_path}/p.tsv\n"
        f"datafpath: {pairs}\ndoLower: True\n"
    )
    assert verb("--config", config)[0] == 0
    assert {*read_table(tmp_path / "p.tsv")["word"].str.strip()} == {"the", "key", "is", "are", "here", "."}


def test_a_page_stores_the_scores_it_asks_for(unigram, table, tmp_path):
    recipe = api.recipe(unigram)
    columns = Columns(conditions=("a, b",))
    design = read_design(read_table(table), Columns())
    assert missing(design, recipe, Store()) == 8
    assert main(command.minimal_pair(table, columns, recipe)) == 0
    assert missing(design, recipe, Store()) == 0
    assert [path.name for path in tmp_path.iterdir() if path.suffix] == ["data.tsv"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "there are no sentences"),
        (["--data", "data.tsv"], "there are no scores"),
        (["--data", "data.tsv", "--mode", "evaluate"], "there is no model"),
        (["--data", "data.tsv", "--mode", "train"], "needs a configuration"),
        (["--data", "data.tsv", "--mode", "analyse"], "Did you mean 'analyze'"),
        (["--data", "data.tsv", "-m", "tiny-unigrams"], "Did you mean 'tiny-unigram'"),
        (["--data", "data.tsv", "-m", "tiny-unigram", "--conditions", "numbers"], "Did you mean 'number'"),
        (["--data", "data.tsv", "-m", "tiny-unigram", "--measure", "surprise"], "Did you mean 'surp'"),
        (["--data", "data.tsv", "-m", "tiny-unigram", "--results", "data.tsv"], "would be replaced"),
        (["--data", "data.tsv", "-m", "tiny-unigram", "--results", "a.doc"], "cannot write a file of this kind"),
        (
            ["--data", "data.tsv", "-m", "tiny-unigram", "--interaction", "number,comparison"],
            "No item has a sentence in each of",
        ),
        (["--data", "none.tsv", "-m", "tiny-unigram"], "no file 'none.tsv'"),
        (["--data", "data.tsv", "--predictions", "data.tsv"], "no column token"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(arguments, said, unigram, table, verb, monkeypatch):
    monkeypatch.chdir(table.parent)
    status, _, errors = verb(*arguments)
    last = errors.strip().splitlines()[-1]
    assert status == 2 and said in last, errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--interaction", "number,number"], "needs different conditions"),
        (["--contrast", "sg - pl"], "There is no cell"),
        (["--contrast", "(("], "The formula ends too early"),
    ],
)
def test_factors_and_formulas_are_checked_before_anything_is_scored(arguments, said, unigram, table, verb):
    status, _, errors = verb("--data", table, "-m", unigram, *arguments)
    assert status == 2 and said in errors and "scored" not in errors


@pytest.mark.parametrize(
    ("name", "asked"),
    [("byregion", ["--spill", "1"]), ("contrast", ["--contrast", "expected"]),
     ("interaction", ["--interaction", "number,comparison"])],
)  # fmt: skip
def test_no_result_replaces_the_table_it_comes_from(name, asked, unigram, table, verb):
    data = table.rename(table.with_name(f"x_{name}.tsv"))
    before = data.read_bytes()
    status, _, errors = verb("--data", data, "-m", unigram, "--results", table.with_name("x.tsv"), *asked)
    assert status == 2 and "would be replaced" in errors and data.read_bytes() == before


def test_a_condition_that_is_named_twice_is_one(unigram, table, verb):
    status, out, errors = verb("--data", table, "-m", unigram, "--conditions", "number,number")
    assert status == 0 and out.count("number") == 1, errors


def test_that_no_pair_is_left_is_said(unigram, table, verb):
    write_table(read_table(table).assign(ROI="99"), table)
    status, out, errors = verb("--data", table, "-m", unigram)
    assert status == 0 and "No pair can be compared." in out and "ROI 99 but the sentence has" in errors


def test_items_for_which_a_formula_has_no_number_are_named(unigram, table, verb):
    status, _, errors = verb(
        "--data", table, "-m", unigram, "--conditions", "number", "--contrast", "'sg_x'.expected / 0"
    )
    assert status == 0 and "region ROI, item 0: the formula has no finite number" in errors


@pytest.mark.slow
def test_a_guessed_encoding_is_said(unigram, table, verb):
    table.write_bytes(table.read_text("utf-8").replace("cabinet", "café").encode("cp1252"))
    status, _, errors = verb("--data", table, "-m", unigram)
    assert status == 0 and "data.tsv is not UTF-8; it is read as Windows-1252" in errors


def test_column_names_that_were_made_are_said(unigram, tmp_path, verb):
    path = tmp_path / "data.tsv"
    path.write_text("The cat sleeps.\tThe cat sleep.\nThe dogs see.\tThe dogs sees.\n", encoding="utf-8")
    _, _, errors = verb("--data", path, "-m", unigram)
    assert "so the columns are called good, bad" in errors
