"""`stereoset evaluate` and `stereoset convert`."""

import json
from pathlib import Path

import pandas as pd
import pytest

from pairlens.cli import main
from pairlens.files.stereoset.predictions import Predictions, write_predictions
from pairlens.files.stereoset.reading import read_examples
from tests.refusals import refused

SAMPLE = Path("data/samples/stereoset/dev.json")
WIDE = Path("data/samples/stereoset_wide")
KINDS = ("intrasentence", "intersentence")


@pytest.fixture
def predictions(few_examples, tmp_path):
    return predictions_of(few_examples, tmp_path)


def predictions_of(gold, folder):
    """Longer sentences are better; equally long ones tie, and those of the first example of each task."""
    scores = {
        kind: {
            candidate.id: float(len(candidate.sentence)) if example is not examples[0] else 50.0
            for example in examples
            for candidate in example.candidates
        }
        for kind, examples in read_examples(gold).by_kind.items()
    }
    path = folder / "predictions_length_of_text.json"
    write_predictions(Predictions(**scores), path)
    return path


@pytest.fixture
def wide(few_examples, tmp_path):
    tables = {kind: tmp_path / f"df_{kind}_en.csv" for kind in KINDS}
    for kind, skipped in zip(KINDS, KINDS[::-1], strict=True):
        convert("-i", few_examples, "-o", tables[kind], f"--skip-{skipped}")
    return tables


def evaluate(*options):
    return main(["stereoset", "evaluate", *map(str, options)])


def convert(*options):
    assert main(["stereoset", "convert", *map(str, options)]) == 0


@pytest.mark.slow
def test_the_flags_of_the_original(tmp_path, capsys):
    output, predictions = tmp_path / "metrics.json", predictions_of(SAMPLE, tmp_path)
    assert evaluate("--gold-file", SAMPLE, "--predictions-file", predictions, "--output-file", output) == 0
    (entry,) = json.loads(output.read_text()).values()
    assert list(entry["overall"]) == ["Count", "LM Score", "SS Score", "ICAT Score"]
    out, errors = capsys.readouterr()
    assert "overall: predictions_length_of_text" in out and "90 examples of 15 terms" in out
    assert "item quality is disputed" in out
    assert "three times its examples" in errors


@pytest.mark.slow
def test_the_flags_of_the_successor_of_which_one_skips_a_task(predictions, few_examples, wide, tmp_path):
    one, two = tmp_path / "a.json", tmp_path / "b.json"
    tables = [part for kind in KINDS for part in (f"--{kind}-df-file", wide[kind])]
    assert evaluate("--predictions", predictions, *tables, "--output-file", one) == 0
    gold = ("--gold-file", few_examples, "--metric-names", "successor")
    assert evaluate("--predictions", predictions, *gold, "-o", two) == 0
    metrics = json.loads(one.read_text())
    assert metrics == json.loads(two.read_text())
    assert list(metrics) == ["predictions_length_of_text"]
    (topic,) = metrics["predictions_length_of_text"]["overall"].keys() - {"overall"}
    assert "Micro ICAT Score" in metrics["predictions_length_of_text"]["overall"][topic]
    for skipped, left in (KINDS, KINDS[::-1]):
        options = [f"--{left}-df-file", wide[left], f"--skip-{skipped}", "--output-file", tmp_path / f"{left}.json"]
        assert evaluate("--predictions-file", predictions, *options) == 0
        (entry,) = json.loads((tmp_path / f"{left}.json").read_text()).values()
        assert list(entry) == [left]


@pytest.mark.slow
def test_ties_count_as_published_in_published_formats_and_half_in_ours(predictions, few_examples, tmp_path, capsys):
    def numbers(*options):
        outputs = tmp_path / "m.json", tmp_path / "n.csv"
        chosen = [*options, "--metric-names", "successor", *("-o", outputs[0]), *("-o", outputs[1])]
        assert evaluate("--predictions", predictions, "--gold-file", few_examples, *chosen) == 0
        (entry,) = json.loads(outputs[0].read_text()).values()
        rows = pd.read_csv(outputs[1]).query("kind == 'overall' and bias_type == 'overall' and metric == 'ss'")
        pooled = rows.loc[rows["aggregation"] == "pooled", "value"].item()
        return entry["overall"]["overall"]["SS Score"], pooled

    published, ours = numbers()
    assert published < ours
    assert "ties as published" in capsys.readouterr().out
    assert numbers("--ties", "legacy") == (published, published)
    assert numbers("--ties", "half") == (ours, ours)


@pytest.mark.slow
def test_all_files_of_a_folder_are_rows_of_one_workbook(predictions, few_examples, tmp_path):
    folder, output = tmp_path / "predictions", tmp_path / "out"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.json").write_bytes(predictions.read_bytes())
    assert evaluate("--predictions-dir", folder, "--gold-file", few_examples, "--output-dir", output) == 0
    assert pd.read_excel(output / "results.xlsx")["model_name"].tolist() == ["a", "b"]
    names = sorted(path.name for path in output.iterdir())
    assert names == ["metrics.json", "numbers.csv", "numbers.tex", "results.xlsx", "terms.csv", "triples.csv"]
    assert [len(pd.read_csv(output / f"{name}.csv")) for name in ("triples", "terms")] == [16, 12]


@pytest.mark.slow
def test_extra_and_missing_ids_are_counted(predictions, few_examples, capsys):
    content = json.loads(predictions.read_text())
    content["intrasentence"][0]["id"] = "stranger"
    predictions.write_text(json.dumps(content))
    assert evaluate("--predictions", predictions, "--gold-file", few_examples) == 0
    out, errors = capsys.readouterr()
    assert "left out: intrasentence within-baker-1: no score for 1 of its sentences (within-baker-1-a)" in errors
    assert "scores that belong to no example: 1 (the first is stranger)" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "There are no predictions"),
        (["--predictions", "P"], "There are no examples: give --gold-file"),
        (["--predictions", "nothing.json", "--gold-file", SAMPLE], "There is no file"),
        (["--predictions", "P", "--gold-file", SAMPLE, "--ties", "even"], "Known: half, legacy"),
        (["--predictions", "P", "--gold-file", SAMPLE, "--metric-names", "fork"], "Known: original, successor"),
        (["--predictions", "P", "--gold-file", SAMPLE, "-o", "P"], "this file would be lost"),
        (["--predictions", "P", "--gold-file", SAMPLE, "--skip-intrasentence", "--skip-intersentence"], "both tasks"),
        (["--predictions", "P", "--gold-file", SAMPLE, "--intrasentence-df-file", SAMPLE], "not both"),
    ],
)
def test_a_mistake_is_one_sentence(options, message, predictions, cli):
    given = (predictions if option == "P" else option for option in options)
    refused(cli("stereoset", "evaluate", *given), message)


def test_a_file_converts_there_and_back_with_columns_in_the_order_of_the_language(tmp_path, capsys, few_examples):
    wide, again, lines = tmp_path / "wide.csv", tmp_path / "again.json", tmp_path / "wide.jsonl"
    for source, output in ((SAMPLE, wide), (wide, again), (SAMPLE, lines)):
        convert("--input", source, "--output", output)
    assert "45 intrasentence, 45 intersentence examples; 0 left out, 0 notes" in capsys.readouterr().out
    assert again.read_bytes() == SAMPLE.read_bytes()
    assert all(isinstance(json.loads(line)["c1_labels"], list) for line in lines.read_text().splitlines())
    assert read_examples(lines) == read_examples(SAMPLE)
    for kind, other in (KINDS, KINDS[::-1]):
        convert("-i", SAMPLE, "-o", wide, f"--skip-{other}")
        assert wide.read_bytes() == (WIDE / f"df_{kind}_en.csv").read_bytes()
    for name, options, last in (
        ("wide.csv", (), "c3_labels"),
        ("df_intrasentence_fr.csv", (), "c3_word"),
        ("df_intrasentence_fr.csv", ("--language", "en"), "c3_labels"),
        ("wide.csv", ("--language", "fr"), "c3_word"),
    ):
        convert("-i", few_examples, "-o", tmp_path / name, "--skip-intersentence", *options)
        assert pd.read_csv(tmp_path / name).columns[-1] == last


def test_convert_reports_blanks_and_refuses_to_lose_a_file(shared_data, tmp_path, cli):
    source, output = shared_data("stereoset") / "dev_en_reconstructed.json.gz", tmp_path / "dev.tsv"
    status, out, errors = cli("stereoset", "convert", "--input", source, "--output", output)
    assert status == 0
    assert "2,106 intrasentence, 2,123 intersentence examples; 0 left out, 6 notes" in out
    assert "intrasentence 1140: BLANK is glued to other letters (sometimes.BLANK)" in errors
    assert errors.count("BLANK 2 times") == 2
    assert pd.read_csv(output, sep="\t")["c1_word"].notna().sum() == 2106
    refused(cli("stereoset", "convert", "--input", output, "--output", output), "this file would be lost")
