"""Pairs in the manner of everyday descriptions, for training only: several edits at once, and said in other ways.

    drawn       a scene at random: somebody in a hat does something to something somewhere
    nouns       which nouns say less, which have nothing to do with each other
    weaker      edits after which a clause says less; how a noun, a verb and a place are widened
    other       edits after which it says something else, or more
    said        the same in other words, another order, another construction
    denied      the negation of a clause; verbs that exclude each other
    cases       all kinds of pairs by name
    generate    any number of distinct pairs

All determiners are upward monotone (*a*, *the*, *two*, *some*), so edits that weaken a clause can be chained: it
entails the last one, and contradicts the negation of it. Both sentences describe one situation (Marelli et al. 2014):
*a man is not running* contradicts *a man is running*, and *the man* is *a man*.
"""

from __future__ import annotations

from workshop.nli_generator.everyday.generate import pairs

__all__ = ["pairs"]
