"""Pairlens in a few calls, for notebooks and scripts: data frames in, data frames out.

    from core import api
    api.score("The keys to the cabinet are here.")             # a row per token
    api.compare("The keys are here.", "The keys is here.")     # which is likelier, by how many bits, and where
    api.benchmark("blimp", "english-small").numbers            # a row per number

    score, words, perplexity     texts: by token, by word, as wholes
    compare                      two sentences
    next_word, expected          what comes next: along texts; after the beginning of one
    benchmark                    a test set, or pairs in a data frame, into a stored run
    experiment                   sentences of one's own by word, pair and condition
    agreement, stereoset, nli    modules with `predict` and `evaluate` (and `nli.translate`), named like the verbs
    runs, run                    what is stored; one run, with its numbers, items, receipt
    paired, compare_runs, query  stored runs beside each other; SQL over all
    recipe, PRESETS              a model with scorer and policy; the named policies

Calls and keyword arguments are named like the verbs of `pairlens` and their options, and the numbers are the
same. Models are named as everywhere: a catalogue name, a folder (`./folder`) or a hub id (`org/name@revision`). How a
model is asked is said by the keyword arguments of `Choices`. A test set or a table is a path, the name of a fetched
data set, or a data frame, which is read as the file it would be saved as. Scores are stored (`PAIRLENS_HOME`): asking
again is a look-up, and a call that was stopped goes on where it was. What is wrong with what was given is said in one
sentence by an exception of `core.errors`.
"""

from __future__ import annotations

from core.api import agreement, nli, stereoset
from core.api.asking import Choices, recipe
from core.api.benchmarks import benchmark
from core.api.continuations import expected, next_word
from core.api.experiments import experiment
from core.api.sentences import compare
from core.api.stored import Run, compare_runs, paired, query, run, runs
from core.api.texts import perplexity, score, words
from core.policies import PRESETS

__all__ = [
    "PRESETS",
    "Choices",
    "Run",
    "agreement",
    "benchmark",
    "compare",
    "compare_runs",
    "expected",
    "experiment",
    "next_word",
    "nli",
    "paired",
    "perplexity",
    "query",
    "recipe",
    "run",
    "runs",
    "score",
    "stereoset",
    "words",
]
