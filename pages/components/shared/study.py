"""The page of a study that needs no other: its question, a box per field, models and policy, its result."""

from functools import partial
from typing import Any, get_type_hints

import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.frame import open_page
from pages.components.shared.link import show_share
from pages.components.shared.models import NO_MODEL, choose_models
from pages.components.shared.policy import choose_policy
from pages.components.shared.show_result import show_evidence, show_findings
from pairlens.results.result import Result
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.studies.study import Control, Study, controls


def show_study(study: Study[Any, Any], title: str) -> None:
    open_page(title, study.question)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models, policy = choose_models(), choose_policy()
        st.space("stretch")
        show_share((*controls(study.fields), "model", "as", "but", "tab"))
    recipes = [Recipe(model, SCORERS[default_for(model.kind)], policy) for model in models]
    kinds, example = get_type_hints(study.fields), study.examples[0]
    boxes = controls(study.fields).items()
    values = {name: _choose(name, control, kinds[name], getattr(example, name)) for name, control in boxes}
    if not recipes:
        notices.note(NO_MODEL)
        return
    with notices.explained_errors():
        question = study.fields(**values)
        study.requests(question)
        result = _result(study.name, study, question, tuple(recipes))
        show_findings(result)
        show_evidence(result)


def _choose(name: str, control: Control, kind: type, first: Any) -> Any:
    """A box for a field: a switch, a number or lines of text, by its type."""
    box: Any = {bool: st.toggle, int: st.number_input, float: st.number_input}.get(kind, st.text_area)
    more = {"height": "content"} if box is st.text_area else {}
    return box(control.label, first, key=name, help=control.help, bind="query-params", **more)


@resources.remembered("Scoring …")
def _result(name: str, _study: Study[Any, Any], question: Any, recipes: tuple[Recipe, ...]) -> Result:  # noqa: ARG001
    scorers = resources.model_cache()
    return _study.result(
        question,
        [_study.answer(question, recipe, resources.store(), partial(scorers.scorer, recipe)) for recipe in recipes],
    )
