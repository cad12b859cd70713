"""Pairlens: targeted evaluation of language models. The map, in reading order.

    api/                        the library in a few calls, one subject per file
    types, errors, settings     the nouns, what can go wrong, every limit
    policies, measures          choices that move a number; units
    identity                    what determines a score, as hashes
    discovery                   folders whose modules register themselves: tasks, scorers, metrics, checks
    tables/, datasets/          the only reader and writer of user files; public data sets
    uploads                     visitors' files
    text/, words/               typed text made readable for a tokenizer; tokens to words
    labels/                     label systems of natural language inference, and their translation
    formulas/, syntaxgym        predictions about regions, read with grammars; suites in SyntaxGym's format
    tasks/, rules               published formats into items, items into requests
    group_names                 what a group of items cannot be called
    models/                     the catalogue; find, load safely, convert
    scorers/                    requests into log-probabilities
    store/                      scores and runs on disk; the catalogue over them
    recipe, scoring             model + scorer + policy; requests through them into the store
    plan, evaluate              a benchmark's items as requests; these into a stored run, resumable
    incomparable                what cannot be compared in it
    checkpoints, sweep          a model at several moments of its training; a benchmark on all of them
    zero_shot, predictions      a benchmark from question to result folder; numbers from others' predictions
    suites, collation/          benchmark suites as data; a submission in one file
    metrics/, analysis/         stored scores into numbers and tables
    experiment/                 a design of one's own: sentences, regions, conditions, and what was found
    agreement/                  agreement sets in published formats; surface heuristics
    next_word/                  what comes next: pieces, whole words, forms
    stereoset/                  StereoSet's files, cases and numbers
    stereoset_runs              its examples scored by a model
    stereoset_answers           a model's answers out of finished runs, under every definition
    nli/, nli_runs              pairs of sentences with labels; answers about them, judged across label systems
    nli_generator/              pairs of sentences with a known relation, made from our own words
    lint/                       what in a data set may spoil a result, one check per file
    readers, item_rows          which task reads a file; items as a table
    lexicon, generator/         words by class and form; items from templates
    result, alongside           a finished run, read back; what stands beside it
    reports, exports/           a run in others' formats; tables, LaTeX, notebooks as downloads
    run_list, example_runs      all runs with their numbers; runs of our samples, made on demand
    run_comparison/             stored runs beside each other: recipes, numbers, items that changed sides
    receipts/, nli_receipt      how a number was made, and that number again from its receipt
    multiverse/                 a run's number under every defensible policy; which policies give a number
    questions/                  ready questions to the store, in SQL
    travelling/                 a run as one file, out and in
    scored_elsewhere/           token tables of other programs as runs
    score_anywhere              one file that makes such tables without Pairlens
    reproduction/, run_report/  a run as a program of others; as a page or a table to print
    comparison/, gallery/       two sentences side by side; worked examples
    charts/                     dataframes into Altair charts, one subject per file
    jobs/, estimate             long work in a child process; how long it will take
    shelf                       opened scorers, kept ready
    training/                   tokenizers, small language models, heads
    bundled_heads/, scorecard/  how the bundled heads are made; what bundled models reach on whole test sets
    film/                       what a model gets right at moments of its training
    cli/, __main__              the command line: python -m core VERB

`core` never imports Streamlit.
"""

from pathlib import Path

__version__ = "0.1.0"

if not (Path(__file__).resolve().parents[1] / "data").is_dir():
    raise ImportError("Pairlens needs the models and data of its folder: install it with `pip install -e FOLDER`.")
