"""Pairlens: targeted evaluation of language models. A map of the wings, lowest first; a wing imports only lower ones.

    types, errors, settings     the nouns, what can go wrong, every limit
    policies, measures          choices that move a number; units
    discovery                   folders whose modules register themselves
    identity, rules             what determines a score, as hashes; items into requests

    text/                       typed text made readable for a tokenizer; words, their forms and their values
    files/                      what people bring and take away: tables, public data sets, suites, exports
    models/                     find, load safely, convert
    store/                      scores and runs on disk, the catalogue over them, jobs, uploads
    statistics/                 intervals, paired tests, regression: what metrics and studies share
    scorers/                    registry: requests into log-probabilities
    scoring/                    the scoring module that pages wrap: recipes, scores into the store, opened models
    tasks/                      registry: published formats into items
    metrics/                    registry: numbers about a run
    analysis/                   stored scores into tables
    charts/                     tables into Altair charts
    runs/                       a run from question to result
    reports/                    what is said about finished runs
    training/                   tokenizers, small language models, heads, learning curves
    studies/                    a folder per question: from templates to StereoSet and entailment
    api/                        the library in a few calls, one subject per file
    cli/, __main__              the command line: `pairlens VERB`
    bundled/                    the workshop: how the models and data that ship are made

`core` never imports Streamlit. The docstring of a wing is its map, where its listing is not.
"""

from pathlib import Path

__version__ = "0.1.0"

__path__.append(str(Path(__file__).parent / "cli" / "moved"))  # `python -m core.gallery` says where it went

if not (Path(__file__).resolve().parents[1] / "data").is_dir():
    raise ImportError("Pairlens needs the models and data of its folder: install it with `pip install -e FOLDER`.")
