"""Every study, found by its module, through the same checks: each surface draws its result without knowing it."""

import json
import re
from dataclasses import fields
from io import StringIO
from itertools import cycle

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import pairlens
from pairlens import cli
from pairlens.places import FOLDER as ROOT
from pairlens.results import files
from pairlens.scoring.recipe import recipe_of
from pairlens.store import Store
from pairlens.studies.study import ask, controls, studies
from tests.contract.saying import demand
from tests.contract.test_project import VERBS

STUDIES = [*studies().values()]
MODELS = [["english-small"], ["english-small", "bilingual-masked"]]
ASKED = [
    pytest.param(study, example, models, id=f"{study.name}, question {n}, {len(models)} models")
    for study in STUDIES
    for n, (example, models) in enumerate(zip(study.examples, cycle(MODELS), strict=False), start=1)
]


def test_there_is_a_study_and_each_has_an_example_and_a_verb():
    assert STUDIES
    lacking = [study.name for study in STUDIES if not study.examples]
    demand(not lacking, f"{', '.join(lacking)}: give `examples`, a question or two.")
    assert {study.name for study in STUDIES} <= {command.name for command in cli.app.registered_commands}


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_its_fields_are_the_verbs_the_calls_and_the_pages(study):
    options = {option.name: option for option in VERBS[study.name.replace("_", "-")].params}
    for name, control in controls(study.fields).items():
        assert options[name].help == control.help
        assert not control.spelling or control.spelling in options[name].opts
    assert {field.name for field in fields(study.fields)} <= {*getattr(pairlens, study.name).__annotations__}
    page = (ROOT / "pages" / f"{study.name}.py").read_text("utf-8")
    asks = f'"{study.question}"' in page or "show_study(" in page
    demand(asks, f"pages/{study.name}.py asks another question than {study.question}")


@pytest.mark.model
@pytest.mark.parametrize(("study", "example", "models"), ASKED)
def test_its_result_is_described_rendered_and_drawn(study, example, models):
    result = ask(study, example, [recipe_of(name) for name in models], Store())
    assert result.headlines and result.tables and result.models
    for table in result.tables:
        assert [column.name for column in table.columns] == list(table.frame.columns), table.name
        assert all(re.search(r"[.)]$", column.about) and column.title for column in table.columns)
        assert len({column.heading for column in table.drawn}) == len(table.drawn)
    assert_rendered(result)
    assert_drawn(result)


def assert_rendered(result):
    text, page = files.printed(result, "text"), files.printed(result, "html")
    whole = json.loads(files.printed(result, "json"))
    assert whole["provenance"]["receipt"] and result.provenance.signature in text
    assert page.count("<svg") == len(result.figures)
    for model, sentences in result.sentences.items():
        assert sentences and all(sentence in text for sentence in sentences), model
        assert model in page and model in result.provenance.methods
    for caution in result.cautions:
        assert caution in text
    for table in result.tables:
        read = pd.read_csv(StringIO(files.printed(result, "csv", table.name)), keep_default_na=False, na_values=[""])
        assert list(read.columns) == [column.name for column in table.columns] and len(read) == len(table.frame)
        assert len(whole["tables"][table.name]["rows"]) == len(table.frame)
    assert result.provenance.command.startswith(f"pairlens {result.study} ")


def assert_drawn(result):
    """The frame of the pages draws it."""

    def page():
        import streamlit as st

        from pages.components.shared.show_result import show_evidence, show_findings

        show_findings(st.session_state["result"])
        show_evidence(st.session_state["result"])

    app = AppTest.from_function(page, default_timeout=300)
    app.session_state["result"] = result
    app.run()
    assert not app.exception
    drawn = "\n".join(element.proto.body for element in app.get("html"))
    assert all(model in drawn or len(result.models) == 1 for model in result.models)
    assert [tab.label for tab in app.tabs] == [table.title for table in result.tables]
    assert list(app.dataframe[0].value.columns) == [column.heading for column in result.tables[0].drawn]
