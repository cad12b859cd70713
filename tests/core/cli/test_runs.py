"""`runs` and `import` on the command line."""

import json

import pytest

from core.settings import settings
from core.store import Store
from tests.refusals import refused
from tests.run_of_pairs import run_of_pairs


@pytest.mark.slow
def test_a_run_from_its_making_to_its_return(pairlens, tmp_path, monkeypatch):
    run_id, other = run_of_pairs(Store()), run_of_pairs(Store(), margin=-1.0)
    status, out, _ = pairlens("runs", "list")
    head, *rows = (line.split("\t") for line in out.splitlines())
    assert status == 0 and head[0] == "run_id"
    assert {row[0] for row in rows} == {run_id, other}
    assert pairlens("runs", "tag", run_id, "paper", "seed 2")[1] == "paper, seed 2\n"
    assert pairlens("runs", "tag", run_id, "--remove", "seed 2")[1] == "paper\n"
    assert pairlens("runs", "note", run_id, "Look again.")[1] == "Look again.\n"
    listed = json.loads(pairlens("runs", "list", "--tag", "paper", "--format", "json")[1])
    assert [(row["run_id"], row["note"]) for row in listed] == [(run_id, "Look again.")]
    assert pairlens("runs", "list", "counter-1")[1].count("\n") == 2
    shown = pairlens("runs", "show", run_id)[1]
    assert "accuracy 75.00 %" in shown and "note: Look again." in shown and "task:pairs.v2|" in shown
    assert json.loads(pairlens("runs", "show", run_id, "--format", "json")[1])["tags"] == ["paper"]

    file = tmp_path / "x.zip"
    assert pairlens("runs", "export", run_id, "--output", file)[0] == 0
    refused(pairlens("runs", "export", run_id, "--output", file), "exists already")
    assert pairlens("runs", "delete", run_id)[0] == 0
    assert run_id not in pairlens("runs", "list")[1]
    assert run_id in pairlens("runs", "restore")[1]
    assert pairlens("runs", "restore", run_id)[1] == f"restored {run_id}\n"
    status, out, err = pairlens("import", file)
    assert (status, out) == (0, f"run: {run_id}\n") and "here already" in err

    monkeypatch.setenv("PAIRLENS_HOME", str(tmp_path / "elsewhere"))
    settings.cache_clear()
    status, out, err = pairlens("import", file)
    assert (status, out) == (0, f"run: {run_id}\n") and "8 scores" in err
    assert "note: Look again." in pairlens("runs", "show", run_id)[1]
    assert (tmp_path / "elsewhere" / "store" / "results.duckdb").exists()


def test_an_empty_list_says_whether_there_are_none_or_none_matches(pairlens):
    assert pairlens("runs", "list")[1].count("\n") == 1
    assert pairlens("runs", "restore")[:2] == (0, "")
    run_of_pairs(Store())
    status, out, err = pairlens("runs", "list", "--task", "blimpp")
    assert (status, out.count("\n"), err) == (0, 1, "None of 1 run matches.\n")
    assert pairlens("runs", "list")[2] == ""


@pytest.mark.slow
def test_what_was_restored_before_a_mistake_is_in_the_tables(pairlens):
    run_id = run_of_pairs(Store())
    pairlens("runs", "delete", run_id)
    status, out, err = pairlens("runs", "restore", run_id, "pairs-0")
    assert (status, out) == (2, f"restored {run_id}\n") and "no deleted run 'pairs-0'" in err
    assert run_id in pairlens("query", "select run_id from runs")[1]
    pairlens("runs", "delete", run_id)
    assert pairlens("runs", "restore", run_id, run_id)[:2] == (0, f"restored {run_id}\n")


@pytest.mark.slow
def test_mistakes_are_said_in_one_line(pairlens, save, tmp_path):
    run_id = run_of_pairs(Store())
    for verb in ("show", "export", "delete", "tag", "note"):
        more = ["x"] if verb in ("tag", "note") else []
        refused(pairlens("runs", verb, "pairs-0", *more), "no run 'pairs-0'")
    refused(pairlens("runs", "delete", run_id, "pairs-0"), "no run 'pairs-0'")
    assert Store().has_finished(run_id)
    refused(pairlens("runs", "restore", run_id), "no deleted run")
    refused(pairlens("runs", "tag", run_id), "name a tag")
    refused(pairlens("runs", "list", "--format", "xml"), "no format 'xml'")
    refused(pairlens("import", tmp_path / "x.zip"), "There is no file")
    refused(pairlens("import", tmp_path / "x.csv"), "There is no file")
    damaged, table = save("x.zip", b"PK"), save("x.csv", "a,b\n1,2\n")
    refused(pairlens("import", damaged), "is no run that was exported")
    refused(pairlens("import", table), "no column says the tokens")
    refused(pairlens("import", table, "--column", "x"), "--column takes NAME=VALUE")
    refused(pairlens("import", table, "--column", "tokn=a"), "Did you mean 'token'")


def test_a_table_is_imported_with_named_columns(pairlens, save):
    table, named = save("x.csv", "s,word,cost\n1,The,0\n1,cats,2\n"), "sentid=s,token=word,surprisal=cost"
    about = ("--model", "gpt2", "--unit", "bits", "--name", "Mine")
    status, out, _ = pairlens("import", table, "--column", named, *about)
    assert status == 0
    manifest = Store().manifest(out.removeprefix("run: ").strip())
    assert (manifest["title"], manifest["model"], manifest["scorer"]) == ("Mine", "gpt2", "stated")


@pytest.mark.slow
def test_what_the_command_line_writes_is_read_back(pairlens, tmp_path, unigram):
    table = tmp_path / "scores.tsv"
    assert pairlens("score", "--model", unigram, "The cat.", "The horses are tired.", "--output", table)[0] == 0
    status, out, err = pairlens("import", table, "--model", unigram)
    assert status == 0, err
    run_id = out.removeprefix("run: ").strip()
    assert Store().candidates(run_id)["text"].tolist() == ["The cat.", "The horses are tired."]
