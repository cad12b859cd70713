"""The command line as a user meets it: results on standard output, one sentence and status 2 for mistakes."""

import gzip
import json
import shlex
import subprocess
import sys
from io import BytesIO, TextIOWrapper

import pytest

from pairlens.cli.texts import kept_if_possible
from pairlens.errors import StoreError
from pairlens.places import FOLDER as ROOT
from pairlens.store import Store
from tests.refusals import refused

TEXTS = ["The horses are tired.", 'A "quoted"\ttext, with a tab', "The horses are tired.", "été 🙂 猫"]


@pytest.fixture
def score(cli, unigram):
    return lambda *arguments: cli("score", "--model", unigram, *arguments)


def test_score_reads_columns_arguments_packed_files_and_standard_input(score, save, monkeypatch):
    table = save("table.csv", "id,sentence,other\nx,The cat.,are is\n")
    _, by_name, _ = score("--input", table)
    _, by_argument, _ = score("The cat.")
    _, packed, _ = score("--input", save("texts.txt.gz", gzip.compress(b"The cat.\r\n")))
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"The cat.\n")))
    assert score()[1] == by_name == by_argument == packed != ""
    assert "are is" in score("--input", table, "--column", "other")[1]
    rows = [line.split("\t") for line in score(*TEXTS[:3])[1].splitlines()[1:]]  # in their order, also repeated ones
    assert [row[0] for row in rows if row[0] != "2"] == ["1"] * 5 + ["3"] * 5
    first, third = ([row[2:] for row in rows if row[0] == item] for item in "13")
    assert first == third


@pytest.mark.parametrize("name", ["table", "table.text", "table.lst"])
def test_a_table_by_any_ending_is_not_scored_as_lines(score, save, name):
    path = save(name, "good\tbad\nThe cat.\tThe cats.\n")
    refused(score("--input", path), "it has 'good', 'bad'. Name one with --column")
    assert score("--input", path, "--column", "good")[1] == score("The cat.")[1] != ""
    assert score("--input", save(name, "The cat.\nThe\tcats.\n"))[0] == 0


@pytest.mark.slow
def test_mistakes_in_the_input_are_named_with_their_place(score, save, tmp_path):
    lines, table = save("a.txt", "one\n \nthree\n"), save("c.csv", "a,b\n1,2\n")
    refused(score(""), "text 1", "empty")
    refused(score("--input", lines), "a.txt", "line 2", "empty")
    refused(score("--input", save("b.txt", "")), "b.txt")
    refused(score("--input", tmp_path / "absent.txt"), "absent.txt")
    refused(score("--input", lines, "one"), "not both")
    refused(score("--input", table), "column 'text'", "'a', 'b'")
    refused(score("--input", table, "--column", "z"), "column 'z'")
    refused(score("--input", save("d.txt", b"x" * 50_000_000)), "d.txt", "line 1")
    refused(score("x", "--output", tmp_path / "scores.docx"), ".docx")
    rows = '{"text": "fine"}\n{"text": %s}\n'
    refused(score("--input", save("e.jsonl", rows % 7)), "row 2: found 7, which is not a text")
    refused(score("--input", save("e.jsonl", rows % "null")), "row 2: the text is empty")


def test_unknown_names_are_refused_with_the_nearest_one(cli, score, unigram, tmp_path):
    refused(cli("score", "x", "--model", "tiny-unigrm"), "tiny-unigrm", "Did you mean 'tiny-unigram'")
    for option, name, words in (
        ("--scorer", "casual", "Did you mean 'causal'"),
        ("--scorer", "causal", unigram),
        ("--as", "minicon", "Did you mean 'minicons'"),
        ("--first-token", "bso", "Did you mean 'bos'"),
        ("--set", "tis=half", "Did you mean 'ties'"),
        ("--set", "ties", "FIELD=VALUE"),
        ("--set", "window=two", "a number"),
        ("--device", "gpu", "'gpu'"),
    ):
        refused(score("x", option, name), words)
    refused(cli("zero-shot", "--task", "blmp", "--data_path", tmp_path), "Did you mean 'blimp'")
    refused(cli("zero-shot", "--backend", "mlmm", "--data_path", tmp_path), "Did you mean 'mlm'")
    refused(cli("models", "--format", "yaml"), "yaml", "json")
    refused(cli("scor"), "scor")
    status, _, errors = cli("agreement")
    assert status == 2 and errors.startswith("Usage: ") and "\n\nCommands:\n" in errors, "a group shows its help"


def test_no_mistake_costs_a_file_and_what_cannot_be_written_is_refused_before_scoring(score, save, store, tmp_path):
    target, text = save("scores.tsv", "precious\n"), "text\tmine\nfine\t1\n"
    for place in ("scores.doc", "no/where.tsv", "."):
        refused(score("fine", "--output", tmp_path / place), "cannot")
    assert store.fingerprints() == []
    refused(score("--output", target, "fine", ""), "text 2")
    source = save("mine.tsv", text)
    (tmp_path / "folder").mkdir()
    for output in (source, tmp_path / "folder" / ".." / "mine.tsv"):
        refused(score("--input", source, "--output", output), "this file would be lost")
    assert (target.read_text(), source.read_text()) == ("precious\n", text)


def test_a_bad_line_of_a_benchmark_is_named(cli, unigram, save):
    good = json.dumps({"sentence_good": "the horses are tired .", "sentence_bad": "the horses zebra tired ."})
    file = save("agreement.jsonl", "\n".join([*[good] * 11, "not json"]))
    refused(
        cli("zero-shot", "--data_path", file.parent, "--model", unigram), "agreement.jsonl", "line 12", "not JSON"
    )
    assert Store().runs().empty


def test_texts_cut_into_tokens_are_noticed(score, unigram):
    """And that a model has read nothing in their language."""
    cut = ["l' industrie du pays n' a pas changé .", "qu' a dirigé l' homme ?"]
    unread = f"{unigram} has read no text in the language of these items"
    _, _, err = score(*cut)
    assert "--set detokenise=fr would read: l'industrie du pays n'a pas changé." in err and unread in err
    assert "cut into tokens" not in score("--set", "detokenise=fr", *cut)[2]
    assert "cut into tokens" not in score(*TEXTS)[2]
    assert len(score(20 * cut[0])[2].splitlines()[-1]) < 200
    assert "has read no text" not in score("the dogs do n't bark .")[2]


@pytest.mark.slow
def test_models_are_listed_names_first_and_the_store_is_verified_and_exported(cli, unigram, score, store, tmp_path):
    _, out, _ = cli("models")
    assert out.splitlines()[0].split("\t") == ["name", "kind", "language", "parameters", "size_mb", "scores"]
    assert any(line.startswith(f"{unigram}\tunigram\ten\t") for line in out.splitlines())
    _, out, _ = cli("models", "--format", "json")
    assert unigram in {row["name"] for row in json.loads(out)}
    score("The cat.")
    assert cli("store", "verify") == (0, "Whole: 1 part with 1 text. Damaged: nothing.\n", "")
    assert cli("store", "gc")[1] == "There was nothing to delete.\n"
    file = tmp_path / "all.duckdb"
    assert cli("store", "export", "--duckdb", file)[0] == 0
    refused(cli("store", "export", "--duckdb", file), "exists already")
    part = next(store.folder.glob("scores/*/*.tokens.parquet"))
    part.write_bytes(part.read_bytes()[:-1])
    status, out, _ = cli("store", "verify")
    assert status == 1 and "damaged, set aside" in out


@pytest.mark.slow
def test_as_a_process_without_torch(unigram, home):
    """The real entry point: a closed pipe is no error, and a scorer without torch loads none."""
    program = (
        "import runpy, sys\ntry: runpy.run_module('pairlens', run_name='__main__')\n"
        "finally: print({'torch', 'transformers', 'streamlit'} & set(sys.modules), file=sys.stderr)"
    )
    command = shlex.join([sys.executable, "-c", program, "score", "--model", unigram, *["The cat."] * 50])
    piped = subprocess.run(f"{command} | head -1", shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (piped.stdout.count("\n"), piped.stderr) == (1, "set()\n")


@pytest.mark.slow
@pytest.mark.parametrize("verb", [("score", "The keys are here."), ("perplexity", "--input", "texts.txt")])
def test_where_nothing_can_be_kept_texts_are_scored_all_the_same(cli, tmp_path, monkeypatch, limit, verb):
    (tmp_path / "texts.txt").write_text("The keys are here.\n")
    monkeypatch.chdir(tmp_path)
    expected = cli(*verb, "--model", "unigram-english")[1]
    (tmp_path / "no folder").touch()
    limit("home", tmp_path / "no folder")
    status, out, said = cli(*verb, "--model", "unigram-english")
    assert (status, out) == (0, expected) and said.count("Nothing is kept:") == 1


def test_what_is_wrong_with_the_store_does_not_have_texts_scored_again():
    def broken(store):
        asked.append(store)
        raise StoreError("The scores were damaged while they were read.")

    asked = []
    with pytest.raises(StoreError, match="were damaged"):
        kept_if_possible(broken)
    assert len(asked) == 1 and not (asked[0].folder / "probe.json").exists()
