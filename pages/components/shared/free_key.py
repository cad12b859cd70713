"""A key for what a page may draw more than once, as the same file in two places."""

from __future__ import annotations

from itertools import count

from streamlit.runtime.scriptrunner import get_script_run_ctx


def free_key(key: str) -> str:
    """The key or, where this run of the page has drawn something with it, the next one: `KEY 2`, `KEY 3` ..."""
    context = get_script_run_ctx()
    drawn = context.shared.widget_user_keys_this_run if context else ()
    return next(one for n in count(1) if (one := f"{key} {n}" if n > 1 else key) not in drawn)
