"""Everyday Portuguese sentences, made by rule from our own words, for training text.

The novels behind `portuguese-small` are old: this text has the words, persons and moods of today. Sentences of the
evaluation sets are left out like any others (`workshop.language_models.prepare`).

words.toml    nouns, verbs, adjectives, names, places and times
conjugation   a verb's forms from its infinitive
words         what words.toml holds
phrases       subjects and other noun phrases, agreeing inside
predicates    what is said of a subject: verbs with objects, adjectives, participles, reflexives
sentences     whole sentences: statements, questions, clauses in the indicative and the subjunctive
"""

from __future__ import annotations

from workshop.everyday.sentences import sentences

__all__ = ["sentences"]
