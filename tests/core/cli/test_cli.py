"""The command line as a user meets it: results on standard output, one sentence and status 2 for mistakes."""

import gzip
import json
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.tokens import COLUMNS
from core.cli import main
from core.cli.texts import kept_if_possible
from core.errors import StoreError
from core.settings import ROOT, settings
from core.store import Store

TEXTS = ["The horses are tired.", 'A "quoted"\ttext, with a tab', "The horses are tired.", "été 🙂 猫"]


@pytest.fixture
def pairline(capsys):
    """Run the command line in this process: (status, standard output, standard error)."""

    def run(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def lines(path: Path, texts: list[str]) -> Path:
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def refused(outcome: tuple[int, str, str], *words: str) -> None:
    """One line on standard error that says this, nothing on standard output, status 2."""
    status, out, err = outcome
    assert status == 2, err
    assert out == ""
    assert err.count("\n") == 1, err
    assert err.startswith("pairlens: ")
    for word in words:
        assert word in err, err


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".tsv", ".csv", ".json", ".jsonl", ".parquet", ".xlsx"])
def test_score_writes_every_format(pairline, unigram, tmp_path, ending):
    from core.files.tables import read_table

    source, target = lines(tmp_path / "texts.txt", TEXTS), tmp_path / f"scores{ending}"
    status, out, err = pairline("score", "--model", unigram, "--input", source, "--output", target)
    assert (status, out) == (0, ""), err
    table = read_table(target)
    assert tuple(table.columns) == COLUMNS
    assert [text for _, text in table.groupby("item", sort=False)["text"].first().items()] == TEXTS
    logprobs = pd.to_numeric(table["logprob"])
    bits = pd.to_numeric(table["surprisal_bits"])
    assert (bits + logprobs / 0.6931471805599453).abs().max() < 1e-9


def test_score_keeps_item_order_and_repeats(pairline, unigram):
    status, out, _ = pairline("score", "--model", unigram, *TEXTS[:3])
    rows = [line.split("\t") for line in out.splitlines()[1:]]
    assert status == 0
    assert [row[0] for row in rows if row[0] != "2"] == ["1"] * 5 + ["3"] * 5
    first, third = ([row[2:] for row in rows if row[0] == item] for item in "13")
    assert first == third


def test_score_reads_columns_arguments_and_standard_input(pairline, unigram, tmp_path, monkeypatch):
    table = tmp_path / "table.csv"
    pd.DataFrame({"id": ["x"], "sentence": ["The cat."], "other": ["are is"]}).to_csv(table, index=False)
    _, by_name, _ = pairline("score", "--model", unigram, "--input", table)
    _, by_argument, _ = pairline("score", "--model", unigram, "The cat.")
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"The cat.\n")))
    _, by_pipe, _ = pairline("score", "--model", unigram)
    assert by_name == by_argument == by_pipe != ""
    _, other, _ = pairline("score", "--model", unigram, "--input", table, "--column", "other")
    assert "are is" in other


@pytest.mark.parametrize("name", ["table", "table.text", "table.lst"])
def test_a_table_by_any_ending_is_not_scored_as_lines(pairline, unigram, tmp_path, name):
    (tmp_path / name).write_text("good\tbad\nThe cat.\tThe cats.\n", encoding="utf-8")
    status, _, err = pairline("score", "--model", unigram, "--input", tmp_path / name)
    assert status == 2 and "it has 'good', 'bad'. Name one with --column" in err
    _, named, _ = pairline("score", "--model", unigram, "--input", tmp_path / name, "--column", "good")
    assert named == pairline("score", "--model", unigram, "The cat.")[1] != ""
    (tmp_path / name).write_text("The cat.\nThe\tcats.\n", encoding="utf-8")
    assert pairline("score", "--model", unigram, "--input", tmp_path / name)[0] == 0


def test_packed_input_is_read(pairline, unigram, tmp_path):
    path = tmp_path / "texts.txt.gz"
    path.write_bytes(gzip.compress(b"The cat.\r\nThe horses.\r\n"))
    status, out, _ = pairline("score", "--model", unigram, "--input", path)
    assert status == 0
    assert "\tThe horses.\t" in out


def test_mistakes_in_the_input_are_named_with_their_place(pairline, unigram, tmp_path):
    def score(*arguments: object) -> tuple[int, str, str]:
        return pairline("score", "--model", unigram, *arguments)

    refused(score(""), "text 1", "empty")
    refused(score("--input", lines(tmp_path / "a.txt", ["one", " ", "three"])), "a.txt", "line 2", "empty")
    refused(score("--input", lines(tmp_path / "b.txt", [])), "b.txt")
    refused(score("--input", tmp_path / "absent.txt"), "absent.txt")
    refused(score("--input", tmp_path / "a.txt", "one"), "not both")
    (tmp_path / "c.csv").write_text("a,b\n1,2\n")
    refused(score("--input", tmp_path / "c.csv"), "column 'text'", "'a', 'b'")
    refused(score("--input", tmp_path / "c.csv", "--column", "z"), "column 'z'")
    (tmp_path / "d.txt").write_bytes(b"x" * 50_000_000)
    refused(score("--input", tmp_path / "d.txt"), "d.txt", "line 1")
    refused(score("x", "--output", tmp_path / "scores.docx"), ".docx")


def test_unknown_names_are_refused_with_the_nearest_one(pairline, unigram, tmp_path):
    refused(pairline("score", "x", "--model", "tiny-unigrm"), "tiny-unigrm", "Did you mean 'tiny-unigram'")
    refused(pairline("score", "x", "--model", unigram, "--scorer", "casual"), "Did you mean 'causal'")
    refused(pairline("score", "x", "--model", unigram, "--scorer", "causal"), unigram, "unigram")
    refused(pairline("score", "x", "--model", unigram, "--as", "minicon"), "Did you mean 'minicons'")
    refused(pairline("score", "x", "--model", unigram, "--first-token", "bso"), "Did you mean 'bos'")
    refused(pairline("score", "x", "--model", unigram, "--set", "tis=half"), "Did you mean 'ties'")
    refused(pairline("score", "x", "--model", unigram, "--set", "ties"), "FIELD=VALUE")
    refused(pairline("score", "x", "--model", unigram, "--set", "window=two"), "a number")
    refused(pairline("zero-shot", "--task", "blmp", "--data_path", tmp_path), "Did you mean 'blimp'")
    refused(pairline("zero-shot", "--backend", "mlmm", "--data_path", tmp_path), "Did you mean 'mlm'")
    refused(pairline("models", "--format", "yaml"), "yaml", "json")
    refused(pairline("score", "x", "--model", unigram, "--device", "gpu"), "'gpu'", "cuda")
    refused(pairline("scor"), "scor")


def test_an_output_that_exists_survives_a_mistake(pairline, unigram, tmp_path):
    target = lines(tmp_path / "scores.tsv", ["precious"])
    refused(pairline("score", "--model", unigram, "--output", target, "fine", ""), "text 2")
    assert target.read_text() == "precious\n"


def test_the_input_is_never_overwritten(pairline, unigram, tmp_path):
    source = tmp_path / "mine.tsv"
    source.write_text("text\tmine\nfine\t1\n")
    other_name = tmp_path / "folder" / ".." / "mine.tsv"
    (tmp_path / "folder").mkdir()
    for target in (source, other_name):
        refused(
            pairline("score", "--model", unigram, "--input", source, "--output", target), "this file would be lost"
        )
    assert source.read_text() == "text\tmine\nfine\t1\n"


@pytest.mark.parametrize("target", ["scores.doc", "no/where.tsv", "."])
def test_an_output_that_cannot_be_written_is_refused_before_scoring(pairline, unigram, tmp_path, target):
    refused(pairline("score", "--model", unigram, "fine", "--output", tmp_path / target), "cannot")
    assert Store(shipped=None).fingerprints() == []


def test_a_number_is_not_called_an_empty_text(pairline, unigram, tmp_path):
    source = tmp_path / "texts.jsonl"
    source.write_text('{"text": "fine"}\n{"text": 7}\n')
    refused(pairline("score", "--model", unigram, "--input", source), "row 2: found 7, which is not a text")
    source.write_text('{"text": "fine"}\n{"text": null}\n')
    refused(pairline("score", "--model", unigram, "--input", source), "row 2: the text is empty")


@pytest.fixture
def benchmark_files(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    for uid, verb in (("agreement", "are"), ("word_order", "tired")):
        rows = [
            {
                "sentence_good": f"the horses {verb} tired . {n}",
                "sentence_bad": f"the horses zebra tired . {n}",
                "field": "syntax_semantics",
                "linguistics_term": "agreement",
                "UID": uid,
                "pairID": str(n),
            }
            for n in range(5)
        ]
        (folder / f"{uid}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


@pytest.mark.slow
def test_zero_shot_writes_report_and_run_and_reuses_scores(pairline, unigram, benchmark_files, tmp_path):
    arguments = ("zero-shot", "--task", "blimp", "--data_path", benchmark_files, "--model", unigram)
    output = ("--output_dir", tmp_path / "results")
    status, out, _ = pairline(*arguments, *output)
    assert status == 0
    assert out.splitlines()[-1] == "scored 15, reused 0"
    assert pairline(*arguments, *output)[1].splitlines()[-1] == "scored 0, reused 15"
    report = tmp_path / "results" / unigram / "main" / "zero_shot" / "unigram" / "blimp" / "data"
    assert "### UID ACCURACY\nagreement: 100.00" in (report / "best_temperature_report.txt").read_text()
    assert len(json.loads((report / "predictions.json").read_text())["agreement"]["predictions"]) == 5
    assert Store().runs()["value"].tolist() == [1.0]
    assert (Store().folder / "results.duckdb").exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("not json", ("not JSON",)),
        ('{"sentence_good": "a b"}', ("no field 'sentence_bad'",)),
        ('{"sentence_good": "a b", "sentence_bad": " "}', ("sentence_bad",)),
        ('{"sentence_good": "a b", "sentence_bad": 3}', ("sentence_bad",)),
        ('{"sentence_good": "' + "x" * 50_000_000 + '"}', ()),
    ],
)
def test_a_bad_line_of_a_benchmark_is_named(pairline, unigram, benchmark_files, line, words):
    file = benchmark_files / "agreement.jsonl"
    good = file.read_text().splitlines()[0]
    file.write_text("\n".join([*[good] * 11, line]))
    outcome = pairline("zero-shot", "--data_path", benchmark_files, "--model", unigram)
    refused(outcome, "agreement.jsonl", "line 12", *words)
    assert Store().runs().empty


def test_texts_cut_into_tokens_are_noticed(pairline, unigram):
    cut = ["l' industrie du pays n' a pas changé .", "qu' a dirigé l' homme ?"]
    _, _, err = pairline("score", "--model", unigram, *cut)
    assert "--set detokenise=fr would read: l'industrie du pays n'a pas changé." in err
    assert "cut into tokens" not in pairline("score", "--model", unigram, "--set", "detokenise=fr", *cut)[2]
    assert "cut into tokens" not in pairline("score", "--model", unigram, *TEXTS)[2]
    assert len(pairline("score", "--model", unigram, 20 * cut[0])[2].splitlines()[-1]) < 200


def test_a_model_that_has_read_nothing_in_the_language_is_named(pairline, unigram):
    cut = "l' industrie du pays n' a pas changé ."
    assert (
        f"{unigram} has read no text in the language of these items" in pairline("score", "--model", unigram, cut)[2]
    )
    assert "has read no text" not in pairline("score", "--model", unigram, "the dogs do n't bark .")[2]


def test_models_lists_names_first(pairline, unigram):
    _, out, _ = pairline("models")
    assert out.splitlines()[0].split("\t") == ["name", "kind", "language", "parameters", "size_mb", "scores"]
    assert any(line.startswith(f"{unigram}\tunigram\ten\t") for line in out.splitlines())
    _, out, _ = pairline("models", "--format", "json")
    assert unigram in {row["name"] for row in json.loads(out)}


def test_store_verbs(pairline, unigram, tmp_path):
    pairline("score", "--model", unigram, "The cat.")
    assert pairline("store", "verify") == (0, "Whole: 1 part with 1 text. Damaged: nothing.\n", "")
    assert pairline("store", "gc")[1] == "There was nothing to delete.\n"
    file = tmp_path / "all.duckdb"
    assert pairline("store", "export", "--duckdb", file)[0] == 0
    refused(pairline("store", "export", "--duckdb", file), "exists already")
    part = next(Store().folder.glob("scores/*/*.tokens.parquet"))
    part.write_bytes(part.read_bytes()[:-1])
    status, out, _ = pairline("store", "verify")
    assert status == 1
    assert "damaged, set aside" in out


@pytest.mark.slow
def test_as_a_process_without_torch(unigram, home):
    """The real entry point: a closed pipe is no error, and a scorer without torch loads none."""
    heavy = "{'torch', 'transformers', 'streamlit'}"
    program = f"import sys; from core.cli import main; main(sys.argv[1:]); print(sorted({heavy} & set(sys.modules)))"
    said = subprocess.run(
        [sys.executable, "-c", program, "score", "--model", unigram, "The cat."],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.splitlines()[-1] == "[]"
    piped = subprocess.run(
        f"{sys.executable} -m core score --model {unigram} {'The cat. ' * 50} | head -1",
        shell=True, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert piped.stderr == ""


@pytest.mark.parametrize("verb", [[], ["agreement"]])
def test_a_command_that_is_given_nothing_shows_its_help_in_lines(pairline, verb):
    status, _, errors = pairline(*verb)
    assert status == 2 and errors.startswith("Usage: ") and "\n\nCommands:\n" in errors


@pytest.mark.parametrize("verb", [("score", "The keys are here."), ("perplexity", "--input", "texts.txt")])
def test_where_nothing_can_be_kept_texts_are_scored_all_the_same(pairline, tmp_path, monkeypatch, verb):
    (tmp_path / "texts.txt").write_text("The keys are here.\n")
    monkeypatch.chdir(tmp_path)
    expected = pairline(*verb, "--model", "unigram-english")[1]
    (tmp_path / "no folder").touch()
    monkeypatch.setenv("PAIRLENS_HOME", str(tmp_path / "no folder"))
    settings.cache_clear()
    status, out, said = pairline(*verb, "--model", "unigram-english")
    assert (status, out) == (0, expected) and said.count("Nothing is kept:") == 1


def test_what_is_wrong_with_the_store_does_not_have_texts_scored_again():
    def broken(store: Store) -> None:
        asked.append(store)
        raise StoreError("The scores were damaged while they were read.")

    asked: list[Store] = []
    with pytest.raises(StoreError, match="were damaged"):
        kept_if_possible(broken)
    assert len(asked) == 1 and not (asked[0].folder / "probe.json").exists()
