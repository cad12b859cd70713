"""Pairs of sentences whose relation is known by construction: entailment, contradiction, neutral, both ways.

    words           the words of a language (`data/nli`): selection, hypernyms, synonyms, opposites
    clause          the meaning of a sentence, without its word order
    grammar         what both languages share in expressing it; english, portuguese: each one's own
    scenes          clauses drawn at random
    weakening       edits that weaken a clause, under quantifiers that keep or reverse the direction
    logical, joining, lexical    pairs by negation and quantifiers, by coordination, by the meaning of words
    constructions   all kinds of pairs by name; each has its relation by a rule of logic, none by judgement
    everyday        several edits at once, in other words and constructions: more like what people write
    generate        any number of distinct pairs, all labels equally often; the evaluation pairs

Two sentences of a pair are about one situation: *the man* is the same man in both, as in SICK (Marelli et al. 2014).
`all the dogs` presupposes that there are dogs. Evaluation pairs have words and sentence frames of their own: none of
their content words, and none of their frames (a time adverbial, first or last, and *was running*), is in training
pairs. The same constructions are made in English and in Portuguese.
"""

from __future__ import annotations

from workshop.nli_generator.constructions import CONSTRUCTIONS
from workshop.nli_generator.generate import Generated, evaluation_pairs, pairs

__all__ = ["CONSTRUCTIONS", "Generated", "evaluation_pairs", "pairs"]
