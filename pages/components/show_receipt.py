"""How this number was made: everything needed to get it again, to read and to copy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st


def show_receipt(receipt: Mapping[str, Any], methods: str) -> None:
    """A popover with the Methods sentence and the whole receipt as JSON; both have a copy button."""
    with st.popover("How this number was made", icon=":material/receipt_long:", width="content"):
        st.caption("For a Methods section")
        st.code(methods, language=None, wrap_lines=True)
        st.caption("Everything that went into it")
        text = json.dumps(receipt, indent=2, ensure_ascii=False, allow_nan=False)
        st.code(text, language="json", wrap_lines=True, height=420)
