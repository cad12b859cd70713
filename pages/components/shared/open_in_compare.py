"""A link that shows two texts in Compare, scored as they are here."""

from __future__ import annotations

import streamlit as st

from core.policies import Policy
from pages.components.shared import notices


def open_in_compare(right: str, rival: str, model: str, policy: Policy) -> None:
    """The texts, and the link. The policy's preset and changes go with it, so that the same margin appears there.

    Where no model is named, Compare takes its usual one.
    """
    form = '<bdi class="pl-form">{}</bdi>'
    notices.write(f"{form.format('$right')} · {form.format('$rival')}", right=right, rival=rival)
    changes = ",".join(f"{field}:{value}" for field, value in policy.changes().items())
    scoring = {"as": policy.name.partition(",")[0]} | ({"but": changes} if changes else {})
    st.page_link(
        "pages/compare.py", label="Open in Compare", icon=":material/compare_arrows:",
        query_params={"a": right, "b": rival, **({"model": model} if model else {}), **scoring},
    )  # fmt: skip
