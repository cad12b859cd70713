"""Pairlens: targeted evaluation of language models. The wings, lowest first; each imports only from lower ones.

    types, errors, settings     the nouns, what can go wrong, every limit
    sharing                     what visitors of a shared dashboard may do
    unexpected                  the log of errors that nobody expected
    messages                    sentences for people, from a template and its arguments
    policies, measures          choices that move a number; units
    discovery                   folders whose modules register themselves
    identity, rules             the hashes that identify a score; items into requests

    text/                       text normalization; words, their forms and their scores
    files/                      user files and exports: tables, public data sets, suites
    models/                     find, load and convert models, safely
    store/                      scores and runs on disk, the SQL catalogue, jobs, uploads
    statistics/                 intervals, paired tests, regression, for metrics and studies
    scorers/                    registry: requests into log-probabilities
    scoring/                    the scoring module behind every page: recipes, stored scores, the model cache
    tasks/                      registry: published formats into items
    metrics/                    registry: numbers about a run
    analysis/                   stored scores into tables
    charts/                     tables into Altair charts
    runs/                       a run, from question to result
    plans/                      many models on many tasks, from one file, by several workers
    reports/                    comparisons, reproductions and reports of finished runs
    training/                   tokenizers, small language models, heads, learning curves
    studies/                    one folder per question, from templates to entailment
    api/                        the library, one subject per file
    cli/, __main__              the command line: `pairlens VERB`

`core` never imports Streamlit. The docstring of a wing is its map, unless its file listing already is. How the models
and data that come along are made lies outside, in `workshop/`.
"""

import os
from pathlib import Path

__version__ = "0.1.0"

if not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & os.environ.keys():
    # torch's threads wait in a loop that takes the processor from whoever else needs it; read when torch is loaded.
    os.environ["GOMP_SPINCOUNT"] = "4000"

if not (Path(__file__).resolve().parents[1] / "data").is_dir():
    raise ImportError("Pairlens needs the models and data of its folder: install it with `pip install -e FOLDER`.")
