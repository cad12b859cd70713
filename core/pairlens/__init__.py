"""Pairlens: targeted evaluation of language models, in a few calls. Data frames in, data frames out.

    import pairlens
    pairlens.score("The keys to the cabinet are here.")          # a row per token
    pairlens.compare("The keys are here.", "The keys is here.")  # which is more probable, by how many bits, and where
    pairlens.benchmark("blimp", "english-small").numbers         # a row per number

    score, words, perplexity     texts by token, by word, as wholes
    compare                      two sentences, or as many lines of sentences
    next_word, expected          what the model expects along texts; after a prefix
    inside, mean_map             where in the network the decision between two forms falls; over many items
    benchmark                    a test set, or pairs in a data frame, as a stored run
    experiment                   your own sentences by word, pair and condition
    agreement, stereoset, nli    modules with `predict` and `evaluate` (and `nli.translate`), named like the verbs
    take_home                    a lesson with its model as one HTML file
    runs, run                    what is stored; one run, with its numbers, items, receipt
    bring                        what other programs scored or judged, as stored runs
    paired, compare_runs, query  comparisons of stored runs; SQL over the store
    languages                    stored runs by language and phenomenon
    recipe, PRESETS              a model with its scorer and policy; the named policies

Calls and keyword arguments are named like the verbs and options of `pairlens`, and the numbers are the same. A model
is a catalogue name, a folder (`./folder`), a hub id (`org/name@revision`) or a server (`http://host:port`); the
keyword arguments of `Choices` set scorer and policy. A test set or table is a path, the name of a fetched data set,
or a data frame, which is read like the file it would be saved as. Scores are stored (`PAIRLENS_HOME`): a repeated
call is a look-up, and an interrupted call resumes. Errors are exceptions of `pairlens.errors` with a one-sentence
message.

Whoever changes Pairlens finds these wings, lowest first; each imports only from lower ones:

    types, errors               the nouns, what can go wrong
    places, settings            where the parts of Pairlens are; every limit
    sharing                     what visitors of a shared dashboard may do
    unexpected                  the log of errors that nobody expected
    messages                    sentences for people, from a template and its arguments
    policies, measures          choices that move a number; units
    discovery                   folders whose modules register themselves
    identity, rules             the hashes that identify a score; items into requests

    text/                       text normalization; words, their forms and their scores
    files/                      user files and exports: tables, public data sets, suites
    servers/                    ask servers for the log-probabilities of given tokens, and test them first
    models/                     find, load and convert models, safely
    store/                      scores and runs on disk, the SQL catalogue, jobs, uploads
    statistics/                 intervals, paired tests, regression, for metrics and studies
    scorers/                    registry: requests into log-probabilities
    scoring/                    the scoring module behind every page: recipes, stored scores, the model cache
    tasks/                      registry: published formats into items
    metrics/                    registry: numbers about a run
    analysis/                   stored scores into tables
    charts/                     tables into Altair charts
    results/                    what a study found, and its renderings
    evaluation/                 a run, from question to result
    plans/                      many models on many tasks, from one file, by several workers
    reports/                    comparisons, reproductions and reports of finished runs
    training/                   tokenizers, small language models, heads, learning curves
    studies/                    one folder per question, from templates to entailment
    api/                        the library, one subject per file
    cli/, __main__              the command line: `pairlens VERB`

Six words have one meaning each. A *study* asks a question: fields, answers of models, what they come to
(`pairlens.studies.study`). A *plan* is what is to be scored for it, a *run* what was scored and is stored. A *result*
is what was found, in one shape whatever the question (`pairlens.results`). Its *receipt* is the computation as plain
values; a *report* is the result printed.

`pairlens` never imports Streamlit. The docstring of a wing is its map, unless its file listing already is. How the
models and data that come along are made lies outside, in `workshop/`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from pairlens.api import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        """The calls above, when the first is needed: every wing loads this file, and most need none of them."""
        if name != "__all__" and (name.startswith("__") or find_spec(f"{__name__}.{name}")):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.api"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *import_module(f"{__name__}.api").__all__})
