"""Pairs of sentences with labels, read from any file.

    pairs      premise, hypothesis and gold label; a corpus of them; a model's answers
    readers    any file into a corpus: SICK, other tables, SNLI's JSON lines; ASSIN's XML is `assin`
    columns    which column of a table holds what
    label_map  a model's own class names as labels of a system
    items      pairs as items to be scored; pairs that share a sentence

`pairlens.files.labels` has the meaning of labels and their translation, `pairlens.studies.nli` the evaluation.
"""
