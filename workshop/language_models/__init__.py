"""The language models that ship with the project, and how to make each of them again.

    python -m workshop.language_models english-small --corpora PATH

PATH holds `SOURCES.tsv`, `en/*.txt.xz` and so on. Training text is prepared once, in `.training-text`.

recipes         which models, and how they are made
sources         the texts behind them
languages       which sentences of a language are worth training on
portuguese      from the spelling before 1911 to that of today, by rule
prepare         from corpus files to training text
contamination   French nouns and participles of our own set that must not meet in training text
word_counts     words counted, for `unigram-english`
training        the training of these models, encoder-decoders too; weights kept at moments of it
two_sides       an encoder-decoder in training
token_counts    counts of a model's tokens in its training text
options         options that both programs share
"""
