"""Pairlens in a few calls, for notebooks and scripts: data frames in, data frames out.

    from core import api
    api.score("The keys to the cabinet are here.")             # a row per token
    api.compare("The keys are here.", "The keys is here.")     # which is more probable, by how many bits, and where
    api.benchmark("blimp", "english-small").numbers            # a row per number

    score, words, perplexity     texts by token, by word, as wholes
    compare                      two sentences, or as many lines of sentences
    next_word, expected          what the model expects along texts; after a prefix
    inside, mean_map             where in the network the decision between two forms falls; over many items
    benchmark                    a test set, or pairs in a data frame, as a stored run
    experiment                   your own sentences by word, pair and condition
    agreement, stereoset, nli    modules with `predict` and `evaluate` (and `nli.translate`), named like the verbs
    take_home                    a lesson with its model as one HTML file
    runs, run                    what is stored; one run, with its numbers, items, receipt
    paired, compare_runs, query  comparisons of stored runs; SQL over the store
    languages                    stored runs by language and phenomenon
    recipe, PRESETS              a model with its scorer and policy; the named policies

Calls and keyword arguments are named like the verbs and options of `pairlens`, and the numbers are the same. A model
is a catalogue name, a folder (`./folder`) or a hub id (`org/name@revision`); the keyword arguments of `Choices` set
scorer and policy. A test set or table is a path, the name of a fetched data set, or a data frame, which is read like
the file it would be saved as. Scores are stored (`PAIRLENS_HOME`): a repeated call is a look-up, and an interrupted
call resumes. Errors are exceptions of `core.errors` with a one-sentence message.
"""

from typing import TYPE_CHECKING, Any

from core.api import agreement, nli, stereoset
from core.api.asking import Choices, call, recipe
from core.api.benchmarks import benchmark
from core.api.experiments import experiment
from core.api.lessons import take_home
from core.api.stored import compare_runs, languages, paired, query, run, runs
from core.api.texts import compare, expected, inside, mean_map, next_word, perplexity, score, words
from core.policies import PRESETS
from core.studies.study import studies

if TYPE_CHECKING:
    from core.runs.result import Run

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
    "inside",
    "languages",
    "mean_map",
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
    "take_home",
    "words",
]


def __getattr__(name: str) -> Any:
    """The class of runs, which takes a while to load, and the call of a study that has no function here."""
    if name == "Run":
        from core.runs.result import Run

        return Run
    if name not in studies():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return call(studies()[name])
