"""Text and numbers for LaTeX."""

from __future__ import annotations

import math

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
