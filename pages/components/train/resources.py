"""What the page Train keeps between reruns: texts that were read, learning curves."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import streamlit as st

from core.training.corpus import Corpus, read_corpus
from core.training.filtering import Filter, Preview
from core.training.filtering import preview as preview_of
from core.training.learning_curves import curves_of, read_curves, shipped_curves
from core.training.own_models import history_folder
from pages.components.shared.resources import read_file, states


def corpus(path: Path, column: str) -> Corpus:
    """The text of a file; InputError in words."""
    return read_file("text", path, lambda: read_corpus([path], column), (column,), column=column)


def words(path: Path, column: str) -> int:
    """How many words a text has, blanks counted."""
    corpus(path, column)  # a button may be drawn, which no cache of Streamlit allows
    return _words(path, column, states(path))


@st.cache_data(max_entries=32, show_spinner=False)
def _words(path: Path, column: str, states: tuple[object, ...]) -> int:  # noqa: ARG001
    return sum(line.count(" ") + 1 for line in corpus(path, column).sequences)


def preview(path: Path, column: str, chosen_by: Filter) -> Preview:
    """What a filter would do to a text; InputError in words."""
    corpus(path, column)
    return _preview(path, column, states(path), chosen_by)


@st.cache_data(max_entries=64, show_spinner="Looking …", hash_funcs={Filter: repr})
def _preview(path: Path, column: str, states: tuple[object, ...], chosen_by: Filter) -> Preview:  # noqa: ARG001
    return preview_of(corpus(path, column).sequences, chosen_by)


@st.cache_resource(max_entries=8, show_spinner="Reading …")
def shipped(name: str) -> pd.DataFrame:
    """Learning curves that ship with Pairlens."""
    return read_curves(shipped_curves()[name])


def curves(name: str) -> pd.DataFrame:
    """The learning curves of a model that was or is being trained here."""
    return curves_of(history_folder(name))
