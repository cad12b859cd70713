"""Words: which token belongs to which, and how probable each is.

Words are found in the text, never in the tokenizer: `segmentation` cuts the text at white space (single characters in
scripts without spaces) and gives punctuation marks to words as the policy says; tokens then belong to words by their
character offsets. `values` makes a word's log-probability from those of its tokens.
"""

from pairlens.text.words.segmentation import is_mark, separates, word_positions, word_spans
from pairlens.text.words.values import Ends, Word, edges, end_masses, parts_marks, unspaced_letter, word_value, words

__all__ = [
    "Ends",
    "Word",
    "edges",
    "end_masses",
    "is_mark",
    "parts_marks",
    "separates",
    "unspaced_letter",
    "word_positions",
    "word_spans",
    "word_value",
    "words",
]
