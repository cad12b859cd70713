"""Two sentences, one model: what the first page says about a pair.

typed           what was typed or pasted, as pairs
pair            the comparison itself: scores, words, margin
wording         the answer in words
tables          the answer in dataframes: words, steps, tokens
expectation     what the model expected at a place
receipt         how the number was made
variants        twenty pairs like this one
"""

from __future__ import annotations

from core.studies.compare.pair import Comparison, compare

__all__ = ["Comparison", "compare"]
