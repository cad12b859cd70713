"""Sentences on a page. What a visitor typed is shown as it is: never rendered as HTML, Markdown or LaTeX."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from html import escape
from string import Template
from types import TracebackType

import streamlit as st

from pairlens.errors import PairlensError
from pairlens.messages import counted as counted
from pairlens.sharing import without_places

_MARKDOWN = re.compile(r"[\\`*_{}\[\]()#+\-.!|~$:<>&]")


def write(template: str, style: str = "pl-plain", **values: object) -> None:
    """Show our own HTML with `$name` replaced by escaped values. `style` is a class of `style.css`."""
    spoken = ' role="status"' if style == "pl-headline" else ""  # a new answer is read aloud
    st.html(f'<p class="{style}"{spoken}>{fill(template, **values)}</p>')


def text(text: object, style: str = "pl-plain") -> None:
    """Show plain text; `style` as in `write`."""
    write("$text", style, text=text)


def fill(template: str, **values: object) -> str:
    """Our own HTML with `$name` replaced by escaped values."""
    return Template(template).substitute({name: escape(without_places(str(value))) for name, value in values.items()})


def literal(text: str) -> str:
    """Plain text for a label that would be read as Markdown."""
    return _MARKDOWN.sub(r"\\\g<0>", text)


def size(n_bytes: float) -> str:
    """`1.2 GB`, `3.4 MB`, `5.6 kB`."""
    if n_bytes >= 1e9:
        return f"{n_bytes / 1e9:,.1f} GB"
    return f"{n_bytes / 1e6:,.1f} MB" if n_bytes >= 1e5 else f"{n_bytes / 1e3:,.1f} kB"


def note(text: object) -> None:
    """Something worth knowing, in plain text."""
    _box("note", "status", text)


def warning(text: object) -> None:
    """Something that changes what a number means, in plain text."""
    _box("warning", "status", text)


def instead(text: object) -> None:
    """A warning in the place and at the size of the verdict that would mislead, in plain text."""
    _box("warning instead", "status", text)


def error(text: object) -> None:
    """What was wrong, where, and what to do: one sentence, beside the control that caused it."""
    _box("error", "alert", text)


def explained_errors(translate: Callable[[str], str] = str) -> AbstractContextManager[None, bool]:
    """What cannot be read, run or shown inside is said in one sentence, in the language of `translate`."""
    return _ExplainedErrors(translate)


class _ExplainedErrors(AbstractContextManager[None, bool]):
    """A class and no generator, whose type would not say that an error inside ends here."""

    def __init__(self, translate: Callable[[str], str]) -> None:
        self._translate = translate

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(wrong, PairlensError):
            return False
        error(self._translate(wrong.message))
        return True


def _box(kind: str, role: str, text: object) -> None:
    st.html(f'<div class="pl-notice {kind}" role="{role}" dir="auto">{escape(without_places(str(text)))}</div>')
