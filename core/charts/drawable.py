"""Specifications of charts without the characters that a drawing cannot hold.

XML lacks most control characters. In the words of a chart they would end the whole process that draws it; they are
drawn as unknown characters instead.
"""

from __future__ import annotations

import re
from typing import Any

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ESCAPED = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u00[01][0-9a-fA-F]|u[fF]{3}[eEfF]|[bf])")
"""The same inside an expression, where texts are JSON."""
_EXPRESSIONS = ("labelExpr", "expr", "test")


def drawable(part: Any, key: str = "") -> Any:
    """A specification, or the part of it under this key, with such characters replaced."""
    if isinstance(part, dict):
        return {name: drawable(value, name) for name, value in part.items()}
    if isinstance(part, list):
        return [drawable(value, key) for value in part]
    if not isinstance(part, str):
        return part
    clean = _UNFIT.sub("\ufffd", part)
    return _ESCAPED.sub("\\1\ufffd", clean) if key in _EXPRESSIONS else clean
