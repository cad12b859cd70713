"""`stereoset evaluate` and `stereoset convert`."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from core.cli import main
from core.files.stereoset.reading import read_examples
from core.studies.stereoset.predictions import Predictions, write_predictions

SAMPLE = Path("data/samples/stereoset/dev.json")
WIDE = Path("data/samples/stereoset_wide")


@pytest.fixture
def predictions(tmp_path):
    """Longer sentences are better; equally long ones tie."""
    scores = {
        kind: {candidate.id: float(len(candidate.sentence)) for example in found for candidate in example.candidates}
        for kind, found in read_examples(SAMPLE).by_kind.items()
    }
    path = tmp_path / "predictions_length_of_text.json"
    write_predictions(Predictions(**scores), path)
    return path


def evaluate(*options: object) -> int:
    return main(["stereoset", "evaluate", *map(str, options)])


@pytest.mark.slow
def test_the_flags_of_the_original(predictions, tmp_path, capsys):
    output = tmp_path / "metrics.json"
    assert evaluate("--gold-file", SAMPLE, "--predictions-file", predictions, "--output-file", output) == 0
    (entry,) = json.loads(output.read_text()).values()
    assert list(entry["overall"]) == ["Count", "LM Score", "SS Score", "ICAT Score"]
    told = capsys.readouterr()
    assert "overall: predictions_length_of_text" in told.out and "90 examples of 15 terms" in told.out
    assert "item quality is disputed" in told.out
    assert "three times its examples" in told.err


@pytest.mark.slow
def test_the_flags_of_the_successor(predictions, tmp_path):
    output = tmp_path / "metrics.json"
    tables = [
        *("--intrasentence-df-file", WIDE / "df_intrasentence_en.csv"),
        *("--intersentence-df-file", WIDE / "df_intersentence_en.csv"),
    ]
    assert evaluate("--predictions", predictions, *tables, "--output-file", output) == 0
    assert evaluate("--predictions", predictions, "--gold-file", SAMPLE, "-o", tmp_path / "b.json",
                    "--metric-names", "successor") == 0  # fmt: skip
    found = json.loads(output.read_text())
    assert found == json.loads((tmp_path / "b.json").read_text())
    assert list(found) == ["predictions_length_of_text"]
    assert "Micro ICAT Score" in found["predictions_length_of_text"]["overall"]["religion"]


@pytest.mark.parametrize("skipped", ["intrasentence", "intersentence"])
def test_a_task_can_be_skipped(skipped, predictions, tmp_path):
    left = "intersentence" if skipped == "intrasentence" else "intrasentence"
    output = tmp_path / "metrics.json"
    options = [f"--{left}-df-file", WIDE / f"df_{left}_en.csv", f"--skip-{skipped}", "--output-file", output]
    assert evaluate("--predictions-file", predictions, *options) == 0
    (entry,) = json.loads(output.read_text()).values()
    assert list(entry) == [left]


@pytest.mark.slow
def test_ties_count_as_published_in_published_formats_and_half_in_ours(predictions, tmp_path, capsys):
    def numbers(*options: str) -> tuple[float, float]:
        outputs = tmp_path / "m.json", tmp_path / "n.csv"
        chosen = [*options, "--metric-names", "successor", *("-o", outputs[0]), *("-o", outputs[1])]
        assert evaluate("--predictions", predictions, "--gold-file", SAMPLE, *chosen) == 0
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
def test_all_files_of_a_folder_are_rows_of_one_workbook(predictions, tmp_path):
    folder = tmp_path / "predictions"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.json").write_bytes(predictions.read_bytes())
    assert evaluate("--predictions-dir", folder, "--gold-file", SAMPLE, "--output-dir", tmp_path / "out") == 0
    assert pd.read_excel(tmp_path / "out" / "results.xlsx")["model_name"].tolist() == ["a", "b"]
    found = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert found == ["metrics.json", "numbers.csv", "numbers.tex", "results.xlsx", "terms.csv", "triples.csv"]
    assert [len(pd.read_csv(tmp_path / "out" / f"{name}.csv")) for name in ("triples", "terms")] == [180, 90]


@pytest.mark.slow
def test_extra_and_missing_ids_are_counted(predictions, capsys):
    content = json.loads(predictions.read_text())
    content["intrasentence"][0]["id"] = "stranger"
    predictions.write_text(json.dumps(content))
    assert evaluate("--predictions", predictions, "--gold-file", SAMPLE) == 0
    told = capsys.readouterr()
    assert "left out: intrasentence within-baker-1: no score for 1 of its sentences (within-baker-1-a)" in told.err
    assert "scores that belong to no example: 1 (the first is stranger)" in told.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "There are no predictions"),
        (["--predictions", "P"], "There are no examples: give --gold-file"),
        (["--predictions", "nothing.json", "--gold-file", SAMPLE], "There is no file"),
        (["--predictions", "P", "--gold-file", "gold.pkl"], "pickles are not opened"),
        (["--predictions", SAMPLE, "--gold-file", SAMPLE], "expected predictions"),
        (["--predictions", "P", "--gold-file", "P"], "is this a file of predictions?"),
        (["--predictions", "P", "--gold-file", SAMPLE, "--ties", "even"], "Known: half, legacy"),
        (["--predictions", "P", "--gold-file", SAMPLE, "--metric-names", "fork"], "Known: original, successor"),
        (["--predictions", "P", "--gold-file", SAMPLE, "-o", "numbers.docx"], "Expected .json, .xlsx"),
        (["--predictions", "P", "--gold-file", SAMPLE, "-o", "P"], "this file would be lost"),
        (["--predictions", "P", "--gold-file", SAMPLE, "--skip-intrasentence", "--skip-intersentence"], "both tasks"),
        (["--predictions", "P", "--gold-file", SAMPLE, "--intrasentence-df-file", SAMPLE], "not both"),
    ],
)
def test_a_mistake_is_one_sentence(options, message, predictions, capsys):
    assert evaluate(*[predictions if option == "P" else option for option in options]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_a_file_converts_there_and_back(tmp_path, capsys):
    wide, again = tmp_path / "wide.csv", tmp_path / "again.json"
    assert main(["stereoset", "convert", "--input", str(SAMPLE), "--output", str(wide)]) == 0
    assert main(["stereoset", "convert", "--input", str(wide), "--output", str(again)]) == 0
    assert read_examples(again) == read_examples(SAMPLE)
    assert again.read_bytes() == SAMPLE.read_bytes()
    lines = tmp_path / "wide.jsonl"
    assert main(["stereoset", "convert", "--input", str(SAMPLE), "--output", str(lines)]) == 0
    assert all(isinstance(json.loads(line)["c1_labels"], list) for line in lines.read_text().splitlines())
    assert read_examples(lines) == read_examples(SAMPLE)
    assert "45 intrasentence, 45 intersentence examples; 0 left out, 0 notes" in capsys.readouterr().out


@pytest.mark.parametrize(("kind", "other"), [("intrasentence", "intersentence"), ("intersentence", "intrasentence")])
def test_the_tables_of_the_sample_are_what_convert_makes(kind, other, tmp_path):
    output = tmp_path / "wide.csv"
    assert main(["stereoset", "convert", "-i", str(SAMPLE), "-o", str(output), f"--skip-{other}"]) == 0
    assert output.read_bytes() == (WIDE / f"df_{kind}_en.csv").read_bytes()


@pytest.mark.parametrize(
    ("name", "options", "last"),
    [
        ("wide.csv", (), "c3_labels"),
        ("df_intrasentence_fr.csv", (), "c3_word"),
        ("df_intrasentence_fr.csv", ("--language", "en"), "c3_labels"),
        ("wide.csv", ("--language", "fr"), "c3_word"),
    ],
)
def test_columns_have_the_order_of_the_language_of_the_output(name, options, last, tmp_path):
    output = tmp_path / name
    arguments = ["-i", str(SAMPLE), "-o", str(output), "--skip-intersentence", *options]
    assert main(["stereoset", "convert", *arguments]) == 0
    assert pd.read_csv(output).columns[-1] == last


def test_convert_reports_blanks_and_refuses_to_lose_a_file(shared_data, tmp_path, capsys):
    source = shared_data("stereoset") / "dev_en_reconstructed.json.gz"
    output = tmp_path / "dev.tsv"
    assert main(["stereoset", "convert", "--input", str(source), "--output", str(output)]) == 0
    told = capsys.readouterr()
    assert "2,106 intrasentence, 2,123 intersentence examples; 0 left out, 6 notes" in told.out
    assert "intrasentence 1140: BLANK is glued to other letters (sometimes.BLANK)" in told.err
    assert told.err.count("BLANK 2 times") == 2
    assert pd.read_csv(output, sep="\t")["c1_word"].notna().sum() == 2106
    assert main(["stereoset", "convert", "--input", str(output), "--output", str(output)]) == 2
    assert "this file would be lost" in capsys.readouterr().err
