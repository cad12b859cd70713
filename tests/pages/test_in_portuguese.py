"""Sentences of `pairlens` in Portuguese: models that come along, and what readers find wrong with files."""

import copy
import re
from collections.abc import Callable
from gettext import NullTranslations
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from pages.components.shared.models import describe
from pages.components.shared.resources import read_apart
from pairlens.errors import InputError
from pairlens.files.nli.readers import read_corpus
from pairlens.models import find
from pairlens.places import FOLDER as ROOT
from pairlens.studies.nli import runs as nli_runs
from pairlens.studies.nli.matched import read_predictions
from pairlens.text import languages
from pairlens.text.languages import Language

PORTUGUESE = Language("pt")
SICK = "pair_ID\tsentence_A\tsentence_B\tentailment_label\tentailment_AB\tentailment_BA\n"
ASSIN = '<entailment-corpus><pair id="1" entailment="None"><t>A cat.</t><h>A dog.</h></pair></entailment-corpus>'


@pytest.mark.parametrize(
    ("read", "name", "content", "said"),
    [
        (read_corpus, "a.xml", ASSIN[:40], "a.xml: não é XML: "),
        (read_corpus, "a.xml", ASSIN.replace("None", "Nonne"), "par 1: Não há rótulo do ASSIN 2 'Nonne'. Seria"),
        (read_corpus, "a.txt", SICK + "1\tA\n", "a.txt, linha 2: há 2 células, esperavam-se 6"),
        (read_predictions, "a.csv", "id,said\n1,none\n", "a coluna com o rótulo de cada resposta. Chame-a label ou "),
        (read_predictions, "a.jsonl", "{1", "a.jsonl, linha 1: não é JSON: "),
        (read_predictions, "a.parquet", "x", "a.parquet: não é um arquivo Parquet utilizável"),
    ],
)
def test_what_readers_find_wrong_has_its_portuguese(read, name, content, said, tmp_path):
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(InputError) as wrong:
        read(tmp_path / name)
    assert said in PORTUGUESE(wrong.value.message)


def test_every_model_that_comes_along_and_can_be_asked_is_described():
    models = [find(path.parent.name) for path in (ROOT / "data" / "models").glob("*/card.json")]
    asked = [model for model in models if model.kind in nli_runs.KINDS]
    assert len(asked) >= 5
    for model in asked:
        assert PORTUGUESE(describe(model)) != describe(model), model.name


def test_nothing_on_the_page_is_missing_in_the_catalogue(visit_page, monkeypatch):
    missing: set[str] = set()

    class Recorder(NullTranslations):
        def gettext(self, message: str) -> str:
            missing.add(message)
            return message

        def ngettext(self, one: str, several: str, n: int) -> str:
            return self.gettext(one if n == 1 else several)

    compiled = languages._compiled(languages.catalogue_of("pt"))
    recorded = copy.copy(compiled)
    recorded._fallback = Recorder()
    monkeypatch.setattr(languages, "_compiled", lambda _: recorded)
    page = visit_page("nli", lang="Português")
    for tab in ("Confusão", "Discordâncias", "Pares", "Linhas de base", "Contradições"):
        page.session_state["tab_pt"] = tab
        assert not page.run().exception
    shapes = {message for message in missing if re.sub(r"\{\w+\}|\W", "", message)}
    assert missing, "nothing was recorded"
    assert shapes <= {*"EPCN∅", "F1", "MCC", "macro-F1", "id", "n"}, "symbols are the same in every language"


def test_how_far_a_file_is_read_is_said_in_the_language_of_the_page(monkeypatch, tmp_path):
    def progress(_: float, line: str) -> object:
        lines.append(line)
        return SimpleNamespace(progress=progress)

    def make(watch: Callable[[Any], object]) -> None:
        for told in (None, {"items": 1200}, {"done": 1, "of": 4}):
            watch(told)

    lines: list[str] = []
    buttons: list[str] = []
    monkeypatch.setattr(st, "progress", progress)
    monkeypatch.setattr(st, "button", lambda label, **_: buttons.append(label))
    read_apart("in words", (1,), tmp_path / "a.csv", make, translate=lambda message: getattr(message, "template", ""))
    assert buttons == ["Cancel"]
    assert lines == ["{title} …"] * 2 + ["{title}: {n:,} items so far …", "{title}: {done} of {of} checks …"]
    read_apart("in words", (2,), tmp_path / "a.csv", make, translate=Language("pt"))
    assert buttons[1] == "Cancelar" and "1.200" in lines[6]
