"""Table of contents: which pages there are, what the menu calls them, and which one opens first."""

import sys
from pathlib import Path

import streamlit as st

if (source := str(Path(__file__).parent / "core")) not in sys.path:  # in a clone that is not installed
    sys.path.insert(0, source)

from pages.components.classroom.served import SERVED
from pages.components.shared import notices
from pages.components.shared.frame import run_page, stand_by
from pages.components.shared.rights import is_admitted, say_at_the_end

stand_by()
# The three groups of the menu have their names in shared/style.css: sections of Streamlit's own take two clicks.
LOOK = [
    st.Page("pages/compare.py", title="Compare", default=True),
    st.Page("pages/next_word.py", title="Next word"),
    st.Page("pages/lesson.py", title="Lesson"),
    st.Page("pages/classroom.py", title="Class", visibility="visible" if SERVED else "hidden"),
    st.Page("pages/train.py", title="Train"),
]
MEASURE = [
    st.Page("pages/zero_shot.py", title="Benchmarks"),
    st.Page("pages/agreement.py", title="Agreement"),
    st.Page("pages/stereoset.py", title="Stereotypes"),
    st.Page("pages/minimal_pairs.py", title="Your experiment"),
    st.Page("pages/nli.py", title="Entailment"),
]
KEEP = [
    st.Page("pages/results.py", title="Results"),
    st.Page("pages/data.py", title="Data"),
    st.Page("pages/models.py", title="Models"),
]

page = st.navigation([*LOOK, *MEASURE, *KEEP], position="top" if is_admitted() else "hidden")
with notices.explained_errors():
    run_page(page)
say_at_the_end()
