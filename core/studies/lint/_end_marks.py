"""The punctuation mark a text ends with."""

from __future__ import annotations

import pandas as pd

_CLOSING = "\"'’”»)]}"
_MARK = r"([^\w\s]+)$"


def end_marks(texts: pd.Series) -> pd.Series:
    """The last mark before closing quotation marks and brackets, empty where a text ends with a word."""
    bare = texts.str.rstrip().str.rstrip(_CLOSING)
    marks = bare.str.extract(_MARK, expand=False).fillna("").str[-1:]
    return marks.fillna("").astype("str")
