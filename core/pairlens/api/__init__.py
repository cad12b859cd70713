"""The calls of the library, one subject per file; the docstring of `pairlens` says what they are."""

from typing import TYPE_CHECKING, Any

from pairlens.api import agreement, nli, stereoset
from pairlens.api.asking import Choices, call, recipe
from pairlens.api.benchmarks import benchmark
from pairlens.api.experiments import experiment
from pairlens.api.lessons import take_home
from pairlens.api.stored import bring, compare_runs, languages, paired, query, run, runs
from pairlens.api.texts import compare, expected, inside, mean_map, next_word, perplexity, score, words
from pairlens.policies import PRESETS
from pairlens.studies.study import studies

if TYPE_CHECKING:
    from pairlens.evaluation.result import Run

__all__ = [
    "PRESETS",
    "Choices",
    "Run",
    "agreement",
    "benchmark",
    "bring",
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
        from pairlens.evaluation.result import Run

        return Run
    if name not in studies():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return call(studies()[name])
