"""The tables and settings of an experiment: the nouns that `by_word`, `by_pair` and `by_cond` share.

Three tables follow from one another:

**Sentences**, one row each, index 0, 1, ...: `sentid` (str, unique), `sentence` (str, as scored: without region bars)
and, where the design has them, `pairid` (str), `comparison` (`expected` or `unexpected`, whatever the file calls
them), `item` (str, repeated over conditions), `roi` (tuple of word positions, from 0; None for the whole sentence; a
str names a word until the words are known),
`bars` (tuple of character spans, the regions between bars; None without bars), one column per condition (str) and
every other column of the file, prefixed with `given_` if its name is one of these.

**Words**, one row per model, sentence and word, in order: `model`, `tokenizer` (str), `sentid`, `wordpos` (int, from
0, among the words of the punctuation policy), `word` (str), `start`, `end` (characters; missing if the words come
from another program), `bar` (Int64: the region between bars in which the word begins; missing without bars),
`n_tokens` (int), `punctuation` (bool: punctuation only), `surp` (bits) and `prob`, both NaN if unscored. A word at
which no token begins is part of the word before it, and its position is skipped. Words from a per-token table also
have `wordpos_given`, the position of their first token in that table.

**Results**, one row per model and word, pair, condition or region: see the modules.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pairlens.errors import InputError, PolicyError, unknown
from pairlens.policies import CHOICES

MEASURES = ("surp", "prob", "perplexity")
SUMMARIES = ("sum", "mean")
EXPECTED, UNEXPECTED = "expected", "unexpected"
MOST_SPILL = 50


@dataclass(frozen=True, slots=True)
class Columns:
    """The role of each column of a table; an empty name means that the table has no such column.

    `expected` and `unexpected` are the values of the comparison column that mark which sentence of a pair should win.
    If a table has two columns of texts and none of sentences, they are the names of those two columns. `item` names
    what a factorial design repeats over its conditions, by default the pair. `roi` holds word positions, separated by
    commas and counted from 0 among the words of the punctuation policy, or words that occur once in their sentence.
    `chunks` is the mark that joins words into chunks (`the_key is_here`); these are then regions, as between bars.
    """

    sentence: str = "sentence"
    sentid: str = "sentid"
    pairid: str = "pairid"
    comparison: str = "comparison"
    expected: str = EXPECTED
    unexpected: str = UNEXPECTED
    item: str = ""
    roi: str = "ROI"
    conditions: tuple[str, ...] = ()
    chunks: str = ""

    @property
    def sides(self) -> tuple[str, str]:
        """What the table calls the two sides of the comparison."""
        return self.expected, self.unexpected


@dataclass(frozen=True, slots=True)
class Analysis:
    """How tokens become words, words a region, and a region a number.

    A word's surprisal is the `sum` over its tokens (-log2 of the product of their probabilities) or their `mean`
    (`word_summary`); a region's is the mean or sum over its words (`region_summary`). With `word_probability` =
    `product`, every measure follows from the surprisal s of the word or region: surp is s, prob is 2^-s (for a word,
    always from the sum) and perplexity is 2^s. `mean` averages probabilities over tokens and over words, and `fold` =
    `nlpscholar` places punctuation as that program does (some marks are lost, a final one may fall on the first
    word): both reproduce published numbers. `spill` is the number of words, or regions between bars, after the region
    that are measured too. `ties` as in `pairlens.policies`.
    """

    measure: str = "surp"
    word_summary: str = "sum"
    word_probability: str = "product"
    region_summary: str = "mean"
    punctuation: str = "previous"
    fold: str = "whole"
    ties: str = "half"
    spill: int = 0

    def __post_init__(self) -> None:
        for field, choices in {
            "measure": MEASURES,
            "word_summary": SUMMARIES,
            "word_probability": ("product", "mean"),
            "region_summary": SUMMARIES,
            "punctuation": tuple(CHOICES["punctuation"]),
            "fold": ("whole", "nlpscholar"),
            "ties": tuple(CHOICES["ties"]),
        }.items():
            if (value := getattr(self, field)) not in choices:
                raise PolicyError(unknown(field.replace("_", " "), value, choices))
        if not 0 <= self.spill <= MOST_SPILL:
            raise PolicyError(f"A spill-over of {self.spill:,} words makes no sense: take 0 to {MOST_SPILL}.")


NLPSCHOLAR = Analysis(word_summary="mean", word_probability="mean", fold="nlpscholar", ties="wrong")
"""NLPScholar's defaults."""


def refuse_taken(conditions: Sequence[str], taken: Iterable[str]) -> None:
    """InputError if a condition has the name of one of the result's own columns."""
    own = set(taken)
    for name in conditions:
        if name in own:
            raise InputError(f"The results have a column '{name}' of their own: rename that condition.")
