"""The language models that ship with the project, and how to make each of them again.

    python -m core.bundled.language_models english-small --corpora PATH

PATH holds `SOURCES.tsv`, `en/*.txt.xz` and so on. Training text is prepared once, in `.training-text`.

recipes         which models, and how they are made
sources         the texts behind them
languages       which sentences of a language are wanted
portuguese      spelling before 1911 to that of today, by rule
prepare         corpus files to training text
contamination   French nouns and participles of our own set that must not meet in training text
token_counts    how often a model's tokens are in its own training text
options         command-line options that the two programs share
"""
