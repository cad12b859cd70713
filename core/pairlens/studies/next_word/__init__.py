"""What a left-to-right model expects next: pieces, whole words, forms to choose between.

pieces          a vocabulary: how its pieces are shown, where words begin and end; prefixes, and examples of them
top_words       what is expected at each position of a prefix; the likeliest whole words, found exactly
forms           forms compared as whole words and as mere beginnings; sentences that differ in one word
table           the published table: a row per position, by piece or by word
continuations   the likeliest continuations as a table that draws itself in a notebook
wording         answers as sentences, as rows of charts and tables; how the numbers were computed
"""

from collections.abc import Mapping

from pairlens.policies import PRESETS

SETS: Mapping[str, Mapping[str, object]] = {
    name: {"word_value": "bow_eos", "punctuation": "separate"} for name in PRESETS
}
"""Choices that differ from the presets: the end of a word counts, and a mark ends it as a space does."""
HOW = "A space comes before a form, but not before n't, -se, 's or a mark; _ before it puts one there, + none."
"""The rule of `pairlens.text.joining.following` in short, for help texts."""
