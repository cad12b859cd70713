"""What a model that reads from left to right expects next: pieces, whole words, forms to choose between.

prefix          the beginning of a text, and how a word joins it
pieces          a vocabulary: how its pieces are shown, which of them begin a word and which go on with one
cutting         a prefix's tokens, cut once for all prefixes of a text
top_words       the likeliest whole words, found exactly
next_token      what is expected at each place of a prefix
forms           forms compared as whole words and as mere beginnings
table           the published table: a row per position, by piece or by word
twins           sentences that differ in one word, as a prefix and two forms
examples        prefixes to start from
wording, rows   answers in words; as rows of charts and tables
receipt         how the numbers were made
"""

from __future__ import annotations

from collections.abc import Mapping

from core.policies import PRESETS

SETS: Mapping[str, Mapping[str, object]] = {
    name: {"word_value": "bow_eos", "punctuation": "separate"} for name in PRESETS
}
"""What is chosen otherwise here than in a preset: words end, and a mark ends them as a space does."""
