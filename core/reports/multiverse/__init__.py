"""A benchmark's number under every defensible way of scoring it: what holds, what flips, which way gives a number.

    ways        the ways: how texts are scored, which question is asked, how token scores are added up
    layout      which finished run holds the scores of each way, and which are not there yet
    unigrams    how likely tokens or words are without context, for SLOR
    adding_up   sums, means per token, word and character, SLOR: queries on stored scores
    numbers     the number under each way, with interval, ties and what is left out
    items       the decision on each item under each way: which are fragile
    scoring     what is missing, scored as ordinary runs of the same data
    matching    every way to print a number of a run, nearest to a published one first
    wording     all of it in sentences

After Steegen et al. (2016), "Increasing transparency through a multiverse analysis". A way whose scores are stored is
a query; the others are said to be missing and are never scored without being asked for. The same for one pair of
sentences is `core.analysis.multiverse`.
"""

from __future__ import annotations

from core.reports.multiverse.layout import Layout, lay_out

__all__ = ["Layout", "lay_out"]
