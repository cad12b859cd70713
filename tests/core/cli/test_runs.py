"""`runs` and `import` on the command line."""

import json

import pytest

from pairlens.store import Store
from tests.refusals import refused
from tests.run_of_pairs import run_of_pairs


@pytest.mark.slow
def test_a_run_from_its_making_to_its_return(published, cli, tmp_path, limit):
    run_id, other = run_of_pairs(Store()), run_of_pairs(Store(), margin=-1.0)
    status, out, _ = cli("runs", "list")
    head, *rows = (line.split("\t") for line in out.splitlines())
    assert status == 0 and head[0] == "run_id"
    assert {row[0] for row in rows} == {run_id, other}
    assert cli("runs", "tag", run_id, "paper", "seed 2")[1] == "paper, seed 2\n"
    assert cli("runs", "tag", run_id, "--remove", "seed 2")[1] == "paper\n"
    assert cli("runs", "note", run_id, "Look again.")[1] == "Look again.\n"
    listed = json.loads(cli("runs", "list", "--tag", "paper", "--format", "json")[1])
    assert [(row["run_id"], row["note"]) for row in listed] == [(run_id, "Look again.")]
    assert cli("runs", "list", "counter-1")[1].count("\n") == 2
    shown = cli("runs", "show", run_id)[1]
    assert "accuracy 75.00 %" in shown and "note: Look again." in shown and "task:pairs.v2|" in shown
    assert json.loads(cli("runs", "show", run_id, "--format", "json")[1])["tags"] == ["paper"]

    file = tmp_path / "x.zip"
    assert cli("runs", "export", run_id, "--output", file)[0] == 0
    refused(cli("runs", "export", run_id, "--output", file), "exists already")
    assert cli("runs", "delete", run_id)[0] == 0
    assert run_id not in cli("runs", "list")[1]
    assert run_id in cli("runs", "restore")[1]
    assert cli("runs", "restore", run_id)[1] == f"restored {run_id}\n"
    status, out, err = cli("import", file)
    assert (status, out) == (0, f"run: {run_id}\n") and "here already" in err

    limit("home", tmp_path / "elsewhere")
    status, out, err = cli("import", file)
    assert (status, out) == (0, f"run: {run_id}\n") and "8 scores" in err
    assert "note: Look again." in cli("runs", "show", run_id)[1]
    assert (tmp_path / "elsewhere" / "store" / "results.duckdb").exists()


@pytest.mark.slow
def test_an_empty_list_says_why_and_what_was_restored_before_a_mistake_is_in_the_tables(cli):
    assert cli("runs", "list")[1].count("\n") == 1
    assert cli("runs", "restore")[:2] == (0, "")
    run_of_pairs(Store())
    status, out, err = cli("runs", "list", "--task", "blimpp")
    assert (status, out.count("\n"), err) == (0, 1, "None of 1 run matches.\n")
    assert cli("runs", "list")[2] == ""
    run_id = run_of_pairs(Store())
    cli("runs", "delete", run_id)
    status, out, err = cli("runs", "restore", run_id, "pairs-0")
    assert (status, out) == (2, f"restored {run_id}\n") and "no deleted run 'pairs-0'" in err
    assert run_id in cli("query", "select run_id from runs")[1]
    cli("runs", "delete", run_id)
    assert cli("runs", "restore", run_id, run_id)[:2] == (0, f"restored {run_id}\n")


@pytest.mark.slow
def test_mistakes_are_said_in_one_line(cli, save, tmp_path):
    run_id = run_of_pairs(Store())
    for verb in ("show", "export", "delete", "tag", "note"):
        more = ["x"] if verb in ("tag", "note") else []
        refused(cli("runs", verb, "pairs-0", *more), "no run 'pairs-0'")
    refused(cli("runs", "delete", run_id, "pairs-0"), "no run 'pairs-0'")
    assert Store().has_finished(run_id)
    refused(cli("runs", "restore", run_id), "no deleted run")
    refused(cli("runs", "tag", run_id), "name a tag")
    refused(cli("runs", "list", "--format", "xml"), "no format 'xml'")
    refused(cli("import", tmp_path / "x.zip"), "There is no file")
    refused(cli("import", tmp_path / "x.csv"), "There is no file")
    damaged, table = save("x.zip", b"PK"), save("x.csv", "a,b\n1,2\n")
    refused(cli("import", damaged), "is no run that was exported")
    refused(cli("import", table), "no scores are recognised")
    refused(cli("import", table, "--column", "x"), "--column takes NAME=VALUE")
    refused(cli("import", table, "--column", "tokn=a"), "Did you mean 'token'")


@pytest.mark.slow
def test_tables_with_named_columns_and_what_the_command_line_writes_are_imported(cli, save, tmp_path, unigram):
    table, named = save("x.csv", "s,word,cost\n1,The,0\n1,cats,2\n"), "sentid=s,token=word,surprisal=cost"
    about = ("--model", "gpt2", "--unit", "bits", "--name", "Mine")
    status, out, _ = cli("import", table, "--column", named, *about)
    assert status == 0
    manifest = Store().manifest(out.removeprefix("run: ").strip())
    assert (manifest["title"], manifest["model"], manifest["scorer"]) == ("Mine", "gpt2", "stated")
    table = tmp_path / "scores.tsv"
    assert cli("score", "--model", unigram, "The cat.", "The horses are tired.", "--output", table)[:2] == (0, "")
    status, out, err = cli("import", table, "--model", unigram)
    assert status == 0, err
    run_id = out.removeprefix("run: ").strip()
    assert Store().candidates(run_id)["text"].tolist() == ["The cat.", "The horses are tired."]
