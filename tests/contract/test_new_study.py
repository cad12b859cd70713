"""A study that is nothing but its file: what the verb, the call, the page and the provenance make of it."""

from dataclasses import dataclass
from functools import partial

import pandas as pd
import pytest
import typer
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from pairlens import measures
from pairlens.api.asking import call
from pairlens.cli.study import verb
from pairlens.errors import InputError
from pairlens.results.result import Column, Headline, Result, Table
from pairlens.scoring.into_store import scores_now
from pairlens.studies.provenance import provenance_of
from pairlens.studies.study import control
from pairlens.types import Extras, Request


@dataclass(frozen=True, slots=True)
class Fields:
    beginning: str = control("Beginning", "What stands before every candidate.")
    candidates: str = control("Candidates", "One per line, at least two.")


class Candidates:
    """Which of several continuations a model prefers."""

    name = "candidates"
    question = "Which of these candidates does the model prefer?"
    about = "Compare candidates after a beginning."
    fields = Fields
    examples = (Fields("The keys", "are here.\nis here."),)

    def requests(self, question):
        texts = question.candidates.splitlines()
        if len(texts) < 2:
            raise InputError("Give at least two candidates, one per line.")
        return [Request(f"{question.beginning} ", text) for text in texts]

    def answer(self, question, recipe, store, scorer=None):
        scores = scores_now(self.requests(question), recipe, store, Extras(), scorer)
        return recipe, [measures.bits(score.total) for score in scores]

    def result(self, question, answers):
        texts = question.candidates.splitlines()
        rows = [(recipe.model.name, *pair) for recipe, bits in answers for pair in zip(texts, bits, strict=True)]
        columns = [Column(name, name.title(), f"The {name}.") for name in ("model", "candidate", "bits")]
        frame = pd.DataFrame(rows, columns=[column.name for column in columns])
        best = frame.loc[frame.groupby("model", sort=False)["bits"].idxmax()]
        told = [(row.model, row.bits, "bits", f"Prefers “{row.candidate}”.") for row in best.itertuples()]
        headlines = [Headline("best", *one, len(texts), "candidates") for one in told]
        return Result(
            study=self.name, question=self.question, title=question.beginning, file=self.name, headlines=headlines,
            tables=[Table("candidates", "All candidates", columns, lambda: frame)], figures=[], notices=[],
            trace=partial(provenance_of, self, question, [recipe for recipe, _ in answers]),
        )  # fmt: skip


STUDY = Candidates()
pytestmark = pytest.mark.model


def test_it_is_a_verb_with_its_fields_as_arguments_and_a_call_whose_result_has_its_tables_and_how_it_was_made():
    app = typer.Typer()
    app.command()(verb(STUDY))
    printed = CliRunner().invoke(app, ["The keys", "are here.\nis here."])
    assert "Prefers “are here.”." in printed.output and "task:candidates" in printed.output
    assert isinstance(CliRunner().invoke(app, ["The keys", "are here."]).exception, InputError)
    result = call(STUDY)("The keys", candidates="are here.\nis here.", model=["english-small", "unigram-english"])
    assert len(result.candidates) == 4 and list(result.best.index) == ["english-small", "unigram-english"]
    made = result.provenance
    assert made.receipt["fields"] == {"beginning": "The keys", "candidates": "are here.\nis here."}
    assert made.command.startswith("pairlens candidates ") and made.call.startswith("pairlens.candidates(beginning=")
    assert made.methods.count("english-small") == 1 and "unigram-english" in made.signature


def test_it_is_a_page_that_begins_with_its_first_example():
    def page():
        from pages.components.shared import frame
        from pages.components.shared.study import show_study
        from tests.contract.test_new_study import STUDY

        frame._let_the_app_run_first = lambda: None
        show_study(STUDY, "Candidates")

    app = AppTest.from_function(page, default_timeout=300).run()
    assert not app.exception
    assert [box.value for box in app.text_area] == ["The keys", "are here.\nis here."]
    assert "Prefers “are here.”." in "\n".join(element.proto.body for element in app.get("html"))
    app.text_area(key="candidates").set_value("are here.").run()
    assert "Give at least two candidates" in "\n".join(element.proto.body for element in app.get("html"))
