"""Two sentences and one model: the answers of the page Compare.

typed           what was typed or pasted, as pairs
pair            the comparison itself: scores, words, margin
wording         the answer as sentences
tables          the answer as dataframes: words, steps, tokens
expectation     what the model expected at a position
policies        the answer under every defensible policy
receipt         how the number was computed
variants        twenty pairs like this one, scored
"""

from __future__ import annotations

from core.studies.compare.pair import Comparison, compare

__all__ = ["Comparison", "compare"]
