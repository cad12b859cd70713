"""`data list` and `data get`, and `zero-shot` on a set by its name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.files.datasets import catalogue
from core.settings import program, settings


@pytest.fixture
def mirrored(shared_data, monkeypatch):
    monkeypatch.setenv("PAIRLENS_MIRROR", str(shared_data(".")))
    settings.cache_clear()


def test_list_names_every_set(capsys):
    assert main(["data", "list"]) == 0
    header, *rows = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert [row[0] for row in rows] == list(catalogue())
    listed = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    assert listed["blimp"] | {"size_mb": "29.59", "here": "no", "licence": "CC-BY-4.0"} == listed["blimp"]
    assert listed["ewok"]["here"] == "bring your own copy" and listed["ewok"]["size_mb"] == ""


def test_list_as_json(capsys):
    assert main(["data", "list", "--format", "json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["clams"]["languages"] == ["de", "en", "fr", "he", "ru"] and rows["clams"]["path"] is None
    assert rows["ewok"]["bring"] and rows["ewok"]["state"] == "bring"


def test_an_unknown_format(capsys):
    assert main(["data", "list", "--format", "xml"]) == 2
    assert "There is no format 'xml'" in capsys.readouterr().err


def test_get_says_licence_and_citation_and_prints_the_path(mirrored, home, capsys):
    assert main(["data", "get", "linzen"]) == 0
    said = capsys.readouterr()
    assert Path(said.out.strip()) == home / "datasets" / "linzen" / "data" / "linzen_testset"
    assert "Licence: CC-BY-NC-4.0. Not for commercial use." in said.err
    assert "Please cite: Linzen, Dupoux & Goldberg 2016" in said.err
    assert main(["data", "get", "linzen"]) == 0
    assert "MB from" not in capsys.readouterr().err


def test_consent_is_asked_for(mirrored, capsys):
    assert main(["data", "get", "sick_br"]) == 2
    said = capsys.readouterr()
    assert "data get sick_br --accept" in said.err and not said.out
    assert main(["data", "get", "sick_br", "--accept"]) == 0


def test_what_is_not_fetched_says_what_to_bring(capsys):
    assert main(["data", "get", "comps"]) == 2
    assert "https://osf.io/ryjfm/" in capsys.readouterr().err


def test_a_benchmark_runs_on_a_set_by_its_name(mirrored, unigram, tmp_path, capsys):
    asked = ["zero-shot", "--task", "wug_adj", "--model", unigram, "--output_dir", str(tmp_path)]
    assert main([*asked, "--data_path", "wug_adj"]) == 2
    assert f"{program()} data get wug_adj" in capsys.readouterr().err
    assert main(["data", "get", "wug_adj"]) == 0
    assert main([*asked, "--data_path", "wug_adj"]) == 0
    assert "200 items" in capsys.readouterr().out
