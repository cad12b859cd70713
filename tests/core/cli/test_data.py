"""`data list` and `data get`, and `zero-shot` on a set by its name."""

import json
from pathlib import Path

import pytest

from pairlens.files.datasets import catalogue
from pairlens.places import program
from tests.refusals import refused


@pytest.fixture
def mirrored(shared_data, limit):
    limit("mirror", shared_data("."))


def test_list_names_every_set(cli):
    status, out, _ = cli("data", "list")
    header, *rows = (line.split("\t") for line in out.splitlines())
    assert status == 0 and [row[0] for row in rows] == list(catalogue())
    listed = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    assert listed["blimp"] | {"size_mb": "29.59", "here": "no", "licence": "CC-BY-4.0"} == listed["blimp"]
    assert listed["ewok"]["here"] == "bring your own copy" and listed["ewok"]["size_mb"] == ""
    rows = {row["name"]: row for row in json.loads(cli("data", "list", "--format", "json")[1])}
    assert rows["clams"]["languages"] == ["de", "en", "fr", "he", "ru"] and rows["clams"]["path"] is None
    assert rows["ewok"]["bring"] and rows["ewok"]["state"] == "bring"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("list", "--format", "xml"), "There is no format 'xml'"),
        (("get", "comps"), "https://osf.io/ryjfm/"),
        (("get", "sick_br"), "data get sick_br --accept"),
    ],
)
def test_what_is_not_there_not_fetched_or_needs_consent_is_said(cli, arguments, words):
    status, out, errors = cli("data", *arguments)
    assert (status, out) == (2, "") and words in errors


def test_get_says_licence_and_citation_and_a_benchmark_runs_on_a_set(mirrored, home, unigram, tmp_path, cli):
    status, out, errors = cli("data", "get", "linzen")
    assert status == 0 and Path(out.strip()) == home / "datasets" / "linzen" / "data" / "linzen_testset"
    assert "Licence: CC-BY-NC-4.0. Not for commercial use." in errors
    assert "Please cite: Linzen, Dupoux & Goldberg 2016" in errors
    status, _, errors = cli("data", "get", "linzen")
    assert status == 0 and "MB from" not in errors
    assert cli("data", "get", "sick_br", "--accept")[0] == 0
    asked = ("zero-shot", "--task", "wug_adj", "--model", unigram, "--output_dir", tmp_path, "--data_path", "wug_adj")
    refused(cli(*asked), f"{program()} data get wug_adj")
    assert cli("data", "get", "wug_adj")[0] == 0
    status, out, _ = cli(*asked)
    assert status == 0 and "200 items" in out
