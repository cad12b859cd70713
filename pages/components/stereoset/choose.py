"""What is counted of the scores of StereoSet, whose scores these are, and what a visitor should know first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from pages.components.shared import notices
from pages.components.shared.given_files import given_files
from pairlens.files.stereoset.examples import INTRASENTENCE
from pairlens.policies import Policy
from pairlens.studies.stereoset.cases import CASES, DEFAULT, WORD_VALUES, Definition
from pairlens.studies.stereoset.classes import StereoSetChoices
from pairlens.studies.stereoset.findings import IN_WORDS
from pairlens.studies.stereoset.measured import TIES
from pairlens.studies.stereoset.runs import PRESET

_SPACES = {"As in the text": True, "None, as the programs have it": False}
_LETTERS = {"As the file has them": False, "As the context has them": True}
_PUBLISHED = "_published"
_BY_PRESET = ("word_score", "even", "space")
"""Choices of which the preset `stereoset` has another one to begin with: then their names in links end so."""
LINK = ("examples_of", "case", "letters", *_BY_PRESET, *(f"{name}{_PUBLISHED}" for name in _BY_PRESET))
TEST_SET = "test_set"
TRIPLES, PROFILES = "StereoSet or own triples", "GEST, EuroGEST"
_CLOSED = "note_stereoset_closed"
_KEY = "predictions"
GIVEN = f"{_KEY}_files"
"""In the link: the ids of files of predictions."""
_LABEL = 'Predictions as published: {"intrasentence": [{"id": "…", "score": 0.1}, …], …}; .json or .json.gz'


@dataclass(frozen=True)
class Counted:
    """`kind` (of `IN_WORDS`), `definition` and `ties` ask nothing new of a model, `choices` may."""

    kind: str
    definition: Definition
    ties: str
    choices: StereoSetChoices = field(default_factory=StereoSetChoices)


def choose_definition(policy: Policy) -> Counted:
    """A button that says the case and opens the choices; the preset `stereoset` begins with the published ones."""
    published = policy.name == PRESET
    end, first = (_PUBLISHED, 1) if published else ("", 0)
    cases = {letter: f"{letter}: {one.name}" for letter, one in CASES.items()}
    linked = [str(st.session_state.get(name) or st.query_params.get(name, "")) for name in LINK[:2]]
    examples, chosen = IN_WORDS.get(linked[0], linked[0]), CASES.get(linked[1].partition(":")[0], CASES[DEFAULT])
    label = "Counted: " + (examples.lower() if examples == IN_WORDS[INTRASENTENCE] else chosen.name)
    with st.popover(label, icon=":material/calculate:", key="definition"), st.container(width=560):
        kind = _choose("Examples", IN_WORDS, "examples_of")
        case = _choose("Between sentences, with A the context and B the candidate", cases, "case")
        words = _choose("Score of a word", WORD_VALUES, f"word_score{end}", first)
        ties = _choose("Ties", TIES, f"even{end}", first)
        space = _choose("Space before what stands alone", {one: one for one in _SPACES}, f"space{end}", first)
        letters = _choose("Capital letters within a sentence", {one: one for one in _LETTERS}, "letters")
        notices.write("The last two ask the model anew; all others only count otherwise.", "pl-quiet")
    choices = StereoSetChoices(spaced=_SPACES[space], from_context=_LETTERS[letters])
    return Counted(kind, Definition(case, words), ties, choices)


def _choose(label: str, choices: Mapping[str, str], key: str, first: int = 0) -> str:
    return str(
        st.selectbox(label, list(choices), index=first, key=key, bind="query-params", format_func=choices.__getitem__)
    )


def choose_files() -> Sequence[Path]:
    """Scores made elsewhere, which are answered beside the models' or without any."""
    with st.popover("Predictions from a file", icon=":material/upload_file:"):
        return given_files(_LABEL, _KEY)


def choose_test_set() -> str:
    chosen = st.segmented_control(
        "Test set", (TRIPLES, PROFILES), default=TRIPLES, required=True, key=TEST_SET, bind="query-params", wrap=True
    )
    st.page_link(
        "pages/zero_shot.py", label="CrowS-Pairs under Benchmarks", icon=":material/arrow_forward:",
        query_params={"task": "crows_pairs"},
    )  # fmt: skip
    return str(chosen)


def show_content_note(text: str) -> None:
    """The note, with a button that closes it."""
    if st.session_state.get(_CLOSED):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="note_stereoset"):
        with st.container():
            notices.note(text)
        st.button("Close", type="tertiary", on_click=st.session_state.update, args=({_CLOSED: True},))
