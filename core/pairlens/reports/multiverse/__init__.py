"""A benchmark's number under every defensible way of scoring it: what holds, what flips, which way gives a number.

    layout      the ways, the finished run that holds the scores of each, and which ways have no scores yet
    unigrams    log-probabilities of tokens or words without context, for SLOR
    adding_up   sums, means per token, word and character, SLOR: queries on stored scores
    numbers     the number under each way, with interval, ties and exclusions; the decision on each item
    scoring     missing scores, computed as ordinary runs of the same data
    matching    every way to print a number of a run, nearest to a published one first
    wording, result    all of it as sentences, headlines, tables, figures and notices

After Steegen et al. (2016), "Increasing transparency through a multiverse analysis". A way whose scores are stored is
a query; others are scored only on request. For one pair of sentences, see `pairlens.analysis.multiverse`.
"""

from pairlens.reports.multiverse.layout import Layout, lay_out

__all__ = ["Layout", "lay_out"]
