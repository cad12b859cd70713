"""Jupyter notebooks as files: cells of text and of Python, without outputs."""

import json
from collections.abc import Iterable

_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebook(cells: Iterable[tuple[str, str]]) -> str:
    """A notebook as JSON (nbformat 4.5); a cell is its type, `markdown` or `code`, and its text."""
    written = []
    for number, (kind, text) in enumerate(cells, start=1):
        cell: dict[str, object] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}}
        cell |= {"execution_count": None, "outputs": []} if kind == "code" else {}
        written.append(cell | {"source": text.splitlines(keepends=True)})
    book = {"cells": written, "metadata": {"kernelspec": _KERNEL}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False)
