"""Text, numbers and tables for LaTeX."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 1_000
"""Longer tables are for other formats."""
_LONG = 40
"""More rows than this go over several pages (package longtable)."""
_SIGNIFICANT = 4
"""Digits of the largest number in a column."""
_SPECIAL = str.maketrans({character: f"\\{character}" for character in "&%$#_{}"} | {
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\symbol{34}",
})  # fmt: skip


def escaped(text: str) -> str:
    """The text for LaTeX, on one line and without commands; hyphens and quotes form no ligatures."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    line = " ".join(plain.split()).translate(_SPECIAL)
    for sign in ("-", "'", "`", ",", "!", "?"):
        line = line.replace(sign * 2, f"{sign}{{}}{sign}").replace(sign * 2, f"{sign}{{}}{sign}")
    return line


def number(value: float, digits: int = 2, decimal: str = ".") -> str:
    """A number with this decimal mark and a true minus sign; two dashes for NaN."""
    if math.isnan(value):
        return "--"
    written = f"{abs(value):.{digits}f}"
    sign = "$-$" if value < 0 and float(written) else ""
    return sign + written.replace(".", decimal if decimal == "." else f"{{{decimal}}}")


def of_frame(frame: pd.DataFrame, caption: str, decimal: str = ".") -> str:
    """A whole table with the package booktabs: numbers to the right, with as many digits as their column needs."""
    columns = [(str(name), frame.iloc[:, place]) for place, name in enumerate(frame)]
    cells = [_cells(values, decimal) for _, values in columns]
    layout = "{" + "".join("r" if _is_number(values) else "l" for _, values in columns) + "}"
    head = [r"\toprule", " & ".join(escaped(name) for name, _ in columns) + r" \\", r"\midrule"]
    body = [" & ".join(row) + r" \\" for row in zip(*cells, strict=True)] + [r"\bottomrule"]
    return table(layout, head, body, escaped(caption), n_rows=len(frame))


def table(layout: str, head: Sequence[str], body: Sequence[str], caption: str, *, n_rows: int) -> str:
    """Lines of a table with the package booktabs, over several pages where it has many rows."""
    if n_rows > _LONG:
        lines = [
            "% \\usepackage{booktabs,longtable}", rf"\begin{{longtable}}{layout}", rf"\caption{{{caption}}} \\",
            *head, r"\endhead", *body, r"\end{longtable}",
        ]  # fmt: skip
    else:
        lines = [
            "% \\usepackage{booktabs}", r"\begin{table}", r"\centering", rf"\begin{{tabular}}{layout}", *head, *body,
            r"\end{tabular}", rf"\caption{{{caption}}}", r"\end{table}",
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _is_number(values: pd.Series) -> bool:
    return values.dtype.kind in "iuf"


def _cells(values: pd.Series, decimal: str) -> list[str]:
    missing = values.isna().tolist()
    if not _is_number(values):
        texts = zip(values.tolist(), missing, strict=True)
        return ["--" if absent else escaped(str(value)) for value, absent in texts]
    numbers = values.to_numpy("float64", na_value=math.nan).tolist()
    known = [abs(value) for value in numbers if math.isfinite(value)]
    digits = 0
    if any(value != round(value) for value in known):
        digits = max(0, min(8, _SIGNIFICANT - 1 - math.floor(math.log10(max(known)))))
    return [number(value, digits, decimal) for value in numbers]
