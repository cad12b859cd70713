"""What is counted of the scores of StereoSet: the case, the score of a word, ties; and how sentences are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import streamlit as st

from core.policies import Policy
from core.studies.stereoset.cases import CASES
from core.studies.stereoset.definitions import Definition
from core.studies.stereoset.measured import TIES
from core.studies.stereoset.runs import PRESET, StereoSetChoices
from core.studies.stereoset.scored import WORD_VALUES
from pages.components.shared import notices

_SPACES = {"as in the text": True, "none, as the programs have it": False}
_LETTERS = {"as the file has them": False, "as the context has them": True}
_PUBLISHED = "_published"
_BY_PRESET = ("word_score", "even", "space")
"""Choices of which the preset `stereoset` has another one to begin with: then their names in links end so."""
LINK = ("case", "letters", *_BY_PRESET, *(f"{name}{_PUBLISHED}" for name in _BY_PRESET))


@dataclass(frozen=True)
class Counted:
    """`definition` and `ties` ask nothing new of a model, `choices` may."""

    definition: Definition
    ties: str
    choices: StereoSetChoices = field(default_factory=StereoSetChoices)


def choose_definition(policy: Policy) -> Counted:
    """As a phrase, with a popover that changes it; the preset `stereoset` begins with the published choices."""
    published = policy.name == PRESET
    end = _PUBLISHED if published else ""
    cases = {letter: f"{letter}: {one.name}" for letter, one in CASES.items()}
    with st.container(gap="xxsmall", width="content"):
        phrase = st.container()
        with st.popover("Change", icon=":material/calculate:", key="definition"), st.container(width=560):
            case = _choose("Between sentences, with A the context and B the candidate", cases, "case")
            words = _choose("Score of a word", WORD_VALUES, f"word_score{end}", 1 if published else 0)
            ties = _choose("Ties", TIES, f"even{end}", 1 if published else 0)
            space = _choose("Space before what stands alone", _titles(_SPACES), f"space{end}", 1 if published else 0)
            letters = _choose("Capital letters within a sentence", _titles(_LETTERS), "letters")
            notices.write("The last two ask the model anew; all others only count otherwise.", "pl-quiet")
    with phrase:
        notices.write(
            "Counted: $case · $ties", "pl-label",
            case=f"{case}, {CASES[case].name}", ties="ties one half" if ties == "half" else "ties as published",
        )  # fmt: skip
    choices = StereoSetChoices(spaced=_SPACES[space], from_context=_LETTERS[letters])
    return Counted(Definition(case, words), ties, choices)


def _titles(choices: Iterable[str]) -> dict[str, str]:
    return {name: name[0].upper() + name[1:] for name in choices}


def _choose(label: str, choices: Mapping[str, str], key: str, first: int = 0) -> str:
    """One of several, in the link as `key`."""
    return str(
        st.selectbox(
            label, list(choices), index=first, key=key, bind="query-params", format_func=choices.__getitem__
        )
    )  # fmt: skip
