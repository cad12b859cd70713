"""Pieces of an HTML page. Everything that comes in is text and stays text: it is escaped here, once."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from core.reports.run_report.numerals import Numerals

MOST_ROWS = 200
"""Rows of a table; what is beyond is counted in words."""


def text(value: object) -> str:
    """Plain text as HTML, whatever is in it; each stretch finds its own direction of writing."""
    return f'<bdi dir="auto">{plain(value)}</bdi>'


def plain(value: object) -> str:
    """Plain text as HTML. Characters that HTML cannot hold are shown as unknown ones."""
    printable = "".join(one if _fits(one) else "\ufffd" for one in str(value))
    return escape(printable, quote=True)


def _fits(character: str) -> bool:
    return character in "\t\n" or unicodedata.category(character) not in ("Cc", "Cs")


def paragraph(words: str, style: str = "") -> str:
    """A paragraph of plain text."""
    return f"<p{f' class={style!r}' if style else ''}>{text(words)}</p>\n"


def section(title: str, *content: str) -> str:
    """A heading and what is below it; nothing without content."""
    inner = "".join(content)
    return f"<section>\n<h2>{text(title)}</h2>\n{inner}</section>\n" if inner else ""


def table(
    caption: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    n: int,
    numerals: Numerals,
    numeric: frozenset[int] = frozenset(),
) -> str:
    """A table of at most `MOST_ROWS` of its `n` rows; the columns in `numeric` are set flush right.

    If it is cut the caption says so.
    """
    if not n:
        return ""
    shown = [row for row, _ in zip(rows, range(MOST_ROWS), strict=False)]
    if n > len(shown):
        caption += f" The first {numerals.count(len(shown))} of {numerals.count(n)} are shown."
    marks = ['class="n"' if place in numeric else "" for place in range(len(headings))]
    head = "".join(f'<th scope="col" {mark}>{text(one)}</th>' for one, mark in zip(headings, marks, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td {mark}>{text(cell)}</td>" for cell, mark in zip(row, marks, strict=True)) + "</tr>\n"
        for row in shown
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{plain(caption)}">\n<table>\n'
        f"<caption>{text(caption)}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n"
    )


def figure(drawing: str, words: str) -> str:
    """A drawing (SVG of ours) with its finding, which is its alternative text too."""
    image = f'<div class="wide" role="img" aria-label="{plain(words)}">{drawing}</div>'
    return f"<figure>\n{image}\n<figcaption>{text(words)}</figcaption>\n</figure>\n"


def definitions(pairs: Mapping[str, str]) -> str:
    """Names and what they stand for."""
    rows = "".join(f"<dt>{text(name)}</dt><dd>{text(meaning)}</dd>\n" for name, meaning in pairs.items())
    return f"<dl>\n{rows}</dl>\n"


def folded(title: str, content: str) -> str:
    """Something long, opened by a click; in print it stays closed if it was. Nothing without content."""
    return f"<details>\n<summary>{text(title)}</summary>\n{content}</details>\n" if content else ""


def code(written: str) -> str:
    """Lines in a fixed-width face."""
    return f"<pre>{plain(written)}</pre>\n"
