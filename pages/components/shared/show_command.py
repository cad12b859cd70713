"""The command line that does what a button does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from core.runs.command import line
from core.sharing import without_places


def show_command(
    commands: Iterable[Sequence[str]], label: str = "The same from the command line", key: str | None = None
) -> None:
    """A popover with commands to copy, one per line, each given by its arguments."""
    with st.popover(label, icon=":material/terminal:", key=key):
        st.code(
            without_places("\n".join(line(arguments) for arguments in commands)), language="bash", wrap_lines=True
        )
