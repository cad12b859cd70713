"""Pairlens: targeted evaluation of language models. The map, in reading order.

    types, errors, settings     the nouns, what can go wrong, every limit
    policies, measures          choices that move a number; units
    identity                    what determines a score, as hashes
    tables                      the only reader and writer of user files
    text, words                 typed text made readable for a tokenizer; tokens to words
    rules                       which requests an item makes
    tasks/                      published formats into items
    models/                     the catalogue; find, load safely, convert
    scorers/                    requests into log-probabilities
    store/                      scores and runs on disk; the catalogue over them
    evaluate                    items through a scorer into the store, resumable
    metrics/, analysis/         stored scores into numbers and tables
    charts                      dataframes into Altair charts
    jobs                        long work in a child process
    training/                   tokenizers and small language models
    cli/                        the command line: python -m core VERB

`core` never imports Streamlit.
"""

__version__ = "0.1.0"
