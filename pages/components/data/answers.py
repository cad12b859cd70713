"""Files that hold what a model said of items, not the items: they are named for what they are, and read elsewhere."""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from pages.components.data.chosen import ENTAILMENT, PAGES, STEREOTYPES
from pages.components.shared import notices
from pages.components.shared.resources import read_file
from pairlens.errors import PairlensError
from pairlens.files.nli.label_map import named
from pairlens.files.stereoset.predictions import read_predictions
from pairlens.store.uploads import Upload
from pairlens.studies.nli.matched import read_predictions as read_labels


def _has_scores(path: Path) -> bool:
    return any(read_file(path, read_predictions, path).by_kind.values())


def _has_labels(path: Path) -> bool:
    return bool(named(sorted({*read_file(path, read_labels, path).labels})))


_KINDS: Mapping[str, tuple[Callable[[Path], bool], str, Mapping[str, str]]] = {
    "a model's scores for the sentences of StereoSet": (
        _has_scores, STEREOTYPES, {"model_name": "", "predictions_files": "$id"},
    ),
    "a model's answers to pairs of premise and hypothesis": (
        _has_labels, ENTAILMENT, {"data": "upload", "nli_answers_files": "$id"},
    ),
}  # fmt: skip
"""What such a file holds; what tells whether one does; the page that reads it, and what its link says."""


def show_answers(upload: Upload) -> bool:
    """Say what a model's answers are, with a link to their page; False for a file that holds none."""
    for kind, (holds, page, link) in _KINDS.items():
        try:
            if not holds(upload.path):
                continue
        except PairlensError:
            continue
        notices.write("<strong>$name</strong> holds $kind.", "pl-second", name=upload.name, kind=kind)
        filled = {name: value.replace("$id", upload.id) for name, value in link.items()}
        st.page_link(page, label=f"Open in {PAGES[page]}", icon=":material/arrow_forward:", query_params=filled)
        return True
    return False
